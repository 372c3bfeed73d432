//! Everything a figure was measured to be: numbers with their keys, and the cells that gave none. Made once, from cells and
//! their store entries or from the CSV files of a run; figures, claims and comparisons read it through [`gather`].

mod from_cells;
mod from_files;
mod gather;
mod paired;
mod swept;

pub use gather::{Gathered, gather, limit_reached, without_at};
pub use paired::paired;
pub use swept::Swept;

use super::value::Value;
use crate::data::Origin;
use crate::lab::{Cost, Witness};
use crate::run::Status;
use std::collections::{BTreeMap, BTreeSet};

/// Key columns that always exist, before the figure's parameters.
pub const DATASET: usize = 0;
pub const ALGORITHM: usize = 1;
pub const AT: usize = 2;
pub const FIXED_COLUMNS: [&str; 3] = ["dataset", "algorithm", "at"];

/// The keys of a row, in the order of [`Observations::columns`].
pub type KeyValues = Vec<Value>;

/// Everything one figure was measured to be.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    /// `dataset`, `algorithm`, `at`, then the parameters.
    pub columns: Vec<String>,
    /// Columns that have been found to be parameters of measures.
    pub of_measures: BTreeSet<String>,
    /// Measurements in the order of the cells, then costs in the same order.
    pub rows: Vec<Measurement>,
    /// Cells that are not `ok`.
    pub holes: Vec<Hole>,
    /// Cells by status, in the order of [`Status::ALL`]; a status that no cell has is left out.
    pub cells: Vec<(Status, usize)>,
    /// Dataset → whether it is the real one, in order of appearance.
    pub origins: Vec<(String, Origin)>,
    /// Cases behind the numbers of the first repetition.
    pub witnesses: Vec<Witnessed>,
    /// Cost → the machines it was measured on.
    pub machines: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    pub key: KeyValues,
    /// Of a cost with samples: see [`run_number`].
    pub repetition: i64,
    pub metric: String,
    pub value: f64,
}

/// A sample of a repetition as one number, by which runs of two algorithms pair: the repetition itself for the first
/// sample, which is what measurements have; further samples have numbers beyond every repetition.
pub fn run_number(repetition: i64, sample: i64) -> i64 {
    (sample << 32) + repetition
}

/// The repetition that a run number is of, and what it would be of the first.
fn parted(run: i64) -> (i64, i64) {
    (run & 0xffff_ffff, run & !0xffff_ffff)
}

/// A cell without an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hole {
    pub key: KeyValues,
    pub repetition: i64,
    pub status: Status,
    pub reason: String,
}

/// A witness as text: what stands in [`Witness::COLUMNS`](crate::lab::Witness::COLUMNS).
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed {
    pub key: KeyValues,
    pub fields: Vec<String>,
}

impl Witnessed {
    /// The metric or guarantee that it stands for.
    pub fn metric(&self) -> &str {
        self.field("metric")
    }

    pub fn field(&self, column: &str) -> &str {
        let place = Witness::COLUMNS.iter().position(|name| *name == column);
        place.and_then(|place| self.fields.get(place)).map_or("", String::as_str)
    }
}

/// Whether a metric is a cost.
pub fn is_cost(metric: &str) -> bool {
    Cost::of(metric).is_some()
}

/// Whether a metric is a cost that differs from run to run.
pub fn is_noisy(metric: &str) -> bool {
    Cost::of(metric).is_some_and(|(cost, _)| cost.is_noisy())
}

/// On how many machines a metric of several figures was measured; 0 where that does not matter.
pub fn machines_of<'a>(figures: impl IntoIterator<Item = &'a Observations>, metric: &str) -> usize {
    let machines: BTreeSet<&String> =
        figures.into_iter().filter_map(|figure| figure.machines.get(metric)).flatten().collect();
    if is_noisy(metric) { machines.len() } else { 0 }
}

impl Observations {
    /// On how many machines a metric was measured, where that matters: costs that repeat are the same on all.
    pub fn machines_of(&self, metric: &str) -> usize {
        machines_of([self], metric)
    }

    /// The same, with every algorithm named as somebody's: `anatomy [Ada]`.
    pub fn labelled(mut self, label: &str) -> Self {
        let keys = self.rows.iter_mut().map(|row| &mut row.key).chain(self.holes.iter_mut().map(|hole| &mut hole.key));
        for key in keys {
            if !key[ALGORITHM].is_none() {
                key[ALGORITHM] = Value::Text(format!("{} [{label}]", key[ALGORITHM]));
            }
        }
        self
    }

    /// The same, with the repetition, from 1, as a column: then each is a point of its own.
    pub fn by_repetition(&self) -> Self {
        let mut parts = self.clone();
        parts.columns.push("repetition".to_string());
        let rows = parts.rows.iter_mut().map(|row| (&mut row.key, &mut row.repetition));
        let holes = parts.holes.iter_mut().map(|hole| (&mut hole.key, &mut hole.repetition));
        for (key, run) in rows.chain(holes) {
            let (repetition, of_first) = parted(*run);
            key.push(Value::Number((repetition + 1) as f64));
            *run = of_first;
        }
        // Witnesses are of the first.
        parts.witnesses.iter_mut().for_each(|witness| witness.key.push(Value::Number(1.0)));
        parts
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    fn note_origin(&mut self, dataset: &str, origin: Origin) {
        if !dataset.is_empty() && !self.origins.iter().any(|(known, _)| known == dataset) {
            self.origins.push((dataset.to_string(), origin));
        }
    }

    /// Notes a cost; one that is no number (it could not be measured) is left out, as in figures.
    fn note_cost(&mut self, key: KeyValues, repetition: i64, metric: &str, value: f64, machine: &str) {
        if !value.is_finite() {
            return;
        }
        let machines = match self.machines.get_mut(metric) {
            Some(machines) => machines,
            None => self.machines.entry(metric.to_string()).or_default(),
        };
        if !machines.contains(machine) {
            machines.insert(machine.to_string());
        }
        self.rows.push(Measurement { key, repetition, metric: metric.to_string(), value });
    }
}

/// Counts cells by status; the same cell planned twice for one figure counts once.
#[derive(Default)]
struct CellCounts(BTreeSet<(KeyValues, i64, Status)>);

impl CellCounts {
    /// `key` without a place along a measure's own axis.
    fn note(&mut self, key: KeyValues, repetition: i64, status: Status) {
        self.0.insert((key, repetition, status));
    }

    fn by_status(self) -> Vec<(Status, usize)> {
        let count = |status| self.0.iter().filter(|cell| cell.2 == status).count();
        Status::ALL.into_iter().map(|status| (status, count(status))).filter(|(_, count)| *count > 0).collect()
    }
}
