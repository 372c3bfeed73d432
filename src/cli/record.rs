//! run.json beside the results of an experiment: what was run, for `bundle` to plan it again as it was.

use super::Failure;
use crate::run::write_atomically;
use crate::spec::Experiment;
use crate::sweep::SweepRequest;
use std::path::{Path, PathBuf};

const FILE: &str = "run.json";

pub fn write(experiment: &Experiment, folder: &Path) -> Result<(), Failure> {
    let Experiment { spec, wanted, started, .. } = experiment;
    let request = SweepRequest::new(std::slice::from_ref(spec), wanted, false, started)?;
    let text = serde_json::to_string_pretty(&request).map_err(|error| Failure::new(error.to_string()))?;
    Ok(write_atomically(&folder.join(FILE), format!("{text}\n").as_bytes())?)
}

/// The folders of experiments in an output directory, or the one that `directory` is, with the output directory.
pub fn folders(directory: &Path) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    if directory.join(FILE).is_file() {
        let whole = fs_err::canonicalize(directory)?;
        let out = whole.parent().unwrap_or(Path::new("/")).to_path_buf();
        return Ok((out, vec![whole]));
    }
    let entries = std::fs::read_dir(directory)
        .map_err(|error| Failure::new(format!("cannot list {}: {error}", directory.display())))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join(FILE).is_file());
    found.sort();
    match found.is_empty() {
        true => Err(Failure::new(format!(
            "there are no results of a run in {}; `anonlab run SPEC --out {}` makes them",
            directory.display(),
            directory.display()
        ))),
        false => Ok((directory.to_path_buf(), found)),
    }
}

pub fn read(folder: &Path) -> Result<SweepRequest, Failure> {
    let path = folder.join(FILE);
    let named = |error: String| Failure::new(format!("cannot read {}: {error}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| named(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| named(error.to_string()))
}
