//! What each metric is judged by: its lane, its direction, its tolerance.

use crate::lab::{Better, Cost};
use crate::measures::measures;
use crate::publish::publishers;
use crate::report::MetricSide;
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// What repeats to the last digit: measurements, heap bytes, allocations, digests of releases
    Exact,
    /// What does not: seconds, resident memory
    Noisy,
}

/// How a metric is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricRule {
    pub lane: Lane,
    pub better: Better,
    /// A relative change for the worse up to this size is no regression.
    pub tolerance: f64,
    pub side: MetricSide,
    pub unit: &'static str,
}

/// A sum in another order differs in its last digits, which is no news of privacy or utility.
const ROUNDING: f64 = 1e-12;
/// Bytes and allocations repeat exactly, but a hundredth more of them is nobody's regression.
const HEAP_TOLERANCE: f64 = 0.01;
/// What moves a time by less cannot be told from where the linker put a loop.
const TIME_TOLERANCE: f64 = 0.10;

/// The rule of a metric. What an external program counts is a fact that nobody has told the direction of.
pub fn rule(metric: &str) -> MetricRule {
    match Cost::of(metric) {
        Some((cost, _)) => {
            let (lane, tolerance) =
                if cost.is_noisy() { (Lane::Noisy, TIME_TOLERANCE) } else { (Lane::Exact, HEAP_TOLERANCE) };
            MetricRule { lane, better: Better::Lower, tolerance, side: MetricSide::Cost, unit: cost.unit() }
        }
        None => registered().get(metric).copied().unwrap_or(MetricRule {
            lane: Lane::Exact,
            better: Better::Neither,
            tolerance: 0.0,
            side: MetricSide::Fact,
            unit: "",
        }),
    }
}

/// What publishers count and measures report.
fn registered() -> &'static BTreeMap<&'static str, MetricRule> {
    static KNOWN: OnceLock<BTreeMap<&'static str, MetricRule>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let counters = publishers().iter().flat_map(|publisher| publisher.about().counters);
        let counters = counters.map(|metric| (metric, MetricSide::Fact));
        let measured = measures().iter().flat_map(|measure| {
            let about = measure.about();
            about.metrics.iter().map(|metric| (metric, MetricSide::from(about.kind)))
        });
        let rule_of = |(metric, side): (&'static crate::lab::Metric, MetricSide)| {
            let rule = MetricRule {
                lane: Lane::Exact,
                better: metric.better,
                tolerance: metric.tolerance.max(ROUNDING),
                side,
                unit: metric.unit,
            };
            (metric.name, rule)
        };
        counters.chain(measured).map(rule_of).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_lane_and_a_direction() {
        assert_eq!((rule("seconds.mining").lane, rule("seconds").better), (Lane::Noisy, Better::Lower));
        assert_eq!(rule("peak_heap_bytes.queries").lane, Lane::Exact);
        assert_eq!(rule("mean_relative_error").side, MetricSide::Utility);
        assert_eq!(rule("mean_relative_error").better, Better::Lower);
        assert_eq!(rule("what_a_program_counts").better, Better::Neither);
    }
}
