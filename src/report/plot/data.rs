//! Numbers in the attributes of a plot, from which a page's script moves marks when a reader changes a scale.

use crate::report::figure::Spot;
use std::fmt::Write;

/// More digits than any screen shows.
const DIGITS: usize = 7;

/// The number in few bytes: `0.1234567`, `1.2e-9`.
pub fn exact(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    let (plain, short) = (rounded.to_string(), format!("{rounded:e}"));
    if plain.len() <= short.len() { plain } else { short }
}

/// ` data-x="3" data-y="0.21" data-low="0.2" data-high="0.22"`, as far as there is anything to say.
pub fn at(x: Option<f64>, spot: Option<&Spot>) -> String {
    let mut text = String::new();
    if let Some(x) = x {
        let _ = write!(text, r#" data-x="{}""#, exact(x));
    }
    if let Some(spot) = spot {
        let _ = write!(text, r#" data-y="{}""#, exact(spot.value));
        if spot.low != spot.high {
            let _ = write!(text, r#" data-low="{}" data-high="{}""#, exact(spot.low), exact(spot.high));
        }
    }
    text
}

pub fn limit(limit: Option<f64>) -> String {
    limit.map_or(String::new(), |limit| format!(r#" data-limit="{}""#, exact(limit)))
}

pub fn pair(x: f64, y: f64) -> String {
    format!("{},{}", exact(x), exact(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact_enough() {
        for (value, text) in [
            (0.0, "0"),
            (3.0, "3"),
            (0.1 + 0.2, "0.3"),
            (1e-9, "1e-9"),
            (123_456_789.0, "123456800"),
            (-2.5, "-2.5"),
            (1e15, "1e15"),
        ] {
            assert_eq!(exact(value), text);
        }
        let spot = Spot { value: 2.0, low: 1.0, high: 3.0, repetitions: 3 };
        assert_eq!(at(Some(1.0), Some(&spot)), r#" data-x="1" data-y="2" data-low="1" data-high="3""#);
        assert_eq!(at(None, Some(&Spot { low: 2.0, high: 2.0, ..spot })), r#" data-y="2""#);
        assert_eq!(limit(Some(60.0)), r#" data-limit="60""#);
    }
}
