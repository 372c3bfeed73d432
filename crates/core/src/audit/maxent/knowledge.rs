//! What the adversary knows of the world beside the release: association rules of the original data.
//!
//! Positive rules have at least a support and a confidence, and the adversary knows their counts or only that they reach
//! these. Negative rules are Injector's, of one attribute: a value that nobody with a quasi-identifier value (or one above it
//! in its hierarchy, where every attribute has one) has, though it would be expected. With a confidence below 1 some have
//! it; the adversary knows how many, or only that they are few enough. Summary statistics are the counts of each sensitive
//! value among the people with each single quasi-identifier value, as in a published table of percentages. (All three are
//! what Section VIII of "Injector" leaves for later.)
//!
//! Cost. One walk over the frequent patterns; one count of the rows per quasi-identifier; rules with exceptions, a pass over
//! the quasi-identifier values each.

use super::from_rules::{ConstraintCounts, ConstraintReading, UnitsOfProfiles, state_rules};
use super::problem::{ConstraintSource, Contradiction, Problem, Reach};
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
    /// How many of the people with each single quasi-identifier value have each sensitive value.
    Summaries,
    /// Positive and negative rules.
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
    /// Of negative rules.
    pub min_confidence: f64,
}

/// What is known, ready to be stated.
#[derive(Debug)]
pub struct Known {
    positive: Option<RuleSet>,
    /// Sensitive value to the profiles that cannot have it.
    denied: Vec<Vec<u32>>,
    excepted: Vec<Excepted>,
}

/// A negative rule with exceptions: how many records of some profiles have the value after all.
#[derive(Debug)]
struct Excepted {
    value: u32,
    profiles: Vec<u32>,
    at_least: f64,
    at_most: f64,
}

impl Known {
    pub fn new(microdata: &Microdata, profiles: &Profiles, depth: Depth) -> Result<Self, LabError> {
        let negative = matches!(depth.kind, Knowledge::NegativeRules | Knowledge::All);
        let (mut denied, mut excepted) = (Vec::new(), Vec::new());
        if negative && depth.min_confidence < 1.0 {
            excepted = excepted_values(microdata, profiles, depth)?;
        } else if negative {
            denied = denied_values(microdata, profiles, depth)?;
        }
        let positive = match depth.kind {
            Knowledge::Summaries => Some(summaries(microdata)),
            Knowledge::Rules | Knowledge::All => Some(positive_rules(microdata, profiles, depth)),
            Knowledge::None | Knowledge::NegativeRules => None,
        };
        Ok(Self { positive, denied, excepted })
    }

    /// Adds what is known to the problem; returns the sizes of its constraints.
    pub fn state(
        &self,
        problem: &mut Problem,
        profiles: &Profiles,
        units: &UnitsOfProfiles,
    ) -> Result<ConstraintCounts, Contradiction> {
        let mut sizes = ConstraintCounts::default();
        if let Some(rules) = &self.positive {
            let reading = ConstraintReading { non_rules: false, prune: true, whole_counts: false };
            sizes = state_rules(problem, profiles, units, rules, reading)?;
        }
        let mut scratch = Vec::new();
        for (value, denied) in (0..).zip(&self.denied).filter(|(_, denied)| !denied.is_empty()) {
            sizes.ar_constraints += 1;
            sizes.ar_variables += denied.len() as u64;
            let members = units.of(denied, &mut scratch);
            let nobody = (f64::NEG_INFINITY, 0.0);
            problem.state(value, members, nobody, Reach::Everywhere, || ConstraintSource::Denied { value })?;
        }
        for Excepted { value, profiles, at_least, at_most } in &self.excepted {
            sizes.ar_constraints += 1;
            sizes.ar_variables += profiles.len() as u64;
            let members = units.of(profiles, &mut scratch);
            let few = (*at_least, *at_most);
            problem.state(*value, members, few, Reach::Everywhere, || ConstraintSource::Denied { value: *value })?;
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

/// One exact rule for each quasi-identifier value and sensitive value; what all have follows from those of any attribute.
fn summaries(microdata: &Microdata) -> RuleSet {
    let sensitive = microdata.sensitive_codes();
    let values = microdata.table.columns[microdata.sensitive].cardinality();
    let rows = microdata.rows() as u64;
    let mut rules = Vec::new();
    let mut tell = |antecedent: Vec<(u32, u32)>, counts: &[u64]| {
        let covered = counts.iter().sum();
        rules.extend((0..).zip(counts).map(|(consequent, &count)| PublishedRule {
            antecedent: antecedent.clone(),
            consequent,
            counts: Some((covered, count)),
        }));
    };
    for (attribute, &column) in (0..).zip(&microdata.quasi_identifiers) {
        let column = &microdata.table.columns[column];
        let mut counts = vec![0; column.cardinality() * values];
        for (&code, &value) in column.codes.iter().zip(sensitive) {
            counts[code as usize * values + value as usize] += 1;
        }
        (0..).zip(counts.chunks_exact(values)).for_each(|(code, counts)| tell(vec![(attribute, code)], counts));
    }
    let thresholds = Thresholds {
        support: 0.0,
        confidence: 0.0,
        strict_confidence: false,
        round_down: false,
        empty_antecedent: false,
    };
    RuleSet { rules, records: rows, thresholds, complete: false, sensitive_counts: None }
}

/// The negative rules of a confidence below 1, as bounds on how many records have the value all the same.
fn excepted_values(microdata: &Microdata, profiles: &Profiles, depth: Depth) -> Result<Vec<Excepted>, LabError> {
    let parameters = NegativeRuleParameters {
        min_exp: depth.min_expectation,
        min_conf: depth.min_confidence,
        generalized: microdata.hierarchies.iter().all(Option::is_some),
        ..NegativeRuleParameters::default()
    };
    let mined = NegativeRules::mine(microdata, &parameters)?;
    let mut row_of = vec![usize::MAX; profiles.len()];
    for (row, &profile) in profiles.of_row().iter().enumerate().rev() {
        row_of[profile as usize] = row;
    }
    let excepted = mined.rules.iter().map(|rule| {
        let profiles = (0..).zip(&row_of).filter(|(_, row)| mined.applies_to(rule, **row)).map(|(profile, _)| profile);
        let (at_least, at_most) = match depth.exact {
            true => (rule.exceptions, rule.exceptions),
            false => (f64::NEG_INFINITY, (1.0 - depth.min_confidence) * rule.count),
        };
        Excepted { value: rule.value, profiles: profiles.collect(), at_least, at_most }
    });
    Ok(excepted.collect())
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
