//! The axes of a panel: which ends and ticks fit what it shows.

use super::axis::Axis;
use super::frame::TICK_SIZE;
use super::svg::{shorten, width};
use crate::report::figure::{DrawnFigure, MissingValue};
use crate::report::number::DisplayUnit;
use crate::report::value::Value;
use crate::spec::draw::{DrawKind, XScale, YScale};

/// A linear axis is not stretched further than this for the sake of a limit.
const LIMIT_STRETCH: f64 = 2.5;

/// Whether values along x stand side by side at equal distance.
pub fn is_categorical(figure: &DrawnFigure) -> bool {
    figure.kind == DrawKind::Bar || figure.x_scale == XScale::Category || !figure.x.is_numeric()
}

/// The x axis of all panels; `plot_width` is the room that its labels have.
pub fn x_axis(figure: &DrawnFigure, plot_width: f64) -> Axis {
    if is_categorical(figure) {
        return Axis::categories(figure.x.names.iter().map(|name| shorten(name, 26)).collect());
    }
    let scale = figure.x.unit.divisor;
    let values: Vec<f64> = match figure.x.is_metric {
        true => figure.points.iter().filter_map(|point| point.x.number()).collect(),
        false => figure.x.values.iter().filter_map(Value::number).collect(),
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log = figure.x_scale == XScale::Log && low > 0.0;
    let mut axis = match () {
        () if log => {
            let mut axis = Axis::logarithmic(low / scale, high / scale);
            let room = (high / low).powf(0.04).max(1.02);
            (axis.low, axis.high) = (low / room, high * room);
            axis.ticks.iter_mut().for_each(|tick| tick.0 *= scale);
            axis.ticks.retain(|tick| axis.low <= tick.0 && tick.0 <= axis.high);
            axis
        }
        () if figure.x.is_metric => {
            let low = low.min(if low < high * 0.3 { 0.0 } else { low });
            let mut axis = rounded(&figure.x.unit, low / scale, high / scale, high / scale);
            axis.ticks.iter_mut().for_each(|tick| tick.0 *= scale);
            (axis.low, axis.high) = (axis.low * scale, axis.high * scale);
            axis
        }
        () => {
            let room = ((high - low) * 0.04).max(high.abs() * 1e-6);
            let mut axis = Axis::exact(low, high, 6);
            (axis.low, axis.high) = (axis.low.min(low) - room, axis.high.max(high) + room);
            axis
        }
    };
    // The values that were swept are the best ticks, where their names do not run into each other.
    if !figure.x.is_metric && values.len() <= 12 {
        let named: Vec<(f64, String)> = values.iter().copied().zip(figure.x.names.iter().cloned()).collect();
        let fits = named.windows(2).all(|pair| {
            let apart = (axis.share(pair[1].0) - axis.share(pair[0].0)) * plot_width;
            apart > (width(&pair[0].1, TICK_SIZE) + width(&pair[1].1, TICK_SIZE)) / 2.0 + 5.0
        });
        if fits {
            axis.ticks = named;
        }
    }
    axis
}

/// A linear axis with round ends; but one of shares ends at 100 %, or where the marks above them need it to, not at 150 %.
fn rounded(unit: &DisplayUnit, low: f64, high: f64, largest: f64) -> Axis {
    let axis = Axis::rounded(low, high, 5);
    match unit.name == "%" && largest <= 100.0 && axis.high > 100.0 {
        true => Axis::exact(axis.low, if high > largest { high.max(100.0) } else { 100.0 }, 6),
        false => axis,
    }
}

/// The y axis of one panel: it holds the data, printed values, and limits that are near enough.
/// `also` are values that are not the figure's own and that the axis makes room for.
pub fn y_axis(figure: &DrawnFigure, index: usize, also: &[f64]) -> Axis {
    let panel = &figure.panels[index];
    let log = figure.y_scale == YScale::Log;
    let mut values: Vec<f64> = also.to_vec();
    let mut limits: Vec<f64> = Vec::new();
    for point in figure.points.iter().filter(|point| point.panel == index) {
        values.extend(point.y.iter().flat_map(|spot| [spot.low, spot.value, spot.high]));
        limits.extend(point.missing.iter().filter_map(|missing| missing.limit));
    }
    values.extend(figure.printed.iter().filter(|printed| printed.panel == index).map(|printed| printed.number.value));
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.extend(limits.into_iter().filter(|&limit| log || limit <= largest * LIMIT_STRETCH || largest <= 0.0));
    values.retain(|value| value.is_finite() && (!log || *value > 0.0));
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Marks of missing cells stand at the top, above the data.
    let beyond = |missing: &MissingValue| missing.limit.is_none_or(|limit| limit > high);
    let holes = figure.points.iter().filter(|point| point.panel == index && point.y.is_none());
    let crowned = holes.filter_map(|point| point.missing.as_ref()).any(beyond) && high > low;
    let high = match (crowned, log) {
        (false, _) => high,
        (true, false) => high + 0.1 * (high - low.min(0.0)),
        (true, true) => high * (high / low).powf(0.1),
    };
    let scale = panel.unit.divisor;
    let mut axis = match (figure.y_range, log) {
        (Some([low, high]), false) => Axis::exact(low / scale, high / scale, 5),
        (Some([low, high]), true) => Axis::logarithmic(low / scale, high / scale),
        (None, true) => Axis::logarithmic(low / scale, high / scale),
        (None, false) => {
            // A line that comes near zero shows it, one that moves far above it is not flattened for its sake.
            let near = low >= 0.0 && low < high * 0.5;
            let zero = figure.kind == DrawKind::Bar || figure.zero.unwrap_or(near);
            let (low, high) = if zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
            rounded(&panel.unit, low / scale, high / scale, largest / scale)
        }
    };
    for tick in &mut axis.ticks {
        tick.0 *= scale;
    }
    (axis.low, axis.high) = (axis.low * scale, axis.high * scale);
    axis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_end_at_a_hundred_per_cent() {
        let ends = |axis: Axis| (axis.low, axis.high, axis.ticks.last().map(|tick| tick.1.clone()));
        let hundred = Some("100".to_string());
        assert_eq!(ends(rounded(&DisplayUnit::named("%"), 0.0, 100.0, 100.0)), (0.0, 100.0, hundred.clone()));
        assert_eq!(
            ends(rounded(&DisplayUnit::named("%"), 100.0, 100.0, 100.0)),
            (0.0, 100.0, hundred.clone()),
            "one value alone"
        );
        assert_eq!(
            ends(rounded(&DisplayUnit::named("%"), 0.0, 110.0, 100.0)),
            (0.0, 110.0, hundred),
            "marks stand above"
        );
        assert_eq!(rounded(&DisplayUnit::named("%"), 0.0, 120.0, 120.0).high, 150.0);
        assert_eq!(rounded(&DisplayUnit::named("items"), 0.0, 110.0, 100.0).high, 150.0);
    }
}
