//! When a pattern is a rule, and what a publisher of rules promises.

use crate::lab::{Decimal, wide_product};
use serde::{Deserialize, Serialize};

/// When a pattern Q ⇒ X is a rule. Part of the release: the public knows what was mined for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// s: the least share of all records that have Q and X.
    pub support: f64,
    /// c: the least share of the records with Q that have X.
    pub confidence: f64,
    /// The confidence must exceed c, not only reach it.
    pub strict_confidence: bool,
    /// s times the number of records is rounded down to a whole number of records.
    pub round_down: bool,
    /// ∅ ⇒ X is a pattern like others.
    pub empty_antecedent: bool,
}

impl Thresholds {
    /// s in records. Need not be whole, unless it is rounded down.
    pub fn support_in_records(&self, records: u64) -> f64 {
        let bound = share_of(self.support, records);
        if self.round_down { bound.floor() } else { bound }
    }

    /// max(s, c·P(Q)) in records, for an antecedent of `antecedent_count` records: a rule has at least so many records
    /// with Q and X, a pattern that is none at most (formulas 3 and 6 of the paper).
    pub fn bound(&self, antecedent_count: u64, records: u64) -> f64 {
        match self.support_decides(antecedent_count, records) {
            true => self.support_in_records(records),
            false => share_of(self.confidence, antecedent_count),
        }
    }

    /// c·P(Q) ≤ s, for the decimals as they are written: 0.9 of 2 records are not more than 0.6 of 3, though the products of
    /// the nearest binary fractions are.
    pub fn support_decides(&self, antecedent_count: u64, records: u64) -> bool {
        let exactly = || {
            let (c, c_places) = Decimal::share(self.confidence)?.parts();
            let support = Decimal::share(self.support)?;
            let (s, s_places) = match self.round_down {
                true => (u128::from(support.floor_of(records)), 0),
                false => (u128::from(support.parts().0) * u128::from(records), support.parts().1),
            };
            let (c_scale, s_scale) = (10u128.checked_pow(c_places)?, 10u128.checked_pow(s_places)?);
            Some(wide_product(u128::from(c) * u128::from(antecedent_count), s_scale) <= wide_product(s, c_scale))
        };
        // Shares below 10^-21 tie with nothing.
        exactly().unwrap_or_else(|| share_of(self.confidence, antecedent_count) <= self.support_in_records(records))
    }

    /// The fewest records with Q and X that make a rule of an antecedent of `antecedent_count` records.
    pub fn least_count(&self, antecedent_count: u64, records: u64) -> u64 {
        let confident = share_of(self.confidence, antecedent_count);
        let confident = if self.strict_confidence { confident.floor() as u64 + 1 } else { confident.ceil() as u64 };
        confident.max(self.support_in_records(records).ceil() as u64).max(1)
    }
}

/// `share · count`; a whole number when some whole number of `count` has exactly this share, as 8 of 10 have 0.8, which
/// binary fractions alone would miss.
fn share_of(share: f64, count: u64) -> f64 {
    let product = share * count as f64;
    let whole = product.round();
    if whole / count as f64 == share { whole } else { product }
}

/// What a publisher of rules promises.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RulesStated {
    /// What it takes for a pattern to be a rule.
    pub thresholds: Thresholds,
    /// Exact counts stand beside the rules.
    pub exact: bool,
    /// Whether the distribution of the sensitive attribute is published.
    pub sensitive_distribution: bool,
    /// Only the first so many by confidence.
    pub first: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thresholds(support: f64, confidence: f64) -> Thresholds {
        Thresholds { support, confidence, strict_confidence: false, round_down: false, empty_antecedent: false }
    }

    #[test]
    fn thresholds_are_the_decimals_they_are_written_as() {
        let t = thresholds(0.3, 0.8);
        assert_eq!(t.least_count(10, 12), 8, "8 of 10 is 0.8, and 3.6 of 12 records are needed");
        assert_eq!(t.least_count(4, 12), 4);
        assert_eq!(Thresholds { strict_confidence: true, ..t }.least_count(10, 12), 9);
        // 0.07 · 100 is 7.000000000000001 in binary.
        assert_eq!(thresholds(0.07, 0.5).least_count(1, 100), 7);
        assert_eq!(thresholds(0.02, 0.6).least_count(700, 30162), 604);
        assert_eq!(Thresholds { round_down: true, ..thresholds(0.02, 0.6) }.least_count(700, 30162), 603);
    }

    #[test]
    fn a_tie_of_support_and_confidence_is_one() {
        // In binary 0.9 · 2 is more than 0.6 · 3.
        let t = thresholds(0.6, 0.9);
        assert!(t.support_decides(2, 3) && !t.support_decides(3, 3));
        assert_eq!(t.bound(2, 3), 0.6 * 3.0);
        // 0.7 · 10 records are 7, and 7 is 0.35 of 20.
        assert!(thresholds(0.35, 0.7).support_decides(10, 20));
        assert!(
            Thresholds { round_down: true, ..thresholds(0.39, 0.7) }.support_decides(10, 20),
            "7.8 is rounded to 7"
        );
        assert!(!Thresholds { round_down: true, ..thresholds(0.39, 0.7) }.support_decides(11, 20));
        assert!(thresholds(1e-300, 1e-300).support_decides(5, 6));
    }

    #[test]
    fn bounds_are_the_larger_of_support_and_confidence() {
        let t = thresholds(0.1, 0.6);
        assert_eq!(t.bound(10_000, 30_162), 6_000.0);
        assert_eq!(t.bound(100, 30_162), 0.1 * 30_162.0);
        assert_eq!(Thresholds { round_down: true, ..t }.bound(100, 30_162), 3_016.0);
    }
}
