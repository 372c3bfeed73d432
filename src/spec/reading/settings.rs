//! Setting a path of a spec.

use crate::lab::did_you_mean_or_list;
use crate::measures::measures;
use crate::publish::publishers;
use crate::spec::SpecFile;
use crate::spec::error::unknown;
use crate::spec::model::{AlgorithmUse, MeasureUse};
use crate::spec::setting::{set_in_dataset, set_in_entry};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const ROOTS: [&str; 3] = ["datasets", "algorithms", "measures"];

/// Sets `path` of `file` to `value`.
pub fn apply(file: &mut SpecFile, path: &str, value: &Value) -> Result<(), String> {
    let (root, rest) = path.split_once('.').unwrap_or((path, ""));
    match root {
        "datasets" => {
            let known: Vec<&str> = file.datasets.keys().map(String::as_str).collect();
            let (name, below) =
                owner(rest, &known).ok_or_else(|| unknown("dataset", first(rest), &known, "datasets"))?;
            let (name, below) = (name.to_string(), parts(below));
            let definition = &file.datasets[&name];
            let changed = set_in_dataset(definition, &below, value).map_err(|message| {
                // It speaks of the axis of a sweep; here the path has the dataset's name in it.
                message.replace(&format!("`dataset.{}`", below.join(".")), &format!("`{path}`"))
            })?;
            file.datasets.insert(name, changed);
        }
        "algorithms" => {
            let known: Vec<&str> = file
                .algorithms
                .keys()
                .map(String::as_str)
                .chain(publishers().iter().map(|publisher| publisher.name()))
                .collect();
            let (name, below) = owner(rest, &known)
                .ok_or_else(|| unknown("algorithm", first(rest), &known, "anonlab algorithms list"))?;
            let entry = file.algorithms.get(name).cloned().unwrap_or_default();
            let changed: AlgorithmUse = set(path, &entry, below, value)?;
            file.algorithms.insert(name.to_string(), changed);
        }
        "measures" => {
            let known: Vec<&str> = file
                .measures
                .keys()
                .map(String::as_str)
                .chain(measures().iter().map(|measure| measure.name()))
                .collect();
            let (name, below) = owner(rest, &known)
                .ok_or_else(|| unknown("measure", first(rest), &known, "anonlab algorithms list"))?;
            let entry = file.measures.get(name).cloned().unwrap_or_default();
            let changed: MeasureUse = set(path, &entry, below, value)?;
            file.measures.insert(name.to_string(), changed);
        }
        other => {
            return Err(format!("an option sets nothing below `{other}`; {}", did_you_mean_or_list(other, &ROOTS)));
        }
    }
    Ok(())
}

/// The longest of the known names that the path begins with, and what follows it: names may have dots.
fn owner<'a>(path: &'a str, known: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let below = |name: &&'a str| -> Option<(&'a str, &'a str)> {
        let rest = path.strip_prefix(*name)?;
        match rest.strip_prefix('.') {
            Some(below) => Some((&path[..name.len()], below)),
            None if rest.is_empty() => Some((&path[..name.len()], "")),
            None => None,
        }
    };
    known.iter().filter_map(below).max_by_key(|(name, _)| name.len())
}

fn first(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

fn parts(path: &str) -> Vec<&str> {
    path.split('.').filter(|part| !part.is_empty()).collect()
}

/// `entry` with `value` at `below`.
fn set<T: Serialize + DeserializeOwned>(path: &str, entry: &T, below: &str, value: &Value) -> Result<T, String> {
    set_in_entry(entry, &parts(below), value)
        .map_err(|error| format!("`{path}` cannot be {value}: {error}; parameters are below `parameters`"))
}
