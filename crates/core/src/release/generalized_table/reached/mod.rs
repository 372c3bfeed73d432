//! How far each guarantee holds: the largest k and ℓ, the smallest t, β, δ and α that a table meets. Exact where counts
//! decide; None where there is no class to look at.
//!
//! Verifiers compare these values class by class with what was promised; measures report them.

mod closeness;
mod disclosure;
mod diversity;
mod entropy;
mod likeness;

pub use closeness::{closeness, closeness_of};
pub use disclosure::{delta, delta_of};
pub use diversity::{alpha, alpha_of, distinct_values, recursive_c, recursive_c_of, smallest_class};
pub use entropy::{entropy_diversity, entropy_reaches};
pub use likeness::{basic_beta, beta_of, enhanced_beta, enhanced_beta_of};

use super::ClassGroup;

/// The rows of a group whose sensitive values are known.
fn known_rows(group: &ClassGroup) -> u64 {
    group.values.iter().map(|&(_, count)| u64::from(count)).sum()
}

/// The groups that show sensitive values: suppressed rows with nothing left tell nothing, and break no promise about it.
fn telling(groups: &[ClassGroup]) -> impl Iterator<Item = &ClassGroup> {
    groups.iter().filter(|group| !group.values.is_empty())
}
