//! `given-groups` from a file: the group of each row, so that a release of many rows need not stand in the spec.

use super::SpecError;
use super::model::{AlgorithmUse, SpecFile};
use crate::sources::{SourceText, for_each_record, read_regular_file};
use serde_json::Value;
use std::path::Path;

/// The publisher that takes groups.
const PUBLISHER: &str = "given-groups";
/// The column with the groups, where the file has several.
const GROUP: &str = "group_id";

impl AlgorithmUse {
    /// Whether its `files` are the groups of rows.
    pub(super) fn takes_groups(&self) -> bool {
        self.publisher.as_deref() == Some(PUBLISHER)
    }
}

impl SpecFile {
    /// Puts in what a spec at `path` leaves to be put in, whenever its text has been read.
    pub(super) fn complete(&mut self, path: &Path) -> Result<(), SpecError> {
        self.add_baselines();
        self.read_groups(path)
    }

    /// Puts the groups that entries name a file for into their parameters, where they enter the keys of cells as if they stood in
    /// the spec at `path`.
    fn read_groups(&mut self, path: &Path) -> Result<(), SpecError> {
        let directory = path.parent().unwrap_or(Path::new(""));
        for (name, entry) in &mut self.algorithms {
            if !entry.takes_groups() || entry.files.0.is_empty() {
                continue;
            }
            let read = match entry.files.0.as_slice() {
                [file] => groups(&directory.join(file)),
                _ => Err("groups are in one file".to_string()),
            };
            let groups =
                read.map_err(|message| SpecError::new(path, None, format!("algorithms.{name}.files: {message}")))?;
            entry.parameters.insert("groups".to_string(), Value::from(groups));
        }
        Ok(())
    }
}

/// One group a line, or the column `group_id` of a CSV file (`qit.csv` of any buckets).
fn groups(path: &Path) -> Result<Vec<u32>, String> {
    let bytes = read_regular_file(path).map_err(|error| error.to_string())?;
    let source = SourceText::new(path.display().to_string(), bytes).map_err(|error| error.to_string())?;
    let mut place = None;
    let mut groups = Vec::new();
    let read = for_each_record(&source, b',', |line, fields| {
        let number = |text: &str| {
            text.trim()
                .parse::<u32>()
                .map_err(|_| source.error(line, format!("`{text}` is no group: a whole number is needed")))
        };
        match place {
            None => match fields.iter().position(|field| field.trim() == GROUP) {
                Some(at) => place = Some(at),
                None if fields.len() == 1 => {
                    place = Some(0);
                    groups.push(number(&fields[0])?);
                }
                None => return Err(source.error(line, format!("there is no column `{GROUP}`"))),
            },
            Some(at) => match fields.get(at) {
                Some(field) => groups.push(number(field)?),
                None => return Err(source.error(line, format!("there is no field for `{GROUP}`"))),
            },
        }
        Ok(())
    });
    read.map_err(|error| error.to_string())?;
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Setting, Spec};

    #[test]
    fn groups_come_one_a_line_or_in_a_column() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            let path = folder.path().join("groups.csv");
            std::fs::write(&path, text).unwrap();
            groups(&path).map_err(|error| error.replace(&path.display().to_string(), "groups.csv"))
        };
        assert_eq!(read("1\n1\n7\n").unwrap(), [1, 1, 7]);
        assert_eq!(read("age,group_id\n21,3\n22,4\n").unwrap(), [3, 4]);
        assert_eq!(read("age,group\n21,3\n").unwrap_err(), "groups.csv, line 1: there is no column `group_id`");
        assert_eq!(read("1\nx\n").unwrap_err(), "groups.csv, line 2: `x` is no group: a whole number is needed");
    }

    #[test]
    fn a_change_of_the_spec_keeps_them() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("groups.csv"), "1\n1\n7\n").unwrap();
        let text = "
anonlab: 1
title: t
datasets:
  d:
    source: {format: csv, inline: \"age,disease\\n29,flu\\n22,cold\\n27,flu\\n\"}
    quasi_identifiers: [age]
    sensitive: disease
algorithms:
  release: {publisher: given-groups, files: groups.csv}
figures:
  f: {title: f, datasets: [d], algorithms: [release], draw: {x: algorithm, y: seconds}}
";
        let spec = Spec::parse(&folder.path().join("p.yaml"), text).unwrap();
        let spec = spec.with(&[Setting::argument("f.repetitions=2").unwrap()]).unwrap();
        assert_eq!(spec.file.algorithms["release"].parameters["groups"], serde_json::json!([1, 1, 7]));
    }
}
