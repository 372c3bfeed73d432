//! Numbers as people read them. Files keep every digit; pages and plots keep four.

const DIGITS: i32 = 4;

const KILOBYTE: f64 = 1024.0;
const MEGABYTE: f64 = 1024.0 * KILOBYTE;
const GIGABYTE: f64 = 1024.0 * MEGABYTE;

/// Four significant digits, whole numbers in full, thousands parted by commas, very small and very large ones with a
/// power of ten.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return if value.is_nan() { "–".to_string() } else { format!("{}∞", if value < 0.0 { "−" } else { "" }) };
    }
    if size != 0.0 && !(1e-4..1e12).contains(&size) {
        return scientific(value);
    }
    if value == value.trunc() {
        return sign(value, &thousands(&format!("{size:.0}")));
    }
    let magnitude = size.log10().floor() as i32;
    let decimals = (DIGITS - 1 - magnitude).max(0) as usize;
    sign(value, &trimmed(&thousands(&format!("{size:.decimals$}"))))
}

/// "both", "all 3": everything of so many.
pub fn all(count: usize) -> String {
    if count == 2 { "both".to_string() } else { format!("all {count}") }
}

/// With exactly so many decimals, as the labels of one axis need.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let negative = value < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit));
    sign(if negative { -1.0 } else { 1.0 }, &thousands(&text))
}

/// 12 % more, 3.5 % less: a relative difference, as a share. A small difference is not said to be none, nor almost all to be all.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let text = match value.abs() {
        size if (1e-6..0.05).contains(&size) => fixed(value, decimals_of(size)),
        // From the first digit that is not a nine on.
        _ if (1e-6..0.5).contains(&(100.0 + value)) => fixed(value, decimals_of(100.0 + value)),
        size if size < 9.95 => fixed(value, 1),
        size if size < 1e6 => fixed(value, 0),
        _ => number(value),
    };
    match () {
        () if !share.is_finite() => number(share),
        () if value > 0.0 => format!("+{text}\u{a0}%"),
        () => format!("{text}\u{a0}%"),
    }
}

/// As many as show the first digit of a value below 1.
fn decimals_of(size: f64) -> usize {
    (-size.log10().floor()).max(1.0) as usize
}

fn scientific(value: f64) -> String {
    let mut exponent = value.abs().log10().floor() as i32;
    let mut mantissa = value.abs() / 10f64.powi(exponent);
    if format!("{mantissa:.2}").starts_with("10") {
        mantissa /= 10.0;
        exponent += 1;
    }
    let power: String = exponent.to_string().chars().map(superscript).collect();
    match trimmed(&format!("{mantissa:.2}")) {
        one if one == "1" => sign(value, &format!("10{power}")),
        mantissa => sign(value, &format!("{mantissa}·10{power}")),
    }
}

/// 10 to a whole power, as a tick of a logarithmic axis that is too long for numbers in full.
pub fn power_of_ten(exponent: i32) -> String {
    format!("10{}", exponent.to_string().chars().map(superscript).collect::<String>())
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        '4'..='9' => char::from_u32('⁴' as u32 + (digit as u32 - '4' as u32)).unwrap_or(digit),
        other => other,
    }
}

fn sign(value: f64, text: &str) -> String {
    if value < 0.0 { format!("−{text}") } else { text.to_string() }
}

fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    }
}

fn thousands(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut parted = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 && whole.len() > 3 {
            parted.push(',');
        }
        parted.push(digit);
    }
    match fraction {
        Some(fraction) => format!("{parted}.{fraction}"),
        None => parted,
    }
}

/// The unit of what is so (1) or not (0).
pub const YES_OR_NO: &str = "yes or no";

/// A unit to show values in: seconds as milliseconds, bytes as megabytes.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayUnit {
    /// Empty where nothing stands behind a number.
    pub name: String,
    /// What a value is divided by.
    pub divisor: f64,
    /// 1 is told as yes, 0 as no.
    pub is_truth: bool,
}

impl DisplayUnit {
    pub fn named(name: &str) -> Self {
        Self { name: name.to_string(), divisor: 1.0, is_truth: false }
    }

    /// The unit in which the largest of the values reads best; of a quotient ("s/record") it is the first that is scaled.
    /// Sizes are in powers of 1,024, as limits of specs and sizes of caches are.
    pub fn fitting(unit: &str, largest: f64) -> Self {
        if unit == YES_OR_NO {
            return Self { is_truth: true, ..Self::named("") };
        }
        let (first, by) = unit.split_at(unit.find('/').unwrap_or(unit.len()));
        let scale: &[(f64, &str)] = match first {
            "s" => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
            "B" | "bytes" => &[(GIGABYTE, "GB"), (MEGABYTE, "MB"), (KILOBYTE, "KB"), (1.0, "B")],
            _ => &[],
        };
        // 0.5 s is said so, not as 500 ms; below a tenth the smaller unit reads better.
        let enough = if first == "s" { 0.1 } else { 1.0 };
        let fits = scale.iter().find(|(size, _)| largest.abs() >= size * enough * 0.999_999).or(scale.last());
        match fits {
            Some(&(divisor, name)) if largest.abs() > 0.0 => Self { divisor, ..Self::named(&format!("{name}{by}")) },
            _ => Self::named(unit),
        }
    }

    /// The one unit of values that are told side by side, which suits the largest of them. None where it would leave the
    /// smallest with zeros to count.
    pub fn shared(unit: &str, values: &[f64]) -> Option<Self> {
        let sizes = || values.iter().map(|value| value.abs()).filter(|size| size.is_finite() && *size > 0.0);
        let shared = Self::fitting(unit, sizes().fold(0.0, f64::max));
        let smallest = sizes().fold(f64::INFINITY, f64::min);
        (smallest / shared.divisor >= 1e-3).then_some(shared)
    }

    /// With the unit's name: "12.5 ms", "3.1 %", "42", "1 row".
    pub fn tell(&self, value: f64) -> String {
        match (self.name.as_str(), self.show(value).as_str()) {
            ("", shown) => shown.to_string(),
            (name, "1") => format!("1\u{a0}{}", singular(name)),
            (name, shown) => format!("{shown}\u{a0}{name}"),
        }
    }

    pub fn show(&self, value: f64) -> String {
        match value {
            1.0 if self.is_truth => "yes".to_string(),
            0.0 if self.is_truth => "no".to_string(),
            _ => self.difference(value),
        }
    }

    /// How far two values are apart.
    pub fn difference(&self, value: f64) -> String {
        number(value / self.divisor)
    }
}

/// A value in the unit that suits it.
pub fn with_unit(value: f64, unit: &str) -> String {
    DisplayUnit::fitting(unit, value).tell(value)
}

/// The name of a unit behind 1: "values" → "value", "classes" → "class", "queries" → "query". Symbols stay as they are.
pub fn singular(unit: &str) -> String {
    let is_word = unit.len() > 3 && unit.chars().all(|letter| letter.is_ascii_lowercase());
    let stem = |ending: &str| unit.strip_suffix(ending).filter(|_| is_word);
    match (stem("ies"), stem("sses"), stem("s")) {
        (Some(stem), ..) => format!("{stem}y"),
        (_, Some(stem), _) => format!("{stem}ss"),
        (.., Some(stem)) => stem.to_string(),
        _ => unit.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (30_718.0, "30,718"),
            (-5.0, "−5"),
            (0.123456, "0.1235"),
            (96.18, "96.18"),
            (1234.567, "1,235"),
            (0.5, "0.5"),
            (0.000012, "1.2·10⁻⁵"),
            (1e-9, "10⁻⁹"),
            (9.999e-7, "10⁻⁶"),
            (3.2e14, "3.2·10¹⁴"),
            (999_999_999.0, "999,999,999"),
            (f64::NAN, "–"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(percent(0.1234), "+12\u{a0}%");
        assert_eq!(percent(-0.05), "−5.0\u{a0}%");
        assert_eq!(percent(0.0), "0.0\u{a0}%");
        assert_eq!(percent(0.000_123), "+0.01\u{a0}%", "not the same");
        assert_eq!(percent(-0.000_04), "−0.004\u{a0}%");
        assert_eq!(percent(1e-15), "+0.0\u{a0}%", "the last bit is nobody's difference");
        assert_eq!(percent(-0.9956), "−99.6\u{a0}%", "not nothing");
        assert_eq!(percent(-0.999_93), "−99.993\u{a0}%");
        assert_eq!(percent(-0.999_999_999_999), "−100\u{a0}%");
        assert_eq!(percent(-1.0), "−100\u{a0}%");
        assert_eq!(power_of_ten(-2), "10⁻²");
        assert_eq!(power_of_ten(9), "10⁹");
    }

    #[test]
    fn units_fit_their_values() {
        assert_eq!(with_unit(0.0123, "s"), "12.3\u{a0}ms");
        assert_eq!(with_unit(0.25, "s"), "0.25\u{a0}s");
        assert_eq!(with_unit(3_670_016.0, "bytes"), "3.5\u{a0}MB");
        assert_eq!(with_unit(524_288_000.0, "bytes"), "500\u{a0}MB", "what a spec calls 500MB");
        assert_eq!(with_unit(1_000.0, "bytes"), "1,000\u{a0}B");
        assert_eq!([0.0, 1.0, 0.5].map(|value| with_unit(value, YES_OR_NO)), ["no", "yes", "0.5"]);
        assert_eq!(DisplayUnit::fitting(YES_OR_NO, 1.0).difference(1.0), "1");
        assert_eq!(with_unit(0.0, "s"), "0\u{a0}s");
        assert_eq!(with_unit(12.0, "%"), "12\u{a0}%");
        assert_eq!(with_unit(12.0, ""), "12");
        for (unit, text) in
            [("values", "value"), ("classes", "class"), ("queries", "query"), ("nats", "nat"), ("%", "%")]
        {
            assert_eq!(with_unit(1.0, unit), format!("1\u{a0}{text}"));
            assert_eq!(with_unit(2.0, unit), format!("2\u{a0}{unit}"));
        }
        assert_eq!(with_unit(0.001, "s"), "1\u{a0}ms");
        assert_eq!(with_unit(1.25e-8, "s/record"), "12.5\u{a0}ns/record");
        assert_eq!(with_unit(240.9, "bytes/row"), "240.9\u{a0}B/row");
        assert_eq!(with_unit(3.0, "rules/record"), "3\u{a0}rules/record");
        let shared = |unit, values: &[f64]| DisplayUnit::shared(unit, values).map(|unit| unit.name);
        assert_eq!(shared("s", &[0.084, 0.106]).as_deref(), Some("s"));
        assert_eq!(shared("s", &[0.084, 0.0]).as_deref(), Some("ms"));
        assert_eq!(shared("s", &[f64::INFINITY, 0.02]).as_deref(), Some("ms"));
        assert_eq!(shared("s", &[0.004, 4.0]).as_deref(), Some("s"));
        assert_eq!(shared("s", &[0.0005, 4.0]), None);
        assert_eq!(shared("bytes", &[4_000.0, 4e9]), None, "4 KB beside 4 GB");
    }
}
