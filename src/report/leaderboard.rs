//! Results of several people side by side: a page for each experiment.

use super::ReportError;
use super::contest::Contest;
use super::files::{check_id, create_folder, write as write_file};
use super::page::{Pages, view};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub struct Leaderboard {
    pub experiment: String,
    pub entrants: Vec<Entrant>,
    /// In what they are not alike.
    pub notes: Vec<String>,
    /// Among the algorithms of all of them.
    pub contest: Contest,
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
    contest: view::ContestPage,
    claims: &'a [SideBySide],
}

fn shown(board: &Leaderboard) -> Result<Board<'_>, ReportError> {
    Ok(Board {
        experiment: &board.experiment,
        entrants: &board.entrants,
        notes: &board.notes,
        contest: view::contest(&board.contest, &view::Labels::default())?,
        claims: &board.claims,
    })
}

/// A leaderboard as the page of all names it.
#[derive(Serialize)]
struct IndexEntry<'a> {
    experiment: &'a str,
    entrants: &'a [Entrant],
}

#[derive(Serialize)]
struct Index<'a> {
    boards: Vec<IndexEntry<'a>>,
}

/// Writes `dir/index.html` and a page for each experiment; gives the path of the first.
pub fn write_leaderboards(boards: &[Leaderboard], dir: &Path) -> Result<PathBuf, ReportError> {
    for board in boards {
        check_id("experiment", &board.experiment)?;
    }
    let (pages, dir) = (Pages::new()?, create_folder(dir)?);
    for board in boards {
        let path = dir.join(format!("{}.leaderboard.html", board.experiment));
        write_file(&path, pages.leaderboard(&shown(board)?)?.as_bytes())?;
    }
    let index = dir.join("index.html");
    let boards = boards.iter().map(|board| IndexEntry { experiment: &board.experiment, entrants: &board.entrants });
    let boards = boards.collect();
    write_file(&index, pages.leaderboards(&Index { boards })?.as_bytes())?;
    Ok(index)
}
