//! One series in one panel: its line, bars or points with their spread, and what the paper printed for it.

use super::axis::{Ends, bar_offset, ends};
use super::data::{PlotData, SeriesColumn};
use super::numbers::{number, scaled};
use crate::report::figure::{DrawnFigure, DrawnPoint};
use crate::report::palette::Style;
use crate::spec::draw::{DrawKind, Spread};
use std::fmt::Write;

/// Circle, square, triangle, diamond, reversed triangle, plus, cross, pentagon: as in our own plots.
const MARKS: [&str; 8] = ["*", "square*", "triangle*", "diamond*", "triangle*", "+", "x", "pentagon*"];
const REVERSED: usize = 4;

pub fn drawn(figure: &DrawnFigure, panel: usize, series: usize, style: &Style, data: &PlotData, id: &str) -> String {
    let mut tex = String::new();
    let ends = ends(figure, panel);
    if figure.kind == DrawKind::Line {
        tex += &everywhere(figure, panel, series, style, &ends);
    }
    let Some(column) = data.column(panel, series) else { return tex };
    let file = format!("{{\\anonlabhere {id}.csv}}");
    let offset = bar_offset(figure, series);
    let x = if offset == 0.0 { "x=x".to_string() } else { format!("x expr={{\\thisrow{{x}}+({})}}", number(offset)) };
    let name = &column.name;
    if column.has_values() {
        if figure.spread == Spread::Band && figure.kind == DrawKind::Line && column.has_spread() {
            tex += &band(column, &file, style, &format!("p{panel}s{series}"));
        }
        let mut options = vec![look(figure.kind, style), "forget plot".to_string(), gaps(figure, panel, series)];
        let mut read = vec!["col sep=comma".to_string(), x.clone(), format!("y={name}")];
        if column.has_spread() && (figure.spread != Spread::Band || figure.kind != DrawKind::Line) {
            options.push("error bars/.cd, y dir=both, y explicit".to_string());
            // A logarithmic axis has no place for an end at zero.
            let low = match ends.y_log {
                true => format!("max(\\thisrow{{{name}-low}},{})", number(ends.y.0)),
                false => format!("\\thisrow{{{name}-low}}"),
            };
            read.push(format!("y error plus expr={{\\thisrow{{{name}-high}}-\\thisrow{{{name}}}}}"));
            read.push(format!("y error minus expr={{\\thisrow{{{name}}}-{low}}}"));
        }
        let _ = writeln!(tex, "\\addplot[{}]\n  table[{}] {file};", options.join(", "), read.join(", "));
    }
    if column.has_printed() {
        // In the colour of its own bar it would not be seen.
        let colour = match figure.kind {
            DrawKind::Bar => "black".to_string(),
            DrawKind::Line | DrawKind::Scatter | DrawKind::Table => format!("anonlab{}", style.colour),
        };
        let _ = writeln!(
            tex,
            "\\addplot[{}, color={colour}, forget plot] table[col sep=comma, {x}, y={name}-printed] {file};",
            super::marks::PRINTED
        );
    }
    tex
}

/// Colour, marker and dashes.
pub fn look(kind: DrawKind, style: &Style) -> String {
    let Style { colour, shape, dash, shade } = style;
    let turned = if *shape == REVERSED { ", rotate=180" } else { "" };
    let mark = format!("mark={}, mark options={{solid, scale=0.9{turned}}}", MARKS[shape % MARKS.len()]);
    match kind {
        DrawKind::Bar => {
            let opacity = [1.0, 0.55, 0.3][(*shade).min(2)];
            format!(
                "ybar, area legend, color=anonlab{colour}, fill=anonlab{colour}, fill opacity={opacity}, bar shift=0pt"
            )
        }
        DrawKind::Line => format!("color=anonlab{colour}, thick, {mark}{}", dashes(dash)),
        DrawKind::Scatter | DrawKind::Table => format!("line legend, only marks, color=anonlab{colour}, {mark}"),
    }
}

/// "7 3" → on 7pt off 3pt.
fn dashes(dash: &str) -> String {
    if dash.is_empty() {
        return String::new();
    }
    let parts = dash.split(' ').zip(["on", "off"].into_iter().cycle());
    format!(", dash pattern={}", parts.map(|(length, pen)| format!("{pen} {length}pt")).collect::<Vec<_>>().join(" "))
}

/// A line is not drawn across a place whose cell gave no value.
fn gaps(figure: &DrawnFigure, panel: usize, series: usize) -> String {
    let mut mine = figure.points.iter().filter(|point| point.panel == panel && point.series == series);
    let jumps = figure.kind == DrawKind::Line && mine.any(|point| point.y.is_none());
    format!("unbounded coords={}", if jumps { "jump" } else { "discard" })
}

fn band(column: &SeriesColumn, file: &str, style: &Style, path: &str) -> String {
    let name = &column.name;
    let edge = |end: &str| {
        format!(
            "\\addplot[name path={path}{end}, draw=none, forget plot, unbounded coords=discard] table[col sep=comma, x=x, y={name}-{end}] {file};\n"
        )
    };
    format!(
        "{}{}\\addplot[fill=anonlab{}, fill opacity=0.18, draw=none, forget plot] fill between[of={path}low and {path}high];\n",
        edge("low"),
        edge("high"),
        style.colour
    )
}

/// A series that x does not apply to: a line from edge to edge.
fn everywhere(figure: &DrawnFigure, panel: usize, series: usize, style: &Style, ends: &Ends) -> String {
    let divisor = figure.panels[panel].unit.divisor;
    let is_it = |point: &&DrawnPoint| point.panel == panel && point.series == series && point.x.is_none();
    let mut tex = String::new();
    for spot in figure.points.iter().filter(is_it).filter_map(|point| point.y) {
        let (left, right) = (number(ends.x.0), number(ends.x.1));
        let [low, y, high] = [spot.low, spot.value, spot.high].map(|value| number(scaled(value, divisor)));
        if spot.low < spot.high {
            let _ = writeln!(
                tex,
                "\\fill[anonlab{}, fill opacity=0.14] (axis cs:{left},{low}) rectangle (axis cs:{right},{high});",
                style.colour
            );
        }
        let _ = writeln!(
            tex,
            "\\addplot[color=anonlab{}, thick, forget plot, mark=none{}] coordinates {{({left},{y}) ({right},{y})}};",
            style.colour,
            dashes(style.dash)
        );
    }
    tex
}
