//! From entries to the long frames every result is made of: measurements and witnesses, which repeat to the byte, and costs.

use super::plain;
use super::{Entry, Key, PlannedCell};
use crate::lab::Witness;
use indexmap::{IndexMap, IndexSet};
use polars::prelude::*;
use serde_json::Value;

/// The column of the parameters that the spec sets nowhere.
pub const DEFAULTS: &str = "defaults";

/// Rows under construction: the columns that say which cell a row is of, and those that say what it found.
struct Rows<'a> {
    cells: Vec<&'a PlannedCell>,
    repetitions: Vec<u32>,
    /// Axes, and parameters that the spec sets for some cell. Those it sets for none are in the column `defaults`.
    parameters: IndexSet<&'a str>,
}

impl<'a> Rows<'a> {
    fn new(planned: &[&'a PlannedCell]) -> Self {
        let parameters = planned.iter().flat_map(|cell| cell.columns.keys().map(String::as_str)).collect();
        Self { cells: Vec::new(), repetitions: Vec::new(), parameters }
    }

    /// figure, dataset, origin, algorithm, what the spec sets…, defaults, reading, seed, repetition
    fn key_columns(&self) -> Vec<Column> {
        let text = |name: &str, of: &dyn Fn(&'a PlannedCell) -> &'a str| {
            text_column(name, &self.cells.iter().map(|cell| of(cell)).collect::<Vec<&str>>())
        };
        let mut columns = vec![
            text("figure", &|cell| &cell.figure),
            text("dataset", &|cell| &cell.cell.dataset_name),
            text("origin", &|cell| cell.origin.name()),
            text("algorithm", &|cell| cell.cell.algorithm.as_ref().map_or("", |algorithm| &algorithm.name)),
        ];
        // The rows of a cell stand together: it is asked once.
        let cells = || self.cells.chunk_by(|a, b| std::ptr::eq(*a, *b)).map(|rows| (rows[0], rows.len()));
        for &name in &self.parameters {
            let mut values: Vec<&Value> = Vec::with_capacity(self.cells.len());
            for (cell, rows) in cells() {
                values.extend(std::iter::repeat_n(cell.column(name).unwrap_or(&Value::Null), rows));
            }
            columns.push(parameter_column(name, &values));
        }
        let mut defaults: Vec<Option<String>> = Vec::with_capacity(self.cells.len());
        for (cell, rows) in cells() {
            defaults.extend(std::iter::repeat_n(self.defaults_of(cell), rows));
        }
        columns.push(Column::new(DEFAULTS.into(), defaults));
        columns.push(text("reading", &|cell| &cell.reading));
        columns.push(Column::new(
            "seed".into(),
            self.cells.iter().map(|cell| cell.cell.seed).collect::<Vec<Option<u64>>>(),
        ));
        columns.push(Column::new("repetition".into(), self.repetitions.clone()));
        columns
    }

    /// The parameters that have no column, as a JSON object; None where there is none.
    fn defaults_of(&self, cell: &PlannedCell) -> Option<String> {
        let rest: IndexMap<&str, &Value> = cell
            .defaults
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .filter(|(name, value)| !value.is_null() && !self.parameters.contains(name))
            .collect();
        (!rest.is_empty()).then(|| serde_json::to_string(&rest).ok()).flatten()
    }

    fn frame(self, found: Vec<Column>) -> PolarsResult<DataFrame> {
        let height = self.cells.len();
        let mut columns = self.key_columns();
        columns.extend(found);
        DataFrame::new(height, columns)
    }
}

/// Each value as the spec writes it, whatever the others are: a part of a run gives the same bytes as the whole.
fn parameter_column(name: &str, values: &[&Value]) -> Column {
    let text = |value: &&Value| (!value.is_null()).then(|| plain(value));
    Column::new(name.into(), values.iter().map(text).collect::<Vec<_>>())
}

/// Nothing is an empty field, not a quoted one.
fn text_column<S: AsRef<str>>(name: &str, texts: &[S]) -> Column {
    let texts = texts.iter().map(|text| Some(text.as_ref()).filter(|text| !text.is_empty()));
    Column::new(name.into(), texts.collect::<Vec<Option<&str>>>())
}

/// One row per observation; a cell without any has one row that says why.
pub fn measurements_frame(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(planned);
    let (mut status, mut reason, mut note, mut release) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut metric, mut at, mut value): (Vec<&str>, Vec<Option<&str>>, Vec<Option<f64>>) = Default::default();
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        let answer = &entry.answer;
        let workloads = std::iter::once(&answer.observations).chain(&answer.further_workloads);
        for (repetition, observations) in (cell.cell.repetition..).zip(workloads) {
            for observation in observations {
                metric.push(observation.metric.as_str());
                at.push(observation.at.as_deref());
                value.push(Some(observation.value));
                rows.repetitions.push(repetition);
            }
        }
        if answer.observations.is_empty() {
            metric.push("");
            at.push(None);
            value.push(None);
            rows.repetitions.push(cell.cell.repetition);
        }
        while rows.cells.len() < metric.len() {
            rows.cells.push(cell);
            status.push(answer.status.as_str());
            reason.push(answer.reason.as_str());
            note.push(cell.notes.join("; "));
            // Enough of the digest to notice that a release changed even when no metric did.
            release.push(answer.release_digest.as_deref().map(|digest| &digest[..12]));
        }
    }
    rows.frame(vec![
        Column::new("status".into(), status),
        text_column("reason", &reason),
        text_column("note", &note),
        Column::new("release".into(), release),
        text_column("metric", &metric),
        Column::new("at".into(), at),
        Column::new("value".into(), value),
    ])
}

/// One row per witness: of which cell, which one of a number, and what it shows. Repeats to the byte.
pub fn witnesses_frame(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(planned);
    let mut number: Vec<u32> = Vec::new();
    let mut texts: [Vec<String>; Witness::COLUMNS.len()] = Default::default();
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        for (place, witness) in entry.answer.witnesses.iter().enumerate() {
            rows.cells.push(cell);
            rows.repetitions.push(cell.cell.repetition);
            let before = entry.answer.witnesses[..place].iter().filter(|other| other.of == witness.of).count();
            number.push(before as u32 + 1);
            for (column, text) in texts.iter_mut().zip(witness.fields()) {
                column.push(text);
            }
        }
    }
    let mut found = vec![Column::new("witness".into(), number)];
    found.extend(Witness::COLUMNS.iter().zip(&texts).map(|(name, texts)| text_column(name, texts)));
    rows.frame(found)
}

/// One row per cost of a cell and sample, with the fingerprint of the machine that paid it.
pub fn costs_frame(planned: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> PolarsResult<DataFrame> {
    let mut rows = Rows::new(planned);
    let (mut sample, mut machine, mut metric, mut value) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for &cell in planned {
        let Some(entry) = entries.get(&cell.key) else { continue };
        for (number, name, amount) in entry.costs() {
            rows.cells.push(cell);
            rows.repetitions.push(cell.cell.repetition);
            sample.push(number);
            machine.push(entry.machine.as_str());
            metric.push(name);
            value.push(amount);
        }
    }
    rows.frame(vec![
        Column::new("sample".into(), sample),
        Column::new("machine".into(), machine),
        Column::new("metric".into(), metric),
        Column::new("value".into(), value),
    ])
}

/// A frame as CSV.
pub fn to_csv(frame: &mut DataFrame) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    CsvWriter::new(&mut bytes).finish(frame)?;
    Ok(bytes)
}
