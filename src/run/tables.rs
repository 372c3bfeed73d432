//! measurements.csv and costs.csv with a row for each number, witnesses.csv with a row for each case behind one, in the order of
//! the cells. Measurements and witnesses repeat to the byte, costs do not. Rows are written as they come: those of a million cells would not fit into memory as columns.

use super::plain;
use super::{Entry, Key, PlannedCell};
use crate::lab::Witness;
use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use std::io::{self, Write};

/// The column of the parameters that the spec sets nowhere.
pub const DEFAULTS: &str = "defaults";

/// So many digits of a release's digest are told.
const RELEASE_DIGITS: usize = 12;

/// The start of a release's digest, as it is told. A stored entry may come from anywhere, and have no digest there.
pub fn release_start(digest: &str) -> &str {
    digest.get(..RELEASE_DIGITS).unwrap_or(digest)
}

/// Writes the rows of cells.
pub type TableWriter = fn(&[&PlannedCell], &IndexMap<Key, Entry>, &mut dyn Write) -> io::Result<()>;

/// The files that every experiment leaves, by their names.
pub const TABLES: [(&str, TableWriter); 3] =
    [("measurements.csv", measurements), ("costs.csv", costs), ("witnesses.csv", witnesses)];

/// The columns that say which cell a row is of.
struct KeyColumns<'a> {
    /// Axes, and parameters that the spec sets for some cell. Those it sets for none are in the column `defaults`.
    parameters: IndexSet<&'a str>,
}

impl<'a> KeyColumns<'a> {
    fn of(planned: &[&'a PlannedCell]) -> Self {
        Self { parameters: planned.iter().flat_map(|cell| cell.columns.keys().map(String::as_str)).collect() }
    }

    /// figure, dataset, origin, algorithm, what the spec sets…, defaults, reading, seed, repetition
    fn heads(&self) -> impl Iterator<Item = &str> {
        let first = ["figure", "dataset", "origin", "algorithm"].into_iter();
        first.chain(self.parameters.iter().copied()).chain([DEFAULTS, "reading", "seed", "repetition"])
    }

    /// What stands under all heads but the last. Each parameter is as the spec writes it, whatever the others are: a part of
    /// a run gives the same bytes as the whole.
    fn fields(&self, cell: &PlannedCell) -> Vec<String> {
        let algorithm = cell.cell.algorithm.as_ref().map_or("", |algorithm| &algorithm.name);
        let mut fields: Vec<String> =
            [cell.figure.as_str(), &cell.cell.dataset_name, cell.origin.name(), algorithm].map(String::from).to_vec();
        fields.extend(self.parameters.iter().map(|name| cell.column(name).map_or(String::new(), plain)));
        fields.push(self.defaults_of(cell));
        fields.push(cell.reading.to_string());
        fields.push(cell.cell.seed.map_or(String::new(), |seed| seed.to_string()));
        fields
    }

    /// The parameters that have no column, as a JSON object; empty where there is none.
    fn defaults_of(&self, cell: &PlannedCell) -> String {
        let rest: IndexMap<&str, &Value> = cell
            .defaults
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .filter(|(name, value)| !value.is_null() && !self.parameters.contains(name))
            .collect();
        if rest.is_empty() { String::new() } else { serde_json::to_string(&rest).unwrap_or_default() }
    }
}

/// One row an observation; a cell without any has one row that says why.
fn measurements(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>, out: &mut dyn Write) -> io::Result<()> {
    let keys = KeyColumns::of(planned);
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(keys.heads().chain(["status", "reason", "note", "release", "metric", "at", "value"]))?;
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        let (answer, fields, note) = (&entry.answer, keys.fields(cell), cell.notes.join("; "));
        // Enough of the digest to notice that a release changed even when no metric did.
        let release = answer.release_digest.as_deref().map_or("", release_start);
        let mut row = |repetition: u32, metric: &str, at: &str, value: &str| {
            let repetition = repetition.to_string();
            let found = [&repetition, answer.status.name(), &answer.reason, &note, release, metric, at, value];
            rows.write_record(fields.iter().map(String::as_str).chain(found))
        };
        let workloads = std::iter::once(&answer.observations).chain(&answer.further_workloads);
        for (repetition, observations) in (cell.cell.repetition..).zip(workloads) {
            for observation in observations {
                let at = observation.at.as_deref().unwrap_or_default();
                row(repetition, &observation.metric, at, &number(observation.value))?;
            }
        }
        if answer.observations.is_empty() {
            row(cell.cell.repetition, "", "", "")?;
        }
    }
    rows.flush()
}

/// One row a cost of a cell and sample, with the fingerprint of the machine that paid it.
fn costs(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>, out: &mut dyn Write) -> io::Result<()> {
    let keys = KeyColumns::of(planned);
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(keys.heads().chain(["sample", "machine", "metric", "value"]))?;
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        let (fields, repetition) = (keys.fields(cell), cell.cell.repetition.to_string());
        for (sample, metric, value) in entry.costs() {
            let (sample, value) = (sample.to_string(), number(value));
            let found = [repetition.as_str(), &sample, &entry.machine, metric, &value];
            rows.write_record(fields.iter().map(String::as_str).chain(found))?;
        }
    }
    rows.flush()
}

/// One row a witness: of which cell, which one of its number, and what it shows.
fn witnesses(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>, out: &mut dyn Write) -> io::Result<()> {
    let keys = KeyColumns::of(planned);
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(keys.heads().chain(["witness"]).chain(Witness::COLUMNS))?;
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        let (fields, repetition) = (keys.fields(cell), cell.cell.repetition.to_string());
        for (place, witness) in entry.answer.witnesses.iter().enumerate() {
            let before = entry.answer.witnesses[..place].iter().filter(|other| other.of == witness.of).count();
            let (which, shown) = ((before + 1).to_string(), witness.fields());
            let found = [repetition.as_str(), &which].into_iter().chain(shown.iter().map(String::as_str));
            rows.write_record(fields.iter().map(String::as_str).chain(found))?;
        }
    }
    rows.flush()
}

/// The shortest digits that read as the same number.
fn number(value: f64) -> String {
    match () {
        () if value.is_finite() => serde_json::to_string(&value).unwrap_or_default(),
        () if value.is_nan() => "NaN".to_string(),
        () => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_what_is_none_is_said() {
        let told = [0.5, 1.0, 1e-7, 1e300, -0.0, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(told, ["0.5", "1.0", "1e-7", "1e+300", "-0.0", "NaN", "inf"]);
    }

    #[test]
    fn what_is_no_digest_is_told_as_it_is() {
        assert_eq!(
            ["0123456789abcdef", "abc", "", "ééééééé"].map(release_start),
            ["0123456789ab", "abc", "", "éééééé"]
        );
        assert_eq!(release_start("0123456789aéé"), "0123456789aéé", "not cut through a letter");
    }
}
