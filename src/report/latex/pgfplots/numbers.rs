//! Numbers as TeX and CSV have them.

/// A number as TeX and CSV have it.
pub fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "nan".to_string(),
        value if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_string(),
        value if value == 0.0 || (1e-4..1e9).contains(&value.abs()) => value.to_string(),
        value => format!("{value:e}"),
    }
}

/// In another unit, without the digits that only the division makes.
pub fn scaled(value: f64, divisor: f64) -> f64 {
    if divisor == 1.0 {
        return value;
    }
    digits(value / divisor, 15)
}

/// With so many significant digits.
pub fn digits(value: f64, count: usize) -> f64 {
    format!("{value:.*e}", count - 1).parse().unwrap_or(value)
}
