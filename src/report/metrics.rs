//! What each metric is: the ones the experiment declares, and the costs, which are always there.

use crate::lab::{Better, Cost, Metric, named};
use crate::measure::MeasureKind;
use crate::measures::measures;
use crate::publish::publishers;
use crate::report::number::YES_OR_NO;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Metrics that are no quantity: 1 says that it is so, 0 that it is not.
const TRUTHS: [&str; 2] = ["named_rule_found", "proven"];

/// A metric's unit, direction and meaning, for axes, tables and comparisons.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricInfo {
    pub unit: String,
    pub better: Better,
    pub about: String,
    pub side: MetricSide,
    /// Relative to the guarantee of the release: values under different guarantees do not compare.
    pub relative: bool,
    /// A relative change for the worse up to this size is no regression.
    pub tolerance: f64,
}

named! {
    /// What a metric speaks of.
    #[derive(Hash, PartialOrd, Ord, Default, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MetricSide {
        /// What an adversary learns.
        Privacy = "privacy",
        /// What an analyst can still do.
        Utility = "utility",
        /// What it takes to get there.
        Cost = "cost",
        /// The data, or the computation.
        #[default]
        Fact = "fact",
    }
}

impl From<MeasureKind> for MetricSide {
    fn from(kind: MeasureKind) -> Self {
        match kind {
            MeasureKind::Audit => Self::Privacy,
            MeasureKind::Utility => Self::Utility,
            MeasureKind::Data => Self::Fact,
        }
    }
}

impl MetricInfo {
    pub fn new(metric: &Metric, side: MetricSide) -> Self {
        Self {
            unit: if TRUTHS.contains(&metric.name) { YES_OR_NO } else { metric.unit }.to_string(),
            better: metric.better,
            about: metric.about.to_string(),
            side,
            relative: metric.relative,
            tolerance: metric.tolerance,
        }
    }
}

/// Everything that publishers count and measures report.
pub fn known_metrics() -> &'static BTreeMap<String, MetricInfo> {
    static KNOWN: LazyLock<BTreeMap<String, MetricInfo>> = LazyLock::new(|| {
        let counters = publishers().iter().flat_map(|publisher| publisher.about().counters);
        let counters = counters.map(|metric| (metric, MetricSide::Fact));
        let measured = measures().iter().flat_map(|measure| {
            let about = measure.about();
            about.metrics.iter().map(|metric| (metric, MetricSide::from(about.kind)))
        });
        let all = counters.chain(measured);
        all.map(|(metric, side)| (metric.name.to_string(), MetricInfo::new(metric, side))).collect()
    });
    &KNOWN
}

#[derive(Debug, Clone, Copy)]
pub struct Metrics<'a>(pub &'a BTreeMap<String, MetricInfo>);

impl<'a> Metrics<'a> {
    pub fn unit(&self, metric: &str) -> &'a str {
        match Cost::of(metric) {
            Some((cost, _)) => cost.unit(),
            None => self.0.get(metric).map_or("", |info| info.unit.as_str()),
        }
    }

    pub fn better(&self, metric: &str) -> Better {
        match self.0.get(metric) {
            Some(info) => info.better,
            None if Cost::of(metric).is_some() => Better::Lower,
            None => Better::Neither,
        }
    }

    pub fn side(&self, metric: &str) -> MetricSide {
        match self.0.get(metric) {
            Some(info) => info.side,
            None if Cost::of(metric).is_some() => MetricSide::Cost,
            None => MetricSide::Fact,
        }
    }

    pub fn about(&self, metric: &str) -> String {
        match Cost::of(metric) {
            Some((cost, part)) => cost.about(part),
            None => self.0.get(metric).map_or(String::new(), |info| info.about.clone()),
        }
    }

    /// As it stands on an axis when the spec gives no label.
    pub fn title(&self, metric: &str) -> String {
        title(metric)
    }
}

/// `seconds.mining` → "time of mining", `nuggets_kept` → "nuggets kept".
pub fn title(metric: &str) -> String {
    match Cost::of(metric) {
        Some((cost, None)) => cost.title().to_string(),
        Some((cost, Some(part))) => {
            // Phases of every cell; other parts are named by publishers and measures.
            let part = match part {
                "load" => "loading".to_string(),
                "verify" => "verifying".to_string(),
                part => words(part).replace('-', " "),
            };
            format!("{} of {part}", cost.title())
        }
        None => words(metric),
    }
}

/// `min_exp` → "min exp".
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_1_or_0_is_told_as_yes_or_no() {
        let says_so = |info: &MetricInfo| info.about.starts_with("whether ") || info.about.starts_with("1 if ");
        let truths: Vec<&str> =
            known_metrics().iter().filter(|(_, info)| says_so(info)).map(|(name, _)| name.as_str()).collect();
        assert_eq!(truths, TRUTHS, "by what they say of themselves");
        assert!(TRUTHS.iter().all(|name| known_metrics()[*name].unit == YES_OR_NO));
    }
}
