//! What a mark says when a reader points at it.

use super::canvas::Canvas;
use crate::lab::{Cost, counted};
use crate::report::figure::DrawnPoint;
use crate::report::plot::svg::shorten;
use std::fmt::Write;

impl Canvas<'_> {
    pub(super) fn tooltip(&self, point: &DrawnPoint) -> String {
        let figure = self.figure;
        let unit = &figure.panels[self.index].unit;
        let mut text = figure.series[point.series].name.clone();
        if point.beaten {
            text += ", beaten";
        }
        if !point.x.is_none() {
            let _ = write!(text, "\n{}: {}", figure.x.label, figure.x.name(&point.x));
        }
        let label = &figure.panels[self.index].y_label;
        if let Some(spot) = &point.y {
            let _ = write!(text, "\n{label}: {}", unit.show(spot.value));
            if spot.low != spot.high {
                let _ = write!(text, " [{}, {}]", unit.show(spot.low), unit.show(spot.high));
            }
            if spot.repetitions > 1 {
                let what = if Cost::of(&point.metric).is_some() { "samples" } else { "repetitions" };
                let _ = write!(text, ", {} {what}", spot.repetitions);
            }
        }
        if let Some(missing) = &point.missing {
            let _ = write!(text, "\n{}", missing.status.in_words());
            if let Some(limit) = missing.limit {
                let _ = write!(text, " at {}", with_name(&unit.show(limit), &unit.name));
            }
            if point.y.is_some() {
                let _ = write!(text, " in {}", counted(missing.repetitions, "repetition"));
            }
            if !missing.reason.is_empty() {
                let _ = write!(text, ": {}", shorten(&missing.reason, 160));
            }
        }
        let lines: Vec<String> = text.lines().map(|line| shorten(line, 240)).collect();
        lines.join("\n")
    }
}

/// A value with the name of its unit, if that has one.
pub(super) fn with_name(value: &str, unit: &str) -> String {
    if unit.is_empty() { value.to_string() } else { format!("{value} {unit}") }
}
