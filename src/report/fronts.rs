//! Pareto fronts as figures: one for each, contenders as series; who is beaten is drawn hollow.

use super::contest::Front;
use super::figure::{DrawnFigure, DrawnPoint, Panel, Series, Spot, XAxis, with_unit};
use super::number::DisplayUnit;
use super::value::Value;
use crate::spec::draw::{DrawKind, Spread, XScale, YScale};

/// One figure for each of these fronts, which have the same axes, all with the same series. Each has ends and units of its own: the
/// data sets of a spec differ by orders of magnitude. `unit_of` knows the unit that a metric is measured in, `title` what it is called.
pub fn figures(
    fronts: &[&Front],
    unit_of: &dyn Fn(&str) -> String,
    title: &dyn Fn(&str) -> String,
) -> Vec<DrawnFigure> {
    let all = together(fronts);
    let unit = |metric: &str, largest: f64| DisplayUnit::fitting(&unit_of(metric), largest);
    let one = |index: usize| {
        let mut points: Vec<DrawnPoint> = all.points.iter().filter(|point| point.panel == index).cloned().collect();
        points.iter_mut().for_each(|point| point.panel = 0);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        let y_unit =
            unit(&all.panels[index].y_label, largest(&mut points.iter().filter_map(|point| Some(point.y?.value))));
        let x_unit = unit(&all.x.label, largest(&mut points.iter().filter_map(|point| point.x.number())));
        let mut panel = all.panels[index].clone();
        panel.group = 0;
        panel.y_label = with_unit(&title(&panel.y_label), &y_unit.name);
        panel.unit = y_unit;
        let x = XAxis { label: with_unit(&title(&all.x.label), &x_unit.name), unit: x_unit, ..all.x.clone() };
        DrawnFigure { points, panels: vec![panel], x, ..all.clone() }
    };
    (0..fronts.len()).map(one).collect()
}

/// Fronts of the same axes, of which the first is x and the second y, a panel each.
fn together(fronts: &[&Front]) -> DrawnFigure {
    let mut series: Vec<Series> = Vec::new();
    let mut points: Vec<DrawnPoint> = Vec::new();
    let axes: Vec<String> = fronts.first().map_or(Vec::new(), |front| front.axes.values().cloned().collect());
    let axis = |index: usize| axes.get(index).cloned().unwrap_or_default();
    let plain = || DisplayUnit::named("");
    for (panel, front) in fronts.iter().enumerate() {
        for point in &front.points {
            let Some([x, y]) = point.values.get(..2).and_then(|values| <[f64; 2]>::try_from(values).ok()) else {
                continue;
            };
            let name = &point.contender;
            let known = series.iter().position(|series| series.name == *name).unwrap_or_else(|| {
                series.push(Series { name: name.clone(), algorithm: Some(name.clone()), key: Vec::new(), label: None });
                series.len() - 1
            });
            points.push(DrawnPoint {
                panel,
                series: known,
                metric: axis(1),
                x: Value::Number(x),
                y: Some(Spot { value: y, low: y, high: y, repetitions: 1 }),
                missing: None,
                beaten: !point.on_front,
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
    DrawnFigure {
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

/// "adult, ℓ = 4".
pub fn place(front: &Front) -> String {
    let kept = front.guarantee.iter().map(|(name, value)| format!("{name} = {value}"));
    std::iter::once(front.dataset.clone()).chain(kept).collect::<Vec<_>>().join(", ")
}
