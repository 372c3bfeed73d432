//! What a figure shows, before it is drawn or tabulated: panels, series, and points with their spread.

mod build;
mod csv;
mod describe;
mod names;
mod parts;
mod plan;
mod printed;
mod structure;
mod table;
#[cfg(test)]
pub(in crate::report) mod tests;

pub use build::build;
pub use csv::{frame_to_csv, to_csv};
pub use describe::describe;
pub use names::{FigureNames, with_unit, without_unit};
pub use table::{FigureTable, TableCell, TableHead, table};

use super::number::DisplayUnit;
use super::value::Value;
use crate::run::Status;
use crate::spec::draw::{DrawKind, Spread, XScale, YScale};
use crate::spec::reference::PrintedNumber;

/// A figure's numbers, as they are drawn.
#[derive(Debug, Clone)]
pub struct DrawnFigure {
    pub kind: DrawKind,
    pub x_scale: XScale,
    pub y_scale: YScale,
    pub zero: Option<bool>,
    pub y_range: Option<[f64; 2]>,
    pub spread: Spread,
    pub x: XAxis,
    /// The column that parts the panels, for tables; None when there is one panel, or one for each metric.
    pub panel_column: Option<String>,
    pub panels: Vec<Panel>,
    pub series: Vec<Series>,
    /// In the order of panel, series and x.
    pub points: Vec<DrawnPoint>,
    pub printed: Vec<Printed>,
    pub changes: Vec<ChangeMark>,
}

impl DrawnFigure {
    /// Where a value of x stands, as a number: itself, or its rank among the places side by side. None: nowhere alone.
    pub fn place(&self, x: &Value, categorical: bool) -> Option<f64> {
        match categorical {
            true => self.x.rank(x).map(|rank| rank as f64),
            false => x.number(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct XAxis {
    pub label: String,
    /// Every value in order: sorted where they are numbers, as they appear otherwise. Empty when x is a metric.
    pub values: Vec<Value>,
    /// The names of `values`.
    pub names: Vec<String>,
    pub is_metric: bool,
    /// What values along x are shown in, where x is a metric.
    pub unit: DisplayUnit,
}

impl XAxis {
    pub fn is_numeric(&self) -> bool {
        self.is_metric || (!self.values.is_empty() && self.values.iter().all(|value| value.number().is_some()))
    }

    /// The place of a value among all.
    pub fn rank(&self, value: &Value) -> Option<usize> {
        self.values.iter().position(|known| known == value)
    }

    pub fn name(&self, value: &Value) -> String {
        match self.rank(value) {
            Some(rank) => self.names[rank].clone(),
            None if self.is_metric => value.number().map_or(String::new(), |number| self.unit.show(number)),
            None => value.to_string(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// None where its axis alone tells it from the others.
    pub title: Option<String>,
    /// Which of the values of the column that parts panels it shows; a value has a panel for each metric where these share
    /// no unit.
    pub group: usize,
    pub y_label: String,
    pub unit: DisplayUnit,
    /// The metric, where the panel shows one.
    pub metrics: Vec<String>,
    /// The column that parts panels, with its value here.
    pub key: Option<(String, Value)>,
}

/// What one colour and marker stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    /// The algorithm, where all points of the series are of one: it decides the colour.
    pub algorithm: Option<String>,
    /// The columns that tell series apart, with its values: what it is called does not change them.
    pub key: Vec<(String, Value)>,
    /// The label that the spec gives its curve.
    pub label: Option<String>,
}

/// One metric at one place, over all repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPoint {
    pub panel: usize,
    pub series: usize,
    pub metric: String,
    /// None: x does not apply to this series, which is the same everywhere along it.
    pub x: Value,
    /// None where no repetition gave a value.
    pub y: Option<Spot>,
    /// Repetitions without a value.
    pub missing: Option<MissingValue>,
    /// Of a Pareto front: not on it. Drawn hollow.
    pub beaten: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub repetitions: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MissingValue {
    /// Of the first of them.
    pub status: Status,
    pub reason: String,
    pub repetitions: usize,
    /// The limit that stopped the cell, where it is a limit of this metric.
    pub limit: Option<f64>,
}

/// A place along x from which on a series is on another level.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeMark {
    pub panel: usize,
    pub x: Value,
    /// What changed, in words.
    pub title: String,
}

/// A value the paper printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    pub panel: usize,
    /// None where it stands for no series alone.
    pub series: Option<usize>,
    pub metric: String,
    pub x: Value,
    /// As the paper words it: exactly, about, or as a bound.
    pub number: PrintedNumber,
    pub source: Option<String>,
}
