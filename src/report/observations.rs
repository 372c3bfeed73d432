//! The two long frames of a figure as one list of rows: numbers with their keys, and the cells that gave none.

use super::ReportError;
use super::value::Value;
use crate::run::DEFAULTS;
use polars::prelude::*;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// Columns that are not keys.
const RESERVED: [&str; 14] = [
    "figure",
    "dataset",
    "origin",
    "algorithm",
    "repetition",
    "status",
    "reason",
    "note",
    DEFAULTS,
    "release",
    "metric",
    "at",
    "value",
    "machine",
];

/// Key columns that always exist, before the figure's parameters.
pub const DATASET: usize = 0;
pub const ALGORITHM: usize = 1;
pub const AT: usize = 2;

/// The keys of a row, in the order of [`Observations::columns`].
pub type Key = Vec<Value>;

/// Everything one figure was measured to be.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    /// `dataset`, `algorithm`, `at`, then the parameters.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
    /// Cells that are not `ok`.
    pub holes: Vec<Hole>,
    /// Cells by status, in the order of [`STATUSES`].
    pub cells: Vec<(String, usize)>,
    /// Dataset → real, partial or stand-in, in order of appearance.
    pub origins: Vec<(String, String)>,
    /// Cost → the machines it was measured on.
    pub machines: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub key: Key,
    pub repetition: i64,
    pub metric: String,
    pub value: f64,
}

/// A cell without an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hole {
    pub key: Key,
    pub repetition: i64,
    pub status: String,
    pub reason: String,
}

/// In the order pages list them.
pub const STATUSES: [&str; 6] = ["ok", "timeout", "out_of_memory", "failed", "invalid", "skipped"];

/// The names of metrics that stand in the costs frame.
pub fn is_cost(metric: &str) -> bool {
    metric == "seconds"
        || metric.starts_with("seconds.")
        || ["cpu_seconds", "peak_heap_bytes", "peak_rss_bytes", "allocations"].contains(&metric)
}

/// Costs that differ from run to run; heap bytes and allocations repeat.
pub fn is_noisy(metric: &str) -> bool {
    is_cost(metric) && !["peak_heap_bytes", "allocations"].contains(&metric)
}

/// On how many machines a metric of several figures was measured; 0 where that does not matter.
pub fn machines_of(figures: &[Observations], metric: &str) -> usize {
    let machines: BTreeSet<&String> =
        figures.iter().filter_map(|figure| figure.machines.get(metric)).flatten().collect();
    if is_noisy(metric) { machines.len() } else { 0 }
}

impl Observations {
    pub fn read(figure: &str, measurements: &DataFrame, costs: &DataFrame) -> Result<Self, ReportError> {
        let mut columns: Vec<String> = ["dataset", "algorithm", "at"].map(String::from).to_vec();
        for frame in [measurements, costs] {
            let defaults = Defaults::of(frame);
            let set =
                frame.get_column_names().into_iter().map(|name| name.as_str()).filter(|name| !RESERVED.contains(name));
            for name in set.chain(defaults.names()) {
                if !columns.iter().any(|column| column == name) {
                    columns.push(name.to_string());
                }
            }
        }
        let mut observations = Self { columns, ..Self::default() };
        observations.take_measurements(figure, measurements)?;
        observations.take_costs(figure, costs)?;
        Ok(observations)
    }

    /// On how many machines a metric was measured, where that matters: costs that repeat are the same on all.
    pub fn machines_of(&self, metric: &str) -> usize {
        machines_of(std::slice::from_ref(self), metric)
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    fn take_measurements(&mut self, figure: &str, frame: &DataFrame) -> Result<(), ReportError> {
        let keys = self.keys(frame);
        let metric = texts(figure, frame, "metric")?;
        let value = numbers(figure, frame, "value")?;
        let status = texts(figure, frame, "status")?;
        let reason = texts(figure, frame, "reason")?;
        let origin = texts(figure, frame, "origin")?;
        let repetition = numbers(figure, frame, "repetition")?;
        let mut cells: Vec<(Key, i64, String)> = Vec::new();
        for (row, key) in keys.into_iter().enumerate() {
            let repetition = repetition[row].unwrap_or(0.0) as i64;
            let dataset = key[DATASET].to_string();
            if !key[DATASET].is_none() && !self.origins.iter().any(|(known, _)| *known == dataset) {
                self.origins.push((dataset, origin[row].clone()));
            }
            let mut cell = key.clone();
            cell[AT] = Value::None;
            let cell = (cell, repetition, status[row].clone());
            // The rows of a cell stand together.
            if cells.last() != Some(&cell) {
                cells.push(cell);
            }
            match value[row] {
                Some(value) if status[row] == "ok" => {
                    self.rows.push(Row { key, repetition, metric: metric[row].clone(), value });
                }
                _ if status[row] == "ok" => {}
                _ => {
                    self.holes.push(Hole { key, repetition, status: status[row].clone(), reason: reason[row].clone() })
                }
            }
        }
        cells.sort();
        cells.dedup();
        self.cells = STATUSES
            .iter()
            .map(|&status| (status.to_string(), cells.iter().filter(|cell| cell.2 == status).count()))
            .filter(|(_, count)| *count > 0)
            .collect();
        Ok(())
    }

    fn take_costs(&mut self, figure: &str, frame: &DataFrame) -> Result<(), ReportError> {
        if frame.height() == 0 {
            return Ok(());
        }
        let keys = self.keys(frame);
        let metric = texts(figure, frame, "metric")?;
        let value = numbers(figure, frame, "value")?;
        let repetition = numbers(figure, frame, "repetition")?;
        let machine = texts(figure, frame, "machine")?;
        for (row, key) in keys.into_iter().enumerate() {
            if let Some(value) = value[row] {
                let machines = match self.machines.get_mut(&metric[row]) {
                    Some(machines) => machines,
                    None => self.machines.entry(metric[row].clone()).or_default(),
                };
                if !machines.contains(&machine[row]) {
                    machines.insert(machine[row].clone());
                }
                let repetition = repetition[row].unwrap_or(0.0) as i64;
                self.rows.push(Row { key, repetition, metric: metric[row].clone(), value });
            }
        }
        Ok(())
    }

    /// The keys of each row of a frame; a column the frame lacks does not apply.
    fn keys(&self, frame: &DataFrame) -> Vec<Key> {
        let mut keys = vec![Vec::with_capacity(self.columns.len()); frame.height()];
        let defaults = Defaults::of(frame);
        for name in &self.columns {
            match frame.column(name) {
                Ok(column) => {
                    for (key, value) in keys.iter_mut().zip(column.as_materialized_series().iter()) {
                        key.push(as_value(&value));
                    }
                }
                Err(_) => {
                    for (row, key) in keys.iter_mut().enumerate() {
                        key.push(defaults.get(row, name));
                    }
                }
            }
        }
        keys
    }
}

/// The column of parameters that have no column of their own: a JSON object a row, of which there are few different ones.
struct Defaults {
    objects: Vec<Map<String, Json>>,
    /// Row → its object.
    of_row: Vec<Option<usize>>,
}

impl Defaults {
    fn of(frame: &DataFrame) -> Self {
        let mut defaults = Self { objects: Vec::new(), of_row: Vec::new() };
        let mut known: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for text in texts("", frame, DEFAULTS).unwrap_or_default() {
            let index = known.get(&text).copied().unwrap_or_else(|| {
                let index = serde_json::from_str(&text).ok().map(|object| {
                    defaults.objects.push(object);
                    defaults.objects.len() - 1
                });
                known.insert(text, index);
                index
            });
            defaults.of_row.push(index);
        }
        defaults
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.objects.iter().flat_map(|object| object.keys().map(String::as_str))
    }

    fn get(&self, row: usize, name: &str) -> Value {
        let object = self.of_row.get(row).copied().flatten().map(|index| &self.objects[index]);
        match object.and_then(|object| object.get(name)) {
            None | Some(Json::Null) => Value::None,
            Some(Json::String(text)) => Value::parse(text),
            Some(Json::Number(number)) => number.as_f64().map_or(Value::None, Value::Number),
            Some(other) => Value::Text(other.to_string()),
        }
    }
}

fn as_value(value: &AnyValue) -> Value {
    match value {
        AnyValue::Null => Value::None,
        AnyValue::String(text) => Value::parse(text),
        AnyValue::StringOwned(text) => Value::parse(text.as_str()),
        AnyValue::Boolean(flag) => Value::Text(flag.to_string()),
        other => match other.extract::<f64>() {
            Some(number) if number.is_finite() => Value::Number(number),
            _ => Value::Text(other.to_string()),
        },
    }
}

fn missing(figure: &str, name: &str) -> ReportError {
    ReportError::Input(format!("figure `{figure}`: the frame has no column `{name}`"))
}

fn texts(figure: &str, frame: &DataFrame, name: &str) -> Result<Vec<String>, ReportError> {
    let column = frame.column(name).map_err(|_| missing(figure, name))?;
    let text = |value: AnyValue| match value {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => text.to_string(),
        other => other.to_string(),
    };
    Ok(column.as_materialized_series().iter().map(text).collect())
}

fn numbers(figure: &str, frame: &DataFrame, name: &str) -> Result<Vec<Option<f64>>, ReportError> {
    let column = frame.column(name).map_err(|_| missing(figure, name))?;
    let number = |value: AnyValue| value.extract::<f64>().filter(|number| number.is_finite());
    Ok(column.as_materialized_series().iter().map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_without_a_column_are_keys_too() {
        let frame = df!(
            "dataset" => ["d", "d"], "origin" => ["real", "real"], "algorithm" => ["a", "b"], "l" => [3, 4],
            "defaults" => [Some(r#"{"k":5,"exact":true,"order":"id"}"#), None], "repetition" => [0, 0],
            "status" => ["ok", "ok"], "reason" => ["", ""], "note" => ["", "n"], "metric" => ["m", "m"],
            "at" => [None::<&str>, None], "value" => [1.0, 2.0]
        )
        .unwrap();
        let read = Observations::read("f", &frame, &DataFrame::empty()).unwrap();
        assert_eq!(read.columns, ["dataset", "algorithm", "at", "l", "k", "exact", "order"]);
        let text = |row: usize| read.rows[row].key.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!([text(0), text(1)], ["d a – 3 5 true id", "d b – 4 – – –"]);
    }
}
