//! Pareto fronts as a figure: a panel for each, contenders as series, those on the front apart from those that are beaten.

use super::contest::{Front, FrontPoint};
use super::figure::{Figure, Panel, Point, Series, Spot, XAxis};
use super::number::Unit;
use super::value::Value;
use crate::spec::draw::{DrawKind, Spread, XScale, YScale};

/// Fronts of the same axes, of which the first is x and the second y.
pub fn figure(fronts: &[&Front]) -> Figure {
    let mut series: Vec<Series> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let axes: Vec<String> = fronts.first().map_or(Vec::new(), |front| front.axes.values().cloned().collect());
    let axis = |index: usize| axes.get(index).cloned().unwrap_or_default();
    let plain = || Unit { name: String::new(), divisor: 1.0 };
    for (panel, front) in fronts.iter().enumerate() {
        for point in &front.points {
            let Some([x, y]) = point.values.get(..2).and_then(|values| <[f64; 2]>::try_from(values).ok()) else {
                continue;
            };
            let name = name(point);
            let known = series.iter().position(|series| series.name == name).unwrap_or_else(|| {
                series.push(Series { name, algorithm: Some(point.contender.clone()), key: Vec::new(), label: None });
                series.len() - 1
            });
            points.push(Point {
                panel,
                series: known,
                metric: axis(1),
                x: Value::Number(x),
                y: Some(Spot { value: y, low: y, high: y, repetitions: 1 }),
                missing: None,
            });
        }
    }
    points.sort_by(|a, b| (a.panel, a.series).cmp(&(b.panel, b.series)).then_with(|| a.x.cmp(&b.x)));
    let panel = |(group, front): (usize, &&Front)| Panel {
        title: Some(place(front)),
        group,
        y_label: axis(1),
        unit: plain(),
        metrics: vec![axis(1)],
        key: None,
    };
    Figure {
        kind: DrawKind::Scatter,
        x_scale: XScale::Auto,
        y_scale: YScale::Linear,
        zero: None,
        y_range: None,
        spread: Spread::None,
        x: XAxis { label: axis(0), values: Vec::new(), names: Vec::new(), is_metric: true, unit: plain() },
        panel_column: None,
        panels: fronts.iter().enumerate().map(panel).collect(),
        series,
        points,
        printed: Vec::new(),
        changes: Vec::new(),
    }
}

fn name(point: &FrontPoint) -> String {
    if point.on_front { point.contender.clone() } else { format!("{}, beaten", point.contender) }
}

/// "adult, l=4".
pub fn place(front: &Front) -> String {
    let kept = front.guarantee.iter().map(|(name, value)| format!("{name}={value}"));
    std::iter::once(front.dataset.clone()).chain(kept).collect::<Vec<_>>().join(", ")
}
