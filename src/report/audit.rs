//! The page of an audit of a finished release.

use super::ReportError;
use super::files::{create_folder, write as write_file};
use super::page::{Pages, view};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What the page shows.
#[derive(Debug, Clone, Serialize)]
pub struct AuditPage {
    pub title: String,
    pub holds: bool,
    /// What was taken for what. HTML, as are the lines about the original: see [`told_html`].
    pub took: Vec<String>,
    /// What the original is.
    pub original: Vec<String>,
    pub sections: Vec<AuditSection>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AuditSection {
    pub name: &'static str,
    pub groups: Vec<AuditGroup>,
}

/// A table of its own.
#[derive(Debug, Clone, Serialize)]
pub struct AuditGroup {
    /// The measure that found it; empty where none did.
    pub measure: &'static str,
    /// What the measure was taken with.
    pub parameters: String,
    /// The head of the column between names and values, and that of the values; empty where no row has anything there.
    pub at: &'static str,
    pub value: &'static str,
    pub rows: Vec<AuditRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AuditRow {
    pub name: String,
    /// The parameters of a guarantee, the person of a witness, the place along a measure's own axis.
    pub at: String,
    pub value: String,
    /// The colour of a verdict: holds or fails; empty for numbers.
    pub class: &'static str,
    pub unit: String,
    /// HTML: see [`told_html`].
    pub words: String,
}

/// A sentence about the release as HTML.
pub fn told_html(text: &str) -> String {
    view::told(text)
}

/// Writes `dir/audit.html` and gives its path.
pub fn write_audit(page: &AuditPage, dir: &Path) -> Result<PathBuf, ReportError> {
    let path = create_folder(dir)?.join("audit.html");
    write_file(&path, Pages::new()?.audit(page)?.as_bytes())?;
    Ok(path)
}
