//! Where everything in a panel stands.

use super::x_label::{LINE, x_label_lines};
use crate::report::ReportError;
use crate::report::figure::{DrawnFigure, DrawnPoint, Spot};
use crate::report::plot::axis::Axis;
use crate::report::plot::data;
use crate::report::plot::frame::{Frame, Geometry, TICK_SIZE};
use crate::report::plot::ghosts::Shade;
use crate::report::plot::scales::{is_categorical, x_axis, y_axis};
use crate::report::plot::svg::{escape, place, shorten, width};
use crate::report::value::Value;
use crate::spec::draw::DrawKind;

pub const WIDTH: f64 = 380.0;
const PLOT_HEIGHT: f64 = 190.0;
const RIGHT: f64 = 12.0;
/// The angle of labels that do not fit side by side, and the longest they may be.
pub(super) const SLANT: f64 = std::f64::consts::FRAC_PI_6;
pub(super) const SLANTED_ROOM: f64 = 150.0;

/// What everything in a panel is drawn on: the figure, its axes, and where they stand.
pub(super) struct Canvas<'a> {
    pub figure: &'a DrawnFigure,
    pub index: usize,
    pub x: Axis,
    pub y: Axis,
    pub frame: Frame,
    pub height: f64,
    /// Where the y label's base line is.
    pub label_base: f64,
    /// Labels of categories, where they do not fit side by side.
    pub slanted: bool,
}

impl<'a> Canvas<'a> {
    pub fn new(figure: &'a DrawnFigure, index: usize, shades: &[Shade]) -> Result<Self, ReportError> {
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
        let label = match figure.x.label.as_str() {
            "" => 4.0,
            label => 20.0 + LINE * (x_label_lines(label, left + plot_width / 2.0, WIDTH).len() - 1) as f64,
        };
        let below = below + label;
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
    pub fn data(&self) -> String {
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
    pub fn at(&self, x: &Value, spot: Option<&Spot>) -> String {
        data::at(self.figure.place(x, is_categorical(self.figure)), spot)
    }

    pub fn points(&self, series: usize) -> impl Iterator<Item = &'a DrawnPoint> {
        let index = self.index;
        self.figure.points.iter().filter(move |point| point.panel == index && point.series == series)
    }

    /// Where a value of x stands, before bars and missing marks step aside for each other.
    pub fn along(&self, x: &Value) -> f64 {
        let value = match is_categorical(self.figure) {
            true => self.figure.x.rank(x).unwrap_or(0) as f64,
            false => x.number().unwrap_or(0.0),
        };
        self.frame.x(&self.x, value)
    }

    pub fn height_of(&self, value: f64) -> f64 {
        self.frame.y(&self.y, value)
    }

    pub fn holds(&self, value: f64) -> bool {
        self.y.low <= value && value <= self.y.high
    }
}

/// The place of one series beside the others at the same x.
pub(super) struct Slot {
    /// In pixels, from the middle of all.
    offset: f64,
    pub width: f64,
    aside: f64,
}

impl Slot {
    pub fn of(canvas: &Canvas, series: usize, count: usize) -> Self {
        let from_middle = series as f64 - (count as f64 - 1.0) / 2.0;
        let (offset, width) = match canvas.figure.kind {
            DrawKind::Bar => {
                let group = (canvas.frame.right - canvas.frame.left) / canvas.figure.x.values.len().max(1) as f64;
                // A single bar would fill the whole panel: its width has a limit.
                let width = (group * 0.8 / count.max(1) as f64).min(48.0);
                (from_middle * width, (width - 1.5).max(1.0))
            }
            DrawKind::Line | DrawKind::Scatter | DrawKind::Table => (0.0, 0.0),
        };
        Self { offset, width, aside: if canvas.figure.kind == DrawKind::Bar { 0.0 } else { from_middle * 9.0 } }
    }

    pub fn x(&self, canvas: &Canvas, x: &Value) -> f64 {
        canvas.along(x) + self.offset
    }

    /// Marks of missing cells would hide each other at the top.
    pub fn aside(&self, x: f64) -> f64 {
        x + self.aside
    }
}
