//! Intervals (95 %) of paired differences that keep their level for few values.
//!
//! From five values on, the interval is the one that Wilcoxon's signed-rank test does not reject: its level is known
//! exactly for every distribution of differences that is symmetric, heavy tails and outliers included, and the noise of
//! two samples of the same work is symmetric whatever each sample's own noise looks like. It is at least 95 % from six
//! values on, and 93.75 % for five. For fewer, Student's t stands in. The tests simulate them, and what was not chosen:
//! Student's t for five values and more (wider than it says where there are outliers) and the percentile bootstrap.

use super::significance::signed_rank_tail;
use super::{Interval, mean, median};

/// What lies outside of an interval, on both sides together.
const OUTSIDE: f64 = 0.05;
/// Student's t at 97.5 % for 1 to 4 degrees of freedom.
const STUDENT: [f64; 4] = [12.706, 4.303, 3.182, 2.776];
/// So many values have no interval of ranks at 95 %, but one at 93.75 %: all of their range.
const JUST_BELOW: usize = 5;

/// A number with the interval it is believed to be in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimated {
    pub value: f64,
    pub interval: Interval,
}

impl Estimated {
    /// Of a ratio to something: the difference from so many times it, where it is `theirs`.
    pub fn difference_from(&self, times: f64, theirs: f64) -> Self {
        let at = |ratio: f64| (ratio - times) * theirs;
        let interval = Interval { low: at(self.interval.low), high: at(self.interval.high) };
        Self { value: at(self.value), interval }
    }
}

/// The middle of paired differences: the median of all means of two of them (Hodges and Lehmann). None of none; one
/// value has an interval without ends, and values that are all the same are known exactly.
pub fn paired(differences: &[f64]) -> Option<Estimated> {
    let (&first, rest) = differences.split_first()?;
    if !rest.is_empty() && rest.iter().all(|value| *value == first) {
        return Some(Estimated { value: first, interval: Interval::exactly(first) });
    }
    let mut sorted = differences.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let means = n * (n + 1) / 2;
    let cut = if n == JUST_BELOW { Some(0) } else { signed_rank_tail(n, OUTSIDE / 2.0) };
    let interval = match cut {
        Some(cut) => Interval { low: smallest_mean(&sorted, cut + 1), high: smallest_mean(&sorted, means - cut) },
        None => student(&sorted),
    };
    let value = match n {
        1..JUST_BELOW => median(&sorted),
        _ => super::midpoint(smallest_mean(&sorted, means.div_ceil(2)), smallest_mean(&sorted, means / 2 + 1)),
    };
    // With three or four values a median may lie beside an interval around their mean.
    let interval = Interval { low: interval.low.min(value), high: interval.high.max(value) };
    Some(Estimated { value, interval })
}

/// The ratio ours ÷ theirs of paired times, from the differences of their logarithms. None where there is no pair, or a
/// time that is not above zero.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Estimated> {
    if pairs.iter().any(|&(ours, theirs)| !(ours > 0.0 && theirs > 0.0)) {
        return None;
    }
    let logarithms: Vec<f64> = pairs.iter().map(|(ours, theirs)| (ours / theirs).ln()).collect();
    let found = paired(&logarithms)?;
    let Interval { low, high } = found.interval;
    Some(Estimated { value: found.value.exp(), interval: Interval { low: low.exp(), high: high.exp() } })
}

/// Around the mean of a few values; without ends for one.
fn student(values: &[f64]) -> Interval {
    let n = values.len();
    let Some(t) = n.checked_sub(2).and_then(|index| STUDENT.get(index)) else {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    };
    let middle = mean(values);
    let variance = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (n - 1) as f64;
    let half = t * (variance / n as f64).sqrt();
    Interval { low: middle - half, high: middle + half }
}

/// The `rank`-th smallest (from 1) of the means of any two of `sorted`, each value with itself included. Found by halving
/// the range of numbers: there may be millions of means, and each step counts them in one pass.
fn smallest_mean(sorted: &[f64], rank: usize) -> f64 {
    let up_to = |bound: f64| {
        let (mut count, mut end) = (0, sorted.len());
        for (start, low) in sorted.iter().enumerate() {
            while end > start && low / 2.0 + sorted[end - 1] / 2.0 > bound {
                end -= 1;
            }
            if end <= start {
                break;
            }
            count += end - start;
        }
        count
    };
    let (mut low, mut high) = (order(sorted[0]), order(sorted[sorted.len() - 1]));
    while low < high {
        let middle = low + (high - low) / 2;
        match up_to(from_order(middle)) >= rank {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    from_order(low)
}

/// Numbers as integers in the same order.
fn order(value: f64) -> i128 {
    let bits = value.to_bits() as i64;
    i128::from(if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits })
}

fn from_order(order: i128) -> f64 {
    let order = order as i64;
    f64::from_bits(if order < 0 { i64::MIN.wrapping_sub(order) } else { order } as u64)
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap;
    use super::*;
    use crate::lab::Seed;
    use proptest::prelude::*;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn intervals_are_those_worked_out_by_hand() {
        // Six values: of the 21 means of two, the least and the largest are the ends (level 1 − 2/64).
        let six = paired(&[1.0, 2.0, 4.0, 5.0, 7.0, 11.0]).unwrap();
        assert_eq!((six.interval.low, six.interval.high), (1.0, 11.0));
        // The means in order: 1 1.5 2 2.5 3 3 3.5 4 4 4.5 | 4.5 | 5 5.5 6 6 6.5 7 7.5 8 9 11.
        assert_eq!(six.value, 4.5);
        // Eight: sums up to 3 have 1 + 1 + 1 + 2 = 5 of 256 chances, so the fourth mean from each end.
        let eight = paired(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
        assert_eq!((eight.interval.low, eight.value, eight.interval.high), (2.0, 4.5, 7.0));
        // Three: 2 ± 4.303·1/√3.
        let three = paired(&[1.0, 2.0, 3.0]).unwrap();
        assert!((three.interval.high - 4.484_33).abs() < 1e-4 && three.value == 2.0, "{three:?}");
        assert_eq!(paired(&[0.5; 4]).unwrap().interval, Interval::exactly(0.5));
        assert_eq!(paired(&[]), None);
        assert_eq!(paired(&[3.0]).unwrap().interval.high, f64::INFINITY, "one difference tells no spread");
    }

    #[test]
    fn a_ratio_is_that_of_the_logarithms() {
        let twice = ratio(&[(2.0, 1.0); 7]).unwrap();
        assert!((twice.value - 2.0).abs() < 1e-12);
        let around = ratio(&[(1.0, 2.0), (2.0, 1.0), (4.0, 1.0), (1.0, 4.0), (1.0, 1.0), (3.0, 3.0)]).unwrap();
        assert!((around.value - 1.0).abs() < 1e-12 && (around.interval.low - 0.25).abs() < 1e-12, "{around:?}");
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
    }

    /// What disturbs a time. Each gives one sample of the same work; `round` is from 0 to 1.
    #[derive(Debug, Clone, Copy)]
    enum Noise {
        Normal,
        LogNormal,
        Outliers,
        Drift,
    }

    const NOISES: [Noise; 4] = [Noise::Normal, Noise::LogNormal, Noise::Outliers, Noise::Drift];

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        let (u, v): (f64, f64) = (rng.random(), rng.random());
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    impl Noise {
        fn sample(self, round: f64, rng: &mut ChaCha8Rng) -> f64 {
            match self {
                Self::Normal => 1.0 + 0.05 * normal(rng),
                Self::LogNormal => (0.2 * normal(rng)).exp(),
                // One sample in ten is hit by something that takes up to several times as long.
                Self::Outliers => {
                    let hit = if rng.random::<f64>() < 0.1 { -(1.0 - rng.random::<f64>()).ln() } else { 0.0 };
                    (1.0 + 0.02 * normal(rng)) * (1.0 + hit)
                }
                // The machine gets slower by half while it is measured.
                Self::Drift => (1.0 + 0.02 * normal(rng)) * (1.0 + round / 2.0),
            }
        }

        /// Rounds of the same work under two names, in an order that chance decides.
        fn rounds(self, count: usize, slower: f64, rng: &mut ChaCha8Rng) -> Vec<(f64, f64)> {
            (0..count)
                .map(|round| {
                    let at = |place: usize| (2 * round + place) as f64 / (2 * count) as f64;
                    let first = usize::from(rng.random::<bool>());
                    (slower * self.sample(at(first), rng), self.sample(at(1 - first), rng))
                })
                .collect()
        }
    }

    /// How often the interval has the true ratio of 1 in it.
    fn coverage(noise: Noise, count: usize, interval: fn(&[(f64, f64)]) -> Interval, trials: usize) -> f64 {
        let mut rng = Seed(7).stream("coverage", &format!("{noise:?} {count}"));
        let covered = (0..trials).filter(|_| interval(&noise.rounds(count, 1.0, &mut rng)).contains(1.0)).count();
        covered as f64 / trials as f64
    }

    #[test]
    fn the_interval_of_a_ratio_keeps_its_level() {
        for noise in NOISES {
            for count in [5, 6, 8, 12, 30] {
                let found = coverage(noise, count, |pairs| ratio(pairs).unwrap().interval, 1_500);
                // Twice the error of a share of 1,500 is 0.01.
                assert!((0.93 - 0.01..=0.97 + 0.01).contains(&found), "{noise:?}, {count} rounds: {found}");
            }
        }
    }

    #[test]
    fn the_percentile_bootstrap_of_means_does_not_keep_it() {
        let interval = |pairs: &[(f64, f64)]| bootstrap(&pairs.iter().map(|p| p.0 / p.1).collect::<Vec<_>>(), mean);
        let found = coverage(Noise::Normal, 5, interval, 300);
        assert!(found < 0.9, "{found}");
    }

    #[test]
    fn students_t_is_too_wide_where_there_are_outliers() {
        let interval = |pairs: &[(f64, f64)]| {
            let Interval { low, high } = student(&pairs.iter().map(|p| (p.0 / p.1).ln()).collect::<Vec<_>>());
            Interval { low: low.exp(), high: high.exp() }
        };
        let found = coverage(Noise::Outliers, 5, interval, 1_500);
        assert!(found > 0.97, "{found}");
    }

    #[test]
    fn taking_more_rounds_until_the_interval_is_narrow_keeps_it_too() {
        let mut rng = Seed(8).stream("stopping", &());
        let trials = 300;
        let covered = (0..trials).filter(|_| {
            let all = Noise::Outliers.rounds(50, 1.0, &mut rng);
            let narrow = |count: usize| {
                let Interval { low, high } = ratio(&all[..count]).unwrap().interval;
                (high - low) / 2.0 <= 0.03
            };
            let enough = (6..50).find(|&count| narrow(count)).unwrap_or(50);
            ratio(&all[..enough]).unwrap().interval.contains(1.0)
        });
        let found = covered.count() as f64 / f64::from(trials);
        // Twice the error of a share of 300 is 0.025.
        assert!(found >= 0.95 - 0.025, "{found}");
    }

    #[test]
    fn five_percent_more_is_found_with_thirty_rounds() {
        let mut rng = Seed(9).stream("power", &());
        for noise in [Noise::Normal, Noise::Outliers, Noise::Drift] {
            let found = (0..200).filter(|_| ratio(&noise.rounds(30, 1.05, &mut rng)).unwrap().interval.low > 1.0);
            let found = found.count();
            assert!(found >= 160, "{noise:?}: {found} of 200");
        }
    }

    proptest! {
        #[test]
        fn means_of_two_are_ranked_as_if_they_were_listed(
            mut values in prop::collection::vec(-100i32..100, 1..20), rank in 0usize..400
        ) {
            values.sort();
            let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) / 4.0).collect();
            let mut means: Vec<f64> = Vec::new();
            for (i, a) in values.iter().enumerate() {
                means.extend(values[i..].iter().map(|b| a / 2.0 + b / 2.0));
            }
            means.sort_by(f64::total_cmp);
            let rank = rank % means.len();
            prop_assert_eq!(smallest_mean(&values, rank + 1), means[rank]);
        }

        #[test]
        fn swapping_sides_turns_the_interval_around(values in prop::collection::vec(-1e3f64..1e3, 1..25)) {
            let turned: Vec<f64> = values.iter().map(|value| -value).collect();
            let (one, other) = (paired(&values).unwrap(), paired(&turned).unwrap());
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9;
            prop_assert!(close(one.value, -other.value));
            prop_assert!(close(one.interval.low, -other.interval.high) && close(one.interval.high, -other.interval.low));
            prop_assert!(one.interval.contains(one.value));
        }
    }
}
