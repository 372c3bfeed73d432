//! Releases of any kind from the files an outsider would get.

use super::{Buckets, GeneralizedTransactions, Release, ReleaseKind, RuleSet, SuppressedTransactions};
use crate::data::Dataset;
use crate::lab::LabError;

impl Release {
    /// The files that a release of this kind consists of.
    pub fn file_names(kind: ReleaseKind) -> &'static [&'static str] {
        match kind {
            ReleaseKind::Buckets => &["qit.csv", "st.csv"],
            ReleaseKind::GeneralizedTransactions => &["transactions.dat", "cut.csv"],
            ReleaseKind::SuppressedTransactions => &["transactions.dat", "suppressed.csv"],
            ReleaseKind::Rules => &["rules.csv", "rules.json"],
        }
    }

    /// Reads what [`Release::files`] writes; `files` are the bytes of [`Release::file_names`], in that order.
    pub fn read(kind: ReleaseKind, dataset: &Dataset, files: &[&[u8]]) -> Result<Self, LabError> {
        match (kind, files) {
            (ReleaseKind::Buckets, [qit, st]) => Ok(Self::Buckets(Buckets::read(dataset.microdata()?, qit, st)?)),
            (ReleaseKind::SuppressedTransactions, [transactions, suppressed]) => {
                let release = SuppressedTransactions::read(dataset.baskets()?, transactions, suppressed)?;
                Ok(Self::Suppressed(release))
            }
            (ReleaseKind::Rules, [rules, header]) => {
                Ok(Self::Rules(RuleSet::read(dataset.microdata()?, rules, header)?))
            }
            (ReleaseKind::GeneralizedTransactions, [transactions, cut]) => {
                Ok(Self::Generalized(GeneralizedTransactions::read(dataset.baskets()?, transactions, cut)?))
            }
            (kind, files) => {
                let names = Self::file_names(kind).join(" and ");
                Err(LabError::input(format!("{kind} are {names}; {} files were given", files.len())))
            }
        }
    }
}
