//! Frequent itemsets, positive and negative rules, maximal and minimal borders: one miner for the whole project.

mod patterns;
mod sensitive_rules;

pub use patterns::{Pattern, Profiles};
pub use sensitive_rules::{SensitiveRule, Wanted, sensitive_rules};
