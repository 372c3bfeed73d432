use super::QueueError;
use crate::spec::SpecError;
use std::io;
use thiserror::Error;

/// Why a sweep could not go on.
#[derive(Debug, Error)]
pub enum SweepError {
    #[error("{0}")]
    Input(String),
    /// By the user; what is done is kept.
    #[error("{0}")]
    Interrupted(String),
    /// Cells have no answer; what is done is kept.
    #[error("{0}")]
    Unfinished(String),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Spec(Vec<SpecError>),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Vec<SpecError>> for SweepError {
    fn from(errors: Vec<SpecError>) -> Self {
        Self::Spec(errors)
    }
}
