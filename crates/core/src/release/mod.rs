//! Releases: exactly what the public would see. Few kinds, so that every verifier, audit and utility serves every
//! algorithm that gives one. Each kind has its own file: the type, its file format (written and read), its verifier.

mod buckets;
mod buckets_files;
mod generalized;
mod generalized_bit_table;
mod generalized_cut;
mod generalized_files;
mod generalized_prefix_tree;
mod generalized_verifier;
mod guarantee;
mod matching;
mod reading;
mod rules;
mod rules_files;
mod rules_verifier;
mod suppressed;
mod suppressed_files;
mod suppressed_verifier;

pub use buckets::Buckets;
pub use generalized::GeneralizedTransactions;
pub use generalized_cut::Cut;
pub use guarantee::{Guarantee, Verdict, verify};
pub use rules::{PublishedRule, RuleSet, Thresholds, rule_in_words};
pub use rules_verifier::RulesStated;
pub use suppressed::SuppressedTransactions;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq)]
pub enum Release {
    Buckets(Buckets),
    Generalized(GeneralizedTransactions),
    Suppressed(SuppressedTransactions),
    Rules(RuleSet),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseKind {
    Buckets,
    GeneralizedTransactions,
    SuppressedTransactions,
    Rules,
}

impl std::fmt::Display for ReleaseKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Buckets => "buckets",
            Self::GeneralizedTransactions => "generalized-transactions",
            Self::SuppressedTransactions => "suppressed-transactions",
            Self::Rules => "rules",
        })
    }
}

impl Release {
    pub fn kind(&self) -> ReleaseKind {
        match self {
            Self::Buckets(_) => ReleaseKind::Buckets,
            Self::Generalized(_) => ReleaseKind::GeneralizedTransactions,
            Self::Suppressed(_) => ReleaseKind::SuppressedTransactions,
            Self::Rules(_) => ReleaseKind::Rules,
        }
    }
}

impl Release {
    /// The files an outsider would get.
    pub fn files(&self, dataset: &crate::data::Dataset) -> Result<Vec<ReleaseFile>, crate::lab::LabError> {
        match self {
            Self::Buckets(buckets) => Ok(buckets.files(dataset.microdata()?)),
            Self::Generalized(generalized) => generalized.files(dataset.baskets()?),
            Self::Suppressed(suppressed) => suppressed.files(dataset.baskets()?),
            Self::Rules(rules) => Ok(rules.files(dataset.microdata()?)),
        }
    }
}

/// A file of a release, as an outsider would get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    pub name: &'static str,
    pub bytes: Vec<u8>,
}
