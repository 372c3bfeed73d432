//! A figure with its plot, its table, its claims, and what it was made from.

use super::claim::{ClaimView, claims};
use super::table::{TableView, table};
use super::text::{NAME, paragraphs, prose, sentence, told};
use super::verdicts::{Count, Verdicts, counts};
use super::witness::{Witnesses, witnesses};
use super::words::Labels;
use crate::data::Origin;
use crate::report::figure::FigureNames;
use crate::report::number::with_unit;
use crate::report::observations::ALGORITHM;
use crate::report::plot::svg::shorten;
use crate::report::plot::{LegendEntry, Plot, WIDTH, inline};
use crate::report::prepared::Prepared;
use crate::report::typeset::typeset;
use crate::run::{Status, plain};
use crate::spec::draw::{DrawKind, Spread, Statistic};
use crate::spec::{DEFAULT_READING, Variant};
use indexmap::IndexMap;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct FigureView {
    pub id: String,
    pub title: String,
    pub caption: Vec<String>,
    pub datasets: Vec<DatasetView>,
    pub panels: Vec<String>,
    pub legend: Vec<Swatch>,
    pub thumbnail: String,
    pub spread: String,
    pub table: TableView,
    /// Where printed values are from; HTML.
    pub sources: Vec<String>,
    pub notes: Vec<String>,
    pub claims: Vec<ClaimView>,
    /// Why there are none, as HTML.
    pub unclaimed: String,
    pub verdicts: Verdicts,
    pub facts: Vec<(String, String)>,
    pub command: String,
    pub cells: Vec<Count>,
    pub holes: Vec<HoleView>,
    pub witnesses: Witnesses,
    /// Where its CSV and SVG are, without ending.
    pub base: String,
    /// Where its files for LaTeX are, without ending; empty where it has none.
    pub latex: String,
    /// The readings to switch between; none where there is one alone.
    pub readings: Vec<ReadingLink>,
    pub has_svg: bool,
    /// Where the comparison page has its first metric; empty where it has none.
    pub compared: String,
}

/// One reading in the switch of a figure; without a link it is the one that is shown.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingLink {
    pub name: String,
    /// As people call it.
    pub called: String,
    pub link: String,
    /// Its number where the figure itself shows all of it, so that a script may switch in place; empty otherwise.
    pub in_place: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct DatasetView {
    pub name: String,
    pub origin: &'static str,
    pub real: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Swatch {
    pub name: String,
    pub svg: String,
    /// The number of its series, or the class of its marks: what a script hides. Both empty where nothing can be hidden.
    pub series: String,
    pub marks: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct HoleView {
    pub place: String,
    pub status: &'static str,
    pub count: usize,
    pub reason: String,
}

pub(super) fn figure(prepared: &Prepared) -> FigureView {
    let result = prepared.result;
    let plot = prepared.plot.as_ref();
    let panels = plot
        .map_or(Vec::new(), |plot| (0..plot.panels.len()).map(|index| inline(&prepared.figure, plot, index)).collect());
    let mut sources: Vec<String> = Vec::new();
    for source in prepared.figure.printed.iter().filter_map(|printed| printed.source.as_deref()).map(prose) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    FigureView {
        id: result.id.clone(),
        title: shorten(&typeset(&result.title), NAME),
        caption: paragraphs(&result.caption),
        datasets: datasets(prepared),
        thumbnail: plot.map_or(String::new(), thumbnail),
        panels,
        legend: plot.map_or(Vec::new(), |plot| plot.legend.iter().map(swatch).collect()),
        spread: [spread(prepared), prepared.machines_note()].join(" ").trim().to_string(),
        table: table(prepared),
        sources,
        notes: result.notes.iter().chain(&result.kept).map(|note| sentence(&shorten(note, NAME * 2))).collect(),
        claims: claims(prepared),
        unclaimed: prose(&result.unclaimed),
        verdicts: Verdicts::count(std::iter::once(prepared)),
        facts: facts(prepared),
        command: result.command.clone(),
        cells: counts(std::iter::once(prepared)),
        holes: holes(prepared),
        witnesses: witnesses(prepared),
        base: format!("figures/{}", result.id),
        latex: format!("tex/{}", result.id),
        readings: switch(prepared),
        has_svg: plot.is_some(),
        compared: String::new(),
    }
}

/// An entry of a legend.
pub fn swatch(entry: &LegendEntry) -> Swatch {
    Swatch {
        name: shorten(&entry.name, NAME),
        svg: entry.swatch.clone(),
        series: entry.series.map_or(String::new(), |series| series.to_string()),
        marks: entry.marks.to_string(),
    }
}

/// The default, which is shown, and links to the others.
pub(super) fn switch(prepared: &Prepared) -> Vec<ReadingLink> {
    if prepared.result.others.is_empty() {
        return Vec::new();
    }
    let in_place = |number: usize| match prepared.shown_whole.contains(&number) || number == 0 {
        true => number.to_string(),
        false => String::new(),
    };
    let default = ReadingLink {
        name: DEFAULT_READING.to_string(),
        called: DEFAULT_READING.to_string(),
        link: String::new(),
        in_place: in_place(0),
    };
    let other = |(index, (reading, _)): (usize, &(Variant, _))| {
        let name = reading.to_string();
        let called = shorten(&prepared.names.name(&name), NAME);
        ReadingLink { link: prepared.page_of(&name), name, called, in_place: in_place(index + 1) }
    };
    std::iter::once(default).chain(prepared.result.others.iter().enumerate().map(other)).collect()
}

fn datasets(prepared: &Prepared) -> Vec<DatasetView> {
    let called = Labels::of_all(std::iter::once(&prepared.result.draw.labels))
        .apart(prepared.observations.origins.iter().map(|(name, _)| name));
    let dataset = |(name, origin): &(String, Origin)| DatasetView {
        name: shorten(&called[name], NAME),
        origin: origin.name(),
        real: *origin == Origin::Real,
    };
    prepared.observations.origins.iter().map(dataset).collect()
}

/// The first panel without the tooltips, which a link would show instead of its own.
fn thumbnail(plot: &Plot) -> String {
    let Some(panel) = plot.panels.first() else { return String::new() };
    let mut content = String::with_capacity(panel.content.len());
    for (index, part) in panel.content.split("<title>").enumerate() {
        match part.split_once("</title>") {
            Some((_, rest)) if index > 0 => content.push_str(rest),
            _ => content.push_str(part),
        }
    }
    format!(r#"<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true">{content}</svg>"#, WIDTH, panel.height)
}

/// What the error bars are, where there are any.
fn spread(prepared: &Prepared) -> String {
    let figure = &prepared.figure;
    let spots = figure.points.iter().filter_map(|point| point.y);
    if spots.clone().all(|spot| spot.repetitions < 2) {
        return String::new();
    }
    let statistic = match prepared.result.draw.statistic {
        Statistic::Median => "median",
        Statistic::Mean => "mean",
    };
    let most = spots.clone().map(|spot| spot.repetitions).max().unwrap_or(0);
    // What draws nothing has one value beside those that draw.
    let up_to = if spots.clone().all(|spot| spot.repetitions == most) { "" } else { "up to " };
    let seeds = prepared.result.seeds;
    // A sample is the same work timed again; a repetition is another draw.
    let of = match prepared.result.repetitions * seeds {
        1 => format!("The {statistic} of {up_to}{most} samples"),
        draws if draws < most => format!("The {statistic} of {up_to}{most} samples of {draws} repetitions"),
        _ if seeds > 1 && most % seeds == 0 => {
            let each = match most / seeds {
                1 => "one".to_string(),
                several => several.to_string(),
            };
            format!("The {statistic} of {up_to}{most} repetitions ({each} with each of {seeds} seeds)")
        }
        _ => format!("The {statistic} of {up_to}{most} repetitions"),
    };
    if spots.clone().all(|spot| spot.low == spot.high) {
        return match figure.spread {
            Spread::None => format!("{of}."),
            _ => format!("{of}, which agree."),
        };
    }
    match figure.spread {
        Spread::Interval | Spread::Band if figure.kind == DrawKind::Table => {
            format!("{of}; in brackets its bootstrap interval (95\u{a0}%).")
        }
        Spread::Range if figure.kind == DrawKind::Table => {
            format!("{of}; in brackets the smallest and the largest.")
        }
        Spread::Interval => format!("{of}; bars are its bootstrap interval (95\u{a0}%)."),
        Spread::Band => format!("{of}; bands are its bootstrap interval (95\u{a0}%)."),
        Spread::Range => format!("{of}; bars reach from the smallest to the largest."),
        Spread::None => format!("{of}."),
    }
}

fn facts(prepared: &Prepared) -> Vec<(String, String)> {
    let result = prepared.result;
    let mut facts: Vec<(String, String)> =
        result.parameters.iter().map(|(name, value)| (name.clone(), shorten(&listed(value), NAME))).collect();
    // An empty list says no more than that there is such a parameter.
    facts.retain(|(_, value)| !value.is_empty());
    if result.quick {
        facts.push(("variant".to_string(), "quick: the small sweep".to_string()));
    }
    facts.push(("repetitions".to_string(), result.repetitions.to_string()));
    facts.push(match result.seeds {
        1 => ("seed".to_string(), result.seed.to_string()),
        seeds => ("seeds".to_string(), format!("{seeds}, from {}", result.seed)),
    });
    facts.push(("time limit".to_string(), with_unit(result.limits.time.0.as_secs_f64(), "s")));
    facts.push(("memory limit".to_string(), with_unit(result.limits.memory.0 as f64, "bytes")));
    facts
}

/// A list of a spec as words apart by commas; anything else as it is.
fn listed(value: &str) -> String {
    match serde_json::from_str::<Vec<serde_json::Value>>(value) {
        Ok(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Err(_) => value.to_string(),
    }
}

/// Cells without an answer, those with the same reason together.
fn holes(prepared: &Prepared) -> Vec<HoleView> {
    let observations = &prepared.observations;
    let names = FigureNames::new(&prepared.result.draw, prepared.metrics);
    let keys = || observations.rows.iter().map(|row| &row.key).chain(observations.holes.iter().map(|hole| &hole.key));
    // The algorithm, and what tells the cells of the figure apart.
    let shown: Vec<usize> = (0..observations.columns.len())
        .filter(|&column| {
            column == ALGORITHM || keys().any(|key| Some(&key[column]) != keys().next().map(|key| &key[column]))
        })
        .collect();
    let mut holes: IndexMap<(String, Status, String), usize> = IndexMap::new();
    for hole in &observations.holes {
        let place: Vec<String> = shown
            .iter()
            .filter(|&&column| !hole.key[column].is_none())
            .map(|&column| names.place(&observations.columns[column], &hole.key[column]))
            .collect();
        let place = shorten(&place.join(", "), NAME * 2);
        *holes.entry((place, hole.status, hole.reason.clone())).or_default() += 1;
    }
    holes
        .into_iter()
        .map(|((place, status, reason), count)| HoleView {
            place,
            status: status.in_words(),
            count,
            reason: told(&reason),
        })
        .collect()
}
