//! A figure as a PGFPlots picture: real axes, the document's fonts, and its numbers in a CSV beside it.

mod axis;
mod data;
mod marks;
mod numbers;
mod series;
#[cfg(test)]
mod tests;

use super::table::FITTED;
use super::text::{comment, text};
use crate::report::figure::DrawnFigure;
use crate::report::palette::{COLOURS, Style};
use crate::report::plot::svg;
use crate::spec::draw::DrawKind;
use data::PlotData;
use std::fmt::Write;

/// What a document that takes a picture in must load.
pub const PREAMBLE: &str = "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.17}\n\\usepgfplotslibrary{groupplots,fillbetween}\n\\usetikzlibrary{plotmarks}\n";

/// What a figure is called where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Plotted<'a> {
    pub experiment: &'a str,
    pub id: &'a str,
    pub title: &'a str,
    /// What of the data is not the real one.
    pub caveats: &'a [String],
    pub figure: &'a DrawnFigure,
    pub styles: &'a [Style],
}

/// The files of one picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureFiles {
    /// To be taken in with `\input`.
    pub tex: String,
    /// The numbers that it plots, in the units of its axes.
    pub csv: String,
    /// A document of its own around `tex`.
    pub standalone: String,
}

/// None for tables. The picture reads `<id>.csv` in its own folder.
pub fn plotted(plotted: &Plotted) -> Option<PictureFiles> {
    if plotted.figure.kind == DrawKind::Table {
        return None;
    }
    let data = PlotData::of(plotted.figure);
    Some(PictureFiles { tex: tex(plotted, &data), csv: data.csv(), standalone: standalone(plotted) })
}

fn tex(plotted: &Plotted, data: &PlotData) -> String {
    let Plotted { experiment, id, title, figure, styles, .. } = plotted;
    let mut tex = format!("% {} ({experiment}, {id})\n", comment(title));
    tex += "% The document's preamble must have:\n";
    for line in PREAMBLE.lines() {
        let _ = writeln!(tex, "%   {line}");
    }
    let _ = writeln!(
        tex,
        "% The numbers are in {id}.csv beside this file. \\pgfplotsset{{anonlab/.style={{…}}}} changes all axes."
    );
    tex += "\\begingroup\n\\providecommand\\CurrentFilePath{}\n";
    tex += "\\edef\\anonlabhere{\\ifx\\CurrentFilePath\\empty\\else\\CurrentFilePath/\\fi}\n";
    for colour in used_colours(styles) {
        let _ =
            writeln!(tex, "\\definecolor{{anonlab{colour}}}{{HTML}}{{{}}}", COLOURS[colour].trim_start_matches('#'));
    }
    // Panels beside each other have labels of any width: what they take beyond the line is not known before.
    let _ = write!(tex, "\\noindent\n{FITTED}\\begin{{tikzpicture}}\n");
    tex += &axis::group(figure);
    for panel in 0..figure.panels.len() {
        tex += &axis::panel(figure, panel);
        for (series, style) in styles.iter().enumerate() {
            tex += &series::drawn(figure, panel, series, style, data, id);
        }
        tex += &marks::drawn(figure, panel, styles);
        if panel == 0 {
            tex += &legend(figure, styles);
        }
    }
    tex += "\\end{groupplot}\n";
    if !plotted.caveats.is_empty() {
        let note = text(&svg::shorten(&format!("Data: {}", plotted.caveats.join(", ")), 200));
        let _ = writeln!(
            tex,
            "\\node[anchor=north west, inner xsep=0pt, font=\\scriptsize\\itshape] at (current bounding box.south west) {{{note}}};"
        );
    }
    tex += "\\end{tikzpicture}}%\n\\endgroup\n";
    tex
}

fn used_colours(styles: &[Style]) -> Vec<usize> {
    (0..COLOURS.len()).filter(|colour| styles.iter().any(|style| style.colour == *colour)).collect()
}

/// Entries for the series where there are several, then for marks that are not data.
fn legend(figure: &DrawnFigure, styles: &[Style]) -> String {
    let mut tex = String::new();
    let mut entry = |image: String, name: &str| {
        let _ = writeln!(tex, "\\addlegendimage{{{image}}}\n\\addlegendentry{{{}}}", text(&svg::shorten(name, 60)));
    };
    if figure.series.len() > 1 {
        for (series, style) in figure.series.iter().zip(styles) {
            entry(series::look(figure.kind, style), &series.name);
        }
    }
    for (look, name) in marks::notes(figure) {
        entry(look.to_string(), name);
    }
    tex
}

fn standalone(plotted: &Plotted) -> String {
    let Plotted { experiment, id, title, .. } = plotted;
    format!(
        "% {} ({experiment}, {id})\n% pdflatex {id}.standalone.tex\n\\documentclass[border=2pt]{{standalone}}\n{PREAMBLE}\\begin{{document}}\n\\input{{{id}.tex}}%\n\\end{{document}}\n",
        comment(title)
    )
}
