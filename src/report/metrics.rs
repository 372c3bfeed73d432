//! What each metric is: the ones the experiment declares, and the costs, which are always there.

use super::results::{MetricInfo, Side};
use crate::lab::Better;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy)]
pub struct Metrics<'a>(pub &'a BTreeMap<String, MetricInfo>);

impl Metrics<'_> {
    pub fn unit(&self, metric: &str) -> &str {
        match metric {
            "cpu_seconds" | "seconds" => "s",
            "peak_heap_bytes" | "peak_rss_bytes" => "bytes",
            phase if phase.starts_with("seconds.") => "s",
            _ => self.0.get(metric).map_or("", |info| info.unit.as_str()),
        }
    }

    pub fn better(&self, metric: &str) -> Better {
        match self.0.get(metric) {
            Some(info) => info.better,
            None if super::observations::is_cost(metric) => Better::Lower,
            None => Better::Neither,
        }
    }

    pub fn side(&self, metric: &str) -> Side {
        match self.0.get(metric) {
            Some(info) => info.side,
            None if super::observations::is_cost(metric) => Side::Cost,
            None => Side::Fact,
        }
    }

    pub fn about(&self, metric: &str) -> String {
        match metric {
            "seconds" => "wall-clock time of the algorithm alone".to_string(),
            "cpu_seconds" => "processor time of the algorithm alone".to_string(),
            "peak_heap_bytes" => "most bytes the algorithm had allocated at once".to_string(),
            "peak_rss_bytes" => "most resident memory of the worker process".to_string(),
            "allocations" => "allocations the algorithm made".to_string(),
            _ => match metric.strip_prefix("seconds.") {
                Some(phase) => format!("wall-clock time of the phase “{phase}”"),
                None => self.0.get(metric).map_or(String::new(), |info| info.about.clone()),
            },
        }
    }

    /// As it stands on an axis when the spec gives no label.
    pub fn title(&self, metric: &str) -> String {
        match metric {
            "seconds" => "time".to_string(),
            "cpu_seconds" => "processor time".to_string(),
            "peak_heap_bytes" => "peak heap".to_string(),
            "peak_rss_bytes" => "peak resident memory".to_string(),
            _ => match metric.strip_prefix("seconds.") {
                Some(phase) => format!("time of {}", words(phase)),
                None => words(metric),
            },
        }
    }
}

/// `min_exp` → "min exp".
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}
