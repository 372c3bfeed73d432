use super::{Conventions, Requirement};
use serde::Serialize;

/// What a generalized table can be held to: every class meets every requirement, and no more rows are suppressed than
/// allowed. With no requirement, the table has only to be true.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableGuarantee {
    /// All of them must be met.
    pub requirements: Vec<Requirement>,
    /// How stars and suppressed rows count.
    #[serde(flatten)]
    pub conventions: Conventions,
}

/// In words that follow "the release keeps".
impl std::fmt::Display for TableGuarantee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let requirements: Vec<String> = self.requirements.iter().map(Requirement::to_string).collect();
        match requirements.is_empty() {
            true => f.write_str("the truth: every cell covers the original's")?,
            false => f.write_str(&requirements.join(" and "))?,
        }
        match self.conventions.suppression {
            // None at all, or as many as there are.
            0.0 | 1.0 => Ok(()),
            share => write!(f, ", with at most the share {share} of the rows suppressed"),
        }
    }
}
