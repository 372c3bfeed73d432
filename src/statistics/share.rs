//! What a number of tries tells of a share.

use super::Interval;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's interval (95 %) of a share of which `part` of `of` independent tries were seen: unlike the usual one it is
/// honest where all or none were, and for few tries. Nothing was tried: anything may be.
pub fn share_interval(part: usize, of: usize) -> Interval {
    if of == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, share) = (of as f64, part as f64 / of as f64);
    let scale = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Rounding must not leave a share that was always or never seen outside of its interval.
    let low = if part == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if part >= of { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of n out of n the lower end is n / (n + z²), and z² is 3.8415; 81 of 263 is the example of Wilson's
    /// method in Newcombe (1998), Table I, method 3: 0.2553 to 0.3662.
    #[test]
    fn the_interval_of_a_share() {
        let close = |part, of, low: f64, high: f64| {
            let found = share_interval(part, of);
            assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{part} of {of}: {found:?}");
        };
        close(81, 263, 0.2553, 0.3662);
        close(10, 10, 10.0 / 13.8415, 1.0);
        close(0, 10, 0.0, 3.8415 / 13.8415);
        close(1, 1, 1.0 / 4.8415, 1.0);
        close(0, 0, 0.0, 1.0);
    }
}
