//! The table of kinds: one line for each folder of `release/` that holds one.

use super::buckets::Buckets;
use super::conformance::Case;
use super::generalized_table::GeneralizedTable;
use super::generalized_transactions::GeneralizedTransactions;
use super::guarantee::Guarantee;
use super::kind::{About, Kind, ReleaseFile};
use super::rules::RuleSet;
use super::suppressed_transactions::SuppressedTransactions;
use crate::data::Dataset;
use crate::lab::LabError;
use serde::{Deserialize, Serialize};

/// Makes [`Release`] and [`ReleaseKind`] of the table, and hands every question to the kind's own [`Kind`], so that no
/// kind can be forgotten.
macro_rules! kinds {
    ($($kind:ident($release:ty),)+) => {
        /// Exactly what the public would see.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Release {
            $($kind($release),)+
        }

        /// The kinds of release there are, as specs name them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum ReleaseKind {
            $($kind,)+
        }

        impl ReleaseKind {
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            pub fn about(self) -> &'static About {
                match self {
                    $(Self::$kind => &<$release as Kind>::ABOUT,)+
                }
            }

            /// The conformance cases for programs that are held to the guarantee of that name.
            pub fn cases(self, guarantee: &str) -> Result<Vec<Case>, LabError> {
                match self {
                    $(Self::$kind => <$release as Kind>::cases(guarantee),)+
                }
            }

            /// Reads what [`Release::files`] writes; `files` are the bytes of [`About::files`], in that order.
            pub fn read(self, original: &Dataset, files: &[&[u8]]) -> Result<Release, LabError> {
                match self {
                    $(Self::$kind => <$release as Kind>::read(original, files).map(Release::$kind),)+
                }
            }
        }

        impl Release {
            pub fn kind(&self) -> ReleaseKind {
                match self {
                    $(Self::$kind(_) => ReleaseKind::$kind,)+
                }
            }

            /// The files an outsider would get.
            pub fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError> {
                match self {
                    $(Self::$kind(release) => Kind::files(release, original),)+
                }
            }

            /// What [`Kind::faults`] says.
            pub(super) fn faults(
                &self,
                original: &Dataset,
                guarantee: &Guarantee,
            ) -> Option<Result<Vec<String>, LabError>> {
                match self {
                    $(Self::$kind(release) => Kind::faults(release, original, guarantee),)+
                }
            }
        }
    };
}

kinds! {
    Buckets(Buckets),
    GeneralizedTable(GeneralizedTable),
    GeneralizedTransactions(GeneralizedTransactions),
    SuppressedTransactions(SuppressedTransactions),
    Rules(RuleSet),
}

impl std::fmt::Display for ReleaseKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.about().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_called_what_specs_call_it_and_is_complete() {
        for &kind in ReleaseKind::ALL {
            let about = kind.about();
            assert_eq!(serde_json::to_value(kind).unwrap(), about.name);
            assert!(!about.files.is_empty() && !about.guarantees.is_empty(), "{kind}");
            assert!(about.skeletons.iter().any(|skeleton| skeleton.ending == "py"), "{kind}");
            for text in about.skeletons.iter().map(|skeleton| skeleton.text).chain([about.skeleton_spec]) {
                assert!(text.contains("@NAME@"), "a skeleton of {kind} does not know its name");
            }
        }
    }

    #[test]
    fn another_number_of_files_is_refused() {
        use crate::data::Transactions;
        let dataset = Dataset::of_transactions(Transactions::from_labels(&[vec!["a"]]), None, &[]);
        for &kind in ReleaseKind::ALL.iter().filter(|kind| kind.about().files[0] == "transactions.dat") {
            let error = kind.read(&dataset, &[b""]).unwrap_err().to_string();
            assert_eq!(error, format!("{kind} are {}; 1 files were given", kind.about().files.join(" and ")));
        }
    }
}
