use thiserror::Error;

/// Why a publisher, verifier or measure gave no answer. Each becomes a row with this text as its reason, so the text
/// says what is wrong with which value and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LabError {
    /// The parameters or the data are not ones this algorithm is defined for (ℓ < 2, an item outside the hierarchy).
    #[error("{0}")]
    Input(String),
    /// The guarantee cannot be reached on this data, whatever the algorithm does (data that is not ℓ-eligible).
    #[error("{0}")]
    Unreachable(String),
    /// The algorithm gave up by its own rule: a certificate missed its tolerance, a budget ran out.
    #[error("{0}")]
    NoAnswer(String),
}

impl LabError {
    /// The parameters or the data are not ones that this is defined for.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    /// The guarantee cannot be reached on this data.
    pub fn unreachable(message: impl Into<String>) -> Self {
        Self::Unreachable(message.into())
    }

    /// The algorithm gave up by its own rule.
    pub fn no_answer(message: impl Into<String>) -> Self {
        Self::NoAnswer(message.into())
    }
}
