//! What the options of readings are called: `labels:` of `reading=option`, as of the values of any column. Files, commands and
//! addresses keep the names of the spec.

use super::ReportError;
use super::claims_table::{ClaimsTable, CsvRecords};
use super::typeset::typeset;
use crate::spec::Reading;
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::path::Path;

/// From `reading=option` to what people call it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadingNames(BTreeMap<String, String>);

/// Between two options, and their labels, in a file.
const BETWEEN: &str = "; ";

impl ReadingNames {
    /// The first of these labels that an option has.
    pub fn of<'a>(
        readings: &IndexMap<String, Reading>,
        labels: impl Iterator<Item = &'a IndexMap<String, String>>,
    ) -> Self {
        let labels: Vec<&IndexMap<String, String>> = labels.collect();
        let options = readings.iter().flat_map(|(name, reading)| reading.options.keys().map(move |o| (name, o)));
        let called = |(reading, option): (&String, &String)| {
            let name = format!("{reading}={option}");
            let label = labels.iter().find_map(|labels| labels.get(&name))?;
            Some((name, typeset(label).replace(BETWEEN, ", ")))
        };
        Self(options.filter_map(called).collect())
    }

    /// Of the experiment in a folder; nothing where it has no readings, or its report is of an earlier version.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        const FILE: &str = "readings.csv";
        if !folder.join(FILE).is_file() {
            return Ok(Self::default());
        }
        let records = CsvRecords::read(folder, FILE)?;
        let (reading, options) = (records.column("reading")?, records.column("options")?);
        let Ok(labels) = records.column("labels") else { return Ok(Self::default()) };
        let mut names = BTreeMap::new();
        for row in &records.rows {
            for (option, label) in row[options].split(BETWEEN).zip(row[labels].split(BETWEEN)) {
                let name = format!("{}={option}", &row[reading]);
                if !label.is_empty() && label != name {
                    names.insert(name, label.to_string());
                }
            }
        }
        Ok(Self(names))
    }

    /// The labels of a reading's options, as a file has them.
    pub fn written(&self, name: &str, reading: &Reading) -> String {
        let label = |option: &String| self.option(name, option);
        reading.options.keys().map(label).collect::<Vec<_>>().join(BETWEEN)
    }

    pub fn option(&self, reading: &str, option: &str) -> String {
        self.name(&format!("{reading}={option}"))
    }

    /// Beside its question: an option without a label is code.
    pub fn answer(&self, reading: &str, option: &str) -> String {
        self.0.get(&format!("{reading}={option}")).cloned().unwrap_or_else(|| format!("`{option}`"))
    }

    /// Of a variant: "frequent items first, both parts of BMS-POS". What has no label is called as in files.
    pub fn name(&self, variant: &str) -> String {
        let part = |part| self.0.get(part).map_or(part, String::as_str);
        variant.split(", ").map(part).collect::<Vec<_>>().join(", ")
    }

    /// A table of claims whose readings and sentences are in these words.
    pub fn in_table(&self, mut table: ClaimsTable) -> ClaimsTable {
        table.readings.iter_mut().for_each(|reading| *reading = self.name(reading));
        for row in &mut table.rows {
            (row.told, row.surprise) = (self.told(&row.told), self.told(&row.surprise));
        }
        table
    }

    /// A sentence that names variants, with their labels in quotation marks.
    pub fn told(&self, sentence: &str) -> String {
        let is_of_name = |character: char| character.is_alphanumeric() || "-_.=".contains(character);
        let mut told = String::with_capacity(sentence.len());
        let mut rest = sentence;
        while let Some(start) = rest.find(is_of_name) {
            let word = &rest[start..];
            let word = &word[..word.find(|character| !is_of_name(character)).unwrap_or(word.len())];
            // A full stop behind it is the sentence's.
            let name = word.trim_end_matches('.');
            told.push_str(&rest[..start]);
            match self.0.get(name) {
                Some(label) => told.extend(["“", label, "”"]),
                None => told.push_str(name),
            }
            told.push_str(&word[name.len()..]);
            rest = &rest[start + word.len()..];
        }
        told + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> ReadingNames {
        let called = [("order=frequency", "frequent items first"), ("pos=1.5", "the first part, k^m")];
        ReadingNames(called.map(|(name, label)| (name.to_string(), typeset(label))).into())
    }

    #[test]
    fn options_are_called_by_their_labels() {
        let names = names();
        assert_eq!(names.name("default"), "default");
        assert_eq!(names.name("order=frequency, pos=1.5, tree=x"), "frequent items first, the first part, kᵐ, tree=x");
        assert_eq!(
            names.told("Fails by default and under order=frequency, order=id; holds in 9 of 10 seeds under pos=1.5."),
            "Fails by default and under “frequent items first”, order=id; holds in 9 of 10 seeds under “the first part, kᵐ”."
        );
    }
}
