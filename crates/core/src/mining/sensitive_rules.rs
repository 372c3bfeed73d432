//! Rules Q ⇒ X from quasi-identifier patterns to sensitive values, with their counts.
//!
//! Cost. One walk over the patterns that enough records have, each at the number of its profiles.

use super::{ClassCounts, Pattern, Profiles};
use crate::data::Microdata;

/// A pattern Q ⇒ X with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveRule {
    /// Q.
    pub antecedent: Vec<(u32, u32)>,
    /// X, a sensitive code.
    pub consequent: u32,
    /// Records with Q.
    pub covered: u64,
    /// Records with Q and X.
    pub count: u64,
}

/// Which patterns are rules.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<F> {
    /// Records with Q and X, of every rule.
    pub support: f64,
    /// The fewest records with Q and X, given those with Q.
    pub least_count: F,
    /// Whether ∅ ⇒ X is a pattern.
    pub empty_antecedent: bool,
}

/// All rules, longer antecedents after their parts.
pub fn sensitive_rules(
    microdata: &Microdata,
    profiles: &Profiles,
    wanted: &Wanted<impl Fn(u64) -> u64>,
) -> Vec<SensitiveRule> {
    let values = microdata.table.columns[microdata.sensitive].cardinality();
    let counts = ClassCounts::new(profiles, microdata.sensitive_codes());
    let mut rules = Vec::new();
    let mut of_value = vec![0u64; values];
    let mut judge = |pattern: &Pattern, members: &[u32]| {
        of_value.fill(0);
        for &profile in members {
            let own = counts.of(profile as usize);
            own.iter().for_each(|&(value, count)| of_value[value as usize] += u64::from(count));
        }
        let covered = of_value.iter().sum();
        let least = (wanted.least_count)(covered);
        for (consequent, &count) in (0..).zip(&of_value) {
            if count >= least {
                rules.push(SensitiveRule { antecedent: pattern.to_vec(), consequent, covered, count });
            }
        }
        of_value.iter().any(|&count| count as f64 >= wanted.support)
    };
    if wanted.empty_antecedent {
        let everybody: Vec<u32> = (0..profiles.len() as u32).collect();
        judge(&[], &everybody);
    }
    profiles.walk(judge);
    rules
}
