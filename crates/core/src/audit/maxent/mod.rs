//! The maximum-entropy adversary: Z. Zhu, G. Wang, W. Du, "Deriving Private Information from Association Rule Mining
//! Results", ICDE 2009.
//!
//! An adversary who knows everybody's quasi-identifiers sees a release and asks for P(X | Q), the sensitive value given
//! the quasi-identifier value. Whatever the release says becomes a linear constraint (`from_rules`, `from_groups`), and so
//! does what the adversary knows of the world (`knowledge`); of all distributions that satisfy them, the one of maximum
//! entropy assumes nothing else.
//!
//! ```text
//! release ──▶ problem ──▶ model ──▶ fixed model ──▶ solver ──▶ inference ──▶ readings
//!             (rows over   (classes   (no forced     (Newton on   (P*, with a    (divergences, ℓ,
//!              units)       of units)  zeros)         the dual)    certificate)   disclosures)
//! ```
//!
//! Where a release tells groups and nothing else is known, the answer is written down (`groups_alone`).

mod contradiction;
mod fingerprint;
mod forced;
mod from_groups;
mod from_rules;
mod groups_alone;
mod infer;
mod knowledge;
mod lists;
mod measure;
mod metrics;
mod model;
mod observations;
mod parameters;
mod posterior_table;
mod posteriors;
mod problem;
mod readings;
mod solver;
mod surest;

pub use forced::Impossible;
pub use from_groups::{GroupUnits, state_groups};
pub use from_rules::{ConstraintCounts, ConstraintReading, UnitsOfProfiles, state_rules};
pub use infer::{Certificate, Inference, InferenceFailure, infer, maximize_entropy};
pub use lists::Lists;
pub(crate) use measure::MaximumEntropy;
pub use model::{Model, ModelRow};
pub use posteriors::Posteriors;
pub use problem::{Constraint, ConstraintSource, Contradiction, Problem, Reach};
pub use solver::{Solution, UNPULLED};
