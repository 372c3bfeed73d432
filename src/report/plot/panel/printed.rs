//! Values that the paper printed.

use super::canvas::Canvas;
use super::tooltip::with_name;
use crate::report::figure::{Printed, Spot};
use crate::report::plot::scales::is_categorical;
use crate::report::plot::svg::{escape, place, shorten};
use crate::report::plot::{data, marks};
use crate::spec::draw::DrawKind;
use std::fmt::Write;

impl Canvas<'_> {
    pub(super) fn printed(&self, printed: &Printed, x: f64) -> String {
        let unit = &self.figure.panels[self.index].unit;
        let y = self.height_of(printed.number.value);
        let source = printed.source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
        let value = printed.number.told(&with_name(&unit.show(printed.number.value), &unit.name));
        let place = if printed.x.is_none() { String::new() } else { format!(" at {}", self.figure.x.name(&printed.x)) };
        let title = shorten(&format!("Printed in the paper{source}: {value}{place}"), 200);
        let x = if printed.x.is_none() { (self.frame.left + self.frame.right) / 2.0 } else { x };
        let value = printed.number.value;
        let spot = Spot { value, low: value, high: value, repetitions: 1 };
        let at = self.at(&printed.x, Some(&spot));
        let mark = marks::printed(x, y, printed.number.wording);
        format!(r#"<g class="told"{at}><title>{}</title>{mark}</g>"#, escape(&title))
    }

    /// Values of one series that the paper printed along x, joined.
    pub(super) fn printed_curve(&self, series: usize) -> String {
        let mine =
            |printed: &&Printed| printed.panel == self.index && printed.series == Some(series) && !printed.x.is_none();
        let mut values: Vec<&Printed> = self.figure.printed.iter().filter(mine).collect();
        if self.figure.kind != DrawKind::Line || values.len() < 2 {
            return String::new();
        }
        values.sort_by_key(|printed| self.figure.x.rank(&printed.x));
        let mut path = String::new();
        let mut points: Vec<String> = Vec::new();
        for printed in values {
            let Some(x) = self.figure.place(&printed.x, is_categorical(self.figure)) else { continue };
            let (at, y) = (place(self.along(&printed.x)), place(self.height_of(printed.number.value)));
            let _ = write!(path, "{}{at} {y}", if points.is_empty() { "M" } else { "L" });
            points.push(data::pair(x, printed.number.value));
        }
        format!(
            r#"<g class="told curve" data-points="{}"><path fill="none" stroke-width="1" stroke-dasharray="1 3" d="{path}"/></g>"#,
            points.join(" ")
        )
    }

    /// Printed values that stand for no series alone, in the colour of the text.
    pub(super) fn common_printed(&self) -> String {
        let mine = |printed: &&Printed| printed.panel == self.index && printed.series.is_none();
        let marks: String = self
            .figure
            .printed
            .iter()
            .filter(mine)
            .map(|printed| self.printed(printed, self.along(&printed.x)))
            .collect();
        if marks.is_empty() { marks } else { over(&marks) }
    }
}

/// Marks in the colour of the text, which stands out from every series.
pub(super) fn over(marks: &str) -> String {
    format!(r##"<g class="over" color="#1A1A1A" stroke="currentColor">{marks}</g>"##)
}
