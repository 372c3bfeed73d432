use thiserror::Error;

/// Why a report was not written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The results themselves are not ones a report can be made from.
    #[error("{0}")]
    Input(String),
    /// Which file cannot be written, and why.
    #[error("{0}")]
    Write(std::io::Error),
    /// A template is wrong: a fault of this program, not of the results.
    #[error("cannot render {template}: {message}")]
    Render { template: &'static str, message: String },
}
