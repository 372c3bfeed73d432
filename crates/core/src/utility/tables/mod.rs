//! What a generalized table is still worth.

mod associations;
mod classes;
mod classification;
mod information_loss;
mod kl_divergence;
mod naive_bayes;
#[cfg(test)]
mod tests;

pub(super) use associations::ReleasedCounts;
pub use classes::TableClasses;
pub use classification::Classification;
pub use information_loss::InformationLoss;
pub use kl_divergence::KlDivergence;
