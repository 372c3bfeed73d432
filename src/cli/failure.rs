//! How a command ends.

use crate::capsule::CapsuleError;
use crate::lab::LabError;
use crate::report::ReportError;
use crate::sources::DataError;
use crate::spec::SpecError;
use crate::sweep::SweepError;
use std::fmt;

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    AllWell,
    /// A cell failed, a claim failed, a release was invalid, or something got worse.
    NotAllWell,
    /// There was nothing to compare with.
    NothingComparable,
    /// Cells are missing, or still run elsewhere.
    Unfinished,
}

/// Why a command did not do its work: bad input, a machine that does not let it, or a user who stopped it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    message: String,
    exit_code: u8,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 2 }
    }

    /// Ctrl-C or SIGTERM.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 130 }
    }

    /// Cells are missing, and the same command would go on.
    pub fn unfinished(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 3 }
    }

    /// Whoever reads standard output has read enough: nothing is left to say, and the code is that of a process which
    /// ended by SIGPIPE.
    pub fn closed_output() -> Self {
        Self { message: String::new(), exit_code: 141 }
    }

    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// Tells it on standard error.
    pub fn tell(&self) {
        if !self.message.is_empty() {
            crate::run::tell_line(format_args!("{}", self.message));
        }
    }
}

/// Errors that tell all there is to tell by their text.
macro_rules! told_as_they_are {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(error.to_string())
            }
        })*
    };
}

told_as_they_are!(std::io::Error, LabError, DataError, ReportError, CapsuleError, polars::error::PolarsError);

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Interrupted(message) => Self::interrupted(message),
            SweepError::Unfinished(message) => Self::unfinished(message),
            error => Self::new(error.to_string()),
        }
    }
}

impl From<Vec<SpecError>> for Failure {
    fn from(errors: Vec<SpecError>) -> Self {
        Self::new(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}
