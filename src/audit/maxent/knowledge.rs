//! What the adversary knows of the world beside the release: association rules of the original data.
//!
//! Positive rules have at least a support and a confidence, and the adversary knows their counts or only that they reach
//! these. Negative rules are Injector's (T. Li, N. Li, ICDE 2008, Section IV): a value Y that none of the records with a
//! quasi-identifier value has, though so many have it that Y would be expected: P(no Y by chance) ≤ 1 − minExp.
//!
//! Cost. One walk over the frequent patterns; one count of the rows per quasi-identifier.

use super::from_rules::{Reading, Sizes, UnitsOfProfiles, state_rules};
use super::problem::{Contradiction, Problem, Reach, Statement};
use crate::data::Microdata;
use crate::mining::{Profiles, Wanted, sensitive_rules};
use crate::release::{PublishedRule, RuleSet, Thresholds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which rules of the original the adversary knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Knowledge {
    /// None: the release is all there is.
    None,
    /// Positive association rules Q ⇒ X.
    Rules,
    /// Negative rules: values that never go with a quasi-identifier value.
    NegativeRules,
    /// Both.
    All,
}

/// How much the adversary knows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    pub kind: Knowledge,
    pub support: f64,
    pub confidence: f64,
    /// The counts of positive rules are known.
    pub exact: bool,
    pub min_expectation: f64,
}

/// Adds what is known to the problem; returns the sizes of the constraints from positive rules.
pub fn state_knowledge(
    problem: &mut Problem,
    microdata: &Microdata,
    profiles: &Profiles,
    units: &UnitsOfProfiles,
    depth: Depth,
) -> Result<Sizes, Contradiction> {
    let mut sizes = Sizes::default();
    if matches!(depth.kind, Knowledge::Rules | Knowledge::All) {
        let known = positive_rules(microdata, profiles, depth);
        let reading = Reading { non_rules: false, prune: true, whole_counts: false };
        sizes = state_rules(problem, profiles, units, &known, reading)?;
    }
    if matches!(depth.kind, Knowledge::NegativeRules | Knowledge::All) {
        for (condition, value, members) in negative_rules(microdata, profiles, depth.min_expectation) {
            sizes.ar_constraints += 1;
            sizes.ar_variables += members.len() as u64;
            let mut scratch = Vec::new();
            let members = units.of(&members, &mut scratch);
            let never = || Statement::Never { condition, value };
            problem.state(value, members, (f64::NEG_INFINITY, 0.0), Reach::Everywhere, never)?;
        }
    }
    Ok(sizes)
}

fn positive_rules(microdata: &Microdata, profiles: &Profiles, depth: Depth) -> RuleSet {
    let thresholds = Thresholds {
        support: depth.support,
        confidence: depth.confidence,
        strict_confidence: false,
        round_down: false,
        empty_antecedent: true,
    };
    let records = microdata.rows() as u64;
    let wanted = Wanted {
        support: thresholds.support_in_records(records),
        least_count: |covered| thresholds.least_count(covered, records),
        empty_antecedent: true,
    };
    let rules = sensitive_rules(microdata, profiles, &wanted)
        .into_iter()
        .map(|rule| PublishedRule {
            counts: depth.exact.then_some((rule.covered, rule.count)),
            antecedent: rule.antecedent,
            consequent: rule.consequent,
        })
        .collect();
    RuleSet { rules, records, thresholds, complete: false, sensitive_counts: None }
}

/// (quasi-identifier and code, value that never goes with it, profiles that have it).
fn negative_rules(
    microdata: &Microdata,
    profiles: &Profiles,
    min_expectation: f64,
) -> Vec<((u32, u32), u32, Vec<u32>)> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let values = sensitive.cardinality();
    let counts = profiles.count_classes(microdata.sensitive_codes(), values);
    let shares: Vec<f64> = sensitive.histogram().iter().map(|&count| count as f64 / microdata.rows() as f64).collect();
    let mut rules = Vec::new();
    for attribute in 0..profiles.attributes() {
        let cardinality = microdata.table.columns[microdata.quasi_identifiers[attribute]].cardinality();
        let mut members = vec![Vec::new(); cardinality];
        for profile in 0..profiles.len() {
            members[profiles.code(attribute, profile) as usize].push(profile as u32);
        }
        for (code, members) in (0..).zip(&members) {
            let covered = profiles.rows_of(members) as f64;
            for (value, share) in (0..values).zip(&shares) {
                let expected = covered >= (1.0 - min_expectation).ln() / (1.0 - share).ln();
                let never = members.iter().all(|&profile| counts[profile as usize * values + value] == 0);
                if expected && never && !members.is_empty() {
                    rules.push(((attribute as u32, code), value as u32, members.clone()));
                }
            }
        }
    }
    rules
}
