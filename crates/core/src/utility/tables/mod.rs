//! What a generalized table is still worth.

mod classes;
mod information_loss;
mod kl_divergence;
#[cfg(test)]
mod tests;

pub use classes::TableClasses;
pub use information_loss::InformationLoss;
pub use kl_divergence::KlDivergence;
