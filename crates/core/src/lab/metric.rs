use super::Name;
use serde::{Deserialize, Serialize};

/// Which way a metric improves. Comparisons, regression checks and tables need to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Less of it is better.
    Lower,
    /// More of it is better.
    Higher,
    /// A size or a fact (number of rows): a change is news, not progress.
    Neither,
}

/// What a measure, or an algorithm's counter, can report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Metric {
    /// As it stands in specs and CSV: snake_case.
    pub name: &'static str,
    /// For axes: "%", "tuples", "nodes"; empty when it has none.
    pub unit: &'static str,
    /// Which direction is better.
    pub better: Better,
    /// One line on what it is.
    pub about: &'static str,
    /// A relative change for the worse up to this size is not a regression (0: every change counts).
    pub tolerance: f64,
    /// It counts what falls short of the release's own guarantee: under a weaker one the same release does better.
    pub relative: bool,
    /// It tells how an answer came about (sizes of the problem, the solver's residuals), not what the answer is.
    pub diagnostic: bool,
}

impl Metric {
    /// A metric of which less is better; every change for the worse counts.
    pub const fn lower(name: &'static str, unit: &'static str, about: &'static str) -> Self {
        Self { name, unit, better: Better::Lower, about, tolerance: 0.0, relative: false, diagnostic: false }
    }

    /// A metric of which more is better; every change for the worse counts.
    pub const fn higher(name: &'static str, unit: &'static str, about: &'static str) -> Self {
        Self { better: Better::Higher, ..Self::lower(name, unit, about) }
    }

    /// A size or a fact, of which neither is better.
    pub const fn fact(name: &'static str, unit: &'static str, about: &'static str) -> Self {
        Self { better: Better::Neither, ..Self::lower(name, unit, about) }
    }

    /// The same, of a metric that counts what falls short of the release's own guarantee.
    pub const fn relative_to_guarantee(mut self) -> Self {
        self.relative = true;
        self
    }

    /// The same, of a metric that tells how an answer came about.
    pub const fn diagnostic(mut self) -> Self {
        self.diagnostic = true;
        self
    }

    /// The same, where a relative change for the worse up to `tolerance` does not count.
    pub const fn tolerating(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }
}

/// One number a measure took. `at` places it along an axis of the measure's own (the K of a top-K curve, the size of an
/// itemset, the name of an individual); plain metrics have none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The metric's name.
    pub metric: Name,
    /// Where along the axis of the measure's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The number.
    pub value: f64,
}

impl Observation {
    /// A number of a metric without an axis of its own.
    pub fn new(metric: &Metric, value: f64) -> Self {
        Self { metric: metric.name.into(), at: None, value: unsigned_zero(value) }
    }

    /// A number at one place of the metric's own axis.
    pub fn at(metric: &Metric, at: impl ToString, value: f64) -> Self {
        Self { metric: metric.name.into(), at: Some(at.to_string()), value: unsigned_zero(value) }
    }
}

/// A sum of no numbers is −0, which is 0 to everybody who reads it.
fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}
