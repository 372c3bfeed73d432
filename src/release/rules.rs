//! Published association rules Q ⇒ X, with or without their exact support and confidence.

use serde::{Deserialize, Serialize};

/// Q ⇒ X: whoever has these quasi-identifier values has this sensitive value, with at least the published confidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRule {
    /// (position among the dataset's quasi-identifiers, value code), ascending by position; empty is the rule ∅ ⇒ X.
    pub antecedent: Vec<(u32, u32)>,
    /// Sensitive value code.
    pub consequent: u32,
    /// Exact counts of Q and of Q with X, where they are published. Counts, not fractions, so that nothing is rounded.
    pub counts: Option<(u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleSet {
    pub rules: Vec<PublishedRule>,
    /// The number of records, which the public knows.
    pub records: u64,
    /// Every published rule's antecedent is in at least this many records…
    pub min_count: u64,
    /// …and its confidence at least this.
    pub min_confidence: f64,
    /// Whether a pattern that is not published is known not to be a rule (false when only the first T were published).
    pub complete: bool,
    /// Records per sensitive code, where the sensitive distribution is published.
    pub sensitive_counts: Option<Vec<u64>>,
}
