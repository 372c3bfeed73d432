use crate::lab::LabError;

/// Why there is no release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFailure {
    /// It did not end in time.
    Timeout,
    /// Its processes held more memory than they may; what they held, in words.
    OutOfMemory(String),
    /// It said itself that it has no answer, and why.
    Refused(String),
    /// It crashed, flooded, or did not keep to the protocol.
    Failed(String),
    /// What it left is no release of its kind.
    Invalid(String),
    /// It could not be started as it was planned: no answer of the program.
    NotRun(String),
    /// Whoever ran it wanted it to end.
    Stopped,
    /// Somebody outside ended it: no answer of the program.
    Killed(String),
}

impl From<LabError> for ProgramFailure {
    fn from(error: LabError) -> Self {
        Self::Failed(error.to_string())
    }
}
