//! The files a program left, read as the release it claims to be.

use super::failure::ProgramFailure;
use crate::data::Dataset;
use crate::lab::open_plain;
use crate::release::{Beside, Release, ReleaseKind};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Reads the release in the program's output directory.
pub fn read(kind: ReleaseKind, original: &Dataset, directory: &Path) -> Result<Release, ProgramFailure> {
    let files = kind
        .about()
        .files
        .iter()
        .map(|name| read_plain(&directory.join(name)).map_err(|problem| missing(kind, name, directory, &problem)))
        .collect::<Result<Vec<_>, _>>()?;
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let release = kind
        .read(original, &files)
        .map_err(|error| ProgramFailure::Invalid(format!("what it wrote is no release of {kind}: {error}")))?;
    // What is kept is written anew; but the program is what people will use.
    let faults = release
        .form_faults(Beside::Original(original), &files)
        .map_err(|error| ProgramFailure::Invalid(error.to_string()))?;
    // Two intervals that happen to cover the same values are no fault of a program.
    let is_table = kind == ReleaseKind::GeneralizedTable;
    match faults.into_iter().find(|fault| fault.leaks || !is_table) {
        None => Ok(release),
        Some(fault) => {
            Err(ProgramFailure::Invalid(format!("what it wrote says something by its form: {}", fault.says)))
        }
    }
}

/// A regular file's bytes. Neither a link nor a pipe is followed: they could lead anywhere, or never end.
fn read_plain(path: &Path) -> Result<Vec<u8>, String> {
    let mut file = open_plain(path).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound { "it is not there".to_string() } else { error.to_string() }
    })?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn missing(kind: ReleaseKind, name: &str, directory: &Path, problem: &str) -> ProgramFailure {
    let mut found: Vec<String> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    // The first by name: the system lists them in any order.
    found.sort();
    found.truncate(5);
    let found = if found.is_empty() { "nothing".to_string() } else { found.join(", ") };
    let names = kind.about().files.join(" and ");
    ProgramFailure::Failed(format!(
        "ended well but left no release: {name}: {problem} (there is {found}; {kind} are {names})"
    ))
}
