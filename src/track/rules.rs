//! What each metric is judged by: its lane, its direction, its tolerance.

use crate::lab::{Better, Cost};
use crate::report::{MetricSide, Metrics, known_metrics};
use clap::ValueEnum;
use serde::Serialize;

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
    let known = Metrics(known_metrics());
    let (lane, tolerance) = match (Cost::of(metric), known.0.get(metric)) {
        (Some((cost, _)), _) if cost.is_noisy() => (Lane::Noisy, TIME_TOLERANCE),
        (Some(_), _) => (Lane::Exact, HEAP_TOLERANCE),
        (None, Some(info)) => (Lane::Exact, info.tolerance.max(ROUNDING)),
        (None, None) => (Lane::Exact, 0.0),
    };
    MetricRule { lane, better: known.better(metric), tolerance, side: known.side(metric), unit: known.unit(metric) }
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
