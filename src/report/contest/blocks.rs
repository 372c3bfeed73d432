//! Who is compared, and over what: the values of each contender, block by block.
//!
//! A block is everything two contenders have in common: the data, the parameters that all of them have, the place along a
//! measure's own axis. Within it, repetitions are paired: the same repetition has the same seeds. A contender is an
//! algorithm; one whose own parameters (those that others lack) are swept is a contender for each of their values.

use crate::report::observations::{ALGORITHM, AT, DATASET, Observations, Row};
use crate::report::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Columns to values, those that do not apply left out.
pub type Place = BTreeMap<String, Value>;

/// Repetition to value.
pub type Values = BTreeMap<i64, f64>;

/// Everything that one metric was measured to be.
#[derive(Debug, Default)]
pub struct Blocks {
    /// In order of appearance.
    pub contenders: Vec<String>,
    /// Place to the values of each contender, in their order; empty where it has none.
    pub values: BTreeMap<Place, Vec<Values>>,
}

impl Blocks {
    /// The blocks of `metric` in all figures. A cell that is in two figures is one block all the same.
    pub fn of(figures: &[&Observations], metric: &str) -> Self {
        let rows: Vec<(&Observations, &Row)> = figures
            .iter()
            .flat_map(|figure| figure.rows.iter().map(move |row| (*figure, row)))
            .filter(|(_, row)| row.metric == metric && !row.key[ALGORITHM].is_none())
            .collect();
        let own = OwnColumns::of(&rows);
        let mut blocks = Self::default();
        for (figure, row) in rows {
            let algorithm = row.key[ALGORITHM].to_string();
            let (mut place, mut variant) = (Place::new(), Vec::new());
            for (column, (name, value)) in figure.columns.iter().zip(&row.key).enumerate() {
                match () {
                    () if column == ALGORITHM || value.is_none() => {}
                    () if own.is_own(name) => {
                        if own.varies(&algorithm, name) {
                            variant.push(format!("{name}={value}"));
                        }
                    }
                    () => {
                        place.insert(name.clone(), value.clone());
                    }
                }
            }
            let contender =
                if variant.is_empty() { algorithm } else { format!("{algorithm} ({})", variant.join(", ")) };
            let index = blocks.contender(contender);
            let values = blocks.values.entry(place).or_default();
            if values.len() <= index {
                values.resize(index + 1, Values::new());
            }
            values[index].insert(row.repetition, row.value);
        }
        let contenders = blocks.contenders.len();
        blocks.values.values_mut().for_each(|values| values.resize(contenders, Values::new()));
        blocks
    }

    fn contender(&mut self, name: String) -> usize {
        self.contenders.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.contenders.push(name);
            self.contenders.len() - 1
        })
    }

    /// The columns in which places differ, `dataset` first.
    pub fn varying_columns(&self) -> Vec<String> {
        let mut values: BTreeMap<&str, BTreeSet<Option<&Value>>> = BTreeMap::new();
        let names: BTreeSet<&str> = self.values.keys().flat_map(|place| place.keys().map(String::as_str)).collect();
        for name in names {
            values.insert(name, self.values.keys().map(|place| place.get(name)).collect());
        }
        let mut varying: Vec<String> =
            values.into_iter().filter(|(_, values)| values.len() > 1).map(|(name, _)| name.to_string()).collect();
        varying.sort_by_key(|name| name != "dataset");
        varying
    }
}

/// Columns that apply to some algorithms only.
struct OwnColumns {
    /// Algorithm to column to its values.
    values: BTreeMap<String, BTreeMap<String, BTreeSet<Value>>>,
}

impl OwnColumns {
    fn of(rows: &[(&Observations, &Row)]) -> Self {
        let mut values: BTreeMap<String, BTreeMap<String, BTreeSet<Value>>> = BTreeMap::new();
        for (figure, row) in rows {
            let known = values.entry(row.key[ALGORITHM].to_string()).or_default();
            for (column, (name, value)) in figure.columns.iter().zip(&row.key).enumerate() {
                if column != ALGORITHM && column != DATASET && column != AT && !value.is_none() {
                    known.entry(name.clone()).or_default().insert(value.clone());
                }
            }
        }
        Self { values }
    }

    fn is_own(&self, column: &str) -> bool {
        let with = self.values.values().filter(|columns| columns.contains_key(column)).count();
        with > 0 && with < self.values.len()
    }

    fn varies(&self, algorithm: &str, column: &str) -> bool {
        self.values.get(algorithm).and_then(|columns| columns.get(column)).is_some_and(|values| values.len() > 1)
    }
}

/// Both sides of each repetition. A side that was measured once (it does not depend on the repetition) stands beside every
/// repetition of the other.
pub fn paired(ours: &Values, theirs: &Values) -> Vec<(f64, f64)> {
    let alone = |values: &Values| if values.len() == 1 { values.values().next().copied() } else { None };
    match (alone(ours), alone(theirs)) {
        (_, Some(theirs)) => ours.values().map(|&ours| (ours, theirs)).collect(),
        (Some(ours), _) => theirs.values().map(|&theirs| (ours, theirs)).collect(),
        _ => ours.iter().filter_map(|(repetition, &ours)| Some((ours, *theirs.get(repetition)?))).collect(),
    }
}
