//! Two contenders over the same blocks.

use super::blocks::{Values, paired};
use super::significance::signed_rank_test;
use crate::lab::Better;
use crate::report::statistics::{bootstrap, median};
use serde::Serialize;

/// How a contender does against an opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duel {
    pub opponent: String,
    /// Values that stand beside each other: same data, same parameters, same repetition.
    pub pairs: usize,
    pub wins: usize,
    pub ties: usize,
    pub losses: usize,
    /// The median of the differences, own value less the opponent's, with a bootstrap interval at 95 %.
    pub difference: f64,
    pub low: f64,
    pub high: f64,
    /// The median of own values relative to that of the opponent's; none where the opponent's is zero.
    pub relative: Option<f64>,
    /// Of the signed-rank test, two-sided.
    pub p: f64,
    /// After Holm, over all duels of the metric.
    pub p_adjusted: f64,
    pub verdict: Verdict,
}

/// What a duel shows, at 5 % after correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Better,
    Worse,
    /// Equal in every pair.
    Same,
    /// What difference there is may be chance, or there are too few pairs to tell.
    Undecided,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Undecided => "undecided",
        }
    }
}

pub const LEVEL: f64 = 0.05;

impl Duel {
    /// None when there is no pair. The verdict waits for the correction.
    pub fn fight<'a>(
        opponent: &str,
        better: Better,
        blocks: impl Iterator<Item = (&'a Values, &'a Values)>,
    ) -> Option<Self> {
        let pairs: Vec<(f64, f64)> = blocks.flat_map(|(ours, theirs)| paired(ours, theirs)).collect();
        if pairs.is_empty() {
            return None;
        }
        let differences: Vec<f64> = pairs.iter().map(|(ours, theirs)| ours - theirs).collect();
        let sign = if better == Better::Higher { 1.0 } else { -1.0 };
        let wins = differences.iter().filter(|difference| sign * **difference > 0.0).count();
        let ties = differences.iter().filter(|difference| **difference == 0.0).count();
        let interval = bootstrap(&differences, median);
        let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let (ours, theirs) = (median(&ours), median(&theirs));
        let p = signed_rank_test(&differences);
        Some(Self {
            opponent: opponent.to_string(),
            pairs: pairs.len(),
            wins,
            ties,
            losses: pairs.len() - wins - ties,
            difference: median(&differences),
            low: interval.low,
            high: interval.high,
            relative: (theirs != 0.0).then(|| (ours - theirs) / theirs.abs()),
            p,
            p_adjusted: p,
            verdict: Verdict::Undecided,
        })
    }

    /// Settles the duel with the corrected p.
    pub fn settle(&mut self, p_adjusted: f64) {
        self.p_adjusted = p_adjusted;
        self.verdict = match () {
            () if self.ties == self.pairs => Verdict::Same,
            () if p_adjusted > LEVEL => Verdict::Undecided,
            () if self.wins > self.losses => Verdict::Better,
            () => Verdict::Worse,
        };
    }
}
