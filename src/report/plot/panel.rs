//! One panel: axes, marks, titles.

use super::axis::Axis;
use super::data;
use super::frame::{Frame, Geometry, TICK_SIZE};
use super::ghosts::{Ghost, Shade};
use super::marks;
use super::scales::{is_categorical, x_axis, y_axis};
use super::svg::{escape, fitting, place, shorten, width};
use crate::report::ReportError;
use crate::report::figure::{Figure, Missing, Point, Printed, Spot};
use crate::report::palette::{COLOURS, Style};
use crate::report::value::Value;
use crate::spec::draw::{DrawKind, Spread};
use std::fmt::Write;

pub const WIDTH: f64 = 380.0;
const PLOT_HEIGHT: f64 = 190.0;
const TITLE_SIZE: f64 = 12.0;
const MARKER: f64 = 4.0;
const RIGHT: f64 = 12.0;
/// The angle of labels that do not fit side by side, and the longest they may be.
const SLANT: f64 = std::f64::consts::FRAC_PI_6;
const SLANTED_ROOM: f64 = 150.0;

/// A panel as the content of an `svg` element.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelSvg {
    pub content: String,
    pub height: f64,
    /// Attributes that tell a script where values stand.
    pub data: String,
}

/// One panel, with the figure under other readings faintly behind it where that fits.
pub fn panel(figure: &Figure, index: usize, styles: &[Style], ghosts: &[Ghost]) -> Result<PanelSvg, ReportError> {
    let shades: Vec<Shade> = ghosts.iter().flat_map(|ghost| ghost.shades(figure, index)).collect();
    let canvas = Canvas::new(figure, index, &shades)?;
    let mut content = canvas.titles();
    let _ = write!(content, r#"<g class="frame">{}{}</g>"#, canvas.frame.svg, canvas.category_labels());
    content += &canvas.ghosts(&shades, styles);
    content += &canvas.limit_lines();
    content += &canvas.change_lines();
    for (series, style) in styles.iter().enumerate() {
        let marks = canvas.series(series, style, styles);
        if !marks.is_empty() {
            let colour = style.colour;
            let _ = write!(
                content,
                r#"<g class="series c{colour}" data-series="{series}" color="{}" fill="currentColor" stroke="currentColor">{marks}</g>"#,
                COLOURS[colour]
            );
        }
    }
    content += &canvas.common_printed();
    Ok(PanelSvg { content, height: canvas.height, data: canvas.data() })
}

struct Canvas<'a> {
    figure: &'a Figure,
    index: usize,
    x: Axis,
    y: Axis,
    frame: Frame,
    height: f64,
    /// Where the y label's base line is.
    label_base: f64,
    /// Labels of categories, where they do not fit side by side.
    slanted: bool,
}

impl<'a> Canvas<'a> {
    fn new(figure: &'a Figure, index: usize, shades: &[Shade]) -> Result<Self, ReportError> {
        let also: Vec<f64> = shades.iter().flat_map(|shade| shade.points.iter().map(|point| point.1)).collect();
        let y = y_axis(figure, index, &also);
        let widest = y.ticks.iter().map(|tick| width(&tick.1, TICK_SIZE)).fold(0.0, f64::max);
        let left = (widest + 14.0).clamp(30.0, 110.0).ceil();
        let x = x_axis(figure, WIDTH - left - RIGHT);
        // The last label may reach beyond the end of its axis.
        let beyond = x
            .ticks
            .last()
            .map_or(0.0, |tick| width(&tick.1, TICK_SIZE) / 2.0 - (1.0 - x.share(tick.0)) * (WIDTH - left - RIGHT));
        let right = RIGHT.max(beyond.ceil() + 2.0).min(60.0);
        let plot_width = WIDTH - left - right;
        let room = plot_width / x.ticks.len().max(1) as f64;
        let longest = x.ticks.iter().map(|tick| width(&tick.1, TICK_SIZE)).fold(0.0, f64::max);
        let slanted = is_categorical(figure) && longest > room - 4.0;
        let has_title = figure.panels[index].title.is_some();
        let label_base = if has_title { 34.0 } else { 16.0 };
        let top = label_base + 12.0;
        let below = if slanted { longest.min(SLANTED_ROOM) * SLANT.sin() + 22.0 } else { 22.0 };
        let below = below + if figure.x.label.is_empty() { 4.0 } else { 20.0 };
        let height = (top + PLOT_HEIGHT + below).ceil();
        let geometry = Geometry {
            width: WIDTH as u32,
            height: height as u32,
            top: top as u32,
            right: right as u32,
            bottom: below as u32,
            left: left as u32,
        };
        let frame = Frame::draw(&x, &y, geometry, !slanted)?;
        Ok(Self { figure, index, x, y, frame, height, label_base, slanted })
    }

    /// The frame in pixels, both axes, and what a value is divided by to be shown.
    fn data(&self) -> String {
        let Frame { left, right, top, bottom, .. } = self.frame;
        let area = [left, right, top, bottom].map(place).join(" ");
        let scale = |axis: &Axis| if axis.log { "log" } else { "linear" };
        let x_scale = if is_categorical(self.figure) { "category" } else { scale(&self.x) };
        let panel = &self.figure.panels[self.index];
        format!(
            r#"data-area="{area}" data-x="{x_scale} {} {} {}" data-y="{} {} {} {}" data-label="{}""#,
            data::exact(self.x.low),
            data::exact(self.x.high),
            data::exact(self.figure.x.unit.divisor),
            scale(&self.y),
            data::exact(self.y.low),
            data::exact(self.y.high),
            data::exact(panel.unit.divisor),
            escape(&shorten(&panel.y_label, 240)),
        )
    }

    /// What a point's place is, for a script that moves it.
    fn at(&self, x: &Value, spot: Option<&Spot>) -> String {
        data::at(self.figure.place(x, is_categorical(self.figure)), spot)
    }

    /// The same series under other readings: thin and pale, without markers.
    fn ghosts(&self, shades: &[Shade], styles: &[Style]) -> String {
        let mut svg = String::new();
        for shade in shades {
            let Some(style) = styles.get(shade.series) else { continue };
            let slot = Slot::of(self, shade.series, styles.len());
            let mut path = String::new();
            let mut joined = false;
            for (x, y) in &shade.points {
                let (at, y) = (slot.x(self, x), place(self.height_of(*y)));
                if self.figure.kind == DrawKind::Line && shade.points.len() > 1 {
                    let _ = write!(path, "{}{} {y}", if joined { "L" } else { "M" }, place(at));
                    joined = true;
                } else {
                    let half = (slot.width / 2.0).max(5.0);
                    let _ = write!(path, "M{} {y}H{}", place(at - half), place(at + half));
                }
            }
            let places: Vec<String> = shade
                .points
                .iter()
                .filter_map(|(x, y)| Some(data::pair(self.figure.place(x, is_categorical(self.figure))?, *y)))
                .collect();
            let name = &self.figure.series[shade.series].name;
            let _ = write!(
                svg,
                r#"<g class="ghost c{}" data-series="{}" data-reading="{}" data-points="{}" color="{}" stroke="currentColor"><title>{}</title><path fill="none" stroke-width="1.3" stroke-opacity="0.4"{} d="{path}"/></g>"#,
                style.colour,
                shade.series,
                shade.reading,
                places.join(" "),
                COLOURS[style.colour],
                escape(&shorten(&format!("{name}, if read so: {}", shade.name), 240)),
                dashes(style),
            );
        }
        svg
    }

    fn titles(&self) -> String {
        let panel = &self.figure.panels[self.index];
        let mut text = String::new();
        if let Some(title) = &panel.title {
            let title = escape(&fitting(title, TITLE_SIZE * 1.06, WIDTH - 6.0));
            let _ = write!(
                text,
                r##"<text class="ink strong" x="2" y="15" font-size="{TITLE_SIZE}" font-weight="600" fill="#1A1A1A">{title}</text>"##
            );
        }
        let label = escape(&fitting(&panel.y_label, TITLE_SIZE, WIDTH - 6.0));
        let base = self.label_base;
        let _ = write!(
            text,
            r##"<text class="ink" x="2" y="{base}" font-size="{TITLE_SIZE}" fill="#333333">{label}</text>"##
        );
        let middle = (self.frame.left + self.frame.right) / 2.0;
        let room = 2.0 * middle.min(WIDTH - middle) - 6.0;
        let label = escape(&fitting(&self.figure.x.label, TITLE_SIZE, room));
        let middle = place(middle);
        let base = self.height - 5.0;
        let _ = write!(
            text,
            r##"<text class="ink" x="{middle}" y="{base}" text-anchor="middle" font-size="{TITLE_SIZE}" fill="#333333">{label}</text>"##
        );
        text
    }

    fn category_labels(&self) -> String {
        if !self.slanted {
            return String::new();
        }
        let mut text = String::new();
        for (at, name) in &self.x.ticks {
            let (x, y) = (self.frame.x(&self.x, *at) + 4.0, self.frame.bottom + 15.0);
            let name = escape(&fitting(name, TICK_SIZE, SLANTED_ROOM.min((x - 2.0) / SLANT.cos())));
            let (x, y, angle) = (place(x), place(y), SLANT.to_degrees().round());
            let _ = write!(
                text,
                r##"<text class="ink" x="{x}" y="{y}" text-anchor="end" transform="rotate(-{angle} {x} {y})" font-size="{TICK_SIZE}" fill="#333333">{name}</text>"##
            );
        }
        text
    }

    fn points(&self, series: usize) -> impl Iterator<Item = &'a Point> {
        let index = self.index;
        self.figure.points.iter().filter(move |point| point.panel == index && point.series == series)
    }

    /// Where a value of x stands, before bars and missing marks step aside for each other.
    fn along(&self, x: &Value) -> f64 {
        let value = match is_categorical(self.figure) {
            true => self.figure.x.rank(x).unwrap_or(0) as f64,
            false => x.number().unwrap_or(0.0),
        };
        self.frame.x(&self.x, value)
    }

    fn height_of(&self, value: f64) -> f64 {
        self.frame.y(&self.y, value)
    }

    fn series(&self, series: usize, style: &Style, styles: &[Style]) -> String {
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
                (Some(spot), _) if !point.x.is_none() => mark += &self.spot(x, spot, style),
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
                svg += &self.printed(printed, slot.x(self, &printed.x));
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

    fn spot(&self, x: f64, spot: &Spot, style: &Style) -> String {
        let mut svg = String::new();
        if spot.low != spot.high && self.figure.spread != Spread::Band {
            svg += &marks::error_bar(x, self.height_of(spot.low), self.height_of(spot.high));
        }
        let marker = marks::marker(style.shape, x, self.height_of(spot.value), MARKER);
        // What a logarithmic axis has no place for sits on its edge, hollow.
        svg += &match self.y.log && spot.value <= 0.0 {
            true => format!(r##"<g class="hollow" fill="#FFFFFF">{marker}</g>"##),
            false => marker,
        };
        svg
    }

    fn bar(&self, x: f64, width: f64, spot: &Spot, style: &Style) -> String {
        let base = if self.y.log { self.frame.bottom } else { self.height_of(0.0) };
        let end = self.height_of(spot.value);
        // A bar of nothing still shows that something was measured.
        let (top, height) = (base.min(end), (base - end).abs().max(1.0));
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

    fn hole(&self, x: f64, missing: &Missing) -> String {
        match missing.limit {
            Some(limit) if self.holds(limit) => marks::stopped(x, self.height_of(limit)),
            Some(_) => marks::stopped(x, self.frame.top + 2.0),
            None => marks::missing(x, self.frame.top + 7.0),
        }
    }

    fn holds(&self, value: f64) -> bool {
        self.y.low <= value && value <= self.y.high
    }

    fn printed(&self, printed: &Printed, x: f64) -> String {
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
    fn printed_curve(&self, series: usize) -> String {
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
    fn common_printed(&self) -> String {
        let mine = |printed: &&Printed| printed.panel == self.index && printed.series.is_none();
        let marks: String = self
            .figure
            .printed
            .iter()
            .filter(mine)
            .map(|printed| self.printed(printed, self.along(&printed.x)))
            .collect();
        match marks.is_empty() {
            true => marks,
            false => format!(r##"<g class="over" color="#1A1A1A" stroke="currentColor">{marks}</g>"##),
        }
    }

    fn change_lines(&self) -> String {
        let mine = self.figure.changes.iter().filter(|change| change.panel == self.index);
        mine.map(|change| {
            let title = escape(&shorten(&change.title, 200));
            let x = self.along(&change.x);
            let at = self.at(&change.x, None);
            format!(r#"<g{at}><title>{title}</title>{}</g>"#, marks::change(x, self.frame.top, self.frame.bottom))
        })
        .collect()
    }

    fn limit_lines(&self) -> String {
        let mine = self.figure.points.iter().filter(|point| point.panel == self.index && point.y.is_none());
        let mut limits: Vec<f64> = mine.filter_map(|point| point.missing.as_ref().and_then(|m| m.limit)).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let unit = &self.figure.panels[self.index].unit;
        let mut svg = String::new();
        for limit in limits.into_iter().filter(|&limit| self.holds(limit)) {
            let y = self.height_of(limit);
            let label = escape(&format!("limit {}", with_name(&unit.show(limit), &unit.name)));
            let _ = write!(
                svg,
                r##"<g class="bound"{}><path class="rule" stroke="#767676" stroke-dasharray="3 3" fill="none" d="M{} {y}H{}"/><text class="ink" x="{}" y="{}" font-size="10" fill="#333333">{label}</text></g>"##,
                data::limit(Some(limit)),
                place(self.frame.left),
                place(self.frame.right),
                place(self.frame.left + 4.0),
                place(y + 11.0),
                y = place(y)
            );
        }
        svg
    }

    fn tooltip(&self, point: &Point) -> String {
        let figure = self.figure;
        let unit = &figure.panels[self.index].unit;
        let mut text = figure.series[point.series].name.clone();
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
                let _ = write!(text, ", {} repetitions", spot.repetitions);
            }
        }
        if let Some(missing) = &point.missing {
            let _ = write!(text, "\n{}", missing.status.in_words());
            if let Some(limit) = missing.limit {
                let _ = write!(text, " at {}", with_name(&unit.show(limit), &unit.name));
            }
            if point.y.is_some() {
                let s = if missing.repetitions == 1 { "" } else { "s" };
                let _ = write!(text, " in {} repetition{s}", missing.repetitions);
            }
            if !missing.reason.is_empty() {
                let _ = write!(text, ": {}", shorten(&missing.reason, 160));
            }
        }
        let lines: Vec<String> = text.lines().map(|line| shorten(line, 240)).collect();
        lines.join("\n")
    }
}

fn with_name(value: &str, unit: &str) -> String {
    if unit.is_empty() { value.to_string() } else { format!("{value} {unit}") }
}

fn dashes(style: &Style) -> String {
    match style.dash {
        "" => String::new(),
        dash => format!(r#" stroke-dasharray="{dash}""#),
    }
}

/// The place of one series beside the others at the same x.
struct Slot {
    /// In pixels, from the middle of all.
    offset: f64,
    width: f64,
    aside: f64,
}

impl Slot {
    fn of(canvas: &Canvas, series: usize, count: usize) -> Self {
        let from_middle = series as f64 - (count as f64 - 1.0) / 2.0;
        let (offset, width) = match canvas.figure.kind {
            DrawKind::Bar => {
                let group = (canvas.frame.right - canvas.frame.left) / canvas.figure.x.values.len().max(1) as f64;
                // A single bar would fill the whole panel: its width has a limit.
                let width = (group * 0.8 / count.max(1) as f64).min(48.0);
                (from_middle * width, (width - 1.5).max(1.0))
            }
            _ => (0.0, 0.0),
        };
        Self { offset, width, aside: if canvas.figure.kind == DrawKind::Bar { 0.0 } else { from_middle * 9.0 } }
    }

    fn x(&self, canvas: &Canvas, x: &Value) -> f64 {
        canvas.along(x) + self.offset
    }

    /// Marks of missing cells would hide each other at the top.
    fn aside(&self, x: f64) -> f64 {
        x + self.aside
    }
}
