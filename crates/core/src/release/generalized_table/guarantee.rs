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
