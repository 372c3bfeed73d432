//! What the adversary knows of the world beside the release: association rules of the original data.
//!
//! Positive rules have at least a support and a confidence, and the adversary knows their counts or only that they reach
//! these. Negative rules are Injector's, of one attribute and confidence 1: a value that nobody with a quasi-identifier
//! value (or one above it in its hierarchy, where every attribute has one) has, though it would be expected.
//!
//! Cost. One walk over the frequent patterns; one count of the rows per quasi-identifier.

use super::from_rules::{Reading, Sizes, UnitsOfProfiles, state_rules};
use super::problem::{Contradiction, Problem, Reach, Statement};
use crate::data::Microdata;
use crate::lab::LabError;
use crate::mining::{NegativeRuleParameters, NegativeRules, Profiles, Wanted, sensitive_rules};
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

/// What is known, ready to be stated.
#[derive(Debug)]
pub struct Known {
    positive: Option<RuleSet>,
    /// Sensitive value to the profiles that cannot have it.
    denied: Vec<Vec<u32>>,
}

impl Known {
    pub fn new(microdata: &Microdata, profiles: &Profiles, depth: Depth) -> Result<Self, LabError> {
        let positive = matches!(depth.kind, Knowledge::Rules | Knowledge::All);
        let negative = matches!(depth.kind, Knowledge::NegativeRules | Knowledge::All);
        Ok(Self {
            positive: positive.then(|| positive_rules(microdata, profiles, depth)),
            denied: if negative { denied_values(microdata, profiles, depth)? } else { Vec::new() },
        })
    }

    /// Adds what is known to the problem; returns the sizes of its constraints.
    pub fn state(
        &self,
        problem: &mut Problem,
        profiles: &Profiles,
        units: &UnitsOfProfiles,
    ) -> Result<Sizes, Contradiction> {
        let mut sizes = Sizes::default();
        if let Some(rules) = &self.positive {
            let reading = Reading { non_rules: false, prune: true, whole_counts: false };
            sizes = state_rules(problem, profiles, units, rules, reading)?;
        }
        let mut scratch = Vec::new();
        for (value, denied) in (0..).zip(&self.denied).filter(|(_, denied)| !denied.is_empty()) {
            sizes.ar_constraints += 1;
            sizes.ar_variables += denied.len() as u64;
            let members = units.of(denied, &mut scratch);
            let nobody = (f64::NEG_INFINITY, 0.0);
            problem.state(value, members, nobody, Reach::Everywhere, || Statement::Denied { value })?;
        }
        Ok(sizes)
    }
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

fn denied_values(microdata: &Microdata, profiles: &Profiles, depth: Depth) -> Result<Vec<Vec<u32>>, LabError> {
    let parameters = NegativeRuleParameters {
        min_exp: depth.min_expectation,
        generalized: microdata.hierarchies.iter().all(Option::is_some),
        ..NegativeRuleParameters::default()
    };
    let incompatible = NegativeRules::mine(microdata, &parameters)?.incompatibilities();
    let mut denied = vec![Vec::new(); microdata.table.columns[microdata.sensitive].cardinality()];
    let mut is_seen = vec![false; profiles.len()];
    for (row, &profile) in profiles.of_row().iter().enumerate() {
        // Rules without exceptions look at quasi-identifiers alone, so any row speaks for its profile.
        if !std::mem::replace(&mut is_seen[profile as usize], true) {
            for (value, profiles) in (0..).zip(&mut denied) {
                if incompatible.of(row).contains(value) {
                    profiles.push(profile);
                }
            }
        }
    }
    Ok(denied)
}
