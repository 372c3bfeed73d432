//! Negative association rules X ⇒ ¬Y: T. Li, N. Li, "Injector", ICDE 2008, Section IV. They say which sensitive values
//! somebody with these quasi-identifiers cannot have: the background knowledge an adversary could have mined himself.
//!
//! A rule qualifies when its expectation 1 − (1 − P(Y))^C_X, the probability that Y would be seen among the rows of X if
//! it had nothing to do with X, is at least `min_exp`, and C_X[Y] / C_X ≤ 1 − `min_conf`.
//!
//! Readings.
//! - X is a conjunction of at most `rule_length` values of different attributes, from any level of their hierarchies but
//!   the root. A node with a single child is that child again and counts once.
//! - "P(Y)" is the share of Y in the table. All rules are counted, also redundant ones: those whose antecedent only
//!   narrows that of another rule with the same Y. `redundant: false` leaves them out; what they forbid stays forbidden.
//! - Quantitative attributes are crisp unless asked for: then a node of a numeric hierarchy is a fuzzy set with the
//!   membership of [`AttributeValues::fuzzy`], C_X sums products of memberships, and a row *satisfies* X (for its
//!   incompatibility set) when it belongs to X wholly.
//! - With `min_conf` below 1 a rule has exceptions. It is not held against them: what a row has, it can have.
//!
//! Cost. One pass over the rows per attribute for rules of one attribute; see [`super::visit_antecedents`] for longer
//! ones. Recognizing redundant rules looks up the generalizations of each rule, at most (height + 1)^length.

mod incompatibility;
mod least_count;
mod parameters;
mod print;

pub use incompatibility::Incompatibilities;
pub use parameters::{NegativeRuleParameters, Quantitative};

use self::least_count::least_count;
use super::{Antecedent, AttributeValues, Condition, OneClass, visit_antecedents};
use crate::data::Microdata;
use crate::lab::LabError;
use crate::lab::math::powf;
use rustc_hash::FxHashSet;

/// X ⇒ ¬Y.
#[derive(Debug, Clone, PartialEq)]
pub struct NegativeRule {
    /// X, ascending by attribute.
    pub antecedent: Vec<Condition>,
    /// Y: a sensitive code.
    pub value: u32,
    /// C_X: the rows that have X (a sum of memberships where those are fuzzy).
    pub count: f64,
    /// `C_X[Y]`: those of them that have Y all the same.
    pub exceptions: f64,
    /// The probability that Y would occur among that many rows if it did not depend on X.
    pub expectation: f64,
    /// Whether a rule with a more general antecedent says it already.
    pub redundant: bool,
}

impl NegativeRule {
    /// The share of the rows of X without Y.
    pub fn confidence(&self) -> f64 {
        1.0 - self.exceptions / self.count
    }
}

/// The negative rules of a table.
#[derive(Debug, Clone)]
pub struct NegativeRules<'a> {
    microdata: &'a Microdata,
    attributes: Vec<AttributeValues<'a>>,
    /// Ordered by antecedent, then value.
    pub rules: Vec<NegativeRule>,
}

impl<'a> NegativeRules<'a> {
    /// Mines every rule that `parameters` ask for.
    pub fn mine(microdata: &'a Microdata, parameters: &NegativeRuleParameters) -> Result<Self, LabError> {
        parameters.check()?;
        let rows = microdata.rows();
        if rows == 0 {
            return Err(LabError::input("the table has no rows to mine rules from"));
        }
        let attributes = (0..microdata.quasi_identifiers.len())
            .map(|i| parameters.values(microdata, i))
            .collect::<Result<Vec<_>, _>>()?;
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let histogram = sensitive.histogram();
        let shares: Vec<f64> = histogram.iter().map(|&count| count as f64 / rows as f64).collect();
        // Sup_Y of the paper, as a number of rows.
        let least_counts: Vec<f64> =
            histogram.iter().map(|&count| least_count(count as u64, rows as u64, parameters.min_exp)).collect();
        let least_count = least_counts.iter().copied().fold(f64::INFINITY, f64::min);
        let classes = OneClass { class_of: microdata.sensitive_codes(), classes: sensitive.cardinality() };
        let mut rules = Vec::new();
        visit_antecedents(&attributes, &classes, parameters.rule_length, least_count, &mut |x: Antecedent<'_>| {
            for (value, &exceptions) in x.classes.iter().enumerate() {
                if x.count >= least_counts[value] && parameters.is_confident(x.count, exceptions) {
                    rules.push(NegativeRule {
                        antecedent: x.conditions.to_vec(),
                        value: value as u32,
                        count: x.count,
                        exceptions,
                        expectation: 1.0 - powf(1.0 - shares[value], x.count),
                        redundant: false,
                    });
                }
            }
            true
        });
        let mut mined = Self { microdata, attributes, rules };
        mined.mark_redundant();
        if !parameters.redundant {
            mined.rules.retain(|rule| !rule.redundant);
        }
        Ok(mined)
    }

    fn mark_redundant(&mut self) {
        let known: FxHashSet<(&[Condition], u32)> =
            self.rules.iter().map(|rule| (rule.antecedent.as_slice(), rule.value)).collect();
        let redundant: Vec<bool> = self
            .rules
            .iter()
            .map(|rule| {
                let more_general = |x: &[Condition]| x != rule.antecedent && known.contains(&(x, rule.value));
                any_generalization(&self.attributes, &rule.antecedent, &mut Vec::new(), &more_general)
            })
            .collect();
        for (rule, redundant) in self.rules.iter_mut().zip(redundant) {
            rule.redundant = redundant;
        }
    }

    /// How many rules say nothing that a more general one does not.
    pub fn redundant(&self) -> usize {
        self.rules.iter().filter(|rule| rule.redundant).count()
    }
}

/// Whether `test` accepts `prefix` followed by any generalization of `rest`: each condition as it is, above it in its
/// hierarchy, or left out.
fn any_generalization(
    attributes: &[AttributeValues<'_>],
    rest: &[Condition],
    prefix: &mut Vec<Condition>,
    test: &impl Fn(&[Condition]) -> bool,
) -> bool {
    let Some((&first, rest)) = rest.split_first() else { return test(prefix) };
    if any_generalization(attributes, rest, prefix, test) {
        return true;
    }
    let above = attributes[first.attribute as usize].above(first.value);
    std::iter::once(first.value).chain(above).any(|value| {
        prefix.push(Condition { attribute: first.attribute, value });
        let found = any_generalization(attributes, rest, prefix, test);
        prefix.pop();
        found
    })
}
