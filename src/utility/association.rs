//! Positive association rules X ⇒ s between quasi-identifier values and a sensitive value, in the original and as an
//! analyst reconstructs them from buckets: T. Li, N. Li, "Injector", ICDE 2008, Section VI-C.
//!
//! A rule has sufficient support and conviction, P(X)·P(¬Y) / P(X ∧ ¬Y) [Brin et al. 1997]. (The paper prints P(X ∪ Y)
//! below the line; with that, a rule that never fails would be the least interesting.)
//!
//! Readings. X has up to three values of the table, Y is one sensitive value; support (of X and Y together) at least 1 %
//! and conviction at least 1 unless asked otherwise: the paper names no thresholds. X is published exactly, so only the
//! counts of X with Y differ between original and release: a tuple of group g has value s with the share of s in g.
//!
//! Cost. One pass for both tables: a row counts for its true value and, in further classes, for the values of its group.

use super::reconstruction::GroupShares;
use crate::data::{Dataset, Microdata};
use crate::lab::LabError;
use crate::mining::{Antecedent, AttributeValues, Classes, visit_antecedents};
use crate::release::Release;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which association rules count as found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AssociationParameters {
    /// The largest number of quasi-identifier values in a rule.
    #[schemars(range(min = 1))]
    pub rule_length: usize,
    /// The least share of the rows that have antecedent and consequent.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub min_support: f64,
    /// The least conviction: how many times oftener the rule would fail if its sides were independent.
    #[schemars(range(min = 0.0))]
    pub min_conviction: f64,
}

impl Default for AssociationParameters {
    fn default() -> Self {
        Self { rule_length: 3, min_support: 0.01, min_conviction: 1.0 }
    }
}

/// A candidate rule X ⇒ s with what both tables say of it.
pub(super) struct Association {
    pub(super) original: Side,
    pub(super) release: Side,
}

/// A rule in one table.
pub(super) struct Side {
    /// C_X[s].
    pub(super) count: f64,
    pub(super) is_rule: bool,
}

/// Visits every X ⇒ s that is a rule in the original or in the release, and returns how many rules the original has.
pub(super) fn visit_associations(
    original: &Dataset,
    release: Option<&Release>,
    parameters: &AssociationParameters,
    visit: &mut impl FnMut(Association),
) -> Result<usize, LabError> {
    let microdata = original.microdata()?;
    let shares = GroupShares::of_release(microdata, release)?;
    let thresholds = Thresholds::new(microdata, parameters)?;
    let attributes: Vec<AttributeValues<'_>> =
        (0..microdata.quasi_identifiers.len()).map(|i| AttributeValues::leaves(microdata, i)).collect();
    let domain = thresholds.consequents.len();
    let classes = TrueAndReconstructed { values: microdata.sensitive_codes(), shares, domain };
    let mut rules = 0;
    let max_len = parameters.rule_length;
    visit_antecedents(&attributes, &classes, max_len, thresholds.count, &mut |x: Antecedent<'_>| {
        let (truth, reconstructed) = x.classes.split_at(domain);
        for (value, (&true_count, &count)) in truth.iter().zip(reconstructed).enumerate() {
            let side = |count: f64| Side { count, is_rule: thresholds.is_rule(x.count, value, count) };
            let association = Association { original: side(true_count), release: side(count) };
            rules += usize::from(association.original.is_rule);
            if association.original.is_rule || association.release.is_rule {
                visit(association);
            }
        }
    });
    if rules == 0 {
        return Err(LabError::no_answer(format!(
            "the original has no association rule with support {} and conviction {}; lower `min_support` or `min_conviction`",
            parameters.min_support, parameters.min_conviction
        )));
    }
    Ok(rules)
}

struct Thresholds {
    rows: f64,
    count: f64,
    conviction: f64,
    /// Rows of each sensitive value, the same in both tables.
    consequents: Vec<f64>,
}

/// Sums of shares that should be whole numbers are so up to a hair; the hair decides nothing.
const HAIR: f64 = 1e-9;

impl Thresholds {
    fn new(microdata: &Microdata, parameters: &AssociationParameters) -> Result<Self, LabError> {
        let &AssociationParameters { rule_length, min_support, min_conviction } = parameters;
        if microdata.rows() == 0 {
            return Err(LabError::input("the table has no rows to mine rules from"));
        }
        if rule_length == 0 {
            return Err(LabError::input("`rule_length` must be at least 1, not 0"));
        }
        if !(min_support > 0.0 && min_support <= 1.0) {
            return Err(LabError::input(format!("`min_support` must be above 0 and at most 1, not {min_support}")));
        }
        if min_conviction.is_nan() || min_conviction < 0.0 {
            return Err(LabError::input(format!("`min_conviction` must be at least 0, not {min_conviction}")));
        }
        let rows = microdata.rows() as f64;
        let histogram = microdata.table.columns[microdata.sensitive].histogram();
        Ok(Self {
            rows,
            count: min_support * rows * (1.0 - HAIR),
            conviction: min_conviction,
            consequents: histogram.into_iter().map(|count| count as f64).collect(),
        })
    }

    fn is_rule(&self, antecedent: f64, value: usize, both: f64) -> bool {
        // C_X · (n − C_Y) ≥ conviction · n · (C_X − C_XY), without the division by what may be 0.
        let independent = antecedent * (self.rows - self.consequents[value]);
        let failing = self.rows * (antecedent - both);
        both >= self.count && independent + HAIR * antecedent * self.rows >= self.conviction * failing
    }
}

/// A row is in the class of its true value and, behind those, in the classes of its group's values with their shares.
struct TrueAndReconstructed<'a> {
    values: &'a [u32],
    shares: GroupShares<'a>,
    domain: usize,
}

impl Classes for TrueAndReconstructed<'_> {
    fn classes(&self) -> usize {
        2 * self.domain
    }

    fn add(&self, row: u32, weight: f64, counts: &mut [f64]) {
        counts[self.values[row as usize] as usize] += weight;
        for (value, share) in self.shares.of_row(row) {
            counts[self.domain + value as usize] += weight * share;
        }
    }
}
