//! The releases of `experiments/audit`: the examples of the papers as files, each with the answer of its paper and the witness
//! that shows it.

use anonlab::data::Dataset;
use anonlab::lab::{Observation, Seed, Witness, Workbench};
use anonlab::measures::measure;
use anonlab::publish::contract;
use anonlab::release::{PrivacyVerdict, Release, ReleaseKind, verify};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    release: ReleaseKind,
    guarantee: Named,
    keeps: bool,
    measure: Named,
    /// By name, or `name at place`.
    metrics: BTreeMap<String, f64>,
    /// Among those that are found there is one that has all of this.
    witnesses: Vec<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    parameters: Map<String, Value>,
}

fn original(folder: &Path) -> Dataset {
    let roles = std::fs::read_to_string(folder.join("roles.yaml")).unwrap();
    let mut definition: Map<String, Value> = serde_yaml::from_str(&roles).unwrap();
    let is_table = folder.join("original.csv").is_file();
    let (file, format) = if is_table { ("original.csv", "csv") } else { ("original.dat", "fimi") };
    definition.insert("source".to_string(), json!({"file": file, "format": format}));
    let definition: DatasetDefinition = serde_json::from_value(Value::Object(definition)).unwrap();
    load(&definition, &DataLocations::new(None).for_spec_in(folder), Seed(1)).unwrap().dataset
}

fn release(folder: &Path, kind: ReleaseKind, original: &Dataset) -> Release {
    let read = |name: &&str| std::fs::read(folder.join("release").join(name)).unwrap();
    let files: Vec<Vec<u8>> = kind.about().files.iter().map(read).collect();
    kind.read(original, &files.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap()
}

/// Whether a witness has every field that is expected of it; of `by`, those that are expected.
fn shows(witness: &Witness, expected: &Map<String, Value>) -> bool {
    let found = serde_json::to_value(witness).unwrap();
    expected.iter().all(|(field, expected)| match (field.as_str(), expected, &found[field]) {
        ("by", Value::Array(expected), Value::Array(found)) => expected.iter().all(|rule| found.contains(rule)),
        ("value" | "against", expected, found) => {
            let (expected, found) = (expected.as_f64().unwrap(), found.as_f64());
            found.is_some_and(|found| (found - expected).abs() < 1e-9)
        }
        (_, expected, found) => expected == found,
    })
}

fn folders() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/audit");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

#[test]
fn every_example_gives_the_answer_of_its_paper_and_shows_it() {
    let folders = folders();
    assert!(folders.len() >= 5, "{folders:?}");
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join("expected.yaml")).unwrap();
        let expected: Expected = serde_yaml::from_str(&text).unwrap();
        let dataset = original(&folder);
        let release = release(&folder, expected.release, &dataset);

        let contract = contract(expected.release, Some(&expected.guarantee.name)).unwrap();
        let complete = contract.complete(&expected.guarantee.parameters).unwrap();
        let verdict = verify(&dataset, &release, &contract.guarantee(&complete).unwrap()).unwrap();
        assert_eq!(verdict == PrivacyVerdict::Private, expected.keeps, "{name}: {}", verdict.reason());

        let audit = measure(&expected.measure.name).unwrap();
        let given = audit.complete(&expected.measure.parameters).unwrap();
        let mut bench = Workbench::new(Seed(1), "examples").wanting_witnesses(true);
        let observed = audit.measure(&dataset, Some(&release), &given, &mut bench).unwrap();
        for (metric, &value) in &expected.metrics {
            let (metric, at) = metric.split_once(" at ").map_or((metric.as_str(), None), |(m, at)| (m, Some(at)));
            let is_meant = |one: &&Observation| one.metric == metric && one.at.as_deref() == at;
            let found = observed.iter().find(is_meant).unwrap_or_else(|| panic!("{name}: no {metric}"));
            assert!((found.value - value).abs() < 1e-9, "{name}: {metric} is {}, not {value}", found.value);
        }
        let witnesses: Vec<&Witness> = verdict.witnesses().iter().chain(bench.witnesses()).collect();
        for expected in &expected.witnesses {
            assert!(witnesses.iter().any(|one| shows(one, expected)), "{name}: {expected:?} is not in {witnesses:#?}");
        }
    }
}
