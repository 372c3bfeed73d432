//! Plots: axes by plotters, marks and legends above them, so that every mark has a tooltip and a page can restyle them.

mod axis;
mod data;
mod frame;
mod ghosts;
mod legend;
mod marks;
mod panel;
pub mod ranks;
mod scales;
pub mod svg;

pub use axis::Axis;
pub use ghosts::Ghost;
pub use legend::LegendEntry;
pub use panel::{PanelSvg, WIDTH};
pub use scales::{is_categorical, x_axis, y_axis};

use super::ReportError;
use super::figure::{DrawnFigure, describe};
use super::palette::Style;
use std::fmt::Write;
use svg::escape;

/// A figure's panels, and what its marks stand for.
#[derive(Debug, Clone)]
pub struct Plot {
    pub panels: Vec<PanelSvg>,
    pub legend: Vec<LegendEntry>,
}

/// `ghosts` are the same figure under other readings.
pub fn plot(figure: &DrawnFigure, styles: &[Style], ghosts: &[Ghost]) -> Result<Plot, ReportError> {
    let panels: Vec<PanelSvg> =
        (0..figure.panels.len()).map(|index| panel::panel(figure, index, styles, ghosts)).collect::<Result<_, _>>()?;
    let has_ghosts = panels.iter().any(|panel| panel.content.contains(r#"class="ghost "#));
    Ok(Plot { panels, legend: legend::entries(figure, styles, has_ghosts) })
}

/// One panel for a page: it scales with its place, takes its colours from the page, and says in words what it shows.
pub fn inline(figure: &DrawnFigure, plot: &Plot, index: usize) -> String {
    let panel = &plot.panels[index];
    let alt = escape(&svg::shorten(&describe(figure, index), 1_200));
    format!(
        r#"<svg class="plot" viewBox="0 0 {WIDTH} {}" role="img" aria-label="{alt}" {} xmlns="http://www.w3.org/2000/svg">{}</svg>"#,
        panel.height, panel.data, panel.content
    )
}

/// The whole figure as a file of its own: legend above, panels two abreast, black on white, and a note on data that is not
/// the real one.
pub fn standalone(figure: &DrawnFigure, plot: &Plot, title: &str, caveats: &[String]) -> String {
    const GAP: f64 = 16.0;
    let abreast = plot.panels.len().min(2);
    let total = WIDTH * abreast as f64 + GAP * (abreast as f64 + 1.0);
    let (legend, legend_height) = legend::drawn(&plot.legend, total - 2.0 * GAP);
    let mut body = format!(r#"<g transform="translate({GAP} {GAP})">{legend}</g>"#);
    let mut top = GAP + legend_height;
    for row in plot.panels.chunks(abreast.max(1)) {
        for (column, panel) in row.iter().enumerate() {
            let left = GAP + column as f64 * (WIDTH + GAP);
            let _ = write!(body, r#"<g transform="translate({left} {})">{}</g>"#, svg::place(top), panel.content);
        }
        top += row.iter().map(|panel| panel.height).fold(0.0, f64::max) + GAP;
    }
    if !caveats.is_empty() {
        let note = escape(&svg::shorten(&format!("Data: {}", caveats.join(", ")), 120));
        let base = svg::place(top + 4.0);
        let _ = write!(
            body,
            r##"<text x="{GAP}" y="{base}" font-size="11" font-style="italic" fill="#1A1A1A">{note}</text>"##
        );
        top += GAP;
    }
    let described: Vec<String> = (0..plot.panels.len()).map(|index| describe(figure, index)).collect();
    format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" font-family="sans-serif" role="img">"#,
            "<title>{title}</title><desc>{desc}</desc>",
            r##"<rect width="{w}" height="{h}" fill="#FFFFFF"/>{body}</svg>"##,
            "\n"
        ),
        w = svg::place(total),
        h = svg::place(top),
        title = escape(&svg::shorten(title, 300)),
        desc = escape(&svg::shorten(&described.join(" "), 4_000)),
        body = body
    )
}
