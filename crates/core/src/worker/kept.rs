//! What stays of a release: its digest, and its files where somebody wants them.

#![forbid(unsafe_code)]

use crate::lab::{LabError, write_atomically};
use crate::release::ReleaseFile;
use std::path::Path;

pub(super) fn digest(files: &[ReleaseFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(file.name.as_bytes());
        hasher.update(&(file.bytes.len() as u64).to_le_bytes());
        hasher.update(&file.bytes);
    }
    hasher.finalize().to_hex().to_string()
}

pub(super) fn keep_files(directory: Option<&Path>, files: &[ReleaseFile]) -> Result<(), LabError> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name, file.bytes.as_slice())).collect();
    keep_all(directory, &files)
}

pub(super) fn keep_all(directory: Option<&Path>, files: &[(&str, &[u8])]) -> Result<(), LabError> {
    let Some(directory) = directory else { return Ok(()) };
    for (name, bytes) in files {
        write_atomically(&directory.join(name), bytes)
            .map_err(|error| LabError::no_answer(format!("cannot keep {name}: {error}")))?;
    }
    Ok(())
}
