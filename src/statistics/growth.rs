//! Which law of growth describes a row of points.

use super::median;

/// How well three laws describe `y` along `x`: the root mean square of the relative errors (of the logarithms' differences,
/// so that 0.1 is about 10 %). A law that gives no positive value where one was measured has an infinite error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthFit {
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
pub fn growth(points: &[(f64, f64)]) -> Option<GrowthFit> {
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
    Some(GrowthFit {
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

    fn law(f: impl Fn(f64) -> f64) -> GrowthFit {
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
        fn scaling_x_and_y_changes_no_fit(ys in prop::collection::vec(0.1f64..100.0, 3..8), by in 0.01f64..100.0) {
            let points: Vec<(f64, f64)> = ys.iter().enumerate().map(|(x, &y)| (x as f64 + 1.0, y)).collect();
            let scaled: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x * by, y * by)).collect();
            let (a, b) = (growth(&points).unwrap(), growth(&scaled).unwrap());
            let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-6;
            prop_assert!(close(a.line, b.line) && close(a.power, b.power) && close(a.exponential, b.exponential));
        }
    }
}
