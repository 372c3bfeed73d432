//! Metrics that are on one side only: new, vanished, or the same numbers under another name.

use super::comparison::{ChangeFinding, ChangeVerdict, RunComparison, Topic};
use super::rules::Lane;
use super::snapshot::CellId;
use std::collections::{BTreeMap, BTreeSet};

/// (cell, at) → value, of one metric.
type Values = BTreeMap<(CellId, String), f64>;

/// What stands on one side only, by experiment and metric.
#[derive(Debug, Default)]
pub struct OneSided {
    vanished: BTreeMap<(String, String), Values>,
    new: BTreeMap<(String, String), Values>,
}

impl OneSided {
    pub fn vanished(&mut self, id: &CellId, metric: &str, at: &str, value: f64) {
        note(&mut self.vanished, id, metric, at, value);
    }

    pub fn new_one(&mut self, id: &CellId, metric: &str, at: &str, value: f64) {
        note(&mut self.new, id, metric, at, value);
    }

    /// One finding a metric. A metric was renamed where another has appeared in the same cells with the same values.
    pub fn report(mut self, comparison: &mut RunComparison) {
        let vanished = std::mem::take(&mut self.vanished);
        for ((experiment, metric), values) in vanished {
            let same = |other: &&(String, String)| other.0 == experiment && equal(&self.new[*other], &values);
            let renamed = self.new.keys().find(same).cloned();
            let (topic, detail) = match renamed {
                Some(key) => {
                    self.new.remove(&key);
                    let cells = cells(&values);
                    (Topic::RenamedMetric, format!("`{metric}` is gone and `{}` has its values in {cells}", key.1))
                }
                None => (Topic::VanishedMetric, format!("`{metric}` is no longer measured in {}", cells(&values))),
            };
            comparison.findings.push(finding(topic, &experiment, &metric, detail));
        }
        for ((experiment, metric), values) in &self.new {
            let detail = format!("`{metric}` was not measured before; now it is in {}", cells(values));
            comparison.findings.push(finding(Topic::NewMetric, experiment, metric, detail));
        }
    }
}

fn note(side: &mut BTreeMap<(String, String), Values>, id: &CellId, metric: &str, at: &str, value: f64) {
    let key = (id.experiment.clone(), metric.to_string());
    side.entry(key).or_default().insert((id.clone(), at.to_string()), value);
}

fn equal(a: &Values, b: &Values) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.to_bits() == b.1.to_bits())
}

fn cells(values: &Values) -> String {
    let cells: BTreeSet<&CellId> = values.keys().map(|(cell, _)| cell).collect();
    match cells.len() {
        1 => "1 cell".to_string(),
        many => format!("{many} cells"),
    }
}

fn finding(topic: Topic, experiment: &str, metric: &str, detail: String) -> ChangeFinding {
    let finding = ChangeFinding::of_experiment(topic, experiment, detail);
    ChangeFinding { metric: metric.to_string(), lane: Lane::Exact, verdict: ChangeVerdict::NotCompared, ..finding }
}
