//! What the index shows of an experiment. It lies beside the experiment's own page, so that a later command, which runs
//! something else into the same directory, can show it too.

use super::drawing::SvgElement;
use super::view;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// In an experiment's folder.
pub const FILE: &str = "card.json";

/// Changes with what a card holds: the cards of another version are left out until their experiment runs again.
const VERSION: u32 = 3;

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
    legend: Vec<view::Swatch>,
    /// Entries of the legend that are not shown.
    more_legend: usize,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    claims: Vec<ClaimMark>,
    verdicts: view::Verdicts,
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
        stored.figures.iter_mut().for_each(|figure| figure.thumbnail.clear());
        serde_json::to_vec(&stored)
    }

    /// The cards in the folders of `dir`, by name. Whatever is no card of an experiment with a page is passed over.
    pub fn in_directory(dir: &Path) -> Vec<Self> {
        let Ok(folders) = std::fs::read_dir(dir) else { return Vec::new() };
        let read = |folder: &Path| -> Option<Self> {
            let mut card: Self = serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()?;
            for figure in &mut card.figures {
                figure.thumbnail = figure.drawing.as_ref().map(SvgElement::svg).unwrap_or_default();
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
            legend: figure.legend.iter().take(MINI_LEGEND).cloned().collect(),
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
