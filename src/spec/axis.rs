//! What a sweep's axis sets: a parameter of algorithms and measures, or a part of a dataset's definition.

use super::algorithm::NamedPublisher;
use super::error::unknown;
use super::model::{Figure, SpecFile};
use crate::lab::{Parameter, did_you_mean};
use crate::measures::{AnyMeasure, measure, measures};
use serde_json::{Map, Value};

/// A measure of a spec: an entry of `measures`, or a built-in one by its own name.
pub struct NamedMeasure {
    pub name: String,
    pub measure: &'static dyn AnyMeasure,
    pub given: Map<String, Value>,
}

impl SpecFile {
    pub(super) fn named_measure(&self, name: &str) -> Result<NamedMeasure, String> {
        let entry = self.measures.get(name);
        let wanted = entry.and_then(|entry| entry.measure.as_deref()).unwrap_or(name);
        let found = measure(wanted).ok_or_else(|| {
            let known = measures().iter().map(|measure| measure.name());
            let known: Vec<&str> = known.chain(self.measures.keys().map(String::as_str)).collect();
            unknown("measure", wanted, &known, "anonlab algorithms list")
        })?;
        let given = entry.map(|entry| entry.parameters.clone()).unwrap_or_default();
        Ok(NamedMeasure { name: name.to_string(), measure: found, given })
    }
}

/// One thing an axis sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Algorithm {
        name: String,
        parameter: String,
    },
    Measure {
        name: String,
        parameter: String,
    },
    /// A step of `derive` or a path below the definition.
    Dataset {
        path: Vec<String>,
    },
}

/// Everything `axis` sets in `figure`, or why it sets nothing.
pub fn targets(
    axis: &str,
    figure: &Figure,
    publishers: &[NamedPublisher],
    measures: &[NamedMeasure],
) -> Result<Vec<Target>, String> {
    let explicit = figure.sweep.sets.get(axis);
    let names = explicit.cloned().unwrap_or_else(|| vec![axis.to_string()]);
    let mut found = Vec::new();
    for name in &names {
        let before = found.len();
        match name.split_once('.') {
            Some(("dataset", path)) => {
                found.push(Target::Dataset { path: path.split('.').map(String::from).collect() })
            }
            Some((owner, parameter)) => {
                found.extend(matching(publishers, measures, Some(owner), parameter));
            }
            None => found.extend(matching(publishers, measures, None, name)),
        }
        if found.len() == before {
            return Err(nothing_to_set(name, publishers, measures));
        }
    }
    Ok(found)
}

fn has(parameters: &[Parameter], name: &str) -> bool {
    parameters.iter().any(|parameter| parameter.name == name)
}

fn matching(
    publishers: &[NamedPublisher],
    measures: &[NamedMeasure],
    owner: Option<&str>,
    parameter: &str,
) -> Vec<Target> {
    let owned = |name: &str| owner.is_none_or(|owner| owner == name);
    let algorithms = publishers
        .iter()
        .filter(|algorithm| owned(&algorithm.name) && has(algorithm.parameters(), parameter))
        .map(|algorithm| Target::Algorithm { name: algorithm.name.clone(), parameter: parameter.to_string() });
    let measures = measures
        .iter()
        .filter(|measure| owned(&measure.name) && has(measure.measure.parameters(), parameter))
        .map(|measure| Target::Measure { name: measure.name.clone(), parameter: parameter.to_string() });
    algorithms.chain(measures).collect()
}

fn nothing_to_set(axis: &str, publishers: &[NamedPublisher], measures: &[NamedMeasure]) -> String {
    let mut known: Vec<String> = Vec::new();
    for (owner, parameters) in publishers
        .iter()
        .map(|algorithm| (&algorithm.name, algorithm.parameters()))
        .chain(measures.iter().map(|measure| (&measure.name, measure.measure.parameters())))
    {
        for parameter in parameters {
            known.push(format!("{owner}.{}", parameter.name));
            known.push(parameter.name.clone());
        }
    }
    known.push("dataset.first".to_string());
    known.sort();
    known.dedup();
    let hint = did_you_mean(axis, &known).unwrap_or_else(|| {
        known.retain(|name| !name.contains('.'));
        format!("there are {}", known.join(", "))
    });
    format!("no algorithm or measure of this figure has a parameter `{axis}`; {hint}")
}
