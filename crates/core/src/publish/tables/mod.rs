//! Publishers of generalized tables: Mondrian (multidimensional, local), full-domain generalization (the optimum over the lattice
//! of levels), Datafly (the old baseline), and the two ends that every comparison should have beside it.

mod attribute;
mod datafly;
mod ends;
mod full_domain;
mod grouping;
mod levels;
mod mondrian;
mod privacy;
mod rule;
#[cfg(test)]
mod tests;

pub use datafly::Datafly;
pub use ends::{EverythingGeneralized, Identity};
pub use full_domain::FullDomain;
pub use mondrian::Mondrian;
