//! The table of kinds: one line for each folder of `release/` that holds one.

use super::buckets::Buckets;
use super::conclusions::{Conclusions, Counts, Groups, Supports};
use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::generalized_table::GeneralizedTable;
use super::generalized_transactions::GeneralizedTransactions;
use super::guarantee::Guarantee;
use super::kind::{About, Kind, ReleaseFile};
use super::rules::RuleSet;
use super::suppressed_transactions::SuppressedTransactions;
use crate::data::Dataset;
use crate::lab::{LabError, Witness, did_you_mean_or_list};
use serde::{Deserialize, Serialize};

/// Makes [`Release`] and [`ReleaseKind`] of the table, and hands every question to the kind's own [`Kind`], so that no
/// kind can be forgotten.
macro_rules! kinds {
    ($($kind:ident($release:ty),)+) => {
        /// Exactly what the public would see.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Release {
            $(
                #[doc = concat!("See [`", stringify!($release), "`].")]
                $kind($release),
            )+
        }

        /// The kinds of release there are, as specs name them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        // Their documentation is that of the releases; here it would be repeated in the schema of specs.
        #[allow(missing_docs)]
        pub enum ReleaseKind {
            $($kind,)+
        }

        impl ReleaseKind {
            /// In the order in which they are listed.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// Its files, its guarantees and its skeletons.
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
            /// Which kind it is of.
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

            /// The first few ways in which `files`, from which this release was read, say by their form (an order, a repetition, a
            /// way of writing) what they do not say by their content.
            pub fn form_faults(&self, beside: Beside<'_>, files: &[&[u8]]) -> Result<Vec<FormFault>, LabError> {
                match self {
                    $(Self::$kind(release) => <$release as Kind>::form_faults(beside, files, release),)+
                }
            }

            fn conclusions(&self) -> &dyn Conclusions {
                match self {
                    $(Self::$kind(release) => release,)+
                }
            }

            /// What [`Kind::faults`] says.
            pub(super) fn faults(
                &self,
                original: &Dataset,
                guarantee: &Guarantee,
            ) -> Option<Result<Vec<Witness>, LabError>> {
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

impl ReleaseKind {
    /// The kinds for which [`Release::groups`] answers.
    pub const TELLING_GROUPS: &'static [Self] = &[Self::Buckets, Self::GeneralizedTable];
    /// The kinds for which `Release::counts` answers.
    pub const ANSWERING_COUNTS: &'static [Self] = &[Self::Buckets, Self::GeneralizedTable];
    /// The kinds for which `Release::supports` answers.
    pub const TELLING_SUPPORTS: &'static [Self] = &[Self::GeneralizedTransactions, Self::SuppressedTransactions];
}

/// By its name in specs and on the command line.
impl std::str::FromStr for ReleaseKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names: Vec<&str> = Self::ALL.iter().map(|kind| kind.about().name).collect();
        let place = names.iter().position(|known| *known == name);
        place.map(|place| Self::ALL[place]).ok_or_else(|| did_you_mean_or_list(name, &names))
    }
}

/// What a reader concludes from a release. An error where this kind of release does not allow it.
impl Release {
    /// Whom the release does not tell apart, and the sensitive values they have among them, for a reader who knows
    /// everybody's quasi-identifiers.
    pub fn groups(&self, original: &Dataset) -> Result<Groups<'_>, LabError> {
        let groups = self.conclusions().groups(original.microdata()?);
        groups.unwrap_or_else(|| Err(self.silent("who may have which sensitive value")))
    }

    /// What an analyst who has the release alone answers to COUNT queries on the table.
    pub(crate) fn counts<'a>(&'a self, original: &'a Dataset) -> Result<Box<dyn Counts + 'a>, LabError> {
        let counts = self.conclusions().counts(original.microdata()?);
        counts.unwrap_or_else(|| Err(self.silent("how many records have some values")))
    }

    /// What an analyst who has the release alone takes for the supports of sets of original items.
    pub(crate) fn supports<'a>(&'a self, original: &'a Dataset) -> Result<Box<dyn Supports + 'a>, LabError> {
        let supports = self.conclusions().supports(original.baskets()?);
        supports.unwrap_or_else(|| Err(self.silent("how many transactions have some items")))
    }

    fn silent(&self, of: &str) -> LabError {
        LabError::input(format!("{} do not say {of}", self.kind()))
    }
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
            assert_eq!(error, format!("{kind} are {}; what was given is 1 file", kind.about().files.join(" and ")));
        }
    }
}
