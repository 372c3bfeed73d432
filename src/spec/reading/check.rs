//! What can be wrong with readings before anything is planned.

use super::{Reading, apply};
use crate::measures::measure;
use crate::publish::publisher;
use crate::sources::{self, DataLocations};
use crate::spec::error::unknown;
use crate::spec::{NamedPublisher, Spec, SpecError, SpecFile};
use serde_json::{Map, Value, json};

pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let mut faults = Vec::new();
    for (name, reading) in &spec.file.readings {
        names(spec, name, reading, &mut faults);
        if !spec.file.figures.values().any(|figure| figure.readings.contains(name)) {
            let message =
                format!("no figure names the reading `{name}`, so it would change nothing: `readings: [{name}]`");
            faults.push(spec.error(&["readings", name], message));
        }
        for (i, (option, settings)) in reading.options.iter().enumerate() {
            let at = |tail: &[&str], message: String| {
                let path: Vec<&str> = ["readings", name, "options", option].iter().chain(tail).copied().collect();
                spec.error(&path, message)
            };
            match (i, settings.is_empty()) {
                (0, false) => {
                    let message =
                        "the first option is the spec as it stands: write `{}`, and the settings where they belong";
                    faults.push(at(&[], message.to_string()));
                }
                (1.., true) => {
                    let message = format!("the option `{option}` changes nothing; only the first one is `{{}}`");
                    faults.push(at(&[], message));
                }
                _ => {}
            }
            let mut read = spec.file.clone();
            for (path, value) in settings {
                if let Err(message) = set(&mut read, path, value) {
                    faults.push(at(&[path], message));
                }
            }
            for (dataset, message) in data_faults(spec, &read) {
                faults.push(at(&[], format!("under this option, dataset `{dataset}`: {message}")));
            }
        }
        same_options(spec, name, reading, &mut faults);
    }
    for (id, figure) in &spec.file.figures {
        let known: Vec<&str> = spec.file.readings.keys().map(String::as_str).collect();
        for (i, name) in figure.readings.iter().enumerate() {
            let place = ["figures", id, "readings", &i.to_string()];
            if !spec.file.readings.contains_key(name) {
                faults.push(spec.error(&place, unknown("reading", name, &known, "readings")));
            } else if figure.readings[..i].contains(name) {
                faults.push(spec.error(&place, format!("the reading `{name}` is here twice")));
            }
        }
        contradictions(spec, id, &figure.readings, &mut faults);
        for (i, claim) in figure.claims.iter().enumerate() {
            expectations(spec, id, i, &mut faults);
            for (j, name) in claim.readings.iter().flatten().enumerate() {
                if !figure.readings.contains(name) {
                    let place = ["figures", id, "claims", &i.to_string(), "readings", &j.to_string()];
                    let known: Vec<&str> = figure.readings.iter().map(String::as_str).collect();
                    faults.push(spec.error(
                        &place,
                        format!(
                            "this figure goes through other readings: {}",
                            unknown("reading", name, &known, "readings of the figure")
                        ),
                    ));
                }
            }
        }
    }
    faults
}

/// Names of readings and options stand in files as `reading=option, reading=option`.
fn names(spec: &Spec, name: &str, reading: &Reading, faults: &mut Vec<SpecError>) {
    let plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let wrong =
        |name: &str| format!("`{name}` stands in files as `reading=option`: use letters, digits, `-`, `_` and `.`");
    if !plain(name) {
        faults.push(spec.error(&["readings", name], wrong(name)));
    }
    for option in reading.options.keys().filter(|option| !plain(option)) {
        faults.push(spec.error(&["readings", name, "options", option], wrong(option)));
    }
    if reading.options.len() < 2 {
        let message = format!(
            "`{name}` is a question with {} answers; a reading has at least two options",
            reading.options.len()
        );
        faults.push(spec.error(&["readings", name, "options"], message));
    }
}

/// Sets a path, and tells when nothing changes by it.
fn set(file: &mut SpecFile, path: &str, value: &Value) -> Result<(), String> {
    let before = meaning(file)?;
    apply(file, path, value)?;
    if meaning(file)? == before {
        return Err(format!("`{path}` is {value} already, so this changes nothing"));
    }
    Ok(())
}

/// Everything that a setting may change, with defaults filled in.
fn meaning(file: &SpecFile) -> Result<Value, String> {
    let mut algorithms = Vec::new();
    for name in file.algorithms.keys() {
        let named = file.named_publisher(name).map_err(|(_, message)| message)?;
        let parameters = named.complete(&named.given).map_err(|error| error.to_string())?;
        let cell = named.cell(parameters, None);
        // An entry that says no more than its absence would.
        let built_in = publisher(name).map(NamedPublisher::built_in);
        if built_in.is_some_and(|plain| plain.complete(&plain.given).is_ok_and(|p| plain.cell(p, None) == cell)) {
            continue;
        }
        algorithms.push(json!([name, cell, file.algorithms[name].files]));
    }
    let mut measures = Vec::new();
    for name in file.measures.keys() {
        let named = file.named_measure(name)?;
        let parameters = named.measure.complete(&named.given).map_err(|error| error.to_string())?;
        if measure(name).is_some_and(|plain| plain.complete(&Map::new()).is_ok_and(|p| p == parameters))
            && named.measure.name() == name
        {
            continue;
        }
        measures.push(json!([name, named.measure.name(), parameters]));
    }
    Ok(json!([file.datasets, algorithms, measures]))
}

/// What is wrong with datasets under an option that is right without it.
fn data_faults(spec: &Spec, read: &SpecFile) -> Vec<(String, String)> {
    let locations = DataLocations::new(None).for_spec_in(spec.directory());
    let changed = read.datasets.iter().filter(|(name, definition)| spec.file.datasets.get(*name) != Some(definition));
    changed
        .flat_map(|(name, definition)| {
            sources::check(definition, &locations).into_iter().map(|fault| (name.clone(), fault.to_string()))
        })
        .collect()
}

/// Two options that say the same are one.
fn same_options(spec: &Spec, name: &str, reading: &Reading, faults: &mut Vec<SpecError>) {
    let options: Vec<_> = reading.options.iter().filter(|(_, settings)| !settings.is_empty()).collect();
    for (i, (option, settings)) in options.iter().enumerate() {
        if let Some((other, _)) = options[..i].iter().find(|(_, other)| other == settings) {
            let message = format!("the options `{option}` and `{other}` set the same");
            faults.push(spec.error(&["readings", name, "options", option], message));
        }
    }
}

/// Two readings of a figure that set the same path would contradict each other under `--readings all`.
fn contradictions(spec: &Spec, id: &str, readings: &[String], faults: &mut Vec<SpecError>) {
    let named: Vec<(&String, &Reading)> =
        readings.iter().filter_map(|name| Some((name, spec.file.readings.get(name)?))).collect();
    let paths =
        |reading: &Reading| -> Vec<String> { reading.options.values().flat_map(|s| s.keys().cloned()).collect() };
    let covers = |a: &str, b: &str| b == a || b.strip_prefix(a).is_some_and(|rest| rest.starts_with('.'));
    for (i, (name, reading)) in named.iter().enumerate() {
        for (other, earlier) in &named[..i] {
            for path in paths(reading) {
                if paths(earlier).iter().any(|known| covers(known, &path) || covers(&path, known)) {
                    let message =
                        format!("`{other}` and `{name}` both set `{path}`: make them one reading with more options");
                    let fault = spec.error(&["figures", id, "readings"], message);
                    if !faults.contains(&fault) {
                        faults.push(fault);
                    }
                }
            }
        }
    }
}

/// What a claim expects of options must be of options that its figure goes through.
fn expectations(spec: &Spec, figure: &str, claim: usize, faults: &mut Vec<SpecError>) {
    let readings = &spec.file.figures[figure].readings;
    let index = claim.to_string();
    let place = ["figures", figure, "claims", &index, "expected", "options"];
    for (name, options) in &spec.file.figures[figure].claims[claim].expected.options {
        let Some(reading) = spec.file.readings.get(name).filter(|_| readings.contains(name)) else {
            let known: Vec<&str> = readings.iter().map(String::as_str).collect();
            let path: Vec<&str> = place.iter().copied().chain([name.as_str()]).collect();
            faults.push(spec.error(&path, unknown("reading", name, &known, "readings of the figure")));
            continue;
        };
        for option in options.keys().filter(|option| !reading.options.contains_key(*option)) {
            let known: Vec<&str> = reading.options.keys().map(String::as_str).collect();
            let path: Vec<&str> = place.iter().copied().chain([name.as_str(), option]).collect();
            faults.push(spec.error(&path, unknown("option", option, &known, "options of the reading")));
        }
    }
}
