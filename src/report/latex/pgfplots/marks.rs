//! Marks that are not measured values: cells without one, limits, what the paper printed as a bound or for no series alone,
//! and values that a logarithmic axis has no place for.

use super::axis::{Ends, bar_offset, ends};
use super::data::along;
use super::numbers::{digits, number, scaled};
use crate::report::figure::{DrawnFigure, DrawnPoint, Printed};
use crate::report::latex::text::text;
use crate::report::palette::Style;
use crate::spec::draw::DrawKind;
use crate::spec::reference::Wording;
use std::fmt::Write;

pub const PRINTED: &str = "line legend, only marks, mark=diamond, mark size=4.5pt, thick";
const STOPPED: &str = "line legend, only marks, mark=text, text mark={\\ensuremath{\\uparrow}}";
const MISSING: &str = "line legend, only marks, mark=x, mark size=3pt, very thick";

/// The marks that a figure has and their names, for its legend.
pub fn notes(figure: &DrawnFigure) -> Vec<(&'static str, &'static str)> {
    let mut notes = Vec::new();
    let holes = || figure.points.iter().filter(|point| point.y.is_none()).filter_map(|point| point.missing.as_ref());
    if !figure.printed.is_empty() {
        notes.push((PRINTED, "printed in the paper"));
    }
    if holes().any(|missing| missing.limit.is_some()) {
        notes.push((STOPPED, "stopped at the limit"));
    }
    if holes().any(|missing| missing.limit.is_none()) {
        notes.push((MISSING, "no value"));
    }
    notes
}

pub fn drawn(figure: &DrawnFigure, panel: usize, styles: &[Style]) -> String {
    let canvas = MarkCanvas { figure, panel, ends: ends(figure, panel), divisor: figure.panels[panel].unit.divisor };
    let mut tex = canvas.limits();
    for point in figure.points.iter().filter(|point| point.panel == panel) {
        tex += &canvas.hole(point, styles);
        tex += &canvas.on_the_edge(point, styles);
    }
    for printed in figure.printed.iter().filter(|printed| printed.panel == panel) {
        tex += &canvas.printed(printed, styles);
    }
    tex
}

struct MarkCanvas<'a> {
    figure: &'a DrawnFigure,
    panel: usize,
    ends: Ends,
    divisor: f64,
}

impl MarkCanvas<'_> {
    fn mark(&self, look: &str, colour: &str, x: f64, y: f64, shift: &str) -> String {
        format!(
            "\\addplot[{look}, color={colour}, forget plot{shift}] coordinates {{({},{})}};\n",
            number(x),
            number(y)
        )
    }

    fn colour(&self, series: Option<usize>, styles: &[Style]) -> String {
        series
            .and_then(|series| styles.get(series))
            .map_or("black".to_string(), |style| format!("anonlab{}", style.colour))
    }

    /// A share of the way from the lower to the upper end.
    fn height(&self, share: f64) -> f64 {
        let (low, high) = self.ends.y;
        let at = if self.ends.y_log { low * (high / low).powf(share) } else { low + (high - low) * share };
        digits(at, 6)
    }

    fn hole(&self, point: &DrawnPoint, styles: &[Style]) -> String {
        let (None, Some(missing)) = (point.y, &point.missing) else { return String::new() };
        let x = along(self.figure, &point.x) + bar_offset(self.figure, point.series);
        // Marks at the top would hide each other.
        let aside = match self.figure.kind {
            DrawKind::Bar => 0.0,
            DrawKind::Line | DrawKind::Scatter | DrawKind::Table => {
                (point.series as f64 - (styles.len() as f64 - 1.0) / 2.0) * 5.0
            }
        };
        let shift = if aside == 0.0 { String::new() } else { format!(", mark options={{xshift={}pt}}", number(aside)) };
        let colour = self.colour(Some(point.series), styles);
        match missing.limit.map(|limit| scaled(limit, self.divisor)) {
            Some(limit) if self.holds(limit) => self.mark(STOPPED, &colour, x, limit, &shift),
            Some(_) => self.mark(STOPPED, &colour, x, self.height(0.97), &shift),
            None => self.mark(MISSING, &colour, x, self.height(0.97), &shift),
        }
    }

    fn holds(&self, value: f64) -> bool {
        self.ends.y.0 <= value && value <= self.ends.y.1
    }

    /// Zero on a logarithmic axis: hollow, on its edge.
    fn on_the_edge(&self, point: &DrawnPoint, styles: &[Style]) -> String {
        let below = self.ends.y_log && point.y.is_some_and(|spot| spot.value <= 0.0);
        if !below || point.x.is_none() || self.figure.kind == DrawKind::Bar {
            return String::new();
        }
        let colour = self.colour(Some(point.series), styles);
        self.mark("only marks, mark=o", &colour, along(self.figure, &point.x), self.ends.y.0, "")
    }

    /// What is no column of the data: bounds, and values that stand at no x or for no series alone.
    fn printed(&self, printed: &Printed, styles: &[Style]) -> String {
        let bound = printed.number.wording.is_bound();
        if printed.series.is_some() && !bound && !printed.x.is_none() && !self.figure.x.is_metric {
            return String::new();
        }
        let offset = printed.series.map_or(0.0, |series| bar_offset(self.figure, series));
        let x = match printed.x.is_none() {
            true => (self.ends.x.0 + self.ends.x.1) / 2.0,
            false => along(self.figure, &printed.x) + offset,
        };
        let y = scaled(printed.number.value, self.divisor);
        // In the colour of its own bar it would not be seen.
        let colour = self.colour(printed.series.filter(|_| self.figure.kind != DrawKind::Bar), styles);
        let mut tex = self.mark(PRINTED, &colour, x, y, "");
        let arrow = match printed.number.wording {
            Wording::Exactly | Wording::About => return tex,
            Wording::MoreThan | Wording::AtLeast => ("\\uparrow", "8pt"),
            Wording::LessThan | Wording::AtMost => ("\\downarrow", "-8pt"),
        };
        let look = format!("only marks, mark=text, text mark={{\\ensuremath{{{}}}}}", arrow.0);
        tex += &self.mark(&look, &colour, x, y, &format!(", mark options={{yshift={}}}", arrow.1));
        tex
    }

    fn limits(&self) -> String {
        let holes = self.figure.points.iter().filter(|point| point.panel == self.panel && point.y.is_none());
        let mut limits: Vec<f64> = holes.filter_map(|point| point.missing.as_ref().and_then(|m| m.limit)).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let unit = &self.figure.panels[self.panel].unit;
        let mut tex = String::new();
        for limit in limits {
            let (y, (left, right)) = (scaled(limit, self.divisor), self.ends.x);
            if !self.holds(y) {
                continue;
            }
            // Above its line, where no bar stands behind it; at the top of the axis there is no room.
            let along = |value: f64| if self.ends.y_log { value.log10() } else { value };
            let (low, high) = self.ends.y;
            let share = (along(y) - along(low)) / (along(high) - along(low));
            let side = if share > 0.9 { "north" } else { "south" };
            let label = text(format!("limit {} {}", unit.show(limit), unit.name).trim_end());
            let (left, right, y) = (number(left), number(right), number(y));
            let _ = writeln!(
                tex,
                "\\draw[gray, densely dashed] (axis cs:{left},{y}) -- (axis cs:{right},{y});\n\\node[anchor={side} west, font=\\scriptsize, inner sep=2pt] at (axis cs:{left},{y}) {{{label}}};"
            );
        }
        tex
    }
}
