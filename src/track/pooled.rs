//! Repetitions of a randomized algorithm are one sample.
//!
//! One more draw from the random generator changes every number of every repetition and says nothing of the algorithm. So
//! the repetitions of a cell are pooled on each side, and what moved is judged by their spread: only a mean that moved
//! beyond it (Welch's test, corrected for the number of metrics that are looked at) is better or worse. A metric that is the
//! same in all repetitions of a side has no spread, and is held to its tolerance alone.

use super::comparison::{ChangeFinding, ChangeVerdict, RunComparison, Topic};
use super::rules::rule;
use super::snapshot::{CellId, Record, RepetitionGroup};
use crate::lab::Better;
use crate::report::number::{number, percent};
use crate::statistics::{mean, welch_test};
use std::collections::BTreeMap;

/// The chance of any false alarm in a comparison of the same with itself.
const LEVEL: f64 = 0.001;

/// The pooled cells of a comparison.
#[derive(Debug, Default)]
pub struct Pools {
    /// Group → its cells.
    groups: BTreeMap<String, Pool>,
}

#[derive(Debug)]
struct Pool {
    /// The first of its cells.
    id: CellId,
    place: String,
    cells: usize,
    releases: usize,
    other_releases: usize,
    /// (metric, at) → values before and after.
    samples: BTreeMap<(String, String), Sample>,
}

#[derive(Debug, Default)]
struct Sample {
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Sample {
    fn is_unchanged(&self) -> bool {
        self.before.iter().zip(&self.after).all(|(was, is)| was == is || (was.is_nan() && is.is_nan()))
    }
}

impl Pools {
    fn pool(&mut self, id: &CellId, group: &RepetitionGroup, record: &Record) -> &mut Pool {
        self.groups.entry(format!("{} {}", id.experiment, group.digest)).or_insert_with(|| Pool {
            id: id.clone(),
            place: format!("{}: {}", record.figures.join(", "), group.title),
            cells: 0,
            releases: 0,
            other_releases: 0,
            samples: BTreeMap::new(),
        })
    }

    /// A cell that both sides have.
    pub fn cell(&mut self, id: &CellId, group: &RepetitionGroup, was: &Record, is: &Record) {
        let pool = self.pool(id, group, is);
        pool.cells += 1;
        if !was.release.is_empty() && !is.release.is_empty() {
            pool.releases += 1;
            pool.other_releases += usize::from(was.release != is.release);
        }
    }

    /// A value that both sides of a cell have.
    pub fn value(
        &mut self,
        id: &CellId,
        group: &RepetitionGroup,
        record: &Record,
        metric: (&str, &str),
        was: f64,
        is: f64,
    ) {
        let key = (metric.0.to_string(), metric.1.to_string());
        let sample = self.pool(id, group, record).samples.entry(key).or_default();
        sample.before.push(was);
        sample.after.push(is);
    }

    /// Judges every sample.
    pub fn report(self, comparison: &mut RunComparison) {
        let samples = || self.groups.values().flat_map(|pool| pool.samples.values());
        let level = LEVEL / samples().filter(|sample| !sample.is_unchanged()).count().max(1) as f64;
        for pool in self.groups.values() {
            pool.report_releases(comparison);
            for ((metric, at), sample) in &pool.samples {
                comparison.compared += 1;
                match sample.is_unchanged() {
                    true => comparison.unchanged += 1,
                    false => pool.judge(metric, at, sample, level, comparison),
                }
            }
        }
    }
}

impl Pool {
    fn place(&self) -> String {
        match self.cells {
            1 => self.place.clone(),
            n => format!("{}, {n} repetitions", self.place),
        }
    }

    fn report_releases(&self, comparison: &mut RunComparison) {
        comparison.compared += usize::from(self.releases > 0);
        match self.other_releases {
            0 => comparison.unchanged += usize::from(self.releases > 0),
            others => {
                let detail = format!("{others} of {} releases are others than before", self.releases);
                comparison.findings.push(ChangeFinding::of_cell(
                    ChangeVerdict::Changed,
                    Topic::Release,
                    &self.id,
                    self.place(),
                    detail,
                ));
            }
        }
    }

    fn judge(&self, metric: &str, at: &str, sample: &Sample, level: f64, comparison: &mut RunComparison) {
        let rule = rule(metric);
        let (was, is) = (mean(&sample.before), mean(&sample.after));
        let change = (is - was) / was.abs();
        let worse = match rule.better {
            Better::Lower => change,
            Better::Higher => -change,
            Better::Neither => 0.0,
        };
        let chance = welch_test(&sample.before, &sample.after);
        let spread = match chance {
            Some(_) => format!("; before {}, now {}", range(&sample.before), range(&sample.after)),
            None => String::new(),
        };
        let (verdict, remark) = match (rule.better, chance) {
            // A number that is no longer one.
            _ if is.is_nan() => (ChangeVerdict::Regression, ""),
            (_, Some(chance)) if chance >= level => {
                comparison.within_spread += 1;
                return;
            }
            (Better::Neither, _) => (ChangeVerdict::Changed, ""),
            (_, None) if self.cells < 2 => {
                (ChangeVerdict::Inconclusive, ": one repetition of a randomized algorithm tells no spread")
            }
            _ if worse > rule.tolerance && (is - was).abs() > 1e-9 => (ChangeVerdict::Regression, ""),
            _ if worse > 0.0 => (ChangeVerdict::Changed, ", worse within its tolerance"),
            _ => (ChangeVerdict::Improved, ""),
        };
        let detail =
            format!("{} → {} ({}){spread}{remark}", number(was), number(is), percent(change).replace('\u{a0}', " "));
        comparison.findings.push(ChangeFinding {
            metric: metric.to_string(),
            at: at.to_string(),
            before: Some(was),
            after: Some(is),
            change: Some(change),
            ..ChangeFinding::of_cell(verdict, Topic::of(rule.side), &self.id, self.place(), detail)
        });
    }
}

/// "0.2 to 0.3".
fn range(values: &[f64]) -> String {
    let end = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(f64::NAN);
    let (low, high) = (end(f64::min), end(f64::max));
    if low == high { number(low) } else { format!("{} to {}", number(low), number(high)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::lab::{Seed, Workbench};
    use crate::measures::measure;
    use crate::publish::publisher;
    use crate::sources::{DataLocations, DatasetDefinition, load};
    use crate::track::exact::compare;
    use crate::track::snapshot::{CostConditions, Snapshot};
    use serde_json::{Map, Value, json};

    /// Sixty people with five diseases.
    fn people() -> Dataset {
        let diseases = ["flu", "cold", "asthma", "gout", "measles"];
        let mut text = "age,sex,disease\n".to_string();
        for i in 0..60 {
            text += &format!("{},{},{}\n", 18 + i * 7 % 61, ["F", "M"][i / 3 % 2], diseases[i % 5]);
        }
        let source = json!({"format": "csv", "inline": text});
        let definition: DatasetDefinition = serde_json::from_value(
            json!({"source": source, "quasi_identifiers": ["age", "sex"], "sensitive": "disease"}),
        )
        .unwrap();
        load(&definition, &DataLocations::new(None), Seed(0)).unwrap().dataset
    }

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    /// Anatomy with its own seed on each side, and always the same queries: ten repetitions of three ℓ.
    fn measured(seed: u64) -> Snapshot {
        let people = people();
        let mut snapshot = Snapshot::default();
        snapshot.experiments.insert("e".into(), CostConditions { build: "b".into(), machine: "m".into() });
        for l in [2, 3, 4] {
            for repetition in 0..10 {
                let mut bench = Workbench::new(Seed(seed), (l, repetition));
                let parameters = publisher("anatomy").unwrap().complete(&map(json!({"l": l}))).unwrap();
                let release = publisher("anatomy").unwrap().publish(&people, &parameters, &mut bench).unwrap();
                let queries = measure("query-error").unwrap();
                let given = queries.complete(&map(json!({"queries": 40, "dim": 2, "sel": 0.5}))).unwrap();
                let mut draws = Workbench::new(Seed(7), l);
                let observed = queries.measure(&people, Some(&release), &given, &mut draws).unwrap();
                let metrics = observed
                    .into_iter()
                    .map(|seen| ((seen.metric.to_string(), seen.at.unwrap_or_default()), seen.value));
                let group = RepetitionGroup { digest: format!("l{l}"), title: format!("anatomy on people, l={l}") };
                let record = Record {
                    title: group.title.clone(),
                    figures: vec!["f".into()],
                    status: Some(crate::run::Status::Ok),
                    metrics: metrics.collect(),
                    group: Some(group),
                    ..Record::default()
                };
                let digest = format!("{l}-{repetition}");
                snapshot.cells.insert(CellId { experiment: "e".into(), digest }, record);
            }
        }
        snapshot
    }

    #[test]
    fn another_seed_raises_no_alarm() {
        let before = measured(0);
        let mut moved = 0;
        for seed in 1..=20 {
            let comparison = compare(&before, &measured(seed));
            let findings: Vec<&ChangeFinding> =
                comparison.of(ChangeVerdict::Regression).chain(comparison.of(ChangeVerdict::Improved)).collect();
            assert!(findings.is_empty(), "seed {seed}: {findings:?}");
            moved += comparison.within_spread;
        }
        assert!(moved > 100, "the seeds move nearly every number: {moved}");
    }

    #[test]
    fn what_moves_beyond_the_spread_is_found() {
        let (before, mut after) = (measured(0), measured(1));
        for record in after.cells.values_mut() {
            for ((metric, _), value) in &mut record.metrics {
                *value *= if metric == "mean_relative_error" { 3.0 } else { 1.0 };
            }
        }
        let comparison = compare(&before, &after);
        let mut worse: Vec<(&str, &str)> = comparison
            .of(ChangeVerdict::Regression)
            .map(|found| (found.metric.as_str(), found.place.as_str()))
            .collect();
        worse.sort();
        assert_eq!(worse[0], ("mean_relative_error", "f: anatomy on people, l=2, 10 repetitions"), "{worse:?}");
        assert_eq!(worse.len(), 3, "one finding a sample: {worse:?}");
    }

    #[test]
    fn a_number_that_no_draw_moves_is_held_to_its_tolerance() {
        let constant = |value: f64, repetitions: usize| {
            let mut snapshot = measured(0);
            for record in snapshot.cells.values_mut() {
                record.metrics = [(("vulnerable_tuples".to_string(), String::new()), value)].into();
            }
            snapshot.cells.retain(|id, _| id.digest.split_once('-').unwrap().1.parse::<usize>().unwrap() < repetitions);
            snapshot
        };
        let verdicts = |repetitions| compare(&constant(0.0, repetitions), &constant(1.0, repetitions));
        assert_eq!(verdicts(2).count(ChangeVerdict::Regression), 3, "somebody is exposed in every repetition");
        assert_eq!(verdicts(1).count(ChangeVerdict::Regression), 0);
        assert_eq!(verdicts(1).count(ChangeVerdict::Inconclusive), 3);
    }
}
