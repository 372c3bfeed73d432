//! One series: its line, bars, markers, spread, and the marks of what is missing.

use super::canvas::{Canvas, Slot};
use super::printed::over;
use crate::report::figure::{MissingValue, Spot};
use crate::report::palette::Style;
use crate::report::plot::svg::{escape, place};
use crate::report::plot::{data, marks};
use crate::spec::draw::{DrawKind, Spread};
use std::fmt::Write;

const MARKER: f64 = 4.0;

impl Canvas<'_> {
    pub(super) fn series(&self, series: usize, style: &Style, styles: &[Style]) -> String {
        let mut svg = String::new();
        let slot = Slot::of(self, series, styles.len());
        if self.figure.kind == DrawKind::Line {
            svg += &self.band(series);
            svg += &self.line(series, style);
        }
        for point in self.points(series) {
            let x = slot.x(self, &point.x);
            let mut mark = String::new();
            match (&point.y, &point.missing) {
                (Some(spot), _) if self.figure.kind == DrawKind::Bar => {
                    // A series that x does not apply to has its bar everywhere.
                    let everywhere = if point.x.is_none() { &self.figure.x.values[..] } else { &[] };
                    for x in everywhere.iter().chain((!point.x.is_none()).then_some(&point.x)) {
                        mark += &self.bar(slot.x(self, x), slot.width, spot, style);
                    }
                }
                (Some(spot), _) if !point.x.is_none() => mark += &self.spot(x, spot, style, point.beaten),
                (Some(_), _) => {}
                (None, Some(missing)) => mark += &self.hole(slot.aside(x), missing),
                (None, None) => {}
            }
            if !mark.is_empty() {
                let at = match (&point.y, &point.missing) {
                    (Some(spot), _) => self.at(&point.x, Some(spot)),
                    (None, missing) => {
                        let limit =
                            missing.as_ref().and_then(|missing| missing.limit).filter(|limit| self.holds(*limit));
                        format!("{}{}", self.at(&point.x, None), data::limit(limit))
                    }
                };
                let _ = write!(svg, "<g{at}><title>{}</title>{mark}</g>", escape(&self.tooltip(point)));
            }
        }
        svg += &self.printed_curve(series);
        for printed in self.figure.printed.iter().filter(|printed| printed.panel == self.index) {
            if printed.series == Some(series) {
                let mark = self.printed(printed, slot.x(self, &printed.x));
                svg += &match self.figure.kind {
                    // In the colour of its own bar it would not be seen.
                    DrawKind::Bar => over(&mark),
                    DrawKind::Line | DrawKind::Scatter | DrawKind::Table => mark,
                };
            }
        }
        svg
    }

    /// Points joined where neighbours along x both have a value; a series that x does not apply to, from edge to edge.
    fn line(&self, series: usize, style: &Style) -> String {
        let mut path = String::new();
        let mut joined = false;
        let mut everywhere = String::new();
        for point in self.points(series) {
            let Some(spot) = point.y else {
                joined = false;
                continue;
            };
            let y = place(self.height_of(spot.value));
            if point.x.is_none() {
                let (left, right) = (place(self.frame.left), place(self.frame.right));
                let title = escape(&self.tooltip(point));
                let (top, bottom) = (self.height_of(spot.high), self.height_of(spot.low));
                let band = format!(
                    r#"<rect class="band" stroke="none" fill-opacity="0.14" x="{left}" y="{}" width="{}" height="{}"/>"#,
                    place(top),
                    place(self.frame.right - self.frame.left),
                    place(bottom - top)
                );
                let _ = write!(
                    everywhere,
                    r#"<g class="level"{}><title>{title}</title>{}<path class="line" fill="none" stroke-width="1.8"{} d="M{left} {y}H{right}"/></g>"#,
                    self.at(&point.x, Some(&spot)),
                    if spot.low < spot.high { band } else { String::new() },
                    dashes(style)
                );
                continue;
            }
            let _ = write!(path, "{}{} {y}", if joined { "L" } else { "M" }, place(self.along(&point.x)));
            joined = true;
        }
        if !path.is_empty() {
            let _ = write!(
                everywhere,
                r#"<path class="line joined" fill="none" stroke-width="1.8"{} d="{path}"/>"#,
                dashes(style)
            );
        }
        everywhere
    }

    fn band(&self, series: usize) -> String {
        if self.figure.spread != Spread::Band {
            return String::new();
        }
        let spots: Vec<(f64, Spot)> = self
            .points(series)
            .filter(|point| !point.x.is_none())
            .filter_map(|point| point.y.map(|spot| (self.along(&point.x), spot)))
            .collect();
        if spots.len() < 2 {
            return String::new();
        }
        let upper = spots.iter().map(|(x, spot)| (x, spot.high));
        let lower = spots.iter().rev().map(|(x, spot)| (x, spot.low));
        let corners: Vec<String> =
            upper.chain(lower).map(|(x, y)| format!("{},{}", place(*x), place(self.height_of(y)))).collect();
        format!(r#"<polygon class="band joined" stroke="none" fill-opacity="0.18" points="{}"/>"#, corners.join(" "))
    }

    fn spot(&self, x: f64, spot: &Spot, style: &Style, beaten: bool) -> String {
        let mut svg = String::new();
        if spot.low != spot.high && self.figure.spread != Spread::Band {
            svg += &marks::error_bar(x, self.height_of(spot.low), self.height_of(spot.high));
        }
        let marker = marks::marker(style.shape, x, self.height_of(spot.value), MARKER);
        // What a logarithmic axis has no place for sits on its edge, hollow.
        svg += &match beaten || self.y.log && spot.value <= 0.0 {
            true => marks::hollow(&marker),
            false => marker,
        };
        svg
    }

    fn bar(&self, x: f64, width: f64, spot: &Spot, style: &Style) -> String {
        let base = if self.y.log { self.frame.bottom } else { self.height_of(0.0) };
        let end = self.height_of(spot.value);
        // A bar of nothing still shows that something was measured.
        let height = (base - end).abs().max(1.0);
        let top = if end > base { base } else { base - height };
        let opacity = [1.0, 0.55, 0.3][style.shade.min(2)];
        let mut svg = format!(
            r#"<rect class="bar" x="{}" y="{}" width="{}" height="{}" fill-opacity="{opacity}" stroke-width="1"/>"#,
            place(x - width / 2.0),
            place(top),
            place(width),
            place(height)
        );
        if spot.low != spot.high {
            let bar = marks::error_bar(x, self.height_of(spot.low), self.height_of(spot.high));
            let _ = write!(svg, r##"<g class="over" color="#1A1A1A" stroke="currentColor">{bar}</g>"##);
        }
        svg
    }

    fn hole(&self, x: f64, missing: &MissingValue) -> String {
        match missing.limit {
            Some(limit) if self.holds(limit) => marks::stopped(x, self.height_of(limit)),
            Some(_) => marks::stopped(x, self.frame.top + 2.0),
            None => marks::missing(x, self.frame.top + 7.0),
        }
    }
}

pub(super) fn dashes(style: &Style) -> String {
    match style.dash {
        "" => String::new(),
        dash => format!(r#" stroke-dasharray="{dash}""#),
    }
}
