//! The statistics of reports and comparisons, in one place. Nothing here depends on a clock or a hash: the bootstrap
//! draws from a fixed seed, so the same values give the same interval to the last bit.

use crate::lab::Seed;
use crate::spec::draw::Statistic;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Resamples of a bootstrap. At 95 % the ends are the 25th smallest and largest of them.
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

/// The function a spec names.
pub fn function(statistic: Statistic) -> fn(&[f64]) -> f64 {
    match statistic {
        Statistic::Median => median,
        Statistic::Mean => mean,
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

/// The two-sided sign test: how likely `wins` against `losses` (ties left out) would be, or something more lopsided, if
/// both sides were equally good.
pub fn sign_test(wins: usize, losses: usize) -> f64 {
    let n = wins + losses;
    if n == 0 {
        return 1.0;
    }
    let extreme = wins.max(losses);
    // Binomial probabilities from their logarithms: n may be in the thousands.
    let log_choose = |k: usize| log_factorial(n) - log_factorial(k) - log_factorial(n - k);
    let tail: f64 = (extreme..=n).map(|k| (log_choose(k) - n as f64 * std::f64::consts::LN_2).exp()).sum();
    (2.0 * tail).min(1.0)
}

fn log_factorial(n: usize) -> f64 {
    (2..=n).map(|k| (k as f64).ln()).sum()
}

/// Kendall's τ-a of a sequence against its order: 1 when it rises at every step, −1 when it falls, 0 for neither.
pub fn trend(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 2 {
        return 0.0;
    }
    let mut balance = 0i64;
    for (i, earlier) in values.iter().enumerate() {
        for later in &values[i + 1..] {
            balance += (later > earlier) as i64 - (later < earlier) as i64;
        }
    }
    balance as f64 / (n * (n - 1) / 2) as f64
}

/// How well three laws describe `y` along `x`: the root mean square of the relative errors (of the logarithms' differences,
/// so that 0.1 is about 10 %). A law that gives no positive value where one was measured has an infinite error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// y = a + b·x, with the weights that make relative errors count alike.
    pub line: f64,
    /// y = a·x^exponent.
    pub power: f64,
    pub exponent: f64,
    /// y = a·rate^x.
    pub exponential: f64,
    /// The factor by which the exponential grows over the whole range of x.
    pub factor: f64,
    /// Whether y bends upwards along a line (the quadratic term of a weighted fit is positive).
    pub convex: bool,
    /// Whether its logarithm does: it grows faster than any exponential would have it.
    pub log_convex: bool,
}

/// None for fewer than three different x, or a y that is not positive.
pub fn growth(points: &[(f64, f64)]) -> Option<Growth> {
    let mut xs: Vec<f64> = points.iter().map(|point| point.0).collect();
    xs.sort_unstable_by(f64::total_cmp);
    xs.dedup();
    if xs.len() < 3 || points.iter().any(|&(_, y)| y <= 0.0 || !y.is_finite()) {
        return None;
    }
    let span = xs[xs.len() - 1] - xs[0];
    // x from 0 to 1 and y around 1: the sums of squares stay well conditioned, and only the power law needs x itself.
    let typical = median(&points.iter().map(|point| point.1).collect::<Vec<_>>());
    let unit: Vec<(f64, f64)> = points.iter().map(|&(x, y)| ((x - xs[0]) / span, y / typical)).collect();
    let error = |law: &dyn Fn(f64) -> f64, over: &[(f64, f64)]| {
        let squares = over.iter().map(|&(x, y)| match law(x) {
            guess if guess > 0.0 => (y / guess).ln().powi(2),
            _ => f64::INFINITY,
        });
        (squares.sum::<f64>() / over.len() as f64).sqrt()
    };

    let weights: Vec<f64> = unit.iter().map(|&(_, y)| 1.0 / (y * y)).collect();
    let (a, b) = weighted_line(&unit, &weights);
    let line = error(&|x| a + b * x, &unit);

    let even = vec![1.0; points.len()];
    let logs: Vec<(f64, f64)> = unit.iter().map(|&(x, y)| (x, y.ln())).collect();
    let (log_a, rate) = weighted_line(&logs, &even);
    let exponential = error(&|x| (log_a + rate * x).exp(), &unit);

    let (power, exponent) = if xs[0] > 0.0 {
        let both: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
        let (log_a, exponent) = weighted_line(&both, &even);
        (error(&|x| (log_a + exponent * x.ln()).exp(), points), exponent)
    } else {
        (f64::INFINITY, f64::NAN)
    };
    // Rounding makes a straight row of points bend by some 1e-16.
    let bends = |points: &[(f64, f64)], weights: &[f64]| bend(points, weights) > 1e-9;
    Some(Growth {
        line,
        power,
        exponent,
        exponential,
        factor: rate.exp(),
        convex: bends(&unit, &weights),
        log_convex: bends(&logs, &even),
    })
}

/// Intercept and slope of the line with the least weighted squares.
fn weighted_line(points: &[(f64, f64)], weights: &[f64]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let average = |get: &dyn Fn(&(f64, f64)) -> f64| {
        points.iter().zip(weights).map(|(point, weight)| weight * get(point)).sum::<f64>() / total
    };
    let (x, y) = (average(&|point| point.0), average(&|point| point.1));
    let spread = average(&|point| (point.0 - x).powi(2));
    let slope = average(&|point| (point.0 - x) * (point.1 - y)) / spread;
    (y - slope * x, slope)
}

/// The sign tells which way the points bend away from their line: the part of x² that a line does not explain, times
/// the part of y that a line does not explain.
fn bend(points: &[(f64, f64)], weights: &[f64]) -> f64 {
    let squares: Vec<(f64, f64)> = points.iter().map(|&(x, _)| (x, x * x)).collect();
    let (a, b) = weighted_line(points, weights);
    let (c, d) = weighted_line(&squares, weights);
    points.iter().zip(weights).map(|(&(x, y), weight)| weight * (y - a - b * x) * (x * x - c - d * x)).sum()
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

    #[test]
    fn the_sign_test_is_the_binomial_tail() {
        assert!((sign_test(5, 0) - 2.0 / 32.0).abs() < 1e-12);
        assert!((sign_test(8, 2) - 2.0 * (45.0 + 10.0 + 1.0) / 1024.0).abs() < 1e-12);
        assert_eq!(sign_test(3, 3), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
        assert!(sign_test(3_000, 0) < 1e-100);
    }

    #[test]
    fn trends() {
        assert_eq!(trend(&[1.0, 2.0, 3.0]), 1.0);
        assert_eq!(trend(&[3.0, 2.0, 1.0]), -1.0);
        assert_eq!(trend(&[1.0, 1.0]), 0.0);
        assert_eq!(trend(&[]), 0.0);
    }

    fn law(f: impl Fn(f64) -> f64) -> Growth {
        let points: Vec<(f64, f64)> = (1..=6).map(|x| (f64::from(x), f(f64::from(x)))).collect();
        growth(&points).unwrap()
    }

    #[test]
    fn each_law_is_recognized() {
        let line = law(|x| 5.0 + 3.0 * x);
        assert!(line.line < 1e-9 && line.exponential > 0.02, "{line:?}");
        let exponential = law(|x| 2f64.powf(x));
        assert!(exponential.exponential < 1e-9 && exponential.line > 0.2, "{exponential:?}");
        assert!((exponential.factor - 32.0).abs() < 1e-6);
        let square = law(|x| x * x);
        assert!(square.power < 1e-9 && (square.exponent - 2.0).abs() < 1e-9 && square.line > 0.2, "{square:?}");
        assert!(square.convex && exponential.convex && !law(f64::sqrt).convex);
    }

    #[test]
    fn no_law_is_told_from_two_points_or_from_zeros() {
        assert_eq!(growth(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
        assert_eq!(growth(&[(1.0, 1.0), (2.0, 0.0), (3.0, 3.0)]), None);
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

        #[test]
        fn scaling_x_and_y_changes_no_fit(ys in prop::collection::vec(0.1f64..100.0, 3..8), by in 0.01f64..100.0) {
            let points: Vec<(f64, f64)> = ys.iter().enumerate().map(|(x, &y)| (x as f64 + 1.0, y)).collect();
            let scaled: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x * by, y * by)).collect();
            let (a, b) = (growth(&points).unwrap(), growth(&scaled).unwrap());
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-6;
            prop_assert!(close(a.line, b.line) && close(a.power, b.power) && close(a.exponential, b.exponential));
        }
    }
}
