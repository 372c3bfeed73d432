use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How long a cell may take and how much memory it may hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Wall-clock time of the whole cell, e.g. `30s`, `5m`, `500ms`.
    pub time: TimeLimit,
    /// Live heap of the cell, e.g. `512MB`, `4GB`.
    pub memory: MemoryLimit,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: TimeLimit(Duration::from_secs(60)), memory: MemoryLimit(4 << 30) }
    }
}

/// A duration written as a number and a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeLimit(pub Duration);

/// A number of bytes written as a number and a unit (powers of 1,024).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryLimit(pub u64);

/// What a limit may be: below, no worker could even start; above, clocks and counters would overflow before it mattered.
const TIMES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_secs(8760 * 3600));
const MEMORIES: (u64, u64) = (1 << 10, 1 << 50);

const TIME_UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
const MEMORY_UNITS: [(&str, f64); 4] =
    [("KB", 1024.0), ("MB", 1048576.0), ("GB", 1073741824.0), ("TB", 1099511627776.0)];

/// The number and factor of `text`, or what would have been right.
fn quantity(text: &str, units: &[(&str, f64)], example: &str) -> Result<f64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim())).map(|&(_, factor)| factor);
    match (number.parse::<f64>(), factor) {
        (Ok(number), Some(factor)) if number > 0.0 => Ok(number * factor),
        _ => {
            let names: Vec<&str> = units.iter().map(|&(name, _)| name).collect();
            Err(format!(
                "`{text}` is not a limit; write a number above 0 and a unit ({}), e.g. {example}",
                names.join(", ")
            ))
        }
    }
}

/// The largest unit in which the quantity is a whole number.
fn in_units(amount: f64, units: &[(&str, f64)]) -> String {
    let (name, factor) = units
        .iter()
        .rev()
        .find(|(_, factor)| amount >= *factor && (amount / factor).fract() == 0.0)
        .unwrap_or(&units[0]);
    format!("{}{name}", amount / factor)
}

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = quantity(text, &TIME_UNITS, "30s")?;
        let (least, most) = TIMES;
        Duration::try_from_secs_f64(seconds).ok().filter(|time| (least..=most).contains(time)).map(Self).ok_or_else(
            || {
                format!(
                    "`{text}` is out of range: a limit of time is at least {} and at most {}",
                    Self(least),
                    Self(most)
                )
            },
        )
    }
}

impl FromStr for MemoryLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Converting saturates, and what saturates is above the range.
        let bytes = quantity(text, &MEMORY_UNITS, "2GB")? as u64;
        let (least, most) = MEMORIES;
        if (least..=most).contains(&bytes) {
            return Ok(Self(bytes));
        }
        Err(format!(
            "`{text}` is out of range: a limit of memory is at least {} and at most {}",
            Self(least),
            Self(most)
        ))
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In milliseconds, of which most limits are whole numbers: thousandths of a second are no binary fractions.
        let units = TIME_UNITS.map(|(name, seconds)| (name, seconds * 1e3));
        f.write_str(&in_units(self.0.as_nanos() as f64 / 1e6, &units))
    }
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_units(self.0 as f64, &MEMORY_UNITS))
    }
}

macro_rules! as_text {
    ($limit:ident, $pattern:literal) => {
        impl TryFrom<String> for $limit {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }

        impl From<$limit> for String {
            fn from(limit: $limit) -> Self {
                limit.to_string()
            }
        }

        impl JsonSchema for $limit {
            fn schema_name() -> Cow<'static, str> {
                stringify!($limit).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}

as_text!(TimeLimit, r"^[0-9.]+ ?(ms|s|m|h)$");
as_text!(MemoryLimit, r"^[0-9.]+ ?(KB|MB|GB|TB)$");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_and_print_the_same() {
        for text in ["500ms", "30s", "5m", "2h", "43ms", "1.5ms", "1001ms"] {
            assert_eq!(text.parse::<TimeLimit>().unwrap().to_string(), text);
        }
        for text in ["512MB", "4GB"] {
            assert_eq!(text.parse::<MemoryLimit>().unwrap().to_string(), text);
        }
        assert_eq!("90s".parse::<TimeLimit>().unwrap().0, Duration::from_secs(90));
    }

    #[test]
    fn a_bad_limit_says_what_would_be_right() {
        assert_eq!(
            "10".parse::<TimeLimit>().unwrap_err(),
            "`10` is not a limit; write a number above 0 and a unit (ms, s, m, h), e.g. 30s"
        );
        for bad in ["0s", "-1s", "s", "", "1e9y", "3 parsecs"] {
            assert!(bad.parse::<TimeLimit>().is_err(), "{bad}");
        }
        assert!("1e300h".parse::<TimeLimit>().is_err());
    }

    #[test]
    fn limits_at_the_ends_of_numbers_are_refused_with_the_range() {
        for bad in ["9223372036854775807s", "18446744073709551615ms", "0.0001ms", "8761h"] {
            let message = format!("`{bad}` is out of range: a limit of time is at least 1ms and at most 8760h");
            assert_eq!(bad.parse::<TimeLimit>().unwrap_err(), message);
        }
        for bad in ["0.0001KB", "9223372036854775807TB", "1025TB"] {
            let message = format!("`{bad}` is out of range: a limit of memory is at least 1KB and at most 1024TB");
            assert_eq!(bad.parse::<MemoryLimit>().unwrap_err(), message);
        }
        for good in ["1ms", "8760h"] {
            assert_eq!(good.parse::<TimeLimit>().unwrap().to_string(), good);
        }
        for good in ["1KB", "1024TB"] {
            assert_eq!(good.parse::<MemoryLimit>().unwrap().to_string(), good);
        }
    }
}
