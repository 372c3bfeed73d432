//! What each metric is: the ones the experiment declares, and the costs, which are always there.

use super::results::{MetricInfo, Side};
use crate::lab::{Better, Cost};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy)]
pub struct Metrics<'a>(pub &'a BTreeMap<String, MetricInfo>);

impl Metrics<'_> {
    pub fn unit(&self, metric: &str) -> &str {
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

    pub fn side(&self, metric: &str) -> Side {
        match self.0.get(metric) {
            Some(info) => info.side,
            None if Cost::of(metric).is_some() => Side::Cost,
            None => Side::Fact,
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
        match Cost::of(metric) {
            Some((cost, None)) => cost.title().to_string(),
            Some((cost, Some(part))) => format!("{} of {}", cost.title(), words(part)),
            None => words(metric),
        }
    }
}

/// `min_exp` → "min exp".
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}
