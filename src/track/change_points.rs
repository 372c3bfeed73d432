//! Where a series of values changes its level.
//!
//! Exact values change where they differ. Noisy ones are parted into stretches of one level each by the partition with
//! the least sum of squares plus a price for every further stretch (optimal partitioning, Jackson et al. 2005: O(n²) for
//! n values). Before that each value gives way to the median of itself and its neighbours: a single disturbed run vanishes,
//! and a step stays where it is. The price rises with the noise, taken from neighbours' differences, which a change of level
//! hardly moves. Of 30 runs without a change one in two hundred shows one, at any noise.

use super::rules::Lane;
use crate::statistics::median;

/// A new level, from this place on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub at: usize,
    /// The medians of the stretches before and after.
    pub before: f64,
    pub after: f64,
}

/// A level needs so many values: one run alone may have been disturbed.
const SHORTEST: usize = 3;
/// The price of a stretch in units of noise² · ln n.
const PRICE: f64 = 10.0;
/// Times do not repeat better than this, whatever few values say.
const LEAST_NOISE: f64 = 0.01;

pub fn change_points(values: &[f64], lane: Lane) -> Vec<Change> {
    let starts = match lane {
        Lane::Exact => (1..values.len()).filter(|&i| values[i].to_bits() != values[i - 1].to_bits()).collect(),
        Lane::Noisy => levels(values),
    };
    let bounds: Vec<usize> = [0].into_iter().chain(starts).chain([values.len()]).collect();
    bounds
        .windows(3)
        .map(|stretch| Change {
            at: stretch[1],
            before: median(&values[stretch[0]..stretch[1]]),
            after: median(&values[stretch[1]..stretch[2]]),
        })
        .collect()
}

/// Where new levels start.
fn levels(values: &[f64]) -> Vec<usize> {
    let n = values.len();
    if n < 2 * SHORTEST || values.iter().any(|&value| value <= 0.0 || !value.is_finite()) {
        return Vec::new();
    }
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let price = PRICE * noise(&logs).max(LEAST_NOISE).powi(2) * (n as f64).ln();
    let logs = without_outliers(&logs);
    let (mut sums, mut squares) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    for (i, log) in logs.iter().enumerate() {
        sums[i + 1] = sums[i] + log;
        squares[i + 1] = squares[i] + log * log;
    }
    let cost = |from: usize, to: usize| {
        let sum: f64 = sums[to] - sums[from];
        squares[to] - squares[from] - sum * sum / (to - from) as f64
    };
    // best[i]: the least cost of the first i values, and where their last stretch starts.
    let mut best = vec![(f64::INFINITY, 0); n + 1];
    best[0] = (-price, 0);
    for to in SHORTEST..=n {
        for from in (0..=to - SHORTEST).filter(|&from| from == 0 || from >= SHORTEST) {
            let total = best[from].0 + cost(from, to) + price;
            if total < best[to].0 {
                best[to] = (total, from);
            }
        }
    }
    let mut starts = Vec::new();
    let mut at = best[n].1;
    while at > 0 {
        starts.push(at);
        at = best[at].1;
    }
    starts.reverse();
    starts
}

/// Each value, or the middle one of it and its neighbours; at the ends, of the three there.
fn without_outliers(values: &[f64]) -> Vec<f64> {
    let last = values.len() - SHORTEST;
    (0..values.len())
        .map(|i| i.saturating_sub(1).min(last))
        .map(|from| median(&values[from..from + SHORTEST]))
        .collect()
}

/// The standard deviation of noise around a level, from the median of the differences of neighbours.
pub(super) fn noise(logs: &[f64]) -> f64 {
    let differences: Vec<f64> = logs.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    // A normal deviate is within 0.6745 standard deviations half of the time; a difference of two has √2 times theirs.
    if differences.is_empty() { 0.0 } else { median(&differences) / 0.6745 / std::f64::consts::SQRT_2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Seed;
    use rand::RngExt;

    fn noisy(seed: u64, levels: &[(usize, f64)], share: f64) -> Vec<f64> {
        let mut rng = Seed(seed).stream("noise", &());
        let level = |&(count, level): &(usize, f64)| vec![level; count];
        levels.iter().flat_map(level).map(|value| value * (1.0 + share * (2.0 * rng.random::<f64>() - 1.0))).collect()
    }

    #[test]
    fn exact_values_change_where_they_differ() {
        let changes = change_points(&[1.0, 1.0, 2.0, 2.0, 1.0], Lane::Exact);
        assert_eq!(changes.iter().map(|change| change.at).collect::<Vec<_>>(), [2, 4]);
        assert_eq!((changes[0].before, changes[0].after), (1.0, 2.0));
        assert_eq!(change_points(&[], Lane::Exact), []);
        assert_eq!(change_points(&[1.0], Lane::Noisy), []);
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        for seed in 0..20 {
            let changes = change_points(&noisy(seed, &[(12, 1.0), (10, 1.3), (8, 0.9)], 0.05), Lane::Noisy);
            let at: Vec<usize> = changes.iter().map(|change| change.at).collect();
            assert_eq!(at, [12, 22], "seed {seed}");
        }
    }

    #[test]
    fn noise_and_a_single_outlier_are_no_change() {
        let changed = (0..100).filter(|&seed| !change_points(&noisy(seed, &[(30, 1.0)], 0.1), Lane::Noisy).is_empty());
        assert!(changed.count() <= 2);
        let mut outlier = noisy(1, &[(20, 1.0)], 0.05);
        outlier[10] = 1.3;
        assert_eq!(change_points(&outlier, Lane::Noisy), []);
    }
}
