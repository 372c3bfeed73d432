//! What a figure is said to show: `claims:` of a figure, machine-checked.
//!
//! A claim picks values (a metric, of one or more algorithms, restricted by `where`) and says what they are:
//!
//! ```yaml
//! claims:
//!   - says: Injector leaves nobody with fewer than ℓ values
//!     metric: exposed_tuples
//!     of: injector
//!     is: {equals: 0}
//!   - says: Injector's queries are more accurate
//!     metric: query_error
//!     of: injector
//!     is: {less_than: {algorithm: anatomy}}
//!     expected: fails
//!     because: the printed choice of values leaves the frequent ones over
//! ```

use super::expectation::{Expectation, Expected};
use super::select::{OneOrMany, Where};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A machine-checked assertion about the figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim in prose.
    pub says: String,
    /// The statement of the paper it is about, by its id in the register (`experiments/claims`), or `ours` where it is the
    /// lab's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// The metric it is about, from measurements or costs.
    pub metric: String,
    /// The algorithm or algorithms it is about; all of them unless said.
    #[serde(default, skip_serializing_if = "OneOrMany::is_nothing")]
    pub of: OneOrMany<String>,
    /// Only the rows with these values.
    #[serde(rename = "where", default, skip_serializing_if = "Where::is_empty")]
    pub only: Where,
    /// Judge the difference to these values instead, point by point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minus: Option<Other>,
    /// Judge the quotient by these values instead, point by point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Other>,
    /// What the values are said to be.
    pub is: Test,
    /// How many repetitions a point needs before it counts: 3 for measured times and resident memory, 1 for all else,
    /// unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<usize>,
    /// Judges every repetition as a point of its own, where the claim is about single draws and not about their median.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each_repetition: bool,
    /// The readings that matter to this claim: those of the figure unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readings: Option<Vec<String>>,
    /// What it is known to come to on our data; only a change of it is an error.
    #[serde(default)]
    pub expected: Expectation,
    /// Why it is expected to fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// The values to compare with: what is not said is as on the claim's own side.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Other {
    /// Another algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// Another metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Other values of these columns: `{exact: true}` beside the claim's own `where: {exact: false}`.
    #[serde(rename = "where", skip_serializing_if = "Where::is_empty")]
    pub only: Where,
}

/// What a claim says of its values. All points must pass unless `in` gives a smaller share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Exactly this value.
    Equals(f64),
    /// This value or less.
    AtMost(Bound),
    /// This value or more.
    AtLeast(Bound),
    /// Close to a value.
    Within(Within),
    /// Below another algorithm's (or other rows'), point by point.
    LessThan(Comparison),
    /// Above another algorithm's (or other rows'), point by point.
    MoreThan(Comparison),
    /// The same as another algorithm's (or other rows'), point by point.
    SameAs(Sameness),
    /// Never falls along an axis.
    Rising(Trend),
    /// Never rises along an axis.
    Falling(Trend),
    /// Grows along an axis like a straight line, or slower.
    AtMostLinear(Growth),
    /// Grows along an axis by a constant factor a step, or faster.
    AtLeastExponential(Growth),
    /// Hardly moves along an axis.
    Steady(Steadiness),
    /// Whether the cells answer within their limits of time and memory: `answered: false` says that they do not.
    Answered(bool),
    /// A given share of another metric of the same cell (a phase of the total).
    Share(Share),
    /// The values the paper printed (`reference:` of the figure).
    Reference(Closeness),
}

/// What a test names besides the claim's own values.
#[derive(Default)]
pub struct TestNames<'a> {
    pub algorithm: Option<&'a str>,
    pub metric: Option<&'a str>,
    pub only: Option<&'a Where>,
    /// The axis that it goes along.
    pub along: Option<&'a str>,
}

impl Test {
    pub fn names(&self) -> TestNames<'_> {
        match self {
            Self::LessThan(Comparison { algorithm, metric, only, .. })
            | Self::MoreThan(Comparison { algorithm, metric, only, .. })
            | Self::SameAs(Sameness { algorithm, metric, only, .. }) => {
                let (algorithm, metric) = (algorithm.as_deref(), metric.as_deref());
                TestNames { algorithm, metric, only: Some(only), along: None }
            }
            Self::Share(share) => TestNames { metric: Some(&share.of), ..TestNames::default() },
            Self::Rising(Trend { along, .. })
            | Self::Falling(Trend { along, .. })
            | Self::AtMostLinear(Growth { along })
            | Self::AtLeastExponential(Growth { along })
            | Self::Steady(Steadiness { along, .. }) => TestNames { along: Some(along), ..TestNames::default() },
            Self::Equals(_) | Self::AtMost(_) | Self::AtLeast(_) => TestNames::default(),
            Self::Within(_) | Self::Answered(_) | Self::Reference(_) => TestNames::default(),
        }
    }

    /// Every number that it compares with.
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Equals(value) => vec![*value],
            Self::AtMost(bound) | Self::AtLeast(bound) => vec![bound.value()],
            Self::Within(Within { value, tolerance, relative }) => vec![*value, *tolerance, *relative],
            Self::LessThan(Comparison { margin, .. }) | Self::MoreThan(Comparison { margin, .. }) => vec![*margin],
            Self::SameAs(Sameness { tolerance, relative, .. })
            | Self::Rising(Trend { tolerance, relative, .. })
            | Self::Falling(Trend { tolerance, relative, .. })
            | Self::Reference(Closeness { tolerance, relative }) => vec![*tolerance, *relative],
            Self::Steady(Steadiness { factor, .. }) => vec![*factor],
            Self::Share(Share { at_least, at_most, .. }) => at_least.iter().chain(at_most).copied().collect(),
            Self::AtMostLinear(_) | Self::AtLeastExponential(_) | Self::Answered(_) => Vec::new(),
        }
    }

    /// The share of points, or of series, in which it must hold.
    pub fn share(&self) -> f64 {
        match self {
            Self::AtMost(bound) | Self::AtLeast(bound) => bound.share(),
            Self::LessThan(Comparison { share, .. })
            | Self::MoreThan(Comparison { share, .. })
            | Self::SameAs(Sameness { share, .. })
            | Self::Rising(Trend { share, .. })
            | Self::Falling(Trend { share, .. }) => share.0,
            Self::AtMostLinear(_) | Self::AtLeastExponential(_) | Self::Steady(_) => 1.0,
            Self::Equals(_) | Self::Within(_) | Self::Answered(_) | Self::Share(_) | Self::Reference(_) => 1.0,
        }
    }
}

/// A bound of every point, or of a share of them: `3`, or `{value: 3, in: 0.9}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Bound {
    OfAll(f64),
    OfSome(BoundOfSome),
}

/// A bound of a share of the points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoundOfSome {
    pub value: f64,
    /// The share of points in which it must hold.
    #[serde(rename = "in")]
    pub share: InShare,
}

impl Bound {
    pub fn value(&self) -> f64 {
        match self {
            Self::OfAll(value) => *value,
            Self::OfSome(of) => of.value,
        }
    }

    pub fn share(&self) -> f64 {
        match self {
            Self::OfAll(_) => InShare::default().0,
            Self::OfSome(of) => of.share.0,
        }
    }
}

/// Close to a value: within the absolute tolerance or within the relative one, whichever is wider.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Within {
    pub value: f64,
    /// In the metric's own unit.
    #[serde(default)]
    pub tolerance: f64,
    /// As a share of `value`.
    #[serde(default)]
    pub relative: f64,
}

/// Below or above other values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Comparison {
    /// The algorithm compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The metric compared with, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The rows compared with, where they are other ones.
    #[serde(rename = "where", skip_serializing_if = "Where::is_empty")]
    pub only: Where,
    /// By how much at least, as a share of the other value; a negative margin allows for being a little worse.
    pub margin: f64,
    /// The share of points in which it must hold.
    #[serde(rename = "in")]
    pub share: InShare,
}

impl Comparison {
    pub fn other(&self) -> Other {
        Other { algorithm: self.algorithm.clone(), metric: self.metric.clone(), only: self.only.clone() }
    }
}

/// The same as other values: within the absolute tolerance or within the relative one, whichever is wider.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sameness {
    /// The algorithm compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The metric compared with, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The rows compared with, where they are other ones.
    #[serde(rename = "where", skip_serializing_if = "Where::is_empty")]
    pub only: Where,
    /// In the metric's own unit.
    pub tolerance: f64,
    /// As a share of the other value.
    pub relative: f64,
    /// The share of points in which it must hold.
    #[serde(rename = "in")]
    pub share: InShare,
}

impl Sameness {
    pub fn other(&self) -> Other {
        Other { algorithm: self.algorithm.clone(), metric: self.metric.clone(), only: self.only.clone() }
    }
}

/// A share of the points between 0 and 1; all of them unless said.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct InShare(#[schemars(range(min = 0.0, max = 1.0))] pub f64);

impl Default for InShare {
    fn default() -> Self {
        Self(1.0)
    }
}

/// A direction along an axis. Standing still is allowed unless `strictly`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// A parameter or `at`, with numbers as values.
    pub along: String,
    /// A step back of this size, in the metric's own unit, is overlooked.
    #[serde(default)]
    pub tolerance: f64,
    /// A step back of this share of the value is overlooked.
    #[serde(default)]
    pub relative: f64,
    /// Every step must go in the direction.
    #[serde(default)]
    pub strictly: bool,
    /// The share of series in which it must hold.
    #[serde(rename = "in", default)]
    pub share: InShare,
}

/// A law of growth along an axis, told from at least three points.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// A parameter or `at`, with numbers as values.
    pub along: String,
}

/// The largest value along the axis is at most `factor` times the smallest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Steadiness {
    /// A parameter, `at`, `dataset` or `algorithm`.
    pub along: String,
    #[schemars(range(min = 1.0))]
    pub factor: f64,
}

/// A share of another metric of the same cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The total: `seconds`.
    pub of: String,
    #[serde(default)]
    pub at_least: Option<f64>,
    #[serde(default)]
    pub at_most: Option<f64>,
}

/// How close to a printed value is close enough: within the absolute tolerance or within the relative one, whichever is wider.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Closeness {
    /// In the metric's own unit; a printed 80.4 is met by 0.05.
    pub tolerance: f64,
    /// As a share of the printed value.
    pub relative: f64,
}

impl Claim {
    /// A message when parts of the claim do not go together.
    pub fn check(&self) -> Result<(), String> {
        let (low, high) = match &self.is {
            Test::Share(share) => (share.at_least, share.at_most),
            _ => (Some(0.0), None),
        };
        let share = self.is.share();
        match () {
            () if self.expected.verdict == Some(Expected::Fails) && self.because.is_none() => {
                Err("a claim that is expected to fail says `because`".to_string())
            }
            () if self.minus.is_some() && self.over.is_some() => {
                Err("a claim has either `minus` or `over`, not both".to_string())
            }
            () if (self.minus.is_some() || self.over.is_some())
                && matches!(self.is, Test::LessThan(_) | Test::MoreThan(_) | Test::SameAs(_)) =>
            {
                Err("`minus` and `over` are of a claim's own values alone: a difference or quotient has a bound or a trend, \
                     and is not compared with other values"
                    .to_string())
            }
            () if low.is_none() && high.is_none() => Err("a share is `at_least` or `at_most` something".to_string()),
            () if !(0.0..=1.0).contains(&share) => Err(format!("`in` is a share between 0 and 1, not {share}")),
            // What need hold nowhere, or compares with no number, cannot fail.
            () if share == 0.0 => Err("`in: 0` asks for no point, so that the claim could not fail".to_string()),
            () if self.is.numbers().iter().any(|number| !number.is_finite()) => {
                Err("a claim compares with numbers, which `.nan` and `.inf` are not".to_string())
            }
            () => Ok(()),
        }
    }

    /// The sides that a difference or a quotient is made with.
    fn sides(&self) -> impl Iterator<Item = &Other> {
        [&self.minus, &self.over].into_iter().flatten()
    }

    /// Every metric the claim reads.
    pub fn metrics(&self) -> Vec<&str> {
        let sides = self.sides().filter_map(|side| side.metric.as_deref());
        std::iter::once(self.metric.as_str()).chain(self.is.names().metric).chain(sides).collect()
    }

    /// Whether it compares rows of a figure with other rows than those of the same point.
    pub fn compares_points(&self) -> bool {
        self.is.names().only.into_iter().chain(self.sides().map(|side| &side.only)).any(|only| !only.is_empty())
    }

    /// Every algorithm the claim names.
    pub fn algorithms(&self) -> Vec<&str> {
        let sides = self.sides().filter_map(|side| side.algorithm.as_deref());
        self.of.iter().map(String::as_str).chain(self.is.names().algorithm).chain(sides).collect()
    }

    /// Every column the claim names.
    pub fn columns(&self) -> Vec<&str> {
        let TestNames { only, along, .. } = self.is.names();
        let restricted = std::iter::once(&self.only).chain(only).chain(self.sides().map(|side| &side.only));
        restricted.flat_map(|only| only.keys()).map(String::as_str).chain(along).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(is: &str) -> Result<Claim, String> {
        serde_yaml::from_str(&format!("says: s\nmetric: m\nof: a\nis: {is}\n")).map_err(|error| error.to_string())
    }

    #[test]
    fn every_test_reads_as_it_is_written() {
        let is = |text: &str| claim(text).unwrap().is;
        assert_eq!(is("{equals: 0}"), Test::Equals(0.0));
        assert_eq!(is("{at_most: 3.5}"), Test::AtMost(Bound::OfAll(3.5)));
        let some = Bound::OfSome(BoundOfSome { value: 1.0, share: InShare(0.51) });
        assert_eq!(is("{at_least: {value: 1, in: 0.51}}"), Test::AtLeast(some));
        assert_eq!(
            is("{within: {value: 2, relative: 0.1}}"),
            Test::Within(Within { value: 2.0, tolerance: 0.0, relative: 0.1 })
        );
        let Test::LessThan(less) = is("{less_than: {algorithm: b, margin: 0.1, in: 0.9, where: {exact: true}}}") else {
            panic!("another test")
        };
        assert_eq!((less.algorithm.as_deref(), less.margin, less.share), (Some("b"), 0.1, InShare(0.9)));
        assert_eq!(is("{at_most_linear: {along: n}}"), Test::AtMostLinear(Growth { along: "n".into() }));
        assert_eq!(is("{steady: {along: k, factor: 2}}"), Test::Steady(Steadiness { along: "k".into(), factor: 2.0 }));
        assert_eq!(is("{reference: {}}"), Test::Reference(Closeness::default()));
        assert_eq!(is("{answered: false}"), Test::Answered(false));
    }

    /// Editors complete and check by the schema: it must take what the parser takes, and refuse what it refuses.
    #[test]
    fn the_schema_agrees_with_the_parser() {
        let schema = schemars::schema_for!(Claim).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (is, right) in [
            ("{equals: 0}", true),
            ("{at_least: 1}", true),
            ("{at_least: {value: 1, in: 0.51}}", true),
            ("{at_least: {value: 1}}", false),
            ("{at_least: one}", false),
            ("{within: {value: 2, relative: 0.1}}", true),
            ("{less_than: {algorithm: b, margin: 0.1, in: 0.9, where: {exact: true, k: [1, 2]}}}", true),
            ("{at_most_linear: {along: items}}", true),
            ("{share: {of: seconds, at_least: 0.5}}", true),
            ("{reference: {}}", true),
            ("{answered: false}", true),
            ("{answered: never}", false),
            ("{equls: 0}", false),
            ("{equals: zero}", false),
            ("{rising: {allong: c}}", false),
            ("{rising: {}}", false),
        ] {
            let text = format!("{{says: s, metric: m, of: [a, b], where: {{x: 1}}, is: {is}}}");
            let value: serde_json::Value = serde_yaml::from_str(&text).unwrap();
            assert_eq!(validator.is_valid(&value), right, "{is}");
            assert_eq!(serde_yaml::from_str::<Claim>(&text).is_ok(), right, "{is}");
        }
    }

    #[test]
    fn names_are_listed_for_the_checks_of_a_spec() {
        let claim = claim("{less_than: {algorithm: b, metric: n, where: {k: 3}}}").unwrap();
        assert_eq!(claim.metrics(), ["m", "n"]);
        assert_eq!(claim.algorithms(), ["a", "b"]);
        assert_eq!(claim.columns(), ["k"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(claim("{equls: 0}").unwrap_err().contains("equls"));
        assert!(claim("{rising: {allong: c}}").unwrap_err().contains("allong"));
        let more_than_all = claim("{at_least: {value: 1, in: 2}}").unwrap();
        assert_eq!(more_than_all.check(), Err("`in` is a share between 0 and 1, not 2".to_string()));
        let none = claim("{at_most: {value: 1, in: 0}}").unwrap();
        assert_eq!(none.check(), Err("`in: 0` asks for no point, so that the claim could not fail".to_string()));
        for is in [
            "{equals: .nan}",
            "{share: {of: seconds, at_most: .inf}}",
            "{within: {value: 1, relative: .inf}}",
            "{steady: {along: k, factor: .inf}}",
        ] {
            let fault = claim(is).unwrap().check().unwrap_err();
            assert_eq!(fault, "a claim compares with numbers, which `.nan` and `.inf` are not", "{is}");
        }
        let mut uneven = claim("{less_than: {algorithm: b}}").unwrap();
        uneven.over = Some(Other { algorithm: Some("c".into()), ..Other::default() });
        assert!(uneven.check().unwrap_err().contains("not compared with other values"));
        let mut contradictory = claim("{share: {of: seconds}}").unwrap();
        assert_eq!(contradictory.check(), Err("a share is `at_least` or `at_most` something".to_string()));
        contradictory.is = Test::Equals(0.0);
        contradictory.expected = Expectation::of_verdict(Expected::Fails);
        assert_eq!(contradictory.check(), Err("a claim that is expected to fail says `because`".to_string()));
    }
}
