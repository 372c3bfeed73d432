//! What the maximum-entropy audit can be asked.

use super::knowledge::Knowledge;
use crate::lab::with_defaults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the adversary makes of patterns that were not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NonRules {
    /// They are no rules, which is knowledge too (NAR-constraints).
    Used,
    /// Nothing.
    Ignored,
    /// Infers both ways and reports the difference; all other metrics are those with non-rules used.
    Compared,
}

with_defaults! {
    /// Which knowledge is assumed, and what is reported.
    pub struct MaximumEntropyParameters {
        /// What the adversary makes of patterns that were not published.
        pub non_rules: NonRules = NonRules::Used,
        /// Leave out the constraints from unpublished patterns that others imply; the answer is the same.
        pub prune: bool = true,
        /// Round bounds to the next whole number of records they allow, as an adversary who counts people would.
        pub whole_counts: bool = false,
        /// What the adversary knows of the original beside the release.
        pub knowledge: Knowledge = Knowledge::None,
        /// The least support of the positive rules the adversary knows.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub knowledge_support: f64 = 0.05,
        /// The least confidence of the positive rules the adversary knows.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub knowledge_confidence: f64 = 0.2,
        /// The adversary knows how many records rules with exceptions have, not only that they reach support and confidence.
        pub knowledge_exact: bool = true,
        /// How expected a value must be that never occurs, for the adversary to know that it does not.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub knowledge_min_expectation: f64 = 0.9,
        /// How rare, among those it is expected of, such a value must be: 1 for values that never occur, less for values that
        /// all but the rest do not have.
        #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
        pub knowledge_min_confidence: f64 = 1.0,
        /// The K of means over the K largest and smallest divergences and the K largest differences.
        pub top: Vec<usize> = vec![1, 2, 5, 10, 20, 50, 100, 200, 500],
        /// How many of the quasi-identifier values that unpublished patterns expose most are shown.
        pub shown: usize = 10,
        /// The posterior from which on a value counts as determined.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub determined_at: f64 = 0.95,
        /// A value is disclosed when its posterior is this many times its prior.
        #[schemars(range(min = 1.0))]
        pub factor: f64 = 2.0,
        /// α: the largest posterior (α, k)-anonymity allows.
        #[schemars(range(min = 0.0, max = 1.0))]
        pub alpha: f64 = 0.8,
        /// k: the fewest individuals who look the same that (α, k)-anonymity allows.
        #[schemars(range(min = 1))]
        pub k: usize = 2,
        /// Count the constraints and variables there would be without pruning (2ⁿ patterns for n quasi-identifiers).
        pub count_unpruned: bool = false,
        /// List the posterior of every value for every quasi-identifier value: for worked examples, not for Adult.
        pub posteriors: bool = false,
    }
}
