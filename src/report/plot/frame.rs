//! Axes, grid and tick labels, drawn by plotters.

use super::axis::Axis;
use crate::report::ReportError;
use plotters::prelude::*;

/// In pixels of the panel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometry {
    pub width: u32,
    pub height: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    pub left: u32,
}

pub struct Frame {
    pub svg: String,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

pub const TICK_SIZE: f64 = 11.0;

/// Plotters writes colours into attributes. These are stand-ins that are exchanged for a class, which a page may restyle, and
/// the colour a plain SVG shows.
const INK: RGBColor = RGBColor(1, 2, 3);
const RULE: RGBColor = RGBColor(1, 2, 4);
const GRID: RGBColor = RGBColor(1, 2, 5);

impl Frame {
    /// Tick labels of x are left out where `x_labels` is false: the panel writes them itself.
    pub fn draw(x: &Axis, y: &Axis, geometry: Geometry, x_labels: bool) -> Result<Self, ReportError> {
        let mut svg = String::new();
        let area = draw_mesh(&mut svg, x, y, geometry, x_labels)
            .map_err(|error| ReportError::Render { template: "axes", message: error.to_string() })?;
        let (horizontal, vertical) = area;
        Ok(Self {
            svg: restyled(&svg),
            left: f64::from(horizontal.start),
            right: f64::from(horizontal.end),
            top: f64::from(vertical.start),
            bottom: f64::from(vertical.end),
        })
    }

    pub fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + axis.share(value) * (self.right - self.left)
    }

    pub fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.bottom - axis.share(value) * (self.bottom - self.top)
    }
}

type Area = (std::ops::Range<i32>, std::ops::Range<i32>);

fn draw_mesh(
    svg: &mut String,
    x: &Axis,
    y: &Axis,
    geometry: Geometry,
    x_labels: bool,
) -> Result<Area, Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (geometry.width, geometry.height)).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin_top(geometry.top)
        .margin_right(geometry.right)
        .x_label_area_size(geometry.bottom)
        .y_label_area_size(geometry.left)
        .build_cartesian_2d(x.clone(), y.clone())?;
    // The backend divides font sizes by this.
    let font = ("sans-serif", TICK_SIZE * 1.24).into_font().color(&INK);
    let blank = |_: &f64| String::new();
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh()
        .max_light_lines(0)
        .bold_line_style(GRID)
        .axis_style(RULE)
        .label_style(font)
        .set_all_tick_mark_size(4);
    if !x_labels {
        mesh.x_label_formatter(&blank);
    }
    mesh.draw()?;
    let area = chart.plotting_area().get_pixel_range();
    drop(chart);
    root.present()?;
    drop(root);
    Ok(area)
}

/// The drawing without its own `svg` element, and with classes for its colours.
fn restyled(svg: &str) -> String {
    let inner = svg.split_once('>').map_or("", |(_, inner)| inner);
    let inner = inner.trim_end().trim_end_matches("</svg>");
    inner
        .replace(r#" opacity="1""#, "")
        .replace(r#" font-family="sans-serif""#, "")
        .replace(r##"fill="#010203""##, r##"class="ink" fill="#333333""##)
        .replace(r##"stroke="#010204""##, r##"class="rule" stroke="#767676""##)
        .replace(r##"stroke="#010205""##, r##"class="grid" stroke="#E4E4E4""##)
        .replace(">\n", ">")
        .replace("\n<", "<")
}
