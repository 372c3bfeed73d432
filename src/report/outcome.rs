//! The page that says what came of checking a capsule.

use super::ReportError;
use super::files::{create_folder, write as write_file};
use super::page::Pages;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What the page shows.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomePage {
    pub file: String,
    pub sha256: String,
    pub submitter: String,
    pub code: String,
    /// Whether everything that was checked agrees.
    pub agrees: bool,
    pub counts: String,
    pub chances: Vec<String>,
    pub badges: Vec<Badge>,
    pub checks: Vec<OutcomeRow>,
    pub cells: Vec<OutcomeRow>,
}

/// A badge of an artifact evaluation.
#[derive(Debug, Clone, Serialize)]
pub struct Badge {
    pub name: &'static str,
    pub asks: &'static str,
    pub shown: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct OutcomeRow {
    /// Its colour: holds, fails or inconclusive.
    pub class: &'static str,
    pub word: &'static str,
    pub what: String,
    pub detail: String,
}

/// Writes `dir/index.html` and gives its path.
pub fn write_outcome(page: &OutcomePage, dir: &Path) -> Result<PathBuf, ReportError> {
    let path = create_folder(dir)?.join("index.html");
    write_file(&path, Pages::new()?.outcome(page)?.as_bytes())?;
    Ok(path)
}
