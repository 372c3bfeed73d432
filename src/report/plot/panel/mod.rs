//! One panel: axes, marks, titles.

mod canvas;
mod labels;
mod lines;
mod other_readings;
mod printed;
mod series;
mod tooltip;
mod x_label;

pub use canvas::WIDTH;

use super::ghosts::{Ghost, Shade};
use crate::report::ReportError;
use crate::report::figure::DrawnFigure;
use crate::report::palette::{COLOURS, Style};
use canvas::Canvas;
use std::fmt::Write;

/// A panel as the content of an `svg` element.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelSvg {
    pub content: String,
    pub height: f64,
    /// Attributes that tell a script where values stand.
    pub data: String,
}

/// One panel, with the figure under other readings faintly behind it where that fits.
pub fn panel(figure: &DrawnFigure, index: usize, styles: &[Style], ghosts: &[Ghost]) -> Result<PanelSvg, ReportError> {
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
