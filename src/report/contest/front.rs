//! The Pareto front: contenders, at their parameters, that no other beats in privacy, utility and cost at once.
//!
//! Who promises less can give more: without an absolute measure of privacy among the axes there is one front for each
//! guarantee (the values of the parameters that guarantees depend on). A sample or prefix of a data set is other data than another, and has
//! fronts of its own.

use super::Options;
use super::blocks::{BlockKey, Blocks, has_several_algorithms};
use crate::lab::{Better, Cost};
use crate::publish::guarantee_parameters;
use crate::report::metrics::{MetricInfo, MetricSide, Metrics};
use crate::report::observations::{ALGORITHM, DATASET, KeyValues, Observations, machines_of};
use crate::report::value::Value;
use crate::statistics::{mean, median};
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Front {
    pub dataset: String,
    /// The settings of the data that all points share, and the parameters of the guarantee that they keep, but for these where privacy is
    /// measured absolutely.
    pub guarantee: IndexMap<String, String>,
    /// Side to its metric: privacy, utility, cost, as far as they were measured.
    pub axes: IndexMap<MetricSide, String>,
    pub points: Vec<FrontPoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrontPoint {
    pub contender: String,
    /// The parameters that vary.
    pub at: IndexMap<String, String>,
    /// In the order of the axes.
    pub values: Vec<f64>,
    pub on_front: bool,
    /// The first that is at least as good everywhere and better somewhere.
    pub beaten_by: Option<String>,
}

/// The fronts of each data set, where at least two sides were measured.
pub fn fronts(figures: &[&Observations], known: &BTreeMap<String, MetricInfo>, options: &Options) -> Vec<Front> {
    let rows = figures.iter().flat_map(|figure| &figure.rows);
    let datasets: BTreeSet<String> = rows.map(|row| row.key[DATASET].to_string()).collect();
    let mut fronts = Vec::new();
    for dataset in datasets {
        // What stands for a side is decided for each data set: not all have the same metrics.
        let here = restricted(figures, |_, key| key[DATASET].to_string() == dataset);
        let here: Vec<&Observations> = here.iter().collect();
        let axes: IndexMap<MetricSide, String> = [MetricSide::Privacy, MetricSide::Utility, MetricSide::Cost]
            .into_iter()
            .filter_map(|side| Some((side, metric_of(side, &here, known, options)?)))
            .collect();
        if axes.len() < 2 {
            continue;
        }
        let is_absolute = |metric: &String| known.get(metric).is_some_and(|info| !info.relative);
        let is_absolute = axes.get(&MetricSide::Privacy).is_some_and(is_absolute);
        let settings = |columns, key| apart(columns, key, !is_absolute);
        let all: BTreeSet<Vec<(&str, &Value)>> =
            here.iter().flat_map(|figure| figure.rows.iter().map(|row| settings(&figure.columns, &row.key))).collect();
        for kept in &all {
            let within = restricted(&here, |columns, key| apart(columns, key, !is_absolute) == *kept);
            let named = kept.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            fronts.extend(front(&dataset, named, &within.iter().collect::<Vec<_>>(), known, &axes));
        }
    }
    fronts
}

fn restricted(figures: &[&Observations], keep: impl Fn(&[String], &KeyValues) -> bool) -> Vec<Observations> {
    let of = |figure: &&Observations| {
        let mut figure = Observations::clone(figure);
        let columns = figure.columns.clone();
        figure.rows.retain(|row| keep(&columns, &row.key));
        figure.holes.retain(|hole| keep(&columns, &hole.key));
        figure
    };
    figures.iter().map(of).collect()
}

/// What keeps fronts apart in a key: settings of the dataset and, if need be, parameters of guarantees.
fn apart<'a>(columns: &'a [String], key: &'a KeyValues, by_guarantee: bool) -> Vec<(&'a str, &'a Value)> {
    let promised = guarantee_parameters();
    let parts = |name: &str| name.starts_with("dataset.") || (by_guarantee && promised.contains(name));
    let mut kept: Vec<(&str, &Value)> = columns
        .iter()
        .zip(key)
        .filter(|(name, value)| parts(name) && !value.is_none())
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    kept.sort();
    kept
}

fn front(
    dataset: &str,
    guarantee: IndexMap<String, String>,
    figures: &[&Observations],
    known: &BTreeMap<String, MetricInfo>,
    axes: &IndexMap<MetricSide, String>,
) -> Option<Front> {
    let info = Metrics(known);
    // Algorithms that no figure shows together are at settings of their own, not beside each other.
    let algorithms: BTreeSet<&Value> =
        figures.iter().flat_map(|figure| &figure.rows).map(|row| &row.key[ALGORITHM]).collect();
    let compares = |figure: &&Observations| axes.values().any(|metric| has_several_algorithms(figure, metric));
    if algorithms.len() > 1 && !figures.iter().any(compares) {
        return None;
    }
    let measured: Vec<(Blocks, Better)> =
        axes.values().map(|metric| (Blocks::of(figures, metric), info.better(metric))).collect();
    let mut found: Vec<FrontPoint> = points(&measured)
        .into_iter()
        .map(|(contender, place, values)| {
            let at = place.iter().filter(|(column, _)| *column != "dataset" && !guarantee.contains_key(*column));
            let at = at.filter(|(_, value)| !value.is_none());
            let at = at.map(|(column, value)| (column.clone(), value.to_string())).collect();
            FrontPoint { contender, at, values, on_front: true, beaten_by: None }
        })
        .collect();
    // One alone has nobody to be beaten by.
    if found.len() < 2 {
        return None;
    }
    // Without privacy among the axes, the settings of one algorithm are other questions, not other answers.
    let is_alone = found.iter().all(|point| point.contender == found[0].contender);
    if is_alone && !axes.contains_key(&MetricSide::Privacy) {
        return None;
    }
    // What all points have in common tells none of them apart.
    let is_common = |column: &&String| found.iter().all(|point| point.at.get(*column) == found[0].at.get(*column));
    let common: Vec<String> = found[0].at.keys().filter(is_common).cloned().collect();
    for point in &mut found {
        point.at.retain(|column, _| !common.contains(column));
    }
    let betters: Vec<Better> = measured.iter().map(|(_, better)| *better).collect();
    judge(&mut found, &betters);
    Some(Front { dataset: dataset.to_string(), guarantee, axes: axes.clone(), points: found })
}

/// The metric that stands for a side: the first that was measured, of those asked for.
fn metric_of(
    side: MetricSide,
    figures: &[&Observations],
    known: &BTreeMap<String, MetricInfo>,
    options: &Options,
) -> Option<String> {
    let measured = |metric: &str| {
        let anywhere = figures.iter().flat_map(|figure| &figure.rows).any(|row| row.metric == metric);
        anywhere && machines_of(figures.iter().copied(), metric) < 2
    };
    let fits = |metric: &str| match side {
        MetricSide::Cost => matches!(
            Cost::of(metric),
            Some((Cost::Seconds | Cost::CpuSeconds | Cost::PeakHeapBytes | Cost::PeakRssBytes, None))
        ),
        MetricSide::Privacy | MetricSide::Utility | MetricSide::Fact => {
            known.get(metric).is_some_and(|info| info.side == side && info.better != Better::Neither)
        }
    };
    let usual: Vec<&str> = match (side, options.metrics.as_slice()) {
        (MetricSide::Cost, []) => vec![Cost::CpuSeconds.name(), Cost::Seconds.name()],
        (_, []) => known.keys().map(String::as_str).collect(),
        (_, asked) => asked.iter().map(String::as_str).collect(),
    };
    usual.into_iter().find(|metric| fits(metric) && measured(metric)).map(String::from)
}

/// Every contender at every combination of the columns that all axes have and that vary, with its median on each axis.
fn points(measured: &[(Blocks, Better)]) -> Vec<(String, BlockKey, Vec<f64>)> {
    let varying: Vec<String> = measured[0]
        .0
        .varying_columns()
        .into_iter()
        .filter(|column| column != "at")
        .filter(|column| {
            measured.iter().all(|(blocks, _)| blocks.values.keys().any(|place| place.contains_key(column)))
        })
        .chain(["dataset".to_string()])
        .collect();
    let reduced = |place: &BlockKey| -> BlockKey {
        varying.iter().filter_map(|name| Some((name.clone(), place.get(name)?.clone()))).collect()
    };
    let mut found: BTreeMap<(BlockKey, usize), Vec<Vec<f64>>> = BTreeMap::new();
    let names: Vec<String> = measured[0].0.contenders.iter().map(|contender| contender.name()).collect();
    for (axis, (blocks, _)) in measured.iter().enumerate() {
        for (place, values) in &blocks.values {
            for (contender, values) in blocks.contenders.iter().zip(values) {
                let Some(index) = names.iter().position(|name| *name == contender.name()) else { continue };
                let entry = found.entry((reduced(place), index)).or_insert_with(|| vec![Vec::new(); measured.len()]);
                // As everywhere on the page, repetitions are averaged inside a point.
                if !values.is_empty() {
                    entry[axis].push(mean(&values.values().copied().collect::<Vec<_>>()));
                }
            }
        }
    }
    found
        .into_iter()
        .filter(|(_, axes)| axes.iter().all(|values| !values.is_empty()))
        .map(|((place, index), axes)| (names[index].clone(), place, axes.iter().map(|values| median(values)).collect()))
        .collect()
}

fn judge(points: &mut [FrontPoint], betters: &[Better]) {
    let cost = |point: &FrontPoint, axis: usize| match betters[axis] {
        Better::Higher => -point.values[axis],
        _ => point.values[axis],
    };
    let beats = |a: &FrontPoint, b: &FrontPoint| {
        let axes = 0..betters.len();
        axes.clone().all(|axis| cost(a, axis) <= cost(b, axis))
            && axes.clone().any(|axis| cost(a, axis) < cost(b, axis))
    };
    let verdicts: Vec<Option<String>> =
        points.iter().map(|point| points.iter().find(|other| beats(other, point)).map(FrontPoint::name)).collect();
    for (point, beaten_by) in points.iter_mut().zip(verdicts) {
        point.on_front = beaten_by.is_none();
        point.beaten_by = beaten_by;
    }
}

impl FrontPoint {
    /// "anatomy, l=4".
    pub fn name(&self) -> String {
        let at = self.at.iter().map(|(column, value)| format!("{column}={value}"));
        std::iter::once(self.contender.clone()).chain(at).collect::<Vec<_>>().join(", ")
    }
}
