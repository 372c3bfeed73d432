//! A finished release that stands in a spec where an algorithm would: the same verifiers, measures and figures, and nothing runs.

use super::found::FoundRelease;
use super::rows::RowPairing;
use super::take::take;
use crate::data::Dataset;
use crate::lab::LabError;
use crate::release::{Release, ReleaseKind};
use crate::sources::{read_regular_file, sha256};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A finished release, with everything by which changed files are noticed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinishedRelease {
    /// The directory or file, as the spec has it.
    pub path: String,
    /// The kind it is read as.
    pub release: ReleaseKind,
    /// What it is held to.
    pub guarantee: String,
    /// Its files and the digests of their uncompressed bytes.
    pub files: Vec<(String, String)>,
    /// What the path is relative to: the spec's directory. Not part of the key.
    pub directory: PathBuf,
}

impl FinishedRelease {
    /// Finds the files and takes their digests.
    pub fn resolve(path: &str, release: ReleaseKind, guarantee: &str, directory: &Path) -> Result<Self, LabError> {
        let found = FoundRelease::at(&directory.join(path), Some(release), None)?;
        let digest = |file: &PathBuf| {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok((name, sha256(&read_regular_file(file)?)))
        };
        Ok(Self {
            path: path.to_string(),
            release,
            guarantee: guarantee.to_string(),
            files: found.files.iter().map(digest).collect::<Result<_, LabError>>()?,
            directory: directory.to_path_buf(),
        })
    }

    /// What can change the answer: the bytes, not where they lie.
    pub fn key(&self) -> Value {
        json!([self.release, self.guarantee, self.files])
    }

    /// Reads it as a release of `dataset`. Other bytes than those of the digests are refused.
    pub fn read(&self, dataset: &Dataset) -> Result<Release, LabError> {
        let now = Self::resolve(&self.path, self.release, &self.guarantee, &self.directory)?;
        if now.files != self.files {
            return Err(LabError::no_answer(format!("{} {CHANGED}", self.path)));
        }
        let found = FoundRelease::at(&self.directory.join(&self.path), Some(self.release), None)?;
        let taken = take(dataset.clone(), &found, RowPairing::Aligned)?;
        match taken.form.iter().find(|fault| fault.leaks) {
            None => Ok(taken.release),
            Some(fault) => Err(LabError::input(format!("it says something by its form: {}", fault.says))),
        }
    }
}

/// What is wrong with files that are not those of the plan.
const CHANGED: &str = "changed after this cell was planned; run again to plan with what is there now";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use std::fs;

    #[test]
    fn other_bytes_than_the_planned_are_refused_and_have_another_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("theirs.csv");
        let rows: [&[&str]; 2] = [&["1", "flu"], &["2", "cold"]];
        let dataset = Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap();
        fs::write(&file, "age,ill\n*,flu\n*,cold\n").unwrap();
        let resolve =
            || FinishedRelease::resolve("theirs.csv", ReleaseKind::GeneralizedTable, "k-anonymity", folder.path());
        let planned = resolve().unwrap();
        assert!(matches!(planned.read(&dataset).unwrap(), Release::GeneralizedTable(_)));
        fs::write(&file, "age,ill\n1,flu\n*,cold\n").unwrap();
        let refused = planned.read(&dataset).unwrap_err();
        assert!(refused.to_string().starts_with("theirs.csv changed after this cell was planned"), "{refused}");
        assert_ne!(resolve().unwrap().key(), planned.key());
    }
}
