use std::path::PathBuf;
use thiserror::Error;

/// Why a report was not written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The results themselves are not ones a report can be made from.
    #[error("{0}")]
    Input(String),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    /// A template is wrong: a fault of this program, not of the results.
    #[error("cannot render {template}: {message}")]
    Render { template: &'static str, message: String },
}
