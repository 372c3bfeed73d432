//! The exact lane: what repeats to the last digit is compared digit by digit.
//!
//! Every difference is shown. It is a regression where it is for the worse beyond the metric's tolerance, where a cell
//! no longer ends well, and where a verifier no longer checks what it checked. Cells with other data and costs of
//! another build are named and not compared.

use super::comparison::{ChangeFinding, ChangeVerdict, RunComparison, Topic};
use super::pooled::Pools;
use super::renamed::OneSided;
use super::rules::{Lane, rule};
use super::snapshot::{CellId, Record, Snapshot};
use crate::lab::Better;
use crate::report::number::{number, percent};
use crate::run::Status;

/// Compares what was with what is.
pub fn compare(before: &Snapshot, after: &Snapshot) -> RunComparison {
    let mut comparison = RunComparison::default();
    let mut one_sided = OneSided::default();
    let mut pools = Pools::default();
    for (id, was) in &before.cells {
        match after.cells.get(id) {
            Some(is) => Pair { before, after, id, was, is }.compare(&mut comparison, &mut one_sided, &mut pools),
            None => comparison.findings.push(ChangeFinding::of_cell(
                ChangeVerdict::NotCompared,
                Topic::VanishedCell,
                id,
                was.place(),
                "was measured before and no longer is",
            )),
        }
    }
    let new = after.cells.iter().filter(|(id, _)| !before.cells.contains_key(id));
    comparison.findings.extend(new.map(|(id, is)| {
        ChangeFinding::of_cell(ChangeVerdict::NotCompared, Topic::NewCell, id, is.place(), "was not measured before")
    }));
    for (experiment, is) in &after.experiments {
        let Some(was) = before.experiments.get(experiment).filter(|was| was.build != is.build) else { continue };
        let has_costs = before.cells.iter().any(|(id, was)| id.experiment == *experiment && !was.costs.is_empty());
        if has_costs {
            let named =
                |build: &str| if build.is_empty() { "an unknown build".to_string() } else { format!("`{build}`") };
            let detail =
                format!("heap and allocations were recorded with {}, this is {}", named(&was.build), named(&is.build));
            comparison.findings.push(ChangeFinding::of_experiment(Topic::OtherBuild, experiment, detail));
        }
    }
    one_sided.report(&mut comparison);
    pools.report(&mut comparison);
    comparison.sorted()
}

/// Takes a value that both sides have: the metric and its place, what it was and what it is.
type Both<'a> = dyn FnMut((&str, &str), f64, f64) + 'a;

/// A cell on both sides.
struct Pair<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    id: &'a CellId,
    was: &'a Record,
    is: &'a Record,
}

impl Pair<'_> {
    fn compare(&self, comparison: &mut RunComparison, one_sided: &mut OneSided, pools: &mut Pools) {
        let Self { id, was, is, .. } = self;
        let found = |verdict, topic, detail: String| ChangeFinding::of_cell(verdict, topic, id, is.place(), detail);
        if was.data != is.data {
            let detail = format!("the data was {} and is {}", said(&was.data), said(&is.data));
            comparison.findings.push(found(ChangeVerdict::NotCompared, Topic::OtherData, detail));
            return;
        }
        comparison.places.push(((*id).clone(), is.place()));
        comparison.compared += 1;
        let status = self.status();
        match status {
            Some((verdict, topic, detail)) => comparison.findings.push(found(verdict, topic, detail)),
            None => comparison.unchanged += 1,
        }
        // A build from before it was told says nothing of what it verified.
        let told = !was.verified.is_empty() || build(self.before, id).is_some_and(|build| !build.is_empty());
        if told && was.is_ok() && is.is_ok() && was.verified != is.verified {
            comparison.compared += 1;
            let verdict = if was.verified.is_empty() { ChangeVerdict::Improved } else { ChangeVerdict::Regression };
            let detail =
                format!("the release was held to {} and is held to {}", said(&was.verified), said(&is.verified));
            comparison.findings.push(found(verdict, Topic::Verifier, detail));
        }
        if let Some(group) = &is.group {
            pools.cell(id, group, was, is);
        } else if !was.release.is_empty() && !is.release.is_empty() {
            comparison.compared += 1;
            match was.release == is.release {
                true => comparison.unchanged += 1,
                false => {
                    let detail = format!("the release was {} and is {}", was.release, is.release);
                    comparison.findings.push(found(ChangeVerdict::Changed, Topic::Release, detail));
                }
            }
        }
        if was.is_ok() && is.is_ok() {
            let mut both = |metric: (&str, &str), was: f64, now: f64| match &is.group {
                Some(group) => pools.value(id, group, is, metric, was, now),
                None => self.value(metric, was, now, comparison),
            };
            self.metrics(&mut both, one_sided);
            self.costs(&mut both, one_sided);
        }
    }

    /// What it means that a cell ends in another way than it did.
    fn status(&self) -> Option<(ChangeVerdict, Topic, String)> {
        let Self { id, was, is, .. } = self;
        if was.status == is.status {
            return None;
        }
        let because = if is.reason.is_empty() { String::new() } else { format!(" ({})", is.reason) };
        let detail = format!("was {}, is {}{because}", was.status_word(), is.status_word());
        let machine = |side: &Snapshot| side.experiments.get(&id.experiment).map(|about| about.machine.clone());
        let same_release = !was.release.is_empty() && was.release == is.release;
        Some(match (was.status, is.status) {
            // The bytes that were refused pass now: it is the verifier that changed.
            (Some(Status::Invalid), Some(Status::Ok)) if same_release => (
                ChangeVerdict::Regression,
                Topic::Verifier,
                format!("the verifier refused this very release before ({}) and accepts it now", was.reason),
            ),
            // Limits are on time and memory, and this machine may be the slower one.
            (Some(Status::Ok), Some(Status::Timeout | Status::OutOfMemory))
                if machine(self.before) != machine(self.after) =>
            {
                (ChangeVerdict::Inconclusive, Topic::Status, format!("{detail}, on another machine"))
            }
            (Some(Status::Ok), _) => (ChangeVerdict::Regression, Topic::Status, detail),
            (_, Some(Status::Ok)) => (ChangeVerdict::Improved, Topic::Status, detail),
            _ => (ChangeVerdict::Changed, Topic::Status, detail),
        })
    }

    /// Hands on what both sides have, and notes what one has.
    fn metrics(&self, both: &mut Both, one_sided: &mut OneSided) {
        for ((metric, at), &was) in &self.was.metrics {
            match self.is.metrics.get(&(metric.clone(), at.clone())) {
                Some(&is) => both((metric, at), was, is),
                None => one_sided.vanished(self.id, metric, at, was),
            }
        }
        for ((metric, at), &is) in &self.is.metrics {
            if !self.was.metrics.contains_key(&(metric.clone(), at.clone())) {
                one_sided.new_one(self.id, metric, at, is);
            }
        }
    }

    /// Heap and allocations, where both sides were built alike.
    fn costs(&self, both: &mut Both, one_sided: &mut OneSided) {
        if build(self.before, self.id) != build(self.after, self.id) {
            return;
        }
        let exact = |name: &str| rule(name).lane == Lane::Exact;
        for (name, was) in self.was.costs.iter().filter(|(name, _)| exact(name)) {
            match (was.first(), self.is.costs.get(name).and_then(|values| values.first())) {
                (Some(&was), Some(&is)) => both((name, ""), was, is),
                (Some(&was), None) => one_sided.vanished(self.id, name, "", was),
                (None, _) => {}
            }
        }
        for (name, is) in self.is.costs.iter().filter(|(name, _)| exact(name)) {
            if let (Some(&is), false) = (is.first(), self.was.costs.contains_key(name)) {
                one_sided.new_one(self.id, name, "", is);
            }
        }
    }

    fn value(&self, (metric, at): (&str, &str), was: f64, is: f64, comparison: &mut RunComparison) {
        comparison.compared += 1;
        if was == is || (was.is_nan() && is.is_nan()) {
            comparison.unchanged += 1;
            return;
        }
        let rule = rule(metric);
        let change = (is - was) / was.abs();
        let worse = match rule.better {
            // A number that is no longer one.
            _ if is.is_nan() => Some(f64::INFINITY),
            Better::Lower => Some(change),
            Better::Higher => Some(-change),
            Better::Neither => None,
        };
        let (verdict, remark) = match worse {
            Some(worse) if worse > rule.tolerance && !is_rounding(was, is) => (ChangeVerdict::Regression, ""),
            Some(worse) if worse > 0.0 => (ChangeVerdict::Changed, ", worse within its tolerance"),
            Some(_) => (ChangeVerdict::Improved, ""),
            None => (ChangeVerdict::Changed, ""),
        };
        let detail = format!("{} → {} ({}){remark}", number(was), number(is), percent(change).replace('\u{a0}', " "));
        comparison.findings.push(ChangeFinding {
            metric: metric.to_string(),
            at: at.to_string(),
            before: Some(was),
            after: Some(is),
            change: Some(change),
            ..ChangeFinding::of_cell(verdict, Topic::of(rule.side), self.id, self.is.place(), detail)
        });
    }
}

/// Residuals and gaps are zero but for rounding: a thousand times as much of it is still nothing. Costs, counts and errors
/// are far above this.
fn is_rounding(was: f64, is: f64) -> bool {
    (is - was).abs() <= 1e-9
}

fn build<'a>(side: &'a Snapshot, id: &CellId) -> Option<&'a str> {
    side.experiments.get(&id.experiment).map(|about| about.build.as_str())
}

fn said(text: &str) -> String {
    if text.is_empty() { "nothing".to_string() } else { format!("`{text}`") }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::track::snapshot::CostConditions;

    /// Two cells of one experiment.
    pub fn snapshot() -> Snapshot {
        let mut snapshot = Snapshot::default();
        let about = CostConditions { build: "rustc 1".into(), machine: "m1".into() };
        snapshot.experiments.insert("e".into(), about);
        for (digest, l) in [("aaaaaaaaaaaa", 2), ("bbbbbbbbbbbb", 3)] {
            let mut record = Record {
                title: format!("anatomy on adult, l={l}"),
                figures: vec!["fig1".into()],
                data: "adult.data@0123456789ab".into(),
                status: Some(Status::Ok),
                release: "cccccccccccc".into(),
                verified: format!(r#"{{"guarantee":"diversity","l":{l}}}"#),
                ..Record::default()
            };
            record.metrics.insert(("mean_relative_error".into(), String::new()), 0.5);
            record.metrics.insert(("groups".into(), String::new()), 100.0);
            record.costs.insert("peak_heap_bytes".into(), vec![1_000_000.0]);
            record.costs.insert("allocations".into(), vec![500.0]);
            snapshot.cells.insert(CellId { experiment: "e".into(), digest: digest.into() }, record);
        }
        snapshot
    }

    /// What is found when the first cell is altered.
    fn found(alter: impl FnOnce(&mut Record)) -> Vec<(ChangeVerdict, Topic, String)> {
        let (before, mut after) = (snapshot(), snapshot());
        alter(after.cells.values_mut().next().unwrap());
        let comparison = compare(&before, &after);
        comparison.findings.into_iter().map(|finding| (finding.verdict, finding.topic, finding.detail)).collect()
    }

    fn set(record: &mut Record, metric: &str, value: f64) {
        record.metrics.insert((metric.to_string(), String::new()), value);
    }

    #[test]
    fn the_same_is_unchanged() {
        let comparison = compare(&snapshot(), &snapshot());
        assert_eq!(comparison.findings, []);
        assert_eq!((comparison.compared, comparison.unchanged), (12, 12));
        assert!(!comparison.is_empty());
    }

    #[test]
    fn worse_is_a_regression_better_is_not_and_a_fact_is_neither() {
        let one = |finding: (ChangeVerdict, Topic, &str)| vec![(finding.0, finding.1, finding.2.to_string())];
        let error = |value: f64| found(|record| set(record, "mean_relative_error", value));
        assert_eq!(error(0.505), one((ChangeVerdict::Regression, Topic::Utility, "0.5 → 0.505 (+1.0 %)")));
        assert_eq!(error(0.25), one((ChangeVerdict::Improved, Topic::Utility, "0.5 → 0.25 (−50 %)")));
        assert_eq!(error(f64::NAN)[0].0, ChangeVerdict::Regression);
        let groups = found(|record| set(record, "groups", 101.0));
        assert_eq!(groups, one((ChangeVerdict::Changed, Topic::Fact, "100 → 101 (+1.0 %)")));
    }

    #[test]
    fn a_last_digit_is_shown_and_is_no_regression() {
        let rounded = found(|record| set(record, "mean_relative_error", 0.5 + f64::EPSILON));
        assert_eq!(rounded[0].0, ChangeVerdict::Changed);
        let mut before = snapshot();
        before.cells.values_mut().for_each(|record| set(record, "residual", 1e-16));
        let mut after = before.clone();
        after.cells.values_mut().for_each(|record| set(record, "residual", 5e-13));
        assert_eq!(compare(&before, &after).count(ChangeVerdict::Regression), 0);
        after.cells.values_mut().for_each(|record| set(record, "residual", 1e-6));
        assert_eq!(compare(&before, &after).count(ChangeVerdict::Regression), 2);
    }

    #[test]
    fn bytes_have_a_tolerance_and_every_change_is_shown() {
        let heap = |bytes: f64| found(|record| drop(record.costs.insert("peak_heap_bytes".into(), vec![bytes])));
        assert_eq!(heap(1_000_008.0)[0].0, ChangeVerdict::Changed);
        assert_eq!(heap(1_020_000.0)[0].0, ChangeVerdict::Regression);
        assert_eq!(heap(900_000.0)[0].0, ChangeVerdict::Improved);
    }

    #[test]
    fn a_lost_check_of_the_verifier_is_a_regression() {
        let weaker = found(|record| record.verified = r#"{"guarantee":"diversity","l":1}"#.into());
        assert_eq!((weaker[0].0, weaker[0].1), (ChangeVerdict::Regression, Topic::Verifier));
        let none = found(|record| record.verified.clear());
        assert!(none[0].2.ends_with("is held to nothing"), "{none:?}");

        let mut before = snapshot();
        before.cells.values_mut().next().unwrap().status = Some(Status::Invalid);
        let comparison = compare(&before, &snapshot());
        assert_eq!(comparison.findings[0].topic, Topic::Verifier, "the same bytes were refused before");
        assert_eq!(comparison.findings[0].verdict, ChangeVerdict::Regression);
        before.cells.values_mut().next().unwrap().release = "dddddddddddd".into();
        let comparison = compare(&before, &snapshot());
        assert_eq!(comparison.of(ChangeVerdict::Improved).count(), 1, "another release passes: {comparison:?}");
    }

    #[test]
    fn a_cell_that_no_longer_ends_well_is_a_regression_but_for_limits_on_another_machine() {
        let failed = found(|record| record.status = Some(Status::Failed));
        assert_eq!((failed[0].0, failed[0].1), (ChangeVerdict::Regression, Topic::Status));
        let mut after = snapshot();
        after.cells.values_mut().next().unwrap().status = Some(Status::Timeout);
        assert_eq!(compare(&snapshot(), &after).count(ChangeVerdict::Regression), 1);
        after.experiments.get_mut("e").unwrap().machine = "m2".into();
        assert_eq!(compare(&snapshot(), &after).count(ChangeVerdict::Regression), 0);
        assert_eq!(compare(&snapshot(), &after).count(ChangeVerdict::Inconclusive), 1);
    }

    #[test]
    fn what_cannot_be_compared_is_named() {
        let topics = |before: &Snapshot, after: &Snapshot| -> Vec<Topic> {
            let comparison = compare(before, after);
            assert!(comparison.findings.iter().all(|finding| finding.verdict == ChangeVerdict::NotCompared));
            comparison.findings.into_iter().map(|finding| finding.topic).collect()
        };
        let mut fewer = snapshot();
        fewer.cells.pop_last();
        assert_eq!(topics(&snapshot(), &fewer), [Topic::VanishedCell]);
        assert_eq!(topics(&fewer, &snapshot()), [Topic::NewCell]);

        let mut other = snapshot();
        other.cells.values_mut().for_each(|record| record.data = "adult.data@ffffffffffff".into());
        assert_eq!(topics(&snapshot(), &other), [Topic::OtherData; 2]);
        assert!(compare(&snapshot(), &other).is_empty());

        let mut built = snapshot();
        built.experiments.get_mut("e").unwrap().build = "rustc 2".into();
        built.cells.values_mut().for_each(|record| drop(record.costs.insert("allocations".into(), vec![9.0])));
        assert_eq!(topics(&snapshot(), &built), [Topic::OtherBuild]);
    }

    #[test]
    fn a_renamed_metric_is_told_from_a_new_one() {
        let rename = |to: f64| {
            let mut after = snapshot();
            for record in after.cells.values_mut() {
                record.metrics.remove(&("groups".to_string(), String::new()));
                set(record, "buckets", to);
            }
            let comparison = compare(&snapshot(), &after);
            comparison.findings.into_iter().map(|finding| (finding.topic, finding.detail)).collect::<Vec<_>>()
        };
        let renamed = (Topic::RenamedMetric, "`groups` is gone and `buckets` has its values in 2 cells".to_string());
        assert_eq!(rename(100.0), [renamed]);
        assert_eq!(
            rename(7.0).iter().map(|found| found.0).collect::<Vec<_>>(),
            [Topic::NewMetric, Topic::VanishedMetric]
        );
    }
}
