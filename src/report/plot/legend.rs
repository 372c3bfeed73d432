//! What the marks stand for.

use super::marks;
use super::svg::{escape, place, shorten, width};
use crate::report::figure::DrawnFigure;
use crate::report::palette::{COLOURS, Style};
use crate::spec::draw::DrawKind;
use crate::spec::reference::Wording;
use std::fmt::Write;

#[derive(Debug, Clone, PartialEq)]
pub struct LegendEntry {
    pub name: String,
    /// A drawing of 30 by 16, for an `svg` element.
    pub swatch: String,
    /// Which series it is; none for marks that are not data.
    pub series: Option<usize>,
    /// The class of the marks that are not data; empty for a series.
    pub marks: &'static str,
}

const SWATCH: f64 = 30.0;
const SIZE: f64 = 12.0;

/// One entry a series where there are several or other marks beside the only one, then the marks that are not data.
pub fn entries(figure: &DrawnFigure, styles: &[Style], has_ghosts: bool) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    let has_marks = has_ghosts || !figure.printed.is_empty() || figure.points.iter().any(|point| point.y.is_none());
    if figure.series.len() > 1 || has_marks {
        for (index, (series, style)) in figure.series.iter().zip(styles).enumerate() {
            let group = |marks: String| {
                format!(
                    r#"<g class="c{}" color="{}" fill="currentColor" stroke="currentColor">{marks}</g>"#,
                    style.colour, COLOURS[style.colour]
                )
            };
            let swatch = group(swatch(figure.kind, style));
            entries.push(LegendEntry { name: series.name.clone(), swatch, series: Some(index), marks: "" });
        }
    }
    let over = |marks: String| {
        format!(r##"<g class="over" color="#1A1A1A" fill="currentColor" stroke="currentColor">{marks}</g>"##)
    };
    let mut note = |name: &str, class: &'static str, marks: String| {
        entries.push(LegendEntry { name: name.to_string(), swatch: over(marks), series: None, marks: class });
    };
    if has_ghosts {
        let line = format!(r#"<path fill="none" stroke-width="1.3" stroke-opacity="0.5" d="M0 8H{SWATCH}"/>"#);
        note("the same under other readings", "ghost", line);
    }
    if !figure.printed.is_empty() {
        note("printed in the paper", "told", marks::printed(SWATCH / 2.0, 8.0, Wording::Exactly));
    }
    if figure.points.iter().any(|point| point.beaten) {
        note("beaten", "", marks::hollow(&marks::marker(0, SWATCH / 2.0, 8.0, 4.0)));
    }
    if !figure.changes.is_empty() {
        note("change of level", "", marks::change(SWATCH / 2.0, 1.0, 15.0));
    }
    let holes = figure.points.iter().filter(|point| point.y.is_none());
    let holes: Vec<_> = holes.filter_map(|point| point.missing.as_ref()).collect();
    if holes.iter().any(|missing| missing.limit.is_some()) {
        note("stopped at the limit", "", marks::stopped(SWATCH / 2.0, 3.0));
    }
    if holes.iter().any(|missing| missing.limit.is_none()) {
        note("no value", "", marks::missing(SWATCH / 2.0, 8.0));
    }
    entries
}

fn swatch(kind: DrawKind, style: &Style) -> String {
    let marker = marks::marker(style.shape, SWATCH / 2.0, 8.0, 4.0);
    match kind {
        DrawKind::Bar => {
            let opacity = [1.0, 0.55, 0.3][style.shade.min(2)];
            format!(r#"<rect x="8" y="2" width="14" height="12" fill-opacity="{opacity}"/>"#)
        }
        DrawKind::Line => {
            let dash =
                if style.dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{}""#, style.dash) };
            format!(r#"<path fill="none" stroke-width="1.8"{dash} d="M0 8H{SWATCH}"/>{marker}"#)
        }
        DrawKind::Scatter | DrawKind::Table => marker,
    }
}

/// The legend as SVG, in as many lines as it needs, with its height.
pub fn drawn(entries: &[LegendEntry], room: f64) -> (String, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut svg = String::new();
    for entry in entries {
        let name = shorten(&entry.name, 60);
        let wide = SWATCH + 6.0 + width(&name, SIZE) + 18.0;
        if x > 0.0 && x + wide > room {
            x = 0.0;
            y += 20.0;
        }
        let _ = write!(
            svg,
            r##"<g transform="translate({} {})">{}<text x="{}" y="12" font-size="{SIZE}" fill="#1A1A1A">{}</text></g>"##,
            place(x),
            place(y),
            entry.swatch,
            SWATCH + 6.0,
            escape(&name)
        );
        x += wide;
    }
    (svg, if entries.is_empty() { 0.0 } else { y + 26.0 })
}
