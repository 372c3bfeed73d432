//! Rounds with an executor that needs no clock.

use super::*;
use crate::run::{
    AlgorithmCell, Disturbance, Executor, Interrupt, Policy, Progress, ProgressStyle, Rounds, Store, WorkOrder, key_of,
    planned_cell, run_cells,
};
use crate::sources::DataLocations;
use indexmap::IndexMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

/// Answers with times that a function of (algorithm, how often it was called) decides, and remembers who was called.
struct Clockwork<F: Fn(&str, usize) -> Answer + Sync> {
    calls: Mutex<Vec<String>>,
    answer: F,
}

impl<F: Fn(&str, usize) -> Answer + Sync> Executor for Clockwork<F> {
    fn execute(&self, order: &WorkOrder, _: &Interrupt) -> Option<Answer> {
        assert!(order.timing.careful);
        let name = order.cell.algorithm.as_ref().unwrap().name.clone();
        let mut calls = self.calls.lock().unwrap();
        let before = calls.iter().filter(|known| **known == name).count();
        calls.push(name.clone());
        Some((self.answer)(&name, before))
    }
}

fn timed(seconds: f64) -> Answer {
    let mut answer = Answer::without_result(Status::Ok, "");
    answer.costs.metrics.push(("seconds".into(), seconds));
    answer.costs.cell_seconds = 1.0;
    answer.release_digest = Some("r".into());
    answer
}

fn cell(name: &str, point: usize, samples: Samples) -> PlannedCell {
    let algorithm = AlgorithmCell {
        name: name.to_string(),
        publisher: "anatomy".into(),
        parameters: Default::default(),
        external: None,
        finished: None,
        distinct: true,
    };
    let mut planned = planned_cell(0);
    planned.cell.algorithm = Some(std::sync::Arc::new(algorithm));
    PlannedCell {
        key: key_of(&planned.key_fields()),
        randomized: false,
        timed: true,
        rounds: Some(Rounds { point, samples }),
        ..planned
    }
}

fn samples(at_least: usize, at_most: usize) -> Samples {
    Samples { at_least, at_most, until: 0.03, budget: Duration::from_secs(1_000) }
}

fn run(cells: &[PlannedCell], executor: &dyn Executor, out: &Path) -> IndexMap<Key, Entry> {
    let locations = DataLocations::new(None);
    let policy = Policy { jobs: 4, fresh: false, locations, keep: None, turns: None, pin: None };
    let progress = Progress::new(ProgressStyle::Quiet);
    let (store, interrupt) = (Store::in_directory(out), Interrupt::default());
    run_cells(cells, &policy, executor, &store, &progress, &interrupt).unwrap().entries
}

#[test]
fn a_round_has_everybody_once_and_the_store_keeps_every_sample() {
    let out = tempfile::tempdir().unwrap();
    let cells: Vec<_> = ["a", "b", "c"].map(|name| cell(name, 0, samples(5, 5))).to_vec();
    let executor = Clockwork { calls: Mutex::default(), answer: |_, before| timed(1.0 + before as f64) };
    let entries = run(&cells, &executor, out.path());
    let calls = executor.calls.into_inner().unwrap();
    assert_eq!(calls.len(), 15);
    for round in calls.chunks(3) {
        let mut round = round.to_vec();
        round.sort();
        assert_eq!(round, ["a", "b", "c"]);
    }
    assert!(calls.chunks(3).any(|round| round[0] != calls[0]), "the order changes: {calls:?}");
    let times: Vec<f64> = entries[&cells[0].key].samples.iter().filter_map(|sample| sample.value("seconds")).collect();
    assert_eq!(times, [1.0, 2.0, 3.0, 4.0, 5.0]);
    // All are there: nobody is timed again; with a newcomer everybody it is compared with is.
    let again = Clockwork { calls: Mutex::default(), answer: |_, _| timed(1.0) };
    run(&cells, &again, out.path());
    assert!(again.calls.lock().unwrap().is_empty());
    let mut more = cells.clone();
    more.push(cell("newcomer", 0, samples(5, 5)));
    more.push(cell("elsewhere", 1, samples(5, 5)));
    run(&more, &again, out.path());
    assert_eq!(again.calls.lock().unwrap().len(), 25);
}

#[test]
fn more_samples_are_taken_until_the_ratio_is_known() {
    let count = |spread: f64, at_most: usize| {
        let out = tempfile::tempdir().unwrap();
        let cells: Vec<_> = ["a", "b"].map(|name| cell(name, 0, samples(6, at_most))).to_vec();
        // Scatters without a pattern that both share.
        let noise = move |name: &str, before: usize| {
            1.0 + spread * (((before * 7 + name.len() * 3 + usize::from(name == "b") * 5) % 11) as f64 / 11.0)
        };
        let executor = Clockwork { calls: Mutex::default(), answer: move |name, before| timed(noise(name, before)) };
        run(&cells, &executor, out.path())[&cells[0].key].samples.len()
    };
    assert_eq!(count(0.0, 50), 6, "known at once");
    let some = count(0.2, 50);
    assert!(some > 6 && some < 50, "{some}");
    assert_eq!(count(5.0, 12), 12, "never known");
}

/// What counts is the time that a claim is about, not how well the algorithm's own is known.
#[test]
fn more_samples_are_taken_of_the_time_that_is_judged() {
    let count = |judged: &[&str]| {
        let out = tempfile::tempdir().unwrap();
        let judged_times: Arc<[String]> = judged.iter().map(|name| name.to_string()).collect();
        let judged = |name| PlannedCell { judged_times: judged_times.clone(), ..cell(name, 0, samples(6, 20)) };
        let cells: Vec<_> = ["a", "b"].map(judged).to_vec();
        // One of the first six is far off, as when another program had the core.
        let answer = |name: &str, before: usize| {
            let mut answer = timed(1.0);
            let solving = if name == "b" && before == 5 { 3.0 } else { 1.0 + before as f64 / 1e6 };
            answer.costs.metrics.push(("seconds.solving".into(), solving));
            answer
        };
        let executor = Clockwork { calls: Mutex::default(), answer };
        run(&cells, &executor, out.path())[&cells[0].key].samples.len()
    };
    assert_eq!(count(&["seconds"]), 6);
    let more = count(&["seconds", "seconds.solving"]);
    assert!((7..20).contains(&more), "{more}");
    assert_eq!(count(&["seconds", "seconds.nobody-has"]), 6);
}

#[test]
fn what_does_not_repeat_and_what_is_disturbed_is_noticed() {
    let out = tempfile::tempdir().unwrap();
    let cells = [cell("a", 0, samples(4, 4))];
    let changing = Clockwork {
        calls: Mutex::default(),
        answer: |_, before| Answer { release_digest: Some(before.to_string()), ..timed(1.0) },
    };
    let entry = &run(&cells, &changing, out.path())[&cells[0].key];
    assert_eq!((entry.answer.status, entry.answer.reason.as_str()), (Status::Failed, NOT_REPEATABLE));
    assert_eq!(changing.calls.lock().unwrap().len(), 2);

    let out = tempfile::tempdir().unwrap();
    let disturbed = Clockwork {
        calls: Mutex::default(),
        answer: |_, before| {
            let steal = if before == 0 { 0.5 } else { 0.0 };
            let mut answer = timed(1.0);
            answer.costs.disturbance = Some(Disturbance { steal, ..Disturbance::default() });
            answer
        },
    };
    let entry = &run(&cells, &disturbed, out.path())[&cells[0].key];
    let taken: Vec<u32> = entry.samples.iter().map(|sample| sample.taken).collect();
    assert_eq!((taken, disturbed.calls.lock().unwrap().len()), (vec![2, 1, 1, 1], 5));
}

#[test]
fn a_worker_that_is_killed_each_time_costs_nobody_else_a_sample() {
    /// Kills what is called `lost`, from its third call on.
    struct Killer(Mutex<usize>);

    impl Executor for Killer {
        fn execute(&self, order: &WorkOrder, _: &Interrupt) -> Option<Answer> {
            let mut calls = self.0.lock().unwrap();
            let is_lost = order.cell.algorithm.as_ref().unwrap().name == "lost";
            *calls += usize::from(is_lost);
            (!is_lost || *calls < 3).then(|| timed(1.0))
        }
    }

    let out = tempfile::tempdir().unwrap();
    let cells: Vec<_> =
        [("lost", 0), ("beside", 0), ("elsewhere", 1)].map(|(name, point)| cell(name, point, samples(5, 5))).to_vec();
    let entries = run(&cells, &Killer(Mutex::default()), out.path());
    assert!(!entries.contains_key(&cells[0].key), "two samples of five are no answer");
    assert_eq!([1, 2].map(|i| entries[&cells[i].key].samples.len()), [5, 5]);
}
