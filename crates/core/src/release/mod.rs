//! Releases: exactly what the public would see. Few kinds, so that every verifier, audit and utility serves every
//! algorithm that gives one.
//!
//! A kind is a folder: what it is, its files (written and read), its verifier, its conformance cases and the skeletons of
//! programs that make it. Its type implements `kind::Kind`, and `kinds.rs` has one line for it.

#![forbid(unsafe_code)]

pub mod conformance;

mod conclusions;
mod eligibility;
mod form;
mod group_ids;
mod group_values;
mod guarantee;
mod kind;
mod transaction_lines;

mod buckets;
pub mod generalized_table;
mod generalized_transactions;
mod rules;
mod suppressed_transactions;

mod kinds;
mod verify;

pub use buckets::{Buckets, ListedBuckets};
pub use conclusions::Groups;
pub(crate) use conclusions::{Admitted, CountQuery, Counts, Records};
pub(crate) use eligibility::check_eligible;
pub use eligibility::check_reachable;
pub use form::{Beside, FormFault};
pub use generalized_table::{GeneralizedTable, TableGuarantee};
pub use generalized_transactions::{Cut, GeneralizedTransactions};
pub use group_ids::GroupIds;
pub(crate) use group_values::GroupValues;
pub use guarantee::Guarantee;
pub use kind::{About, KindGuarantee, ReleaseFile, Skeleton};
pub use kinds::{Release, ReleaseKind};
pub(crate) use rules::rule_in_words;
pub use rules::{PublishedRule, RuleSet, RulesStated, Thresholds};
pub use suppressed_transactions::SuppressedTransactions;
pub use verify::{PrivacyVerdict, verify};
