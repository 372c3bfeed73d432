//! Points of one side beside the points of the other that they are compared with.

use super::Case;
use super::points::{ClaimPoint, Selection, estimate};
use crate::report::observations::{ALGORITHM, AT, DATASET, KeyValues, Swept, is_noisy, paired};
use crate::report::value::Value;
use crate::spec::claim::Other;
use crate::spec::draw::{Statistic, function};
use crate::statistics::{Estimated, Interval, ratio};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct Pair {
    pub ours: ClaimPoint,
    pub theirs: ClaimPoint,
    /// The keys of both, each column as the side tells it to which it applies.
    pub key: KeyValues,
    /// Both are times, or other costs that differ from run to run.
    pub noisy: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum PairedValue {
    Difference,
    Quotient,
}

impl PairedValue {
    fn of(self, ours: f64, theirs: f64) -> f64 {
        match self {
            Self::Difference => ours - theirs,
            Self::Quotient => ours / theirs,
        }
    }
}

/// Every two points that differ in nothing but what the comparison is about, so of one algorithm unless it is about another. A column in which one side does not vary (its
/// entry fixes the parameter, or it has none) is part of who that side is, and parts nobody.
pub fn pairs(ours: &[ClaimPoint], own: &Selection, other: &Other, case: &Case) -> Vec<Pair> {
    let others = own.other(other);
    let theirs = others.points(case);
    let noisy = is_noisy(&own.metric) && is_noisy(&others.metric);
    let compared: Vec<bool> = case
        .observations
        .columns
        .iter()
        .enumerate()
        .map(|(column, name)| !((column == ALGORITHM && other.algorithm.is_some()) || other.only.contains_key(name)))
        .collect();
    let swept = Swept::of(case.observations);
    // Data and the place along a measure's own axis always part points: what is fixed are parameters.
    let varies = |key: &KeyValues, column: usize| {
        let name = &case.observations.columns[column];
        [DATASET, AT].contains(&column) || swept.varies(&key[ALGORITHM], name)
    };
    let fixed = |a: &KeyValues, b: &KeyValues, column: usize| {
        let parameter = column != ALGORITHM && a[ALGORITHM] != b[ALGORITHM];
        parameter && !(varies(a, column) && varies(b, column))
    };
    let agree = |a: &KeyValues, b: &KeyValues| {
        (0..a.len()).all(|column| !compared[column] || a[column].agrees(&b[column]) || fixed(a, b, column))
    };
    let mut pairs = Vec::new();
    for our in ours {
        for their in theirs.iter().filter(|their| agree(&our.key, &their.key)) {
            let place = |column: usize| match (&our.key[column], &their.key[column]) {
                (ours, theirs) if ours.is_none() || (compared[column] && varies(&their.key, column)) => theirs,
                (ours, _) => ours,
            };
            let mut key: KeyValues = (0..our.key.len()).map(|column| place(column).clone()).collect();
            // The algorithm of a comparison is said by the claim.
            key[ALGORITHM] = our.key[ALGORITHM].clone();
            if other.algorithm.is_some() && own.algorithms.len() < 2 {
                key[ALGORITHM] = Value::None;
            }
            pairs.push(Pair { ours: our.clone(), theirs: their.clone(), key, noisy });
        }
    }
    pairs
}

impl Pair {
    /// The ratio of times, from the rounds that both sides have; None where there are fewer than two.
    fn ratio(&self) -> Option<Estimated> {
        let both = |(run, &ours): (&i64, &f64)| Some((ours, *self.theirs.values.get(run)?));
        let rounds: Vec<(f64, f64)> = self.ours.values.iter().filter_map(both).collect();
        if self.noisy && rounds.len() > 1 { ratio(&rounds) } else { None }
    }

    /// The difference (or quotient) repetition by repetition, which is sharper than comparing two intervals: both sides
    /// of a repetition face the same draws.
    pub fn combined(&self, theirs_times: f64, combination: PairedValue) -> BTreeMap<i64, f64> {
        let pairs = paired(&self.ours.values, &self.theirs.values).into_iter();
        pairs.map(|(run, ours, theirs)| (run, combination.of(ours, theirs_times * theirs))).collect()
    }

    /// ours − times·theirs, from paired repetitions, or from the ends of the intervals where a side was stopped at a limit.
    /// Of times that were taken in the same rounds it is their ratio that tells, at the median of theirs.
    pub fn difference(&self, times: f64, statistic: Statistic) -> Option<Estimated> {
        if let Some(ratio) = self.ratio() {
            let theirs = function(statistic)(&self.theirs.sample());
            return Some(ratio.difference_from(times, theirs));
        }
        let values: Vec<f64> = self.combined(times, PairedValue::Difference).into_values().collect();
        if let Some(estimate) = estimate(&values, statistic) {
            return Some(estimate);
        }
        let (ours, theirs) = (self.ours.estimate(statistic)?, self.theirs.estimate(statistic)?);
        let ends = |ours: f64, theirs: f64| ours - times * theirs;
        Some(Estimated {
            value: ends(ours.value, theirs.value),
            interval: Interval {
                low: ends(ours.interval.low, theirs.interval.high),
                high: ends(ours.interval.high, theirs.interval.low),
            },
        })
    }
}

/// The points of a claim that judges a difference or a quotient.
pub fn combined(ours: &[ClaimPoint], own: &Selection, other: &Other, case: &Case, how: PairedValue) -> Vec<ClaimPoint> {
    pairs(ours, own, other, case)
        .into_iter()
        .map(|pair| ClaimPoint {
            values: pair.combined(1.0, how),
            hole: pair.ours.hole.clone().or(pair.theirs.hole.clone()),
            missing: pair.ours.missing.or(pair.theirs.missing),
            censored_at: None,
            key: pair.key,
        })
        .collect()
}
