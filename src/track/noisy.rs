//! How noisy numbers are judged: the interval of the ratio of paired samples, as for the claims of a run, against what the
//! metric tolerates and what its own history does by itself.

use super::comparison::{ChangeFinding, ChangeVerdict, Topic};
use super::history::History;
use super::rules::{Lane, rule};
use super::snapshot::CellId;
use crate::lab::Cost;
use crate::report::number::{number, with_unit};
use crate::statistics::{Estimated, Interval, median, ratio};

/// Fewer pairs than this tell nothing: no interval of ranks has four of them.
pub const FEWEST: usize = 5;
/// Shorter times than this are the clock's and the page faults', not the algorithm's.
const SHORTEST: f64 = 1e-3;
/// How many times the spread of its history a metric must move by: three standard deviations.
const SPREADS: f64 = 3.0;

/// The noisy metrics that are judged. Phases and measures are parts of them: each would be a further chance of a false
/// alarm about the same thing.
pub const JUDGED: [&str; 3] = [Cost::Seconds.name(), Cost::CpuSeconds.name(), Cost::PeakRssBytes.name()];

/// How far each cell's metrics have moved from run to run, by themselves, on this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spreads<'a> {
    pub history: Option<(&'a History, &'a str)>,
}

impl Spreads<'_> {
    /// The relative spread; None where there is no history to speak of.
    pub fn of(&self, cell: &CellId, metric: &str) -> Option<f64> {
        let (history, machine) = self.history?;
        history.spread(cell, metric, machine)
    }
}

/// What pairs of samples came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoisyJudgement {
    /// None: nothing moved.
    pub verdict: Option<ChangeVerdict>,
    pub ratio: f64,
    pub interval: Interval,
    /// The ratio beyond which it is a regression.
    pub limit: f64,
}

/// Judges pairs (before, after) of one metric. Worse is larger: all noisy metrics are costs.
pub fn judge(metric: &str, pairs: &[(f64, f64)], spread: Option<f64>) -> Result<NoisyJudgement, String> {
    if pairs.len() < FEWEST {
        return Err(format!("{} samples are too few to tell; {FEWEST} are the least", pairs.len()));
    }
    let typical = median(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    if rule(metric).unit == "s" && typical < SHORTEST {
        return Err(format!("{} is too short to be timed", plain(typical, metric)));
    }
    let turned: Vec<(f64, f64)> = pairs.iter().map(|&(before, after)| (after, before)).collect();
    let Some(Estimated { value, interval }) = ratio(&turned) else { return Err("a sample is zero".to_string()) };
    let limit = 1.0 + rule(metric).tolerance.max(SPREADS * spread.unwrap_or(0.0));
    let verdict = match () {
        () if interval.low > limit => Some(ChangeVerdict::Regression),
        () if interval.high < 1.0 / limit => Some(ChangeVerdict::Improved),
        () if interval.low >= 1.0 / limit && interval.high <= limit => None,
        () => Some(ChangeVerdict::Inconclusive),
    };
    Ok(NoisyJudgement { verdict, ratio: value, interval, limit })
}

/// The finding of a judgement, if there is anything to say.
pub fn finding(
    cell: &CellId,
    place: &str,
    metric: &str,
    pairs: &[(f64, f64)],
    judged: &Result<NoisyJudgement, String>,
) -> Option<ChangeFinding> {
    let middle = |side: fn(&(f64, f64)) -> f64| median(&pairs.iter().map(side).collect::<Vec<_>>());
    let (before, after) = (middle(|pair| pair.0), middle(|pair| pair.1));
    let (verdict, change, detail) = match judged {
        Ok(NoisyJudgement { verdict: None, .. }) => return None,
        Ok(NoisyJudgement { verdict: Some(verdict), ratio, interval, limit }) => (
            *verdict,
            Some(ratio - 1.0),
            format!(
                "{} → {}: ×{} [{}, {}] over {} pairs; up to ×{} is tolerated",
                plain(before, metric),
                plain(after, metric),
                number(*ratio),
                number(interval.low),
                number(interval.high),
                pairs.len(),
                number(*limit)
            ),
        ),
        Err(why) => (ChangeVerdict::Inconclusive, None, why.clone()),
    };
    let finite = |value: f64| value.is_finite().then_some(value);
    Some(ChangeFinding {
        lane: Lane::Noisy,
        metric: metric.to_string(),
        before: finite(before),
        after: finite(after),
        change,
        ..ChangeFinding::of_cell(verdict, Topic::Cost, cell, place.to_string(), detail)
    })
}

/// With its unit, on a terminal.
fn plain(value: f64, metric: &str) -> String {
    with_unit(value, rule(metric).unit).replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Seed;
    use rand::RngExt;

    /// Pairs of times around 20 ms whose noise has some share of them, `after` slower by a factor.
    fn pairs(seed: u64, count: usize, noise: f64, factor: f64) -> Vec<(f64, f64)> {
        let mut rng = Seed(seed).stream("noise", &());
        let mut sample = |factor: f64| 0.02 * factor * (1.0 + noise * (2.0 * rng.random::<f64>() - 1.0));
        (0..count).map(|_| (sample(1.0), sample(factor))).collect()
    }

    fn verdict(pairs: &[(f64, f64)], spread: Option<f64>) -> Option<ChangeVerdict> {
        judge("seconds", pairs, spread).unwrap().verdict
    }

    #[test]
    fn a_slowdown_of_three_tenths_is_found_in_ten_percent_noise() {
        let found =
            (0..100).filter(|&seed| verdict(&pairs(seed, 10, 0.1, 1.3), None) == Some(ChangeVerdict::Regression));
        assert!(found.count() >= 98);
        let faster =
            (0..100).filter(|&seed| verdict(&pairs(seed, 10, 0.1, 0.7), None) == Some(ChangeVerdict::Improved));
        assert!(faster.count() >= 98);
    }

    #[test]
    fn the_same_twice_raises_few_suspicions_even_in_much_noise() {
        let suspected =
            (0..1_000).filter(|&seed| verdict(&pairs(seed, 10, 0.3, 1.0), None) == Some(ChangeVerdict::Regression));
        assert!(suspected.count() <= 10, "a second look must make this rare");
    }

    #[test]
    fn too_few_too_short_and_too_wild_are_inconclusive() {
        assert_eq!(
            judge("seconds", &pairs(1, 4, 0.0, 1.0), None).unwrap_err(),
            "4 samples are too few to tell; 5 are the least"
        );
        assert_eq!(judge("seconds", &[(1e-5, 1e-4); 9], None).unwrap_err(), "10 µs is too short to be timed");
        assert_eq!(verdict(&pairs(1, 9, 0.0, 1.0), None), None);
        assert_eq!(
            verdict(&[(1.0, 0.7), (1.0, 1.4), (1.0, 0.8), (1.0, 1.5), (1.0, 1.2)], None),
            Some(ChangeVerdict::Inconclusive)
        );
    }

    #[test]
    fn a_metric_that_moves_by_itself_must_move_further() {
        let slower = pairs(1, 10, 0.02, 1.2);
        assert_eq!(verdict(&slower, None), Some(ChangeVerdict::Regression));
        assert_eq!(verdict(&slower, Some(0.02)), Some(ChangeVerdict::Regression));
        assert_ne!(verdict(&slower, Some(0.1)), Some(ChangeVerdict::Regression));
    }
}
