use super::{ALGORITHM, AT, DATASET, KeyValues, Observations};
use crate::report::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The values that each algorithm has in each parameter. A parameter in which an algorithm does not vary (its entry fixes it, or it has
/// none) is part of who that algorithm is: it stands beside every value of the others.
#[derive(Debug, Default)]
pub struct Swept {
    /// Algorithm → parameter → its values.
    values: BTreeMap<Value, BTreeMap<String, BTreeSet<Value>>>,
}

impl Swept {
    /// Of everything a figure planned: cells that gave no number were swept all the same.
    pub fn of(observations: &Observations) -> Self {
        let mut swept = Self::default();
        let rows = observations.rows.iter().map(|row| &row.key);
        for key in rows.chain(observations.holes.iter().map(|hole| &hole.key)) {
            swept.take(&observations.columns, key);
        }
        swept
    }

    /// Takes one more row, or cell that gave none, into account.
    pub fn take(&mut self, columns: &[String], key: &KeyValues) {
        let known = self.values.entry(key[ALGORITHM].clone()).or_default();
        for (column, (name, value)) in columns.iter().zip(key).enumerate() {
            if ![ALGORITHM, DATASET, AT].contains(&column) && !value.is_none() {
                known.entry(name.clone()).or_default().insert(value.clone());
            }
        }
    }

    pub fn algorithms(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.values.keys()
    }

    pub fn varies(&self, algorithm: &Value, parameter: &str) -> bool {
        self.values.get(algorithm).and_then(|known| known.get(parameter)).is_some_and(|values| values.len() > 1)
    }

    /// Whether all that have the parameter have one and the same value in it.
    pub fn is_common(&self, parameter: &str) -> bool {
        let values: BTreeSet<&Value> =
            self.values.values().filter_map(|known| known.get(parameter)).flatten().collect();
        values.len() == 1
    }
}
