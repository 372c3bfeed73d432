//! Setting a path of a spec.

use crate::lab::did_you_mean_or_list;
use crate::measures::measures;
use crate::publish::publishers;
use crate::spec::SpecFile;
use crate::spec::error::unknown;
use crate::spec::setting::{set_in_dataset, set_in_entry};
use indexmap::IndexMap;
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
            let built_in = publishers().iter().map(|publisher| publisher.name());
            set_use(&mut file.algorithms, "algorithm", built_in, (path, rest), value)?;
        }
        "measures" => {
            let built_in = measures().iter().map(|measure| measure.name());
            set_use(&mut file.measures, "measure", built_in, (path, rest), value)?;
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

/// Sets `path` in the entry, given or built in, that `rest` begins with.
fn set_use<T: Serialize + DeserializeOwned + Clone + Default>(
    entries: &mut IndexMap<String, T>,
    what: &str,
    built_in: impl Iterator<Item = &'static str>,
    (path, rest): (&str, &str),
    value: &Value,
) -> Result<(), String> {
    let mut known: Vec<&str> = entries.keys().map(String::as_str).collect();
    built_in.for_each(|name| known.push(name));
    let (name, below) =
        owner(rest, &known).ok_or_else(|| unknown(what, first(rest), &known, "anonlab algorithms list"))?;
    let entry = entries.get(name).cloned().unwrap_or_default();
    let changed = set_in_entry(&entry, &parts(below), value)
        .map_err(|error| format!("`{path}` cannot be {value}: {error}; parameters are below `parameters`"))?;
    let name = name.to_string();
    entries.insert(name, changed);
    Ok(())
}
