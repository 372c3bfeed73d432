//! What a reader of timings must know of the machine that gave them, beside the figure.

use super::list::counted;
use crate::run::{Entry, Key, Machine, PlannedCell, lasting_faults};
use indexmap::{IndexMap, IndexSet};
use std::sync::OnceLock;

/// Notes for a figure of these cells; none where no time of theirs is shown or judged.
pub fn of(cells: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> Vec<String> {
    let keys: IndexSet<&Key> = cells.iter().filter(|cell| cell.rounds.is_some()).map(|cell| &cell.key).collect();
    let timed: Vec<&Entry> = keys.into_iter().filter_map(|key| entries.get(key)).collect();
    if timed.is_empty() {
        return Vec::new();
    }
    // Of another machine nothing is known here but its fingerprint.
    let here = timed.iter().all(|entry| entry.machine == this().fingerprint);
    let faults = if here { this().faults.as_slice() } else { &[] };
    notes(faults, &timed)
}

/// What this machine is; it stays the same while a report is made.
struct This {
    fingerprint: String,
    faults: Vec<(&'static str, String)>,
}

fn this() -> &'static This {
    static THIS: OnceLock<This> = OnceLock::new();
    THIS.get_or_init(|| This { fingerprint: Machine::this().fingerprint(), faults: lasting_faults() })
}

fn notes(faults: &[(&str, String)], timed: &[&Entry]) -> Vec<String> {
    let mut notes = Vec::new();
    if !faults.is_empty() {
        let told: Vec<String> = faults.iter().map(|(name, warning)| format!("{name} ({warning})")).collect();
        notes.push(format!("The machine of these times is not one for timings: {}.", told.join("; ")));
    }
    let samples = || timed.iter().flat_map(|entry| &entry.samples);
    let disturbed = samples().filter(|sample| sample.disturbance.is_some_and(|found| found.is_too_much())).count();
    if disturbed > 0 {
        notes.push(format!(
            "Other work on the machine disturbed {disturbed} of {} beyond the bound, each time they were taken.",
            counted(samples().count(), "sample")
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Answer, Disturbance, Limits, Sample, Status};

    fn entry(switches: &[f64]) -> Entry {
        let sample = |&switches: &f64| Sample {
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
        let (quiet, loud) = (entry(&[0.0, 3.0]), entry(&[0.0, 900.0]));
        assert!(notes(&[], &[&quiet]).is_empty());
        assert_eq!(
            notes(&[("SMT", "two threads share a core".to_string())], &[&quiet, &loud]),
            [
                "The machine of these times is not one for timings: SMT (two threads share a core).",
                "Other work on the machine disturbed 1 of 4 samples beyond the bound, each time they were taken.",
            ]
        );
    }
}
