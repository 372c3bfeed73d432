//! An axis: its scale, its ends, its ticks and what they say. Plotters draws it through the [`Ranged`] it implements.

use crate::report::number::{fixed, number, power_of_ten};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub log: bool,
    pub low: f64,
    pub high: f64,
    /// Place and label.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Where a value stands between the ends, from 0 to 1; values beyond an end stand on it.
    pub fn share(&self, value: f64) -> f64 {
        let along = |value: f64| if self.log { value.log10() } else { value };
        if self.log && value <= 0.0 {
            return 0.0;
        }
        ((along(value) - along(self.low)) / (along(self.high) - along(self.low))).clamp(0.0, 1.0)
    }

    /// An axis of values from `low` to `high`, its ends moved outwards to round numbers.
    pub fn rounded(low: f64, high: f64, wanted: usize) -> Self {
        let (low, high) = spread_out(low, high);
        let step = nice_step((high - low) / wanted as f64);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let ticks = ticks(first, last, step);
        Self { log: false, low: first * step, high: last * step, ticks }
    }

    /// An axis that ends where it is told, with round numbers in between.
    pub fn exact(low: f64, high: f64, wanted: usize) -> Self {
        let (low, high) = spread_out(low, high);
        let step = nice_step((high - low) / wanted as f64);
        let ticks = ticks((low / step - 1e-9).ceil(), (high / step + 1e-9).floor(), step);
        Self { log: false, low, high, ticks }
    }

    /// A logarithmic axis of positive values, its ends moved outwards to powers of ten, or to 2 and 5 times one where the
    /// values span less than two.
    pub fn logarithmic(low: f64, high: f64) -> Self {
        let low = if low > 0.0 && low.is_finite() { low } else { 1.0 };
        let high = if high.is_finite() { high.max(low) } else { low };
        let (mut first, mut last) = (low.log10() + 1e-9, high.log10() - 1e-9);
        first = first.floor().max(-300.0);
        last = last.ceil().min(300.0);
        if last <= first {
            last = first + 1.0;
        }
        let decades = (last - first) as i32;
        let mut marks: Vec<(f64, String)> = Vec::new();
        let each = (decades / 6).max(1);
        // One way of writing on a page: in full from a millionth to a thousand million, and as powers only where nothing else has room.
        let plain = decades <= 2 || (first >= -6.0 && last <= 9.0);
        let label = |exponent: i32| match plain {
            true if exponent < 0 && first >= -6.0 => fixed(10f64.powi(exponent), exponent.unsigned_abs() as usize),
            true => number(10f64.powi(exponent)),
            false => power_of_ten(exponent),
        };
        for exponent in first as i32..=last as i32 {
            let power = 10f64.powi(exponent);
            if (exponent - first as i32) % each == 0 {
                marks.push((power, label(exponent)));
            }
            if decades <= 2 && exponent < last as i32 {
                marks.extend([2.0, 5.0].map(|times| (times * power, number(times * power))));
            }
        }
        // Ends that no value comes near waste half of a short axis.
        let (mut low_end, mut high_end) = (10f64.powi(first as i32), 10f64.powi(last as i32));
        if decades <= 2 {
            low_end = marks.iter().rev().map(|mark| mark.0).find(|&mark| mark <= low * 1.000_001).unwrap_or(low_end);
            high_end = marks.iter().map(|mark| mark.0).find(|&mark| mark >= high * 0.999_999).unwrap_or(high_end);
            if high_end <= low_end {
                high_end = low_end * 10.0;
            }
        }
        let is_mark = |end: &f64| marks.iter().any(|mark| (mark.0 / end - 1.0).abs() < 1e-6);
        let is_told = [low_end, high_end].iter().all(is_mark) && high_end / low_end > 9.99;
        if high_end / low_end <= 10.000_1 && !is_told {
            // Within less than a power of ten, the ticks of a linear axis; over a whole one they would leave its lower end untold.
            marks = Self::exact(low_end, high_end, 4).ticks;
        }
        marks.retain(|&(mark, _)| low_end * 0.999_999 <= mark && mark <= high_end * 1.000_001);
        Self { log: true, low: low_end, high: high_end, ticks: marks }
    }

    /// Places side by side.
    pub fn categories(names: Vec<String>) -> Self {
        let high = names.len().max(1) as f64 - 0.5;
        let ticks = names.into_iter().enumerate().map(|(rank, name)| (rank as f64, name)).collect();
        Self { log: false, low: -0.5, high, ticks }
    }
}

/// Ends that are some way apart, whatever the values are.
fn spread_out(low: f64, high: f64) -> (f64, f64) {
    let finite = |value: f64| if value.is_finite() { value.clamp(-1e300, 1e300) } else { 0.0 };
    let (a, b) = (finite(low), finite(high));
    let (low, high) = (a.min(b), a.max(b));
    match () {
        () if high - low > 1e-12 * high.abs().max(low.abs()) => (low, high),
        () if high == 0.0 => (0.0, 1.0),
        () if high > 0.0 => (0.0, high * 1.25),
        () => (low * 1.25, 0.0),
    }
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= least * 0.999_999).unwrap_or(10.0);
    times * power
}

fn ticks(first: f64, last: f64, step: f64) -> Vec<(f64, String)> {
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let largest = (first * step).abs().max((last * step).abs());
    let label = |value: f64| match decimals <= 6 && largest < 1e6 {
        true => fixed(value, decimals),
        false => number(value),
    };
    // A step that vanishes beside its values would never end.
    let count = (last - first).clamp(0.0, 50.0) as usize;
    (0..=count).map(|tick| (first + tick as f64) * step).map(|value| (value, label(value))).collect()
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (self.share(*value) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Plotters asks once for the lines of the grid, and again for lighter ones between them, of which we have none.
        if hint.max_num_points() == 0 {
            return Vec::new();
        }
        self.ticks.iter().map(|tick| tick.0).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|tick| tick.0 == *value).map(|tick| tick.1.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.1.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(&Axis::rounded(0.0, 0.93, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::rounded(12.0, 48.0, 5)), ["10", "20", "30", "40", "50"]);
        assert_eq!(labels(&Axis::rounded(0.0, 15_000.0, 5)), ["0", "5,000", "10,000", "15,000"]);
        assert_eq!(labels(&Axis::rounded(0.0, 0.0, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::logarithmic(0.02, 700.0)), ["0.01", "0.1", "1", "10", "100", "1,000"]);
        assert_eq!(labels(&Axis::logarithmic(3.0, 40.0)), ["2", "5", "10", "20", "50"]);
        assert_eq!(labels(&Axis::logarithmic(10.2, 16.9)), ["10", "15", "20"]);
        assert_eq!(labels(&Axis::logarithmic(1.0, 9.0)), ["1", "2", "5", "10"], "the lower end, too");
        assert_eq!(labels(&Axis::logarithmic(2.1, 18.0)), ["2", "5", "10", "20"]);
        assert_eq!(
            labels(&Axis::logarithmic(150_000.0, 4_000_000.0)),
            ["100,000", "200,000", "500,000", "1,000,000", "2,000,000", "5,000,000"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(2e4, 2e7)),
            ["10,000", "100,000", "1,000,000", "10,000,000", "100,000,000"]
        );
        assert_eq!(
            labels(&Axis::logarithmic(4e-6, 30.0)),
            ["0.000001", "0.00001", "0.0001", "0.001", "0.01", "0.1", "1", "10", "100"]
        );
        assert_eq!(labels(&Axis::logarithmic(2e-8, 3e-7)), ["2·10⁻⁸", "5·10⁻⁸", "10⁻⁷", "2·10⁻⁷", "5·10⁻⁷"]);
        assert_eq!(
            labels(&Axis::logarithmic(20.0, 2e9)),
            ["10¹", "10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹", "10¹⁰"]
        );
    }

    proptest! {
        #[test]
        fn an_axis_holds_its_values(a in prop::num::f64::ANY, b in prop::num::f64::ANY, log: bool) {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let axis = if log { Axis::logarithmic(low, high) } else { Axis::rounded(low, high, 5) };
            prop_assert!(axis.low < axis.high, "{axis:?}");
            prop_assert!(axis.ticks.len() <= 60);
            for value in [a, b, 0.0] {
                let share = axis.share(value);
                prop_assert!(value.is_nan() || (0.0..=1.0).contains(&share), "{value} at {share} of {axis:?}");
            }
        }
    }
}
