//! What the index shows of an experiment. It lies beside the experiment's own page, so that a later command, which runs
//! something else into the same directory, can show it too.

use super::drawing::SvgElement;
use super::view;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// In an experiment's folder.
pub const FILE: &str = "card.json";

/// Changes with what a card holds: the cards of another version are left out until their experiment runs again.
const VERSION: u32 = 4;

/// Lines and columns of a table that its thumbnail shows.
const MINI_ROWS: usize = 5;
const MINI_COLUMNS: usize = 3;

/// Entries of a legend that a thumbnail shows before it counts the rest.
const MINI_LEGEND: usize = 4;

const REVISION_DIGITS: usize = 12;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Card {
    version: u32,
    pub id: String,
    title: String,
    paper: Option<view::PaperView>,
    pub figures: Vec<FigureCard>,
    pub verdicts: view::Verdicts,
    cells: Vec<view::Count>,
    data: Vec<Data>,
    has_comparison: bool,
    seed: u64,
    revision: String,
    run: view::RunView,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Data {
    name: String,
    origin: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FigureCard {
    id: String,
    title: String,
    /// The thumbnail as data; None where the figure is a table: then its first lines are shown.
    drawing: Option<SvgElement>,
    /// The same as a page shows it. Never read from a file: others can write there.
    #[serde(skip_deserializing)]
    thumbnail: String,
    legend: Vec<LegendCard>,
    /// Entries of the legend that are not shown.
    more_legend: usize,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    claims: Vec<ClaimMark>,
    verdicts: view::Verdicts,
}

/// An entry of a legend.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct LegendCard {
    name: String,
    /// Its swatch as data.
    swatch: Option<SvgElement>,
    /// The same as a page shows it. Never read from a file, as with thumbnails.
    #[serde(skip_deserializing)]
    svg: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ClaimMark {
    verdict: String,
    symbol: String,
}

impl Card {
    pub fn new(experiment: &view::ExperimentView) -> Self {
        let data = |data: &view::DataView| Data { name: data.name.clone(), origin: data.origin.to_string() };
        Self {
            version: VERSION,
            id: experiment.id.clone(),
            title: experiment.title.clone(),
            paper: experiment.paper.clone(),
            figures: experiment.figures.iter().map(FigureCard::new).collect(),
            verdicts: experiment.verdicts.clone(),
            cells: experiment.cells.clone(),
            data: experiment.data.iter().map(data).collect(),
            has_comparison: experiment.has_comparison,
            seed: experiment.origin.seed,
            revision: shortened(&experiment.origin.revision),
            run: experiment.run.clone(),
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut stored = self.clone();
        for figure in &mut stored.figures {
            figure.thumbnail.clear();
            figure.legend.iter_mut().for_each(|entry| entry.svg.clear());
        }
        serde_json::to_vec(&stored)
    }

    /// The cards in the folders of `dir`, by name. Whatever is no card of an experiment with a page is passed over.
    pub fn in_directory(dir: &Path) -> Vec<Self> {
        let Ok(folders) = std::fs::read_dir(dir) else { return Vec::new() };
        let read = |folder: &Path| -> Option<Self> {
            let mut card: Self = serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()?;
            for figure in &mut card.figures {
                figure.thumbnail = figure.drawing.as_ref().map(SvgElement::svg).unwrap_or_default();
                figure.legend.iter_mut().for_each(LegendCard::draw);
            }
            let is_current = card.version == VERSION && folder.file_name()?.to_str()? == card.id;
            (is_current && folder.join("index.html").is_file()).then_some(card)
        };
        let mut cards: Vec<Self> = folders.flatten().filter_map(|folder| read(&folder.path())).collect();
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        cards
    }
}

/// The folders in `dir` with the page of an experiment but without its card: a run that was to write them was stopped.
pub fn unfinished(dir: &Path) -> Vec<String> {
    let Ok(folders) = std::fs::read_dir(dir) else { return Vec::new() };
    let is_unfinished = |folder: &Path| {
        folder.join("index.html").is_file() && folder.join("measurements.csv").is_file() && !folder.join(FILE).is_file()
    };
    let mut names: Vec<String> = folders
        .flatten()
        .filter(|folder| is_unfinished(&folder.path()))
        .map(|folder| folder.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A revision is known by its first digits; what is said behind it stays.
fn shortened(revision: &str) -> String {
    let digits = revision.bytes().take_while(u8::is_ascii_hexdigit).count();
    let (digits, rest) = revision.split_at(digits);
    format!("{}{rest}", &digits[..digits.len().min(REVISION_DIGITS)])
}

impl FigureCard {
    fn new(figure: &view::FigureView) -> Self {
        let is_table = figure.thumbnail.is_empty();
        let first = figure.table.parts.first();
        let drawing = SvgElement::read(&figure.thumbnail);
        let columns = if is_table { MINI_COLUMNS } else { 0 };
        let rows = if is_table { MINI_ROWS } else { 0 };
        let line = |texts: &mut dyn Iterator<Item = &String>| {
            let mut texts: Vec<String> = texts.take(columns).cloned().collect();
            texts.resize(columns, String::new());
            texts
        };
        // The note tells a column of printed values from ours.
        let named = |head: &view::HeadView| match head.note.as_str() {
            "" => head.text.clone(),
            note => format!("{}, {note}", head.text),
        };
        let heads: Vec<String> = first.iter().flat_map(|part| &part.heads).map(named).collect();
        let claim = |claim: &view::ClaimView| ClaimMark {
            verdict: claim.verdict.to_string(),
            symbol: claim.symbol.to_string(),
        };
        Self {
            id: figure.id.clone(),
            title: figure.title.clone(),
            thumbnail: drawing.as_ref().map(SvgElement::svg).unwrap_or_default(),
            drawing,
            legend: figure.legend.iter().take(MINI_LEGEND).map(LegendCard::new).collect(),
            more_legend: figure.legend.len().saturating_sub(MINI_LEGEND),
            heads: line(&mut heads.iter()),
            rows: first
                .iter()
                .flat_map(|part| &part.rows)
                .take(rows)
                .map(|row| line(&mut row.iter().map(|cell| &cell.text)))
                .collect(),
            claims: figure.claims.iter().map(claim).collect(),
            verdicts: figure.verdicts.clone(),
        }
    }
}

impl LegendCard {
    fn new(entry: &view::Swatch) -> Self {
        let swatch = SvgElement::read(&format!("<svg>{}</svg>", entry.svg));
        let mut card = Self { name: entry.name.clone(), swatch, svg: String::new() };
        card.draw();
        card
    }

    /// Writes the markup anew from the data.
    fn draw(&mut self) {
        self.svg = self.swatch.as_ref().map(SvgElement::inside_svg).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swatch_is_shown_from_its_data_alone() {
        let svg = r##"<g class="c0" color="#123456"><path fill="none" d="M0 8H30"/><circle class="mark" cx="15" cy="8" r="4"/></g>"##;
        let own = view::Swatch { name: "a".into(), svg: svg.into(), series: "0".into(), marks: String::new() };
        let mut stored = LegendCard::new(&own);
        assert_eq!(stored.svg, svg);
        stored.svg.clear();
        let mut read: LegendCard = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
        read.draw();
        assert_eq!(read.svg, svg);
        let foreign = r#"{"name": "a", "svg": "<a href='https://example.org'>x</a>", "swatch":
            {"name": "svg", "inside": [{"name": "a", "attributes": [["href", "javascript:x"]]}, {"name": "rect"}]}}"#;
        let mut read: LegendCard = serde_json::from_str(foreign).unwrap();
        assert_eq!(read.svg, "");
        read.draw();
        assert_eq!(read.svg, "<rect/>");
    }
}
