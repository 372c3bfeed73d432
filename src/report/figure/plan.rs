//! From rows to places: which panel, which series, where along x.

use super::{FigureNames, MissingValue};
use crate::report::metrics::Metrics;
use crate::report::observations::{ALGORITHM, Gathered, KeyValues, Observations, gather, limit_reached, without_at};
use crate::report::value::Value;
use crate::run::Limits;
use crate::spec::draw::function;
use crate::spec::draw::{Curve, Draw, DrawKind, Statistic};
use crate::spec::select::Where;
use std::collections::BTreeMap;

/// What a figure's rows are sorted by, as its spec says it and its data needs it.
pub struct FigurePlan<'a> {
    pub draw: &'a Draw,
    pub observations: &'a Observations,
    pub names: FigureNames<'a>,
    /// The x column; None when x is a metric, or nothing.
    pub x: Option<usize>,
    pub x_metric: Option<&'a str>,
    /// The column that parts panels.
    pub panel: Option<usize>,
    pub panel_by_metric: bool,
    /// Declared columns, then those that vary and were named nowhere.
    pub series: Vec<usize>,
    /// What each curve shows, in the order of `draw.y`.
    curves: Vec<Vec<Gathered<'a>>>,
}

/// A row's place in the figure, before names are made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointPlace {
    pub curve: usize,
    pub panel: Value,
    pub series: Vec<Value>,
    pub x: Value,
    /// Tells points of one series apart where x is a metric.
    pub cell: KeyValues,
}

/// The places of a figure in order of appearance: (place, the values of its repetitions, what is missing).
#[derive(Default)]
pub struct Placed {
    index: BTreeMap<PointPlace, usize>,
    pub points: Vec<(PointPlace, Vec<f64>, Option<MissingValue>)>,
}

impl Placed {
    fn at(&mut self, place: PointPlace) -> &mut (PointPlace, Vec<f64>, Option<MissingValue>) {
        let next = self.points.len();
        let found = *self.index.entry(place.clone()).or_insert(next);
        if found == next {
            self.points.push((place, Vec::new(), None));
        }
        &mut self.points[found]
    }
}

impl<'a> FigurePlan<'a> {
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
            names: FigureNames::new(draw, metrics),
            x,
            x_metric,
            panel: draw.panels.as_deref().and_then(column),
            panel_by_metric,
            series: draw.series.iter().filter_map(|name| column(name)).collect(),
            curves: draw.y.iter().map(|curve| gather(observations, &curve.metric, &curve.only)).collect(),
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
            let mut seen: BTreeMap<(PointPlace, i64), &Value> = BTreeMap::new();
            let varies = self.measured().any(|(curve, point)| {
                let (place, value) = (self.place(curve, &point.key, Value::None), &point.key[column]);
                point
                    .values
                    .keys()
                    .any(|&repetition| *seen.entry((place.clone(), repetition)).or_insert(value) != value)
            });
            if varies {
                self.series.push(column);
            }
        }
    }

    fn is_constant(&self, column: usize) -> bool {
        let mut values = self.measured().map(|(_, point)| &point.key[column]);
        let first = values.next();
        values.all(|value| Some(value) == first)
    }

    /// The points that have values, with the number of their curve.
    fn measured(&self) -> impl Iterator<Item = (usize, &Gathered<'a>)> {
        let curves = self.curves.iter().enumerate();
        let points = curves.flat_map(|(curve, points)| points.iter().map(move |point| (curve, point)));
        points.filter(|(_, point)| !point.values.is_empty())
    }

    fn place(&self, curve: usize, key: &KeyValues, x_metric: Value) -> PointPlace {
        let at = |column: Option<usize>| column.map_or(Value::None, |column| key[column].clone());
        PointPlace {
            curve,
            panel: at(self.panel),
            series: self.series.iter().map(|&column| key[column].clone()).collect(),
            x: if self.x_metric.is_some() { x_metric } else { at(self.x) },
            cell: if self.x_metric.is_some() { key.clone() } else { KeyValues::new() },
        }
    }

    /// Every point in its place; where values are missing, why.
    pub fn places(&self, limits: Limits) -> Placed {
        let mut placed = Placed::default();
        let xs = self.x_metric.map(|metric| cell_values(self.observations, metric, self.draw.statistic));
        for (curve, point) in self.measured() {
            let x = match &xs {
                Some(xs) => match xs.get(&without_at(&point.key)) {
                    Some(x) => Value::Number(*x),
                    None => continue,
                },
                None => Value::None,
            };
            placed.at(self.place(curve, &point.key, x)).1.extend(point.values.values());
        }
        // Where x is a metric, a cell without values has no place in the plot; the page lists it.
        if self.x_metric.is_none() {
            self.note_holes(&mut placed, limits);
        }
        placed
    }

    fn note_holes(&self, placed: &mut Placed, limits: Limits) {
        for (index, curve) in self.draw.y.iter().enumerate() {
            for point in &self.curves[index] {
                let Some(first) = point.holes.first() else { continue };
                let place = self.place(index, &point.key, Value::None);
                let missing = placed.at(place).2.get_or_insert_with(|| MissingValue {
                    status: first.status,
                    reason: first.reason.clone(),
                    repetitions: 0,
                    limit: limit_reached(&limits, first.status, &curve.metric),
                });
                missing.repetitions += point.holes.len();
            }
        }
    }
}

/// The algorithm a curve is restricted to, if it is to one.
pub fn only_algorithm(curve: &Curve) -> Option<String> {
    match curve.only.get("algorithm").map(|allowed| &allowed[..]) {
        Some([algorithm]) => Some(algorithm.to_string()),
        _ => None,
    }
}

/// What a metric is in each cell, over its repetitions.
fn cell_values(observations: &Observations, metric: &str, statistic: Statistic) -> BTreeMap<KeyValues, f64> {
    let mut values: BTreeMap<KeyValues, Vec<f64>> = BTreeMap::new();
    for point in gather(observations, metric, &Where::new()).iter().filter(|point| !point.values.is_empty()) {
        values.entry(without_at(&point.key)).or_default().extend(point.values.values());
    }
    values.into_iter().map(|(key, values)| (key, function(statistic)(&values))).collect()
}
