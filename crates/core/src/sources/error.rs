use super::definition::Fault;
use crate::lab::LabError;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no dataset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DataError {
    /// The definition asks for something that does not exist or does not fit; each fault says where.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Definition(Vec<Fault>),
    /// A line that is not of the file's format. Nothing is ever dropped in silence.
    #[error("{file}, line {line}: {message}")]
    Row {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// The bytes are not the ones the catalogue describes.
    #[error("{file} has the wrong checksum: sha256 {expected} is expected, {found} was found; {remedy}")]
    Checksum {
        /// The file's name.
        file: String,
        /// The digest that the catalogue has.
        expected: String,
        /// The digest of the file.
        found: String,
        /// What to do about it.
        remedy: String,
    },
    /// The data is nowhere; the text says where it was looked for and how to get it.
    #[error("{0}")]
    Absent(String),
    /// A file cannot be read or has the wrong shape.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A download that did not come to a good end.
    #[error("{0}")]
    Fetch(String),
    /// No catalogue entry of that name.
    #[error("{0}")]
    Unknown(String),
}

impl DataError {
    /// An error that names the file.
    pub fn file(path: impl Into<PathBuf>, error: impl std::fmt::Display) -> Self {
        Self::File { path: path.into(), message: error.to_string() }
    }

    /// An error that names the place in a definition.
    pub fn fault(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Definition(vec![Fault::new(path, message)])
    }
}

impl From<DataError> for LabError {
    fn from(error: DataError) -> Self {
        Self::input(error.to_string())
    }
}
