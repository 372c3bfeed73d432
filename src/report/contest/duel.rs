//! Two contenders over the same blocks.

use super::units::{DuelUnit, LEVEL, Sides, units};
use crate::lab::{Better, named};
use crate::report::observations::paired;
use crate::statistics::{self, median, signed_rank_test};
use serde::Serialize;

/// How a contender does against an opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duel {
    pub opponent: String,
    /// Values that stand beside each other: same data, same parameters, same repetition.
    pub pairs: usize,
    /// What the test counts, and how many there are of it: repetitions are averaged inside a unit.
    pub unit: DuelUnit,
    pub units: usize,
    /// Units, as are ties and losses.
    pub wins: usize,
    pub ties: usize,
    pub losses: usize,
    /// The middle of the differences, own value less the opponent's.
    pub difference: f64,
    /// Its interval at 95 %; none where there are too few units.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Of the signed-rank test, two-sided; none where there are too few units.
    pub p: Option<f64>,
    /// After Holm, over all duels of the metric that can decide anything.
    pub p_adjusted: Option<f64>,
    pub verdict: DuelVerdict,
}

named! {
    /// What a duel shows, at 5 % after correction.
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DuelVerdict {
        Better = "better",
        Worse = "worse",
        /// Equal in every pair.
        Same = "same",
        /// What difference there is may be chance.
        Undecided = "undecided",
        /// So few units that no difference between them could be told from chance.
        TooFew = "too few to tell",
    }
}

impl Duel {
    /// None when there is no pair. The verdict is which way it leans, until it is settled.
    pub fn fight(opponent: &str, better: Better, noisy: bool, blocks: &[Sides]) -> Option<Self> {
        let pairs: usize = blocks.iter().map(|(_, ours, theirs)| paired(ours, theirs).len()).sum();
        let (unit, units) = units(blocks, noisy);
        if units.is_empty() {
            return None;
        }
        let sign = if better == Better::Higher { 1.0 } else { -1.0 };
        let (wins, losses) = won_and_lost(better, &units);
        let theirs = median(&units.iter().map(|(_, theirs)| *theirs).collect::<Vec<_>>());
        let (scores, estimated) = scored(&units, noisy, theirs)?;
        // The middle of what the test looks at: where most units tie, that of all differences is zero, and leans nowhere.
        let decided: Vec<f64> = scores.iter().copied().filter(|score| *score != 0.0).collect();
        let leaning = statistics::paired(&decided).map_or(0.0, |decided| decided.value);
        Some(Self {
            opponent: opponent.to_string(),
            pairs,
            unit,
            units: units.len(),
            wins,
            ties: units.len() - wins - losses,
            losses,
            difference: estimated.value,
            low: Some(estimated.interval.low),
            high: Some(estimated.interval.high),
            p: Some(signed_rank_test(&scores)),
            p_adjusted: None,
            verdict: if sign * leaning > 0.0 { DuelVerdict::Better } else { DuelVerdict::Worse },
        })
    }

    /// At how many more units it wins than it loses.
    pub fn lead(better: Better, noisy: bool, blocks: &[Sides]) -> isize {
        let (_, units) = units(blocks, noisy);
        let (wins, losses) = won_and_lost(better, &units);
        wins as isize - losses as isize
    }

    /// Settles the duel with the corrected p; without one it had too few units to decide anything.
    pub fn settle(&mut self, p_adjusted: Option<f64>) {
        self.p_adjusted = p_adjusted;
        self.verdict = match p_adjusted {
            _ if self.ties == self.units => DuelVerdict::Same,
            None => DuelVerdict::TooFew,
            Some(p) if p > LEVEL => DuelVerdict::Undecided,
            Some(_) => self.verdict,
        };
        if p_adjusted.is_none() {
            (self.p, self.low, self.high) = (None, None, None);
        }
    }
}

fn won_and_lost(better: Better, units: &[(f64, f64)]) -> (usize, usize) {
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    let wins = units.iter().filter(|(ours, theirs)| sign * (ours - theirs) > 0.0).count();
    let losses = units.iter().filter(|(ours, theirs)| sign * (ours - theirs) < 0.0).count();
    (wins, losses)
}

/// What the test ranks, and the middle of the differences. Times are compared by their ratio, so that a long one does not
/// outweigh many short ones; the difference is then that ratio at the opponent's median.
fn scored(units: &[(f64, f64)], noisy: bool, theirs: f64) -> Option<(Vec<f64>, statistics::Estimated)> {
    if let (true, Some(ratio)) = (noisy, statistics::ratio(units)) {
        let scores = units.iter().map(|(ours, theirs)| (ours / theirs).ln()).collect();
        return Some((scores, ratio.difference_from(1.0, theirs)));
    }
    let differences: Vec<f64> = units.iter().map(|(ours, theirs)| ours - theirs).collect();
    let estimated = statistics::paired(&differences)?;
    Some((differences, estimated))
}
