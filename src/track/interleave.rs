//! The noisy lane: both sides of every cell measured in turns, in one run, so that whatever else the machine does hits
//! both alike; and what looks like a regression measured again, with fresh samples, before it counts as one.
//!
//! Many cells are many chances of a false alarm. Three things keep them rare: the whole interval must lie beyond the
//! tolerance, not its middle; the second look takes twice the samples and uses none of those that raised the suspicion;
//! and the parts of a time are not judged beside the time itself.

use super::comparison::{ChangeFinding, ChangeVerdict, RunComparison, Topic};
use super::noisy::{JUDGED, NoisyJudgement, Spreads, finding, judge};
use super::rules::Lane;
use super::snapshot::CellId;
use crate::lab::Cost;
use crate::run::order;
use std::collections::BTreeMap;

/// Which side is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComparedSide {
    Before,
    After,
}

/// A cell that both sides have.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedCell {
    pub id: CellId,
    pub place: String,
}

/// Noisy costs of one run of a cell; or how else it ended.
pub type NoisyCosts = Result<BTreeMap<String, f64>, String>;

/// Somebody wants the run to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Runs one cell on one side.
pub type Hand<'a> = dyn FnMut(ComparedSide, &ComparedCell) -> Result<NoisyCosts, Interrupted> + 'a;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterleaveSettings {
    /// Pairs of samples of each cell; a second look takes twice as many.
    pub samples: usize,
    /// What was before is remembered, not measured now. A machine is not the same at another time, and it takes a history
    /// to know how much that matters.
    pub at_another_time: bool,
}

const NO_HISTORY: &str = "it was recorded at another time, and there is no history of five runs on this machine that \
                          tells how much this matters; --against a binary or a revision measures both at once";

/// Decides who comes first in which round; any number does.
const ORDER_SEED: u64 = 0;

/// Samples of both sides of a cell, by metric.
type Pairs = BTreeMap<&'static str, Vec<(f64, f64)>>;

/// Measures all subjects on both sides and judges them.
pub fn compare(
    subjects: &[ComparedCell],
    settings: InterleaveSettings,
    spreads: Spreads,
    hand: &mut Hand,
) -> Result<RunComparison, Interrupted> {
    let mut comparison = RunComparison::default();
    let judgeable =
        |subject: &ComparedCell| !settings.at_another_time || spreads.of(&subject.id, Cost::Seconds.name()).is_some();
    for subject in subjects.iter().filter(|subject| !judgeable(subject)) {
        comparison.compared += 1;
        let found = ChangeFinding::of_cell(
            ChangeVerdict::Inconclusive,
            Topic::Cost,
            &subject.id,
            subject.place.clone(),
            NO_HISTORY,
        );
        comparison.findings.push(ChangeFinding { lane: Lane::Noisy, ..found });
    }
    let subjects: &[ComparedCell] = &subjects.iter().filter(|subject| judgeable(subject)).cloned().collect::<Vec<_>>();
    let first = look(subjects, settings.samples, hand)?;
    let suspects: Vec<ComparedCell> = subjects
        .iter()
        .zip(&first)
        .filter(|(subject, pairs)| pairs.as_ref().is_ok_and(|pairs| is_suspect(subject, pairs, spreads)))
        .map(|(subject, _)| subject.clone())
        .collect();
    let second = look(&suspects, 2 * settings.samples, hand)?;
    for (subject, pairs) in subjects.iter().zip(&first) {
        comparison.places.push((subject.id.clone(), subject.place.clone()));
        let again = suspects.iter().position(|suspect| suspect == subject).map(|i| &second[i]);
        match (pairs, again) {
            (Ok(_), Some(Err(why))) | (Err(why), _) => comparison.findings.push(not_measured(subject, why)),
            (Ok(pairs), None) => conclude(subject, pairs, None, spreads, &mut comparison),
            (Ok(pairs), Some(Ok(fresh))) => conclude(subject, pairs, Some(fresh), spreads, &mut comparison),
        }
    }
    Ok(comparison.sorted())
}

/// Only one side: samples to record.
pub fn take_samples(
    subjects: &[ComparedCell],
    samples: usize,
    hand: &mut Hand,
) -> Result<Vec<BTreeMap<String, Vec<f64>>>, Interrupted> {
    let mut taken = vec![BTreeMap::<String, Vec<f64>>::new(); subjects.len()];
    for _ in 0..samples {
        for (subject, taken) in subjects.iter().zip(&mut taken) {
            if let Ok(costs) = hand(ComparedSide::After, subject)? {
                for (metric, value) in costs.into_iter().filter(|(metric, _)| JUDGED.contains(&metric.as_str())) {
                    taken.entry(metric).or_default().push(value);
                }
            }
        }
    }
    Ok(taken)
}

/// Pairs of every subject; for one that does not end well on a side, why.
fn look(subjects: &[ComparedCell], samples: usize, hand: &mut Hand) -> Result<Vec<Result<Pairs, String>>, Interrupted> {
    let mut looked: Vec<Result<Pairs, String>> = vec![Ok(Pairs::new()); subjects.len()];
    // A subject is a point, its two sides are the contenders: the rounds of `run`.
    let sides: Vec<(usize, ComparedSide)> = (0..subjects.len())
        .flat_map(|number| [(number, ComparedSide::Before), (number, ComparedSide::After)])
        .collect();
    let points: Vec<usize> = sides.iter().map(|side| side.0).collect();
    for round in 0..samples {
        let mut costs: BTreeMap<(usize, ComparedSide), NoisyCosts> = BTreeMap::new();
        for next in order(ORDER_SEED, round, &points) {
            let (number, turn) = sides[next];
            if looked[number].is_ok() {
                costs.insert((number, turn), hand(turn, &subjects[number])?);
            }
        }
        for (number, looked) in looked.iter_mut().enumerate() {
            let Ok(pairs) = looked else { continue };
            match (costs.remove(&(number, ComparedSide::Before)), costs.remove(&(number, ComparedSide::After))) {
                (Some(Ok(before)), Some(Ok(after))) => {
                    for metric in JUDGED {
                        if let (Some(&before), Some(&after)) = (before.get(metric), after.get(metric)) {
                            pairs.entry(metric).or_default().push((before, after));
                        }
                    }
                }
                (Some(Err(why)), _) => *looked = Err(format!("it did not end well before: {why}")),
                (_, Some(Err(why))) => *looked = Err(format!("it does not end well: {why}")),
                (None, _) | (_, None) => {}
            }
        }
    }
    Ok(looked)
}

fn is_suspect(subject: &ComparedCell, pairs: &Pairs, spreads: Spreads) -> bool {
    pairs.iter().any(|(metric, pairs)| {
        judge(metric, pairs, spreads.of(&subject.id, metric)).is_ok_and(|judged| is_regression(&judged))
    })
}

fn is_regression(judged: &NoisyJudgement) -> bool {
    judged.verdict == Some(ChangeVerdict::Regression)
}

fn conclude(
    subject: &ComparedCell,
    first: &Pairs,
    second: Option<&Pairs>,
    spreads: Spreads,
    comparison: &mut RunComparison,
) {
    for (metric, pairs) in first {
        comparison.compared += 1;
        let spread = spreads.of(&subject.id, metric);
        let judged = judge(metric, pairs, spread);
        let suspected = judged.as_ref().is_ok_and(is_regression);
        let found = match (suspected, second.and_then(|second| second.get(metric))) {
            (true, Some(fresh)) => {
                let again = judge(metric, fresh, spread);
                let confirmed = again.as_ref().is_ok_and(is_regression);
                let found = finding(&subject.id, &subject.place, metric, fresh, &again);
                let at_first = judged.map_or(f64::NAN, |judged| judged.ratio);
                match (found, confirmed) {
                    (Some(found), true) => Some(found),
                    (found, _) => Some(unconfirmed(subject, metric, at_first, found)),
                }
            }
            _ => finding(&subject.id, &subject.place, metric, pairs, &judged),
        };
        match found {
            Some(found) => comparison.findings.push(found),
            None => comparison.unchanged += 1,
        }
    }
}

/// What looked like a regression at first and not when it was measured again.
fn unconfirmed(subject: &ComparedCell, metric: &str, at_first: f64, again: Option<ChangeFinding>) -> ChangeFinding {
    let first = format!("looked like ×{} at first; measured again it did not", crate::report::number::number(at_first));
    let base = again.unwrap_or_else(|| {
        ChangeFinding::of_cell(
            ChangeVerdict::Inconclusive,
            Topic::Cost,
            &subject.id,
            subject.place.clone(),
            String::new(),
        )
    });
    let detail = if base.detail.is_empty() { first } else { format!("{first}: {}", base.detail) };
    ChangeFinding {
        verdict: ChangeVerdict::Inconclusive,
        lane: Lane::Noisy,
        metric: metric.to_string(),
        detail,
        ..base
    }
}

fn not_measured(subject: &ComparedCell, why: &str) -> ChangeFinding {
    let found =
        ChangeFinding::of_cell(ChangeVerdict::NotCompared, Topic::NotMeasured, &subject.id, subject.place.clone(), why);
    ChangeFinding { lane: Lane::Noisy, ..found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::history::History;
    use crate::track::snapshot::{Record, Snapshot};

    fn subjects(count: usize) -> Vec<ComparedCell> {
        let id = |number: usize| CellId { experiment: "e".into(), digest: format!("{number:012}") };
        (0..count).map(|number| ComparedCell { id: id(number), place: format!("fig: cell {number}") }).collect()
    }

    fn pairs_of(samples: usize) -> InterleaveSettings {
        InterleaveSettings { samples, at_another_time: false }
    }

    fn costs(seconds: f64) -> Result<NoisyCosts, Interrupted> {
        Ok(Ok(BTreeMap::from([("seconds".to_string(), seconds), ("seconds.mining".to_string(), seconds)])))
    }

    #[test]
    fn sides_take_turns_and_only_suspects_are_measured_again() {
        let mut calls = Vec::new();
        let comparison = compare(&subjects(2), pairs_of(6), Spreads::default(), &mut |turn, subject| {
            calls.push((turn, subject.id.digest.clone()));
            let slow = turn == ComparedSide::After && subject.place.ends_with('1');
            costs(if slow { 0.013 } else { 0.01 })
        })
        .unwrap();
        for pair in calls[..24].chunks(2) {
            assert_eq!(pair[0].1, pair[1].1, "both sides of a cell stand next to each other");
            assert_ne!(pair[0].0, pair[1].0);
        }
        let firsts = |turn: ComparedSide| calls.chunks(2).filter(|pair| pair[0].0 == turn).count();
        assert!(firsts(ComparedSide::Before) > 3 && firsts(ComparedSide::After) > 3, "sides take turns: {calls:?}");
        assert_eq!(calls.len(), 2 * 2 * 6 + 2 * 12);
        assert!(calls[24..].iter().all(|call| call.1.ends_with('1')));
        let found: Vec<_> = comparison.findings.iter().map(|found| (found.verdict, found.metric.as_str())).collect();
        assert_eq!(found, [(ChangeVerdict::Regression, "seconds")], "phases are no further alarm");
        assert_eq!(
            comparison.findings[0].detail,
            "10 ms → 13 ms: ×1.3 [1.3, 1.3] over 12 pairs; up to ×1.1 is tolerated"
        );
        assert_eq!((comparison.compared, comparison.unchanged), (2, 1));
    }

    #[test]
    fn a_suspicion_that_does_not_come_back_is_no_regression() {
        let mut calls = 0;
        let comparison = compare(&subjects(1), pairs_of(6), Spreads::default(), &mut |turn, _| {
            calls += 1;
            costs(if calls <= 12 && turn == ComparedSide::After { 0.02 } else { 0.01 })
        })
        .unwrap();
        assert_eq!(comparison.findings[0].verdict, ChangeVerdict::Inconclusive);
        assert_eq!(comparison.findings[0].detail, "looked like ×2 at first; measured again it did not");
        assert!(comparison.is_empty(), "nothing was decided");
    }

    #[test]
    fn too_few_samples_are_inconclusive_and_a_failing_cell_is_named() {
        let few = compare(&subjects(1), pairs_of(3), Spreads::default(), &mut |_, _| costs(0.01)).unwrap();
        assert_eq!(few.findings[0].verdict, ChangeVerdict::Inconclusive);
        let failing = compare(&subjects(1), pairs_of(9), Spreads::default(), &mut |turn, _| match turn {
            ComparedSide::Before => costs(0.01),
            ComparedSide::After => Ok(Err("timeout".into())),
        });
        let failing = failing.unwrap();
        assert_eq!(failing.findings[0].topic, Topic::NotMeasured);
        assert_eq!(failing.findings[0].detail, "it does not end well: timeout");
        assert_eq!(
            compare(&subjects(1), pairs_of(1), Spreads::default(), &mut |_, _| Err(Interrupted)),
            Err(Interrupted)
        );
    }

    #[test]
    fn what_was_recorded_at_another_time_needs_a_history() {
        let subjects = subjects(1);
        let settings = InterleaveSettings { samples: 6, at_another_time: true };
        let hand =
            &mut |turn: ComparedSide, _: &ComparedCell| costs(if turn == ComparedSide::Before { 0.02 } else { 0.03 });
        let without = compare(&subjects, settings, Spreads::default(), hand).unwrap();
        assert_eq!(without.findings[0].verdict, ChangeVerdict::Inconclusive);
        let mut history = History::default();
        for run in 0..5 {
            let mut snapshot = Snapshot::default();
            let record = Record {
                status: Some(crate::run::Status::Ok),
                costs: BTreeMap::from([("seconds".into(), vec![0.02])]),
                ..Record::default()
            };
            snapshot.cells.insert(subjects[0].id.clone(), record);
            history.append(&run.to_string(), "m1", &snapshot);
        }
        let with = compare(&subjects, settings, Spreads { history: Some((&history, "m1")) }, hand).unwrap();
        assert_eq!(with.findings[0].verdict, ChangeVerdict::Regression);
    }
}
