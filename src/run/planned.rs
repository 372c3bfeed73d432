use super::{Cell, Key, Limits, key_of};
use crate::data::Origin;
use indexmap::IndexMap;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// A cell in its place: the figure it belongs to and the columns its rows will have.
#[derive(Debug, Clone)]
pub struct PlannedCell {
    pub figure: String,
    /// Under which reading of the spec: `default`, or the options that differ from it.
    pub reading: Arc<str>,
    pub cell: Cell,
    pub key: Key,
    /// The files behind the dataset with their digests.
    pub data: Arc<Vec<(String, String)>>,
    /// The digest of the code that is to compute it, where that is another program than this one.
    pub code: Option<String>,
    pub origin: Origin,
    /// What the spec sets: sweep axes, and parameters it gives, in the order of the columns.
    pub columns: Arc<IndexMap<String, Value>>,
    /// The other parameters, which are what they are unless set.
    pub defaults: Arc<IndexMap<String, Value>>,
    /// What a reader of its rows must know.
    pub notes: Arc<Vec<String>>,
    /// Whether its algorithm draws.
    pub randomized: bool,
    pub limits: Limits,
    /// Its costs are plotted, so it runs with nothing beside it.
    pub timed: bool,
    /// Where it stands in the rounds of timings, if it is timed.
    pub rounds: Option<Rounds>,
    /// The times that claims of its figure hang on: more samples are taken until these are known.
    pub judged_times: Arc<[String]>,
    /// The dataset cannot be had here; the cell is a row that says so.
    pub missing_data: Option<String>,
}

impl PlannedCell {
    /// Where it is compared with others: its figure, reading, point and repetition. Not the seed: what draws nothing has
    /// none, and is compared with what does.
    pub fn point(&self) -> (&str, &str, Option<usize>, u32) {
        (&self.figure, &self.reading, self.rounds.map(|rounds| rounds.point), self.cell.repetition)
    }

    /// How often it is run at least.
    pub fn samples(&self) -> usize {
        self.rounds.map_or(1, |rounds| rounds.samples.at_least)
    }

    /// The value of a sweep axis or parameter, set or not; None where it has no such parameter.
    pub fn column(&self, name: &str) -> Option<&Value> {
        self.columns.get(name).or_else(|| self.defaults.get(name))
    }

    /// Of its key. Made when they are asked for: with them a plan would be twice as large.
    pub fn key_fields(&self) -> IndexMap<String, String> {
        let mut fields = self.cell.key_fields(&self.data);
        fields.extend(self.code.iter().map(|code| ("code".to_string(), code.clone())));
        fields
    }

    /// The same cell, computed by other code.
    pub fn by_code(mut self, code: &str) -> Self {
        self.code = Some(code.to_string());
        self.key = key_of(&self.key_fields());
        self
    }

    /// "anatomy on adult, l=6, repetition 1": what progress lines and messages call it.
    pub fn title(&self) -> String {
        let algorithm = self.cell.algorithm.as_ref().map_or("no algorithm", |algorithm| &algorithm.name);
        let columns: Vec<String> = self
            .columns
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| format!("{name}={}", plain(value)))
            .collect();
        let mut parts = vec![format!("{algorithm} on {}", self.cell.dataset_name)];
        parts.extend(columns);
        if self.cell.repetition > 0 {
            parts.push(format!("repetition {}", self.cell.repetition + 1));
        }
        parts.join(", ")
    }
}

/// The distinct cells of a plan in its order, as `run_cells` runs them: alone if any figure plots their time, and timed as
/// often as the figure wants that wants most.
pub fn distinct<'a>(cells: impl IntoIterator<Item = &'a PlannedCell>) -> Vec<(&'a PlannedCell, bool)> {
    let samples = |cell: &PlannedCell| cell.rounds.map(|rounds| (rounds.samples.at_least, rounds.samples.at_most));
    let mut found: IndexMap<&str, (&PlannedCell, bool)> = IndexMap::new();
    for cell in cells {
        let (known, timed) = found.entry(cell.key.as_str()).or_insert((cell, false));
        *timed |= cell.timed;
        if samples(cell) > samples(known) {
            *known = cell;
        }
    }
    found.into_values().collect()
}

/// How often a cell is timed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Samples {
    pub at_least: usize,
    pub at_most: usize,
    /// More than the least are taken until the interval of every ratio is no wider than this to each side.
    pub until: f64,
    /// What the cells of a run may take for that, beyond the least.
    pub budget: Duration,
}

impl Samples {
    pub const ONE: Self = Self { at_least: 1, at_most: 1, until: 0.0, budget: Duration::ZERO };
}

/// A cell's part in rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounds {
    /// The number of its point in the figure: cells of one point are compared.
    pub point: usize,
    pub samples: Samples,
}

/// A JSON value as a CSV cell would hold it: text without quotes.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::planned_cell;
    use super::*;

    #[test]
    fn a_cell_of_several_figures_is_timed_as_often_as_one_of_them_wants() {
        let timed = |at_least| {
            let samples = Samples { at_least, at_most: at_least, ..Samples::ONE };
            PlannedCell { timed: true, rounds: Some(Rounds { point: 0, samples }), ..planned_cell(0) }
        };
        let cells = [planned_cell(0), timed(1), planned_cell(1), timed(6), timed(3)];
        let found: Vec<_> = distinct(&cells).into_iter().map(|(cell, alone)| (cell.samples(), alone)).collect();
        assert_eq!(found, [(6, true), (1, false)]);
    }
}

#[cfg(test)]
pub mod fixtures {
    use super::*;

    /// A cell that draws, with nothing measured and no limits of its own. Tests change what they are about.
    pub fn planned_cell(repetition: u32) -> PlannedCell {
        let cell = Cell {
            dataset_name: "d".into(),
            dataset: serde_json::from_str(r#"{"source": "adult"}"#).unwrap(),
            algorithm: None,
            measures: Default::default(),
            repetition,
            workloads: 1,
            seed: Some(1),
        };
        PlannedCell {
            figure: "f".into(),
            key: key_of(&cell.key_fields(&[])),
            cell,
            data: Default::default(),
            code: None,
            origin: Origin::Real,
            columns: Default::default(),
            reading: "default".into(),
            defaults: Default::default(),
            notes: Default::default(),
            randomized: true,
            limits: Limits::default(),
            timed: false,
            rounds: None,
            judged_times: Arc::from(["seconds".to_string()]),
            missing_data: None,
        }
    }
}
