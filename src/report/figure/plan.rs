//! From rows to places: which panel, which series, where along x.

use super::{Missing, Names};
use crate::report::metrics::Metrics;
use crate::report::observations::{ALGORITHM, AT, Key, Observations, Row};
use crate::report::statistics::function;
use crate::report::value::{Value, is_among};
use crate::run::Limits;
use crate::spec::draw::{Curve, Draw, DrawKind, Statistic};
use std::collections::{BTreeMap, BTreeSet};

/// What a figure's rows are sorted by, as its spec says it and its data needs it.
pub struct Plan<'a> {
    pub draw: &'a Draw,
    pub observations: &'a Observations,
    pub names: Names<'a>,
    /// The x column; None when x is a metric, or nothing.
    pub x: Option<usize>,
    pub x_metric: Option<&'a str>,
    /// The column that parts panels.
    pub panel: Option<usize>,
    pub panel_by_metric: bool,
    /// Declared columns, then those that vary and were named nowhere.
    pub series: Vec<usize>,
}

/// A row's place in the figure, before names are made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub curve: usize,
    pub panel: Value,
    pub series: Vec<Value>,
    pub x: Value,
    /// Tells points of one series apart where x is a metric.
    pub cell: Key,
}

/// The points in the order of their first rows: (place, repetition → value, what is missing).
#[derive(Default)]
pub struct Gathered {
    index: BTreeMap<Place, usize>,
    pub points: Vec<(Place, Vec<f64>, Option<Missing>)>,
}

impl Gathered {
    fn at(&mut self, place: Place) -> &mut (Place, Vec<f64>, Option<Missing>) {
        let next = self.points.len();
        let found = *self.index.entry(place.clone()).or_insert(next);
        if found == next {
            self.points.push((place, Vec::new(), None));
        }
        &mut self.points[found]
    }
}

impl<'a> Plan<'a> {
    pub fn new(draw: &'a Draw, observations: &'a Observations, metrics: Metrics<'a>) -> Self {
        let column = |name: &str| observations.column(name);
        let x = draw.x.as_deref().and_then(column);
        let x_metric = draw.x.as_deref().filter(|_| x.is_none());
        // Metrics that share no unit share no axis, and in a table no column.
        let units: Vec<&str> = draw.metrics().map(|metric| metrics.unit(metric)).collect();
        let differ = draw.kind == DrawKind::Table || units.windows(2).any(|pair| pair[0] != pair[1]);
        let panel_by_metric = draw.panels.as_deref() == Some("metric") || differ;
        let mut plan = Self {
            draw,
            observations,
            names: Names::new(draw, metrics),
            x,
            x_metric,
            panel: draw.panels.as_deref().and_then(column),
            panel_by_metric,
            series: draw.series.iter().filter_map(|name| column(name)).collect(),
        };
        if plan.series.is_empty() && !plan.is_drawn(ALGORITHM) {
            plan.series.push(ALGORITHM);
        }
        plan.series.retain(|&column| Some(column) != plan.x && Some(column) != plan.panel);
        plan.add_hidden_columns();
        plan
    }

    fn is_drawn(&self, column: usize) -> bool {
        Some(column) == self.x || Some(column) == self.panel || self.series.contains(&column)
    }

    /// Columns that vary within what would be one repetition of one point.
    fn add_hidden_columns(&mut self) {
        if self.x_metric.is_some() {
            return;
        }
        for column in 0..self.observations.columns.len() {
            if self.is_drawn(column) {
                continue;
            }
            if self.is_constant(column) {
                continue;
            }
            let mut seen: BTreeMap<(Place, i64), &Value> = BTreeMap::new();
            let varies = self.rows().any(|(curve, row)| {
                let place = (self.place(curve, &row.key, Value::None), row.repetition);
                *seen.entry(place).or_insert(&row.key[column]) != &row.key[column]
            });
            if varies {
                self.series.push(column);
            }
        }
    }

    fn is_constant(&self, column: usize) -> bool {
        let mut values = self.rows().map(|(_, row)| &row.key[column]);
        let first = values.next();
        values.all(|value| Some(value) == first)
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &'a Row)> {
        let (draw, observations) = (self.draw, self.observations);
        draw.y.iter().enumerate().flat_map(move |(index, curve)| {
            let wanted = move |row: &&Row| row.metric == curve.metric && admits(curve, &row.key, observations);
            observations.rows.iter().filter(wanted).map(move |row| (index, row))
        })
    }

    fn place(&self, curve: usize, key: &Key, x_metric: Value) -> Place {
        let at = |column: Option<usize>| column.map_or(Value::None, |column| key[column].clone());
        Place {
            curve,
            panel: at(self.panel),
            series: self.series.iter().map(|&column| key[column].clone()).collect(),
            x: if self.x_metric.is_some() { x_metric } else { at(self.x) },
            cell: if self.x_metric.is_some() { key.clone() } else { Key::new() },
        }
    }

    pub fn gather(&self) -> Gathered {
        let mut gathered = Gathered::default();
        let xs = self.x_metric.map(|metric| cell_values(self.observations, metric, self.draw.statistic));
        for (curve, row) in self.rows() {
            let x = match &xs {
                Some(xs) => match xs.get(&without_at(&row.key)) {
                    Some(x) => Value::Number(*x),
                    None => continue,
                },
                None => Value::None,
            };
            gathered.at(self.place(curve, &row.key, x)).1.push(row.value);
        }
        gathered
    }

    pub fn note_holes(&self, gathered: &mut Gathered, limits: Limits) {
        // Where x is a metric, a cell without values has no place in the plot; the page lists it.
        if self.x_metric.is_some() {
            return;
        }
        let reports = Reports::of(self.observations);
        for hole in &self.observations.holes {
            for (index, curve) in self.draw.y.iter().enumerate() {
                if !admits(curve, &hole.key, self.observations) || reports.is_foreign(curve, &hole.key) {
                    continue;
                }
                let place = self.place(index, &hole.key, Value::None);
                let limit = limits.reached(&hole.status, &curve.metric);
                let missing = gathered.at(place).2.get_or_insert_with(|| Missing {
                    status: hole.status.clone(),
                    reason: hole.reason.clone(),
                    repetitions: 0,
                    limit,
                });
                missing.repetitions += 1;
            }
        }
    }
}

/// Which algorithm reports which metric: metric → algorithms.
struct Reports<'a>(BTreeMap<&'a str, BTreeSet<&'a Value>>);

impl<'a> Reports<'a> {
    fn of(observations: &'a Observations) -> Self {
        let mut reports: BTreeMap<&str, BTreeSet<&Value>> = BTreeMap::new();
        for row in &observations.rows {
            reports.entry(&row.metric).or_default().insert(&row.key[ALGORITHM]);
        }
        Self(reports)
    }

    /// A metric that only other algorithms of this figure report: this one's cell lacks nothing by not having it.
    fn is_foreign(&self, curve: &Curve, key: &Key) -> bool {
        let algorithm = &key[ALGORITHM];
        let reports_anything = || self.0.values().any(|algorithms| algorithms.contains(algorithm));
        self.0.get(curve.metric.as_str()).is_some_and(|reporting| !reporting.contains(algorithm) && reports_anything())
    }
}

fn admits(curve: &Curve, key: &Key, observations: &Observations) -> bool {
    let none = Value::None;
    is_among(&curve.only, |name| observations.column(name).map_or(&none, |column| &key[column]))
}

/// The algorithm a curve is restricted to, if it is to one.
pub fn only_algorithm(curve: &Curve) -> Option<String> {
    match curve.only.get("algorithm").map(|allowed| &allowed[..]) {
        Some([algorithm]) => Some(algorithm.to_string()),
        _ => None,
    }
}

fn without_at(key: &Key) -> Key {
    let mut cell = key.clone();
    cell[AT] = Value::None;
    cell
}

/// What a metric is in each cell, over its repetitions.
fn cell_values(observations: &Observations, metric: &str, statistic: Statistic) -> BTreeMap<Key, f64> {
    let mut values: BTreeMap<Key, Vec<f64>> = BTreeMap::new();
    for row in observations.rows.iter().filter(|row| row.metric == metric) {
        values.entry(without_at(&row.key)).or_default().push(row.value);
    }
    values.into_iter().map(|(key, values)| (key, function(statistic)(&values))).collect()
}
