//! The axes of a picture: the ends and ticks that our own plots have.

use super::numbers::{number, scaled};
use crate::report::figure::DrawnFigure;
use crate::report::latex::text::text;
use crate::report::plot::svg::{shorten, width};
use crate::report::plot::{Axis, is_categorical, x_axis, y_axis};
use crate::spec::draw::DrawKind;
use std::fmt::Write;

/// Panels beside each other.
const ABREAST: usize = 2;
/// The room that labels along x have in one panel, in the units of our own plots.
const ROOM: f64 = 300.0;
const LABEL_SIZE: f64 = 11.0;

/// Labels of ticks, in points; and how wide they may be where 5.5 em part two panels.
const TICK_SIZE: f64 = 8.0;
const USUAL_TICKS: f64 = 34.0;

/// The ends of both axes of a panel, in the units that they show.
pub struct Ends {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub y_log: bool,
}

pub fn ends(figure: &DrawnFigure, panel: usize) -> Ends {
    let (x, y) = (x_axis(figure, ROOM), y_axis(figure, panel, &[]));
    let (by_x, by_y) = (x_divisor(figure), figure.panels[panel].unit.divisor);
    Ends {
        x: (scaled(x.low, by_x), scaled(x.high, by_x)),
        y: (scaled(y.low, by_y), scaled(y.high, by_y)),
        y_log: y.log,
    }
}

fn x_divisor(figure: &DrawnFigure) -> f64 {
    if is_categorical(figure) { 1.0 } else { figure.x.unit.divisor }
}

pub fn group(figure: &DrawnFigure) -> String {
    let panels = figure.panels.len();
    let abreast = panels.min(ABREAST);
    let rows = panels.div_ceil(abreast.max(1));
    let wide = if abreast > 1 { "0.52" } else { "" };
    let room = if abreast > 1 { "0.38" } else { "0.8" };
    let high = if abreast > 1 { "0.42" } else { "0.6" };
    format!(
        "\\begin{{groupplot}}[group style={{group size={abreast} by {rows}, horizontal sep={}, vertical sep=6em}},\n  width={wide}\\linewidth, height={high}\\linewidth, axis lines*=left, scaled ticks=false, ymajorgrids, grid style={{gray!25}},\n  tick align=outside, tick label style={{font=\\footnotesize}}, xlabel near ticks, ylabel near ticks,\n  xlabel style={{align=center, text width={room}\\linewidth, font=\\footnotesize}}, ylabel style={{font=\\footnotesize}}, title style={{font=\\small}},\n  legend style={{draw=none, fill=none, font=\\footnotesize, legend columns={}, /tikz/every even column/.append style={{column sep=0.8em}},\n    at={{(0,1)}}, anchor=south west, yshift={}}}, legend cell align=left]\n",
        between(figure, abreast),
        legend_columns(figure, abreast),
        if figure.panels.first().is_some_and(|panel| panel.title.is_some()) { "2em" } else { "0.5em" },
    )
}

/// Room between panels for the label and the ticks of y, which stand left of a panel: 100,000,000 needs more than most.
fn between(figure: &DrawnFigure, abreast: usize) -> String {
    let inner = (0..figure.panels.len()).filter(|panel| panel % abreast.max(1) != 0);
    let widest = inner
        .flat_map(|panel| y_axis(figure, panel, &[]).ticks)
        .map(|(_, label)| width(&label, TICK_SIZE))
        .fold(0.0, f64::max);
    if widest > USUAL_TICKS { format!("{:.0}pt", widest + 28.0) } else { "5.5em".to_string() }
}

/// As many as are surely narrower than the picture.
fn legend_columns(figure: &DrawnFigure, abreast: usize) -> usize {
    let widest = figure.series.iter().map(|series| width(&shorten(&series.name, 60), 8.0)).fold(70.0, f64::max);
    let room = if abreast > 1 { 330.0 } else { 290.0 };
    ((room / (widest + 32.0)) as usize).clamp(1, 4)
}

pub fn panel(figure: &DrawnFigure, index: usize) -> String {
    let panel = &figure.panels[index];
    let Ends { x, y, y_log } = ends(figure, index);
    let mut options: Vec<String> = Vec::new();
    if let Some(title) = &panel.title {
        options.push(format!("title={{{}}}", text(title)));
    }
    if !figure.x.label.is_empty() {
        options.push(format!("xlabel={{{}}}", text(&figure.x.label)));
    }
    options.push(format!("ylabel={{{}}}", text(&panel.y_label)));
    options.push(format!("xmin={}, xmax={}, ymin={}, ymax={}", number(x.0), number(x.1), number(y.0), number(y.1)));
    let along_x = x_axis(figure, ROOM);
    if along_x.log {
        options.push("xmode=log".to_string());
    }
    options.push(ticks("x", &along_x, x_divisor(figure)));
    if is_slanted(figure, &along_x) {
        options.push("x tick label style={rotate=30, anchor=north east, inner sep=1pt}".to_string());
    }
    if y_log {
        options.push("ymode=log, log origin=infty".to_string());
    }
    options.push(ticks("y", &y_axis(figure, index, &[]), panel.unit.divisor));
    if figure.kind == DrawKind::Bar {
        options.push(format!("ybar, bar width={}", number(bar_width(figure))));
    }
    // The document has the last word.
    options.push("anonlab/.try".to_string());
    let mut tex = String::from("\\nextgroupplot[\n");
    for option in options {
        let _ = writeln!(tex, "  {option},");
    }
    tex + "]\n"
}

fn ticks(name: &str, axis: &Axis, divisor: f64) -> String {
    let places: Vec<String> = axis.ticks.iter().map(|tick| number(scaled(tick.0, divisor))).collect();
    let labels: Vec<String> = axis.ticks.iter().map(|tick| format!("{{{}}}", text(&tick.1))).collect();
    format!("{name}tick={{{}}}, {name}ticklabels={{{}}}", places.join(","), labels.join(","))
}

fn is_slanted(figure: &DrawnFigure, axis: &Axis) -> bool {
    let room = ROOM / axis.ticks.len().max(1) as f64 * if figure.panels.len() > 1 { 0.6 } else { 1.0 };
    let longest = axis.ticks.iter().map(|tick| width(&tick.1, LABEL_SIZE)).fold(0.0, f64::max);
    is_categorical(figure) && longest > room - 4.0
}

/// The width of a bar, in steps of the categories.
fn bar_width(figure: &DrawnFigure) -> f64 {
    let width = 0.8 / figure.series.len().max(1) as f64;
    (width.min(0.3) * 1000.0).round() / 1000.0
}

/// How far a series' bars stand from the middle of their group.
pub fn bar_offset(figure: &DrawnFigure, series: usize) -> f64 {
    match figure.kind {
        DrawKind::Bar => {
            let offset = (series as f64 - (figure.series.len() as f64 - 1.0) / 2.0) * bar_width(figure);
            (offset * 1e6).round() / 1e6
        }
        DrawKind::Line | DrawKind::Scatter | DrawKind::Table => 0.0,
    }
}
