//! One unit of work and the key its answer is kept under.

#![forbid(unsafe_code)]

use crate::examination::FinishedRelease;
use crate::external::External;
use crate::family_digest;
use crate::lab::Seed;
use crate::publish::publisher;
use crate::sources::DatasetDefinition;
use indexmap::IndexMap;
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;

/// One unit of work: a dataset, at most one algorithm, measures to take, one repetition. Everything a worker needs and
/// nothing that cannot change its answer, but for names, which are for people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The dataset's name in the spec.
    pub dataset_name: String,
    /// Shared, as is what follows: thousands of cells differ in nothing but repetition and seed.
    pub dataset: Arc<DatasetDefinition>,
    /// None: the measures look at the original alone.
    pub algorithm: Option<Arc<AlgorithmCell>>,
    /// What is measured, in the order of the spec.
    pub measures: Arc<Vec<MeasureCell>>,
    /// The number of the repetition, from 0.
    pub repetition: u32,
    /// How many repetitions the drawing measures are taken for, from `repetition` on: a release that repeats exactly is
    /// published once and measured on the workload of each.
    #[serde(default = "one")]
    pub workloads: u32,
    /// None: nothing in it is drawn, so it is the same cell whatever the seed of the run.
    pub seed: Option<u64>,
}

fn one() -> u32 {
    1
}

/// The algorithm of a cell, with everything it needs to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmCell {
    /// Its name in the spec.
    pub name: String,
    /// The built-in publisher, or the command of a program.
    pub publisher: String,
    /// Complete: defaults filled in.
    pub parameters: Map<String, Value>,
    /// The program, where it is none of the built-in publishers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<External>,
    /// The files, where it is a finished release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedRelease>,
    /// Whether its name is part of the key: computed by itself, even where another entry means the same work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
}

/// A measure of a cell, with complete parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasureCell {
    /// Its name in the spec.
    pub name: String,
    /// The measure's registered name.
    pub measure: String,
    /// Complete: defaults filled in.
    pub parameters: Map<String, Value>,
}

/// A hash of everything that can change a cell's answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(Arc<str>);

impl Key {
    /// What `plan` prints and `explain` takes.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }

    /// The key as it names files of the store.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Cell {
    /// The fields of the key, named for `explain`. `data` lists the files behind the dataset with their digests.
    pub fn key_fields(&self, data: &[(String, String)]) -> IndexMap<String, String> {
        let text = |value: &Value| value.to_string();
        let (publisher, parameters) = match &self.algorithm {
            Some(algorithm) => (algorithm.publisher.clone(), text(&json!(algorithm.parameters))),
            None => ("none".to_string(), "{}".to_string()),
        };
        let measures: Vec<Value> = self.measures.iter().map(|m| json!([m.measure, m.parameters])).collect();
        let mut fields = IndexMap::from([
            ("dataset".to_string(), text(&json!(self.dataset))),
            ("data".to_string(), text(&json!(data))),
            ("publisher".to_string(), publisher),
            ("parameters".to_string(), parameters),
            ("measures".to_string(), text(&json!(measures))),
            ("repetition".to_string(), self.repetition.to_string()),
            ("workloads".to_string(), self.workloads.to_string()),
            ("seed".to_string(), self.seed_text()),
            ("code".to_string(), self.code()),
        ]);
        if let Some(program) = self.algorithm.as_ref().and_then(|algorithm| algorithm.external.as_ref()) {
            fields.insert("program".to_string(), text(&program.key()));
        }
        if let Some(finished) = self.algorithm.as_ref().and_then(|algorithm| algorithm.finished.as_ref()) {
            fields.insert("files".to_string(), text(&finished.key()));
        }
        if let Some(algorithm) = self.algorithm.as_ref().filter(|algorithm| algorithm.distinct) {
            fields.insert("distinct".to_string(), algorithm.name.clone());
        }
        fields
    }

    /// Its key, from the fields of a cell that differs from it in nothing but repetition and seed: making them anew for each
    /// of a million cells takes longer than all the rest.
    pub fn key_like(&self, fields: &IndexMap<String, String>) -> Key {
        let (repetition, seed) = (self.repetition.to_string(), self.seed_text());
        key_of_pairs(fields.iter().map(|(name, value)| match name.as_str() {
            "repetition" => (name.as_str(), repetition.as_str()),
            "seed" => (name.as_str(), seed.as_str()),
            _ => (name.as_str(), value.as_str()),
        }))
    }

    fn seed_text(&self) -> String {
        self.seed.map_or("none".to_string(), |seed| seed.to_string())
    }

    /// The digest of the code that its answer can depend on: what everything shares, and the family of its publisher.
    fn code(&self) -> String {
        family_digest(self.algorithm.as_ref().map(|algorithm| match (&algorithm.external, &algorithm.finished) {
            (Some(_), _) | (_, Some(_)) => "external",
            (None, None) => publisher(&algorithm.publisher).map_or("", |publisher| publisher.family()),
        }))
    }

    /// What the algorithm's random streams depend on.
    pub fn algorithm_axes(&self) -> Value {
        match &self.algorithm {
            Some(algorithm) => json!([self.dataset, algorithm.publisher, algorithm.parameters, self.repetition]),
            None => Value::Null,
        }
    }

    /// What a measure's random streams depend on: not the algorithm, so that every release faces the same draws. The first
    /// repetition is not named, so that its draws do not depend on whether there are others.
    pub fn measure_axes(&self, measure: &MeasureCell, repetition: u32) -> Value {
        match repetition {
            0 => json!([self.dataset, measure.measure, measure.parameters]),
            _ => json!([self.dataset, measure.measure, measure.parameters, repetition]),
        }
    }

    /// What its random streams are drawn from. Where nothing is drawn it does not matter.
    pub fn root(&self) -> Seed {
        Seed(self.seed.unwrap_or(0))
    }

    /// What its dataset is drawn from: neither algorithm nor sweep point matters, so all of them face the same draw at the
    /// same repetition. The first is that of a dataset without `redraw`.
    pub fn data_seed(&self) -> Seed {
        match self.repetition {
            repetition @ 1.. if self.dataset.redraws() => {
                Seed(self.root().stream("dataset of a repetition", &repetition).next_u64())
            }
            _ => self.root(),
        }
    }
}

/// The key that these fields make.
pub fn key_of(fields: &IndexMap<String, String>) -> Key {
    key_of_pairs(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

fn key_of_pairs<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key("anonlab 1 cell");
    for (name, value) in fields {
        for text in [name, value] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    Key(hasher.finalize().to_hex().as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{DataLocations, load_once};

    #[test]
    fn a_key_from_the_fields_of_a_sibling_is_that_of_its_own() {
        let cell = |repetition, seed| Cell {
            dataset_name: "d".into(),
            dataset: serde_json::from_str(r#"{"source": "adult"}"#).unwrap(),
            algorithm: None,
            measures: Default::default(),
            repetition,
            workloads: 1,
            seed,
        };
        let fields = cell(0, None).key_fields(&[]);
        let mut keys = std::collections::BTreeSet::new();
        for (repetition, seed) in [(0, None), (1, None), (0, Some(0)), (3, Some(7))] {
            let sibling = cell(repetition, seed);
            assert_eq!(sibling.key_like(&fields), key_of(&sibling.key_fields(&[])));
            keys.insert(sibling.key_like(&fields));
        }
        assert_eq!(keys.len(), 4);
    }

    /// What is drawn of a dataset with `redraw`: the same at the same repetition whatever is done with it, another one at each,
    /// and nothing kept of one serves for another.
    #[test]
    fn a_repetition_has_its_own_draw_of_the_data_where_the_definition_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let locations = DataLocations::new(Some(folder.path().to_path_buf()));
        let rows: String = (0..60).map(|i| format!("{} {} {}\\n", i % 7, 10 + i % 11, 30 + i % 13)).collect();
        for (drawn, draws) in [
            (r#""private": {"share": 0.3}"#, true),
            (r#""derive": [{"sample": 20}]"#, true),
            (r#""hierarchy": {"degree": 3, "order": "random"}"#, true),
            (r#""private": {"least_frequent": 0.3}"#, false),
        ] {
            let definition = |redraw: &str| -> Arc<DatasetDefinition> {
                let source = format!(r#"{{"format": "fimi", "inline": "{rows}"}}"#);
                serde_json::from_str(&format!(r#"{{"source": {source}, {drawn}{redraw}}}"#)).unwrap()
            };
            let cell = |redraw: &str, algorithm: Option<&str>, repetition: u32| Cell {
                dataset_name: "d".into(),
                dataset: definition(redraw),
                algorithm: algorithm.map(|publisher| {
                    let name = publisher.to_string();
                    let (publisher, parameters) = (name.clone(), Map::new());
                    let (external, finished, distinct) = (None, None, false);
                    Arc::new(AlgorithmCell { name, publisher, parameters, external, finished, distinct })
                }),
                measures: Default::default(),
                repetition,
                workloads: 1,
                seed: Some(1),
            };
            let data = |cell: &Cell| {
                let once = load_once(&cell.dataset, &locations, cell.data_seed(), "code").unwrap();
                (format!("{:?}", once.loaded.dataset), once.key)
            };
            let redrawn = |repetition| cell(r#", "redraw": true"#, Some("cohesion"), repetition);
            let content = |cell: &Cell| data(cell).0;
            assert_eq!(
                content(&redrawn(0)),
                content(&cell("", None, 0)),
                "{drawn}: the first draw is the one there was"
            );
            let others = [1, 2, 3].map(|repetition| content(&redrawn(repetition)));
            assert_eq!(others.iter().all(|other| *other != content(&redrawn(0))), draws, "{drawn}");
            assert_eq!(others.iter().collect::<std::collections::BTreeSet<_>>().len(), if draws { 3 } else { 1 });
            assert_eq!(data(&redrawn(0)) != data(&redrawn(1)), draws, "{drawn}: the cache knows them apart");
            let other_algorithm = cell(r#", "redraw": true"#, Some("cohesion-items"), 2);
            assert_eq!(data(&other_algorithm), data(&redrawn(2)), "{drawn}: whoever asks");
            assert_eq!(data(&cell("", None, 2)), data(&cell("", None, 0)), "{drawn}: nobody asked for another");
        }
    }
}
