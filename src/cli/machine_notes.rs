//! What a reader of timings must know of the machine that gave them, beside the figure.

use super::list::counted;
use crate::run::{Entry, Key, Machine, PlannedCell, lasting_faults};
use indexmap::{IndexMap, IndexSet};
use std::sync::OnceLock;

/// How many of a figure's samples stayed disturbed, if any did.
pub fn disturbed(cells: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> Option<String> {
    let timed = timed(cells, entries);
    let samples = || timed.iter().flat_map(|entry| &entry.samples);
    let disturbed = samples().filter(|sample| sample.disturbance.is_some_and(|found| found.is_too_much())).count();
    (disturbed > 0).then(|| {
        let all = counted(samples().count(), "sample");
        format!("Other work on the machine disturbed {disturbed} of {all}, also when these were taken again.")
    })
}

/// What is wrong with this machine, for the report of a run on it; None where no time of the figure is shown or judged, where the
/// times are of another machine, of which nothing is known here, and where all is well.
pub fn faults(cells: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> Option<String> {
    let timed = timed(cells, entries);
    let here = !timed.is_empty() && timed.iter().all(|entry| entry.machine == this().fingerprint);
    if here { told(&this().faults) } else { None }
}

fn told(faults: &[&str]) -> Option<String> {
    (!faults.is_empty()).then(|| {
        format!(
            "These times were taken on a machine that does not suit timings: {}. `anonlab doctor` and `timings` in provenance.json say what that means.",
            faults.join(", ")
        )
    })
}

/// The entries of cells whose time is shown or judged.
fn timed<'a>(cells: &[&PlannedCell], entries: &'a IndexMap<Key, Entry>) -> Vec<&'a Entry> {
    let keys: IndexSet<&Key> = cells.iter().filter(|cell| cell.rounds.is_some()).map(|cell| &cell.key).collect();
    keys.into_iter().filter_map(|key| entries.get(key)).collect()
}

/// What this machine is; it stays the same while a report is made.
struct This {
    fingerprint: String,
    faults: Vec<&'static str>,
}

fn this() -> &'static This {
    static THIS: OnceLock<This> = OnceLock::new();
    THIS.get_or_init(|| This { fingerprint: Machine::this().fingerprint(), faults: lasting_faults() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Answer, Disturbance, Limits, Rounds, Samples, Status, TimingSample, planned_cell};

    fn entry(switches: &[f64]) -> Entry {
        let sample = |&switches: &f64| TimingSample {
            metrics: vec![("seconds".into(), 1.0)],
            disturbance: Some(Disturbance { switches, ..Disturbance::default() }),
            taken: 1,
        };
        Entry {
            key_fields: IndexMap::new(),
            answer: Answer::without_result(Status::Ok, ""),
            limits: Limits::default(),
            alone: true,
            machine: "m".into(),
            samples: switches.iter().map(sample).collect(),
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_what_is_right_is_not() {
        let timed = |number| {
            let rounds = Some(Rounds { point: 0, samples: Samples::ONE });
            PlannedCell { timed: true, rounds, ..planned_cell(number) }
        };
        let (quiet, loud, other) = (timed(0), timed(1), planned_cell(2));
        let entries = IndexMap::from([
            (quiet.key.clone(), entry(&[0.0, 3.0])),
            (loud.key.clone(), entry(&[0.0, 900.0])),
            (other.key.clone(), entry(&[900.0])),
        ]);
        assert_eq!(disturbed(&[&quiet, &other], &entries), None, "of what is not timed nobody wants to know");
        assert_eq!(
            disturbed(&[&quiet, &loud], &entries).unwrap(),
            "Other work on the machine disturbed 1 of 4 samples, also when these were taken again."
        );
        assert_eq!(faults(&[&quiet], &entries), None, "it ran elsewhere");
        assert_eq!(told(&[]), None);
        assert!(told(&["SMT", "turbo"]).unwrap().contains("does not suit timings: SMT, turbo."));
    }
}
