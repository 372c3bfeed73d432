//! From places to points, panels and series with their names and numbers.

use super::names::with_unit;
use super::plan::{FigurePlan, Placed, PointPlace, only_algorithm};
use super::{DrawnFigure, DrawnPoint, Panel, Printed, Series, Spot, XAxis, printed, structure};
use crate::lab::Cost;
use crate::report::metrics::{Metrics, words};
use crate::report::number::DisplayUnit;
use crate::report::observations::ALGORITHM;
use crate::report::results::FigureResult;
use crate::report::value::Value;
use crate::spec::draw::function;
use crate::spec::draw::{Spread, Statistic};
use crate::statistics::{Interval, bootstrap};
use std::collections::{BTreeMap, BTreeSet};

pub fn build(figure: &FigureResult, metrics: Metrics) -> DrawnFigure {
    let plan = FigurePlan::new(&figure.draw, &figure.observations, metrics);
    let placed = plan.places(figure.limits);
    plan.figure(figure, placed)
}

impl FigurePlan<'_> {
    fn figure(&self, result: &FigureResult, placed: Placed) -> DrawnFigure {
        let draw = self.draw;
        let panel_keys = self.panel_keys(&placed);
        let series_keys = self.series_keys(&placed);
        let mut points: Vec<DrawnPoint> = Vec::new();
        for (place, values, missing) in &placed.points {
            let series = self.series_key(place);
            points.push(DrawnPoint {
                panel: panel_keys.iter().position(|panel| *panel == self.panel_key(place)).unwrap_or(0),
                series: series_keys.iter().position(|(key, _)| *key == series).unwrap_or(0),
                metric: draw.y[place.curve].metric.clone(),
                x: place.x.clone(),
                y: spot(values, draw.statistic, draw.spread),
                missing: missing.clone(),
                beaten: false,
            });
        }
        let x = self.x_axis(&points, result);
        let ranks: BTreeMap<&Value, usize> = x.values.iter().enumerate().map(|(rank, value)| (value, rank)).collect();
        let order = |point: &DrawnPoint| ranks.get(&point.x).copied().unwrap_or(0);
        points.sort_by(|a, b| {
            let key = |p: &DrawnPoint| (p.panel, p.series, order(p));
            key(a).cmp(&key(b)).then_with(|| a.x.cmp(&b.x))
        });
        let layout = printed::Layout {
            panel_metrics: panel_keys.iter().map(|key| self.panel_metrics(key)).collect(),
            panel_values: panel_keys.iter().map(|key| &key.value).collect(),
            series_keys: series_keys.iter().map(|(key, _)| key.1.as_slice()).collect(),
        };
        let printed = layout.place(self, &result.reference, &points);
        let panels = self.panels(&panel_keys, &points, &printed);
        DrawnFigure {
            kind: draw.kind,
            x_scale: draw.x_scale,
            y_scale: draw.y_scale,
            zero: draw.zero,
            y_range: draw.y_range,
            spread: draw.spread,
            x,
            panel_column: self.panel.map(|column| self.names.column(&self.observations.columns[column])),
            panels,
            series: series_keys.iter().map(|(key, place)| self.series_named(key, place, &series_keys)).collect(),
            points,
            printed,
            changes: Vec::new(),
        }
    }

    /// The metrics a panel shows.
    fn panel_metrics(&self, key: &PanelKey) -> Vec<String> {
        let mut metrics: Vec<String> = Vec::new();
        for curve in &self.draw.y {
            let here = key.metric.as_ref().is_none_or(|metric| *metric == curve.metric);
            if here && !metrics.contains(&curve.metric) {
                metrics.push(curve.metric.clone());
            }
        }
        metrics
    }

    fn panel_key(&self, place: &PointPlace) -> PanelKey {
        let metric = self.panel_by_metric.then(|| self.draw.y[place.curve].metric.clone());
        PanelKey { value: place.panel.clone(), metric }
    }

    /// Values in order of appearance, numbers sorted; for each its metrics. At least one, so that a figure without values
    /// still has a panel.
    fn panel_keys(&self, placed: &Placed) -> Vec<PanelKey> {
        let mut values: Vec<Value> = Vec::new();
        for (place, _, _) in &placed.points {
            if !values.contains(&place.panel) {
                values.push(place.panel.clone());
            }
        }
        if values.iter().all(|value| value.number().is_some()) {
            values.sort();
        }
        if values.is_empty() {
            values.push(Value::None);
        }
        let mut metrics: Vec<Option<String>> = Vec::new();
        for curve in &self.draw.y {
            let metric = self.panel_by_metric.then(|| curve.metric.clone());
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        let key = |value: &Value, metric: &Option<String>| PanelKey { value: value.clone(), metric: metric.clone() };
        values.iter().flat_map(|value| metrics.iter().map(move |metric| key(value, metric))).collect()
    }

    /// Curves of one panel are told apart as series; those of panels of their own are not.
    fn series_key(&self, place: &PointPlace) -> (usize, Vec<Value>) {
        let curve = &self.draw.y[place.curve];
        let own = !self.panel_by_metric || curve.label.is_some();
        (if own { place.curve } else { 0 }, place.series.clone())
    }

    /// By curve, then numbers in their order and words in the order of appearance.
    fn series_keys(&self, placed: &Placed) -> Vec<((usize, Vec<Value>), PointPlace)> {
        let mut keys: Vec<((usize, Vec<Value>), PointPlace)> = Vec::new();
        for (place, _, _) in &placed.points {
            let key = self.series_key(place);
            if !keys.iter().any(|(known, _)| *known == key) {
                keys.push((key, place.clone()));
            }
        }
        let mut words: Vec<Value> = Vec::new();
        for (key, _) in &keys {
            for value in &key.1 {
                if value.number().is_none() && !words.contains(value) {
                    words.push(value.clone());
                }
            }
        }
        let rank = |value: &Value| match value.number() {
            Some(_) => (0, value.clone()),
            None => (1 + words.iter().position(|word| word == value).unwrap_or(words.len()), Value::None),
        };
        keys.sort_by_cached_key(|(key, _)| (key.0, key.1.iter().map(rank).collect::<Vec<_>>()));
        keys
    }

    fn series_named(
        &self,
        key: &(usize, Vec<Value>),
        place: &PointPlace,
        all: &[((usize, Vec<Value>), PointPlace)],
    ) -> Series {
        let curve = &self.draw.y[place.curve];
        let algorithm = self
            .series
            .iter()
            .position(|&column| column == ALGORITHM)
            .map(|part| key.1[part].to_string())
            .filter(|name| !name.is_empty() && name != "–");
        let varies = |part: usize| all.windows(2).any(|pair| pair[0].0.1[part] != pair[1].0.1[part]);
        let mut parts: Vec<String> = (0..self.series.len())
            .filter(|&part| varies(part) && !key.1[part].is_none())
            .map(|part| self.names.value_alone(&self.observations.columns[self.series[part]], &key.1[part]))
            .collect();
        let same_label = |other: &&((usize, Vec<Value>), PointPlace)| self.draw.y[other.1.curve].label == curve.label;
        if let Some(label) = &curve.label {
            // The label says it all, unless it stands for several series.
            if all.iter().filter(same_label).count() > 1 {
                parts.push(label.clone())
            } else {
                parts = vec![label.clone()]
            }
        } else if !self.panel_by_metric && all.windows(2).any(|pair| pair[0].0.0 != pair[1].0.0) {
            parts.push(self.names.metric(&curve.metric));
        }
        if parts.is_empty() {
            parts.push(match &algorithm {
                Some(algorithm) => self.names.value("algorithm", &Value::Text(algorithm.clone())),
                None => self.names.metric(&curve.metric),
            });
        }
        let algorithm = algorithm.or_else(|| only_algorithm(curve));
        let column = |(&column, value): (&usize, &Value)| (self.observations.columns[column].clone(), value.clone());
        let own = self.series.iter().zip(&key.1).map(column).filter(|(_, value)| !value.is_none()).collect();
        Series { name: parts.join(" · "), algorithm, key: own, label: curve.label.clone() }
    }

    fn x_axis(&self, points: &[DrawnPoint], result: &FigureResult) -> XAxis {
        let draw = self.draw;
        let name = draw.x.as_deref().unwrap_or_default();
        let default = match self.x_metric {
            Some(metric) => self.names.metric(metric),
            None => self.names.column(name),
        };
        let mut label = draw.x_label.clone().unwrap_or(default);
        let mut unit = DisplayUnit::named("");
        let mut values: Vec<Value> = Vec::new();
        if let Some(metric) = self.x_metric {
            let largest = points.iter().filter_map(|point| point.x.number()).fold(0.0, |a: f64, x| a.max(x.abs()));
            unit = DisplayUnit::fitting(self.names.metrics.unit(metric), largest);
            if draw.x_label.is_none() {
                label = with_unit(&label, &unit.name);
            }
        } else {
            let printed = result.reference.iter().flat_map(|reference| &reference.x).map(Value::from);
            let mut seen: BTreeSet<Value> = BTreeSet::new();
            for value in points.iter().map(|point| point.x.clone()).chain(printed) {
                if !value.is_none() && seen.insert(value.clone()) {
                    values.push(value);
                }
            }
            if values.iter().all(|value| value.number().is_some()) {
                values.sort();
            }
        }
        let mut names: Vec<String> = values.iter().map(|value| self.names.value(name, value)).collect();
        // {height: 4}, {height: 5}, …: an axis of heights.
        if let Some((key, inner)) = structure::common_key(&values) {
            names = inner;
            if draw.x_label.is_none() && !draw.labels.contains_key(name) {
                label = words(&key);
            }
        }
        XAxis { label, values, names, is_metric: self.x_metric.is_some(), unit }
    }

    fn panels(&self, keys: &[PanelKey], points: &[DrawnPoint], printed: &[Printed]) -> Vec<Panel> {
        let mut group = 0;
        let mut panels: Vec<Panel> = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            group += usize::from(index > 0 && keys[index - 1].value != key.value);
            panels.push(Panel { group, ..self.panel(key, points, printed) });
        }
        panels
    }

    fn panel(&self, key: &PanelKey, points: &[DrawnPoint], printed: &[Printed]) -> Panel {
        let metrics = self.panel_metrics(key);
        // Panels of one metric share a unit, so that they can be compared at a glance; printed values may stand beyond ours.
        let mine = |metric: &str| metrics.iter().any(|known| known == metric);
        let ours = points.iter().filter(|point| mine(&point.metric)).filter_map(|point| point.y);
        let theirs = printed.iter().filter(|printed| mine(&printed.metric)).map(|printed| printed.number.value.abs());
        let largest = ours.map(|y| y.value.abs().max(y.high.abs())).chain(theirs).fold(0.0, f64::max);
        let first = metrics.first().map_or("", String::as_str);
        let unit = DisplayUnit::fitting(self.names.metrics.unit(first), largest);
        let label = match (&self.draw.y_label, metrics.len()) {
            (Some(label), _) if !self.panel_by_metric => label.clone(),
            (_, 1) => self.names.metric(first),
            // Its series say which parts they are of.
            _ if let Some(cost) = common_cost(&metrics) => cost.title().to_string(),
            _ => metrics.iter().map(|metric| self.names.metric(metric)).collect::<Vec<_>>().join(", "),
        };
        // The label of its axis names the metric already.
        let column = self.panel.map(|column| &self.observations.columns[column]);
        let title = column.map(|column| self.names.value_alone(column, &key.value));
        let own = column.map(|column| (column.clone(), key.value.clone()));
        Panel { title, group: 0, y_label: with_unit(&label, &unit.name), unit, metrics, key: own }
    }
}

/// The cost that all of these are, or are parts of.
fn common_cost(metrics: &[String]) -> Option<Cost> {
    let mut costs = metrics.iter().map(|metric| Cost::of(metric).map(|(cost, _)| cost));
    let first = costs.next()??;
    costs.all(|cost| cost == Some(first)).then_some(first)
}

/// What one panel is of.
#[derive(Debug, Clone, PartialEq)]
struct PanelKey {
    /// Of the column that parts panels; None where there is no such column.
    value: Value,
    /// Where each metric has a panel of its own.
    metric: Option<String>,
}

fn spot(values: &[f64], statistic: Statistic, spread: Spread) -> Option<Spot> {
    if values.is_empty() {
        return None;
    }
    let value = function(statistic)(values);
    let Interval { low, high } = match spread {
        Spread::Interval | Spread::Band => bootstrap(values, function(statistic)),
        Spread::Range => Interval {
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        },
        Spread::None => Interval::exactly(value),
    };
    Some(Spot { value, low, high, repetitions: values.len() })
}
