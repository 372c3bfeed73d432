//! From rows to points: one metric at each combination of keys over its repetitions, with the cells that gave no value.
//! Figures, claims and comparisons all read observations through this.

use super::{ALGORITHM, AT, Hole, KeyValues, Observations};
use crate::lab::Cost;
use crate::report::value::{Value, is_among};
use crate::run::{Limits, Status};
use crate::spec::select::Where;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// One metric at one combination of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathered<'a> {
    pub key: Cow<'a, KeyValues>,
    /// Repetition → value.
    pub values: BTreeMap<i64, f64>,
    /// The cells of this key that should have given a value and did not.
    pub holes: Vec<&'a Hole>,
}

/// The points of `metric` that `only` leaves, in order of appearance; those without any value last.
///
/// A hole has no place along a measure's own axis (`at`): it counts for every point of its cell, and a restriction to some
/// `at` does not hide it. An algorithm that reports other metrics of these observations but never this one lacks nothing:
/// its holes are left out.
pub fn gather<'a>(observations: &'a Observations, metric: &str, only: &Where) -> Vec<Gathered<'a>> {
    let admits = |only: &Where, key: &KeyValues| {
        is_among(only, |name| observations.column(name).map_or(&Value::None, |column| &key[column]))
    };
    let mut index: BTreeMap<&KeyValues, usize> = BTreeMap::new();
    let mut points: Vec<Gathered> = Vec::new();
    for row in observations.rows.iter().filter(|row| row.metric == metric && admits(only, &row.key)) {
        let next = points.len();
        let found = *index.entry(&row.key).or_insert(next);
        if found == next {
            points.push(Gathered { key: Cow::Borrowed(&row.key), values: BTreeMap::new(), holes: Vec::new() });
        }
        points[found].values.insert(row.repetition, row.value);
    }
    if observations.holes.is_empty() {
        return points;
    }
    let mut anywhere = only.clone();
    anywhere.remove("at");
    let mut of_cell: BTreeMap<KeyValues, Vec<usize>> = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        of_cell.entry(without_at(&point.key)).or_default().push(index);
    }
    let reporting = Reporting::of(observations, metric);
    for hole in observations.holes.iter().filter(|hole| admits(&anywhere, &hole.key) && reporting.is_due(&hole.key)) {
        let of_hole = match of_cell.entry(without_at(&hole.key)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let key = Cow::Owned(new.key().clone());
                points.push(Gathered { key, values: BTreeMap::new(), holes: Vec::new() });
                new.insert(vec![points.len() - 1])
            }
        };
        for &index in of_hole.iter() {
            points[index].holes.push(hole);
        }
    }
    points
}

/// The key of the cell that a row is of.
pub fn without_at(key: &KeyValues) -> KeyValues {
    let mut cell = key.clone();
    cell[AT] = Value::None;
    cell
}

/// Which algorithms report a metric, and which report anything.
struct Reporting<'a> {
    this: Vec<&'a Value>,
    anything: Vec<&'a Value>,
}

impl<'a> Reporting<'a> {
    fn of(observations: &'a Observations, metric: &str) -> Self {
        let (mut this, mut anything) = (Vec::new(), Vec::new());
        for row in &observations.rows {
            let algorithm = &row.key[ALGORITHM];
            if !anything.contains(&algorithm) {
                anything.push(algorithm);
            }
            if row.metric == metric && !this.contains(&algorithm) {
                this.push(algorithm);
            }
        }
        Self { this, anything }
    }

    /// Whether a cell with this key would have reported the metric, had it ended well.
    fn is_due(&self, key: &KeyValues) -> bool {
        let algorithm = &key[ALGORITHM];
        self.this.is_empty() || self.this.contains(&algorithm) || !self.anything.contains(&algorithm)
    }
}

/// What a cell that was stopped at a limit tells of a cost: it would have been more than this.
pub fn limit_reached(limits: &Limits, status: Status, metric: &str) -> Option<f64> {
    match (status, Cost::of(metric)?) {
        (Status::Timeout, (Cost::Seconds, None)) => Some(limits.time.0.as_secs_f64()),
        (Status::OutOfMemory, (Cost::PeakHeapBytes | Cost::PeakRssBytes, None)) => Some(limits.memory.0 as f64),
        _ => None,
    }
}
