//! Results of several people side by side: a page for each experiment.

use super::ReportError;
use super::contest::ContestSheet;
use super::files::{check_id, create_folder, write as write_file};
use super::page::{Pages, view};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Serialize)]
pub struct Leaderboard {
    pub experiment: String,
    pub entrants: Vec<Entrant>,
    /// In what they are not alike.
    pub notes: Vec<String>,
    pub sheets: Vec<ContestSheet>,
    pub claims: Vec<SideBySide>,
}

/// Somebody's results.
#[derive(Debug, Clone, Serialize)]
pub struct Entrant {
    pub label: String,
    pub file: String,
    pub licence: String,
    pub code: String,
    pub machine: String,
    pub finished: String,
}

/// A claim with the verdict of each entrant; empty where one has no such claim.
#[derive(Debug, Clone, Serialize)]
pub struct SideBySide {
    pub figure: String,
    pub claim: String,
    pub verdicts: Vec<String>,
}

/// What a page shows of a leaderboard.
#[derive(Serialize)]
struct Board<'a> {
    experiment: &'a str,
    entrants: &'a [Entrant],
    notes: &'a [String],
    sheets: Vec<ShownSheet<'a>>,
    claims: &'a [SideBySide],
}

#[derive(Serialize)]
struct ShownSheet<'a> {
    level: usize,
    heading: &'a str,
    /// The heading as HTML, as are the notes.
    title: String,
    table: &'a [Vec<String>],
    notes: Vec<String>,
}

fn shown(board: &Leaderboard) -> Board<'_> {
    Board {
        experiment: &board.experiment,
        entrants: &board.entrants,
        notes: &board.notes,
        sheets: board.sheets.iter().map(shown_sheet).collect(),
        claims: &board.claims,
    }
}

fn shown_sheet(sheet: &ContestSheet) -> ShownSheet<'_> {
    ShownSheet {
        level: sheet.level,
        heading: &sheet.heading,
        title: view::prose(&sheet.heading),
        table: &sheet.table,
        notes: sheet.notes.iter().map(|note| view::prose(note)).collect(),
    }
}

#[derive(Serialize)]
struct Index<'a> {
    boards: &'a [Leaderboard],
}

/// Writes `dir/index.html` and a page for each experiment; gives the path of the first.
pub fn write_leaderboards(boards: &[Leaderboard], dir: &Path) -> Result<PathBuf, ReportError> {
    for board in boards {
        check_id("experiment", &board.experiment)?;
    }
    let (pages, dir) = (Pages::new()?, create_folder(dir)?);
    for board in boards {
        let path = dir.join(format!("{}.leaderboard.html", board.experiment));
        write_file(&path, pages.leaderboard(&shown(board))?.as_bytes())?;
    }
    let index = dir.join("index.html");
    write_file(&index, pages.leaderboards(&Index { boards })?.as_bytes())?;
    Ok(index)
}
