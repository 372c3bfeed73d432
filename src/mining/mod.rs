//! Frequent itemsets, positive and negative rules, maximal and minimal borders: one miner for the whole project.

mod patterns;

pub use patterns::{Pattern, Profiles};
