//! The statistics of runs, reports and comparisons, in one place. Nothing here depends on a clock or a hash: the bootstrap
//! draws from a fixed seed, so the same values give the same interval to the last bit.

mod growth;
mod intervals;
mod share;
mod significance;
mod welch;

pub use growth::{GrowthFit, growth};
pub use intervals::{Estimated, paired, ratio};
pub use share::share_interval;
pub use significance::{critical_difference, fewest, friedman_test, holm, ranks, signed_rank_test, testable};
pub use welch::welch_test;

use crate::lab::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Resamples of a bootstrap. At 95 % the ends are the 26th smallest and largest of them: 25 lie beyond each.
const RESAMPLES: usize = 1_000;
const LEVEL: f64 = 0.95;

/// The middle value; of an even number of values the mean of the two in the middle. NaN of none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    median_of(&mut sorted)
}

fn median_of(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// Without overflow, and exactly `a` when both are.
fn midpoint(a: f64, b: f64) -> f64 {
    if a == b { a } else { a / 2.0 + b / 2.0 }
}

/// NaN of none.
pub fn mean(values: &[f64]) -> f64 {
    match values {
        [first, rest @ ..] if rest.iter().all(|value| value == first) => *first,
        _ => values.iter().sum::<f64>() / values.len() as f64,
    }
}

/// A range a number is believed to be in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    #[cfg(test)]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The percentile bootstrap interval (95 %) of a statistic. One value, or values that are all the same, give that value:
/// what repeats exactly is known exactly.
pub fn bootstrap(values: &[f64], statistic: fn(&[f64]) -> f64) -> Interval {
    if values.windows(2).all(|pair| pair[0] == pair[1]) {
        return Interval::exactly(values.first().copied().unwrap_or(f64::NAN));
    }
    let mut rng = resampling();
    let mut resample = vec![0.0; values.len()];
    let mut results: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            draw(values, &mut resample, &mut rng);
            statistic(&resample)
        })
        .collect();
    percentile_interval(&mut results)
}

/// The stream every bootstrap draws from.
pub fn resampling() -> ChaCha8Rng {
    Seed(0).stream("bootstrap", &())
}

/// Fills `resample` with values drawn with replacement.
pub fn draw(values: &[f64], resample: &mut [f64], rng: &mut ChaCha8Rng) {
    for slot in resample {
        *slot = values[rng.random_range(0..values.len())];
    }
}

fn percentile_interval(results: &mut [f64]) -> Interval {
    results.sort_unstable_by(f64::total_cmp);
    let cut = ((1.0 - LEVEL) / 2.0 * results.len() as f64).round() as usize;
    Interval { low: results[cut], high: results[results.len() - 1 - cut] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians_and_means() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(mean(&[0.1; 10]), 0.1);
    }

    #[test]
    fn a_bootstrap_is_exact_where_values_repeat_and_covers_the_middle_elsewhere() {
        assert_eq!(bootstrap(&[2.0; 5], median), Interval::exactly(2.0));
        assert_eq!(bootstrap(&[2.0], mean), Interval::exactly(2.0));
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let interval = bootstrap(&values, mean);
        // The standard error of this mean is 2.89.
        assert!((interval.low - (49.5 - 5.66)).abs() < 0.6, "{interval:?}");
        assert!((interval.high - (49.5 + 5.66)).abs() < 0.6, "{interval:?}");
        assert_eq!(interval, bootstrap(&values, mean));
    }

    proptest! {
        #[test]
        fn intervals_are_ordered_and_within_the_values(values in prop::collection::vec(-1e6f64..1e6, 1..20)) {
            let interval = bootstrap(&values, median);
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(low <= interval.low && interval.low <= interval.high && interval.high <= high);
            prop_assert!(low <= median(&values) && median(&values) <= high);
        }
    }
}
