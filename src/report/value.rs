//! Values of key columns: what cells are told apart by.

use crate::spec::select::{Scalar, Where};
use std::cmp::Ordering;
use std::fmt;

/// A value of a dataset, algorithm, parameter or `at` column.
#[derive(Debug, Clone)]
pub enum Value {
    /// The column does not apply to this cell (a parameter another algorithm has).
    None,
    Number(f64),
    Text(String),
}

impl Value {
    /// Numbers written as text are numbers, so that an axis kept as words sorts and draws as what it is.
    pub fn parse(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Self::Number(number),
            _ if text.is_empty() => Self::None,
            _ => Self::Text(text.to_string()),
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Whether two cells can stand beside each other in a comparison: a column that does not apply to one of them does not
    /// part them.
    pub fn agrees(&self, other: &Self) -> bool {
        self.is_none() || other.is_none() || self == other
    }
}

impl From<&Scalar> for Value {
    fn from(scalar: &Scalar) -> Self {
        match scalar {
            Scalar::Boolean(value) => Self::Text(value.to_string()),
            Scalar::Number(value) => Self::Number(*value),
            Scalar::Text(value) => Self::parse(value),
        }
    }
}

/// A parameter of a cell, as its column in CSV would be read again.
impl From<&serde_json::Value> for Value {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::None,
            serde_json::Value::String(text) => Self::parse(text),
            other => Self::parse(&other.to_string()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "–"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Value {
    fn rank(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Number(_) => 1,
            Self::Text(_) => 2,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

/// Whether a row whose column `name` has the value `get(name)` is among those that `only` leaves. A column that does not
/// exist, or does not apply to the row, restricts nothing away only when the restriction does not name it.
pub fn is_among<'a>(only: &Where, get: impl Fn(&str) -> &'a Value) -> bool {
    only.iter().all(|(column, allowed)| allowed.iter().any(|scalar| Value::from(scalar) == *get(column)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_text_are_numbers_and_infinities_are_words() {
        assert_eq!(Value::parse("0.90"), Value::Number(0.9));
        assert_eq!(Value::parse("nan"), Value::Text("nan".into()));
        assert_eq!(Value::parse("inf"), Value::Text("inf".into()));
        assert_eq!(Value::parse(""), Value::None);
        assert_eq!(Value::Number(0.0), Value::from(&Scalar::Text("0".into())));
    }

    #[test]
    fn what_does_not_apply_parts_nobody() {
        assert!(Value::None.agrees(&Value::Number(3.0)));
        assert!(!Value::Number(2.0).agrees(&Value::Number(3.0)));
    }
}
