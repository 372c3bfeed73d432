//! What the paper printed: `reference:` of a figure.
//!
//! A paper prints a number ("449"), a round one ("about 766,000") or a bound ("more than 3,900,000"). Each is written in
//! the spec as it is printed, and shown and judged as what it is.

use super::select::{OneOrMany, Scalar, Where};
use crate::lab::counted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values the paper printed, shown beside ours: one, or a row of them along the x axis. What was printed is exactly one
/// of `value`, `about`, `more_than`, `at_least`, `less_than` and `at_most`.
///
/// ```yaml
/// reference:
///   - {metric: rules, x: [0.75, 0.8, 0.85], value: [45, 39, 32], source: Figure 3}
///   - {metric: probability, where: {at: first}, value: 0.87}
///   - {metric: constraints, about: 766000}
///   - {metric: variables, more_than: 3900000, source: Section V}
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceValue {
    pub metric: String,
    /// The algorithm, dataset or parameters the values were printed for.
    #[serde(rename = "where", default)]
    pub only: Where,
    /// Where along the figure's x axis the values stand, one for each of the values.
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub x: OneOrMany<Scalar>,
    /// Printed as exact, up to the digits of the print.
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub value: OneOrMany<f64>,
    /// Printed as a round number: "about 766,000". Ours agrees within one unit of the last digit that is not zero.
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub about: OneOrMany<f64>,
    /// Printed as a bound: "more than 3,900,000".
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub more_than: OneOrMany<f64>,
    /// Printed as a bound: "at least 10".
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub at_least: OneOrMany<f64>,
    /// Printed as a bound: "less than 5 seconds".
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub less_than: OneOrMany<f64>,
    /// Printed as a bound: "at most 5 %".
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub at_most: OneOrMany<f64>,
    /// Where in the paper they stand, or how they were read off a plot.
    #[serde(default)]
    pub source: Option<String>,
}

/// How a paper says a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    Exactly,
    About,
    MoreThan,
    AtLeast,
    LessThan,
    AtMost,
}

impl Wording {
    /// What stands before the number, as in print.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exactly => "",
            Self::About => "about",
            Self::MoreThan => "more than",
            Self::AtLeast => "at least",
            Self::LessThan => "less than",
            Self::AtMost => "at most",
        }
    }

    pub fn is_bound(self) -> bool {
        !matches!(self, Self::Exactly | Self::About)
    }
}

/// A number as a paper prints it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedNumber {
    pub wording: Wording,
    pub value: f64,
}

impl PrintedNumber {
    /// The words and the number: "more than 3,900,000".
    pub fn told(&self, number: &str) -> String {
        match self.wording.words() {
            "" => number.to_string(),
            words => format!("{words} {number}"),
        }
    }

    /// How far another value may be off and still agree: nothing for an exact value; for a round one, one unit of its last
    /// digit that is not zero, since papers round as well as cut.
    pub fn tolerance(&self) -> f64 {
        match self.wording {
            Wording::About => unit_of_last_digit(self.value),
            Wording::Exactly | Wording::MoreThan | Wording::AtLeast | Wording::LessThan | Wording::AtMost => 0.0,
        }
    }

    /// Whether a value meets the bound; None where a number is printed and not a bound.
    pub fn bounds(&self, value: f64) -> Option<bool> {
        match self.wording {
            Wording::Exactly | Wording::About => None,
            Wording::MoreThan => Some(value > self.value),
            Wording::AtLeast => Some(value >= self.value),
            Wording::LessThan => Some(value < self.value),
            Wording::AtMost => Some(value <= self.value),
        }
    }
}

/// 1000 for 766,000; 0.01 for 0.87; 0 for 0.
fn unit_of_last_digit(value: f64) -> f64 {
    let digits = format!("{}", value.abs());
    let exponent = match digits.split_once('.') {
        Some((_, fraction)) => -(fraction.len() as i32),
        None => (digits.len() - digits.trim_end_matches('0').len()) as i32,
    };
    if value == 0.0 { 0.0 } else { 10f64.powi(exponent) }
}

impl ReferenceValue {
    fn given(&self) -> impl Iterator<Item = (Wording, &OneOrMany<f64>)> {
        [
            (Wording::Exactly, &self.value),
            (Wording::About, &self.about),
            (Wording::MoreThan, &self.more_than),
            (Wording::AtLeast, &self.at_least),
            (Wording::LessThan, &self.less_than),
            (Wording::AtMost, &self.at_most),
        ]
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
    }

    /// A message when what was printed is not said once, or `x` does not go with it.
    pub fn check(&self) -> Result<(), String> {
        let (x, value) = (self.x.len(), self.points().count());
        let metric = &self.metric;
        match self.given().count() {
            1 => {}
            0 => return Err(format!("what is printed of `{metric}`? {KINDS}")),
            _ => return Err(format!("`{metric}` is printed in several ways at once: {KINDS}")),
        }
        match () {
            () if x == 0 && value == 1 => Ok(()),
            () if x == 0 => Err(format!("{value} values of `{metric}` need as many `x`")),
            () if x != value => Err(format!("`{metric}` has {x} `x` but {}", counted(value, "value"))),
            () => Ok(()),
        }
    }

    /// Each printed number with where along x it stands.
    pub fn points(&self) -> impl Iterator<Item = (Option<&Scalar>, PrintedNumber)> {
        self.given().flat_map(|(wording, values)| {
            let numbers = values.iter().map(move |&value| PrintedNumber { wording, value });
            numbers.enumerate().map(|(i, number)| (self.x.get(i), number))
        })
    }
}

const KINDS: &str = "give one of `value`, `about`, `more_than`, `at_least`, `less_than` and `at_most`";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(yaml: &str) -> ReferenceValue {
        serde_yaml::from_str(yaml).unwrap()
    }

    #[test]
    fn printed_values_need_their_places() {
        let row = read("{metric: rules, x: [0.75, 0.8], value: [45, 39]}");
        assert_eq!(row.check(), Ok(()));
        let first = PrintedNumber { wording: Wording::Exactly, value: 45.0 };
        assert_eq!(row.points().next(), Some((Some(&Scalar::Number(0.75)), first)));
        assert_eq!(read("{metric: p, where: {at: first}, value: 0.87}").check(), Ok(()));
        assert_eq!(read("{metric: p, x: [1, 2], value: 3}").check(), Err("`p` has 2 `x` but 1 value".to_string()));
        assert_eq!(read("{metric: p, value: [3, 4]}").check(), Err("2 values of `p` need as many `x`".to_string()));
    }

    #[test]
    fn a_number_is_printed_in_one_way() {
        let round = read("{metric: p, about: 766000}");
        assert_eq!(round.check(), Ok(()));
        assert_eq!(round.points().next(), Some((None, PrintedNumber { wording: Wording::About, value: 766000.0 })));
        let bounds = read("{metric: p, x: [1, 2], more_than: [3900000, 4]}");
        assert_eq!(bounds.check(), Ok(()));
        assert_eq!(bounds.points().nth(1).unwrap().1.wording, Wording::MoreThan);
        assert!(read("{metric: p}").check().unwrap_err().starts_with("what is printed of `p`? give one of `value`"));
        assert!(read("{metric: p, value: 1, at_most: 2}").check().unwrap_err().contains("in several ways"));
    }

    #[test]
    fn round_numbers_allow_for_rounding_and_cutting() {
        let unit = |value| PrintedNumber { wording: Wording::About, value }.tolerance();
        assert_eq!([unit(766000.0), unit(700000.0), unit(0.87), unit(12.0), unit(0.0)], [1e3, 1e5, 0.01, 1.0, 0.0]);
        assert_eq!(PrintedNumber { wording: Wording::Exactly, value: 700.0 }.tolerance(), 0.0);
    }

    #[test]
    fn the_words_of_the_print_stay_with_the_number() {
        let told = |wording| PrintedNumber { wording, value: 5.0 }.told("5");
        assert_eq!(told(Wording::Exactly), "5");
        assert_eq!(told(Wording::MoreThan), "more than 5");
    }
}
