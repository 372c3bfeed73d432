//! Welch's test: whether two samples of unlike spread have the same mean.

/// The chance of means at least this far apart where both samples are of one mean. None where neither sample varies, or a
/// sample has fewer than two values: then nothing is known of a spread.
pub fn welch_test(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (Moments::of(a)?, Moments::of(b)?);
    let (from_a, from_b) = (a.variance / a.n, b.variance / b.n);
    let variance = from_a + from_b;
    // What summing leaves of equal values is no spread.
    let rounding = 1e-12 * a.mean.abs().max(b.mean.abs());
    if variance.sqrt() <= rounding {
        return None;
    }
    let t = (a.mean - b.mean) / variance.sqrt();
    let degrees = variance * variance / (from_a * from_a / (a.n - 1.0) + from_b * from_b / (b.n - 1.0));
    Some(student_tails(t, degrees))
}

struct Moments {
    n: f64,
    mean: f64,
    variance: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (values.len() > 1).then(|| Self { n, mean, variance: squares / (n - 1.0) })
    }
}

/// Both tails of Student's t beyond ±t.
fn student_tails(t: f64, degrees: f64) -> f64 {
    incomplete_beta(degrees / (degrees + t * t), degrees / 2.0, 0.5)
}

/// The regularized incomplete beta function, by its continued fraction (Numerical Recipes, 6.4).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    match x < (a + 1.0) / (a + b + 2.0) {
        true => front * fraction(x, a, b) / a,
        false => 1.0 - front * fraction(1.0 - x, b, a) / b,
    }
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let above_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / above_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut result = d;
    for i in 1..300 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / above_zero(1.0 + term * d);
            c = above_zero(1.0 + term / c);
            step = d * c;
            result *= step;
        }
        if (step - 1.0).abs() < 1e-14 {
            break;
        }
    }
    result
}

/// Lanczos' approximation, for arguments above 0.
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 6] = [
        76.18009172947146,
        -86.50532032941677,
        24.01409824083091,
        -1.231739572450155,
        0.1208650973866179e-2,
        -0.5395239384953e-5,
    ];
    let base = x + 5.5;
    let series: f64 = TERMS.iter().zip(1..).map(|(term, i)| term / (x + f64::from(i))).sum();
    (x + 0.5) * base.ln() - base + (2.5066282746310005 * (1.000000000190015 + series) / x).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        for (t, degrees, both) in
            [(2.306, 8.0, 0.05), (5.041, 8.0, 0.001), (12.706, 1.0, 0.05), (1.96, 1e6, 0.05), (0.0, 3.0, 1.0)]
        {
            let found = student_tails(t, degrees);
            assert!((found - both).abs() < 2e-5, "t = {t} with {degrees} degrees: {found}");
        }
    }

    #[test]
    fn equal_values_have_no_spread_and_single_ones_neither() {
        assert_eq!(welch_test(&[0.1, 0.1, 0.1], &[0.2, 0.2]), None);
        assert_eq!(welch_test(&[1.0], &[2.0, 3.0]), None);
        assert_eq!(welch_test(&[1.0, 2.0], &[2.0, 1.0]), Some(1.0));
    }
}
