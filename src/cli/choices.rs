//! What a choice of readings and seeds costs: the lines that `plan` ends with.

use super::list::counted;
use crate::run::PlannedCell;
use crate::spec::{DEFAULT_READING, Plan, PlanOptions, ReadingChoice, Spec, plan};
use std::collections::HashSet;
use std::fmt::Write;

/// Beyond this many cells `--readings all` is not planned only to be counted.
const MOST_TO_COUNT: usize = 200_000;

/// Nothing where there is neither a reading nor a second seed.
pub fn costs(spec: &Spec, planned: &Plan, options: &PlanOptions) -> String {
    let figures = || planned.figures.iter().map(|figure| &figure.figure.readings);
    let named: HashSet<&String> = figures().flatten().collect();
    let mut text = String::new();
    if !named.is_empty() {
        let _ = writeln!(
            text,
            "readings: {} distinct cells under none, {} under each, {} under all; this plan goes through {}",
            count(planned, |cell| &*cell.reading == DEFAULT_READING),
            distinct_under(spec, planned, options, ReadingChoice::Each),
            distinct_under(spec, planned, options, ReadingChoice::All),
            planned.readings.name(),
        );
        for (name, reading) in spec.file.readings.iter().filter(|(name, _)| named.contains(name)) {
            let own = |cell: &PlannedCell| cell.reading.split(", ").any(|part| part.split('=').next() == Some(name));
            let elsewhere: HashSet<&str> =
                planned.cells.iter().filter(|cell| !own(cell)).map(|cell| cell.key.as_str()).collect();
            let more = count(planned, |cell| own(cell) && !elsewhere.contains(cell.key.as_str()));
            let _ = writeln!(
                text,
                "  {name}: {}, {} more",
                counted(reading.options.len(), "option"),
                counted(more, "cell")
            );
        }
    }
    if let [first, .., last] = planned.seeds[..] {
        let further = count(planned, |cell| cell.cell.seed == Some(last));
        let _ = writeln!(text, "seeds {first} to {last}: each after the first is {} more", counted(further, "cell"));
    }
    text
}

/// Distinct cells of those wanted.
fn count<'a>(planned: &'a Plan, wanted: impl Fn(&'a PlannedCell) -> bool) -> usize {
    planned.cells.iter().filter(|cell| wanted(cell)).map(|cell| cell.key.as_str()).collect::<HashSet<_>>().len()
}

/// How many distinct cells another choice of readings has, as far as that can be told.
fn distinct_under(spec: &Spec, planned: &Plan, options: &PlanOptions, choice: ReadingChoice) -> String {
    if planned.readings == choice {
        return count(planned, |_| true).to_string();
    }
    if planned.cells.len() > MOST_TO_COUNT {
        return "many more".to_string();
    }
    match plan(spec, &PlanOptions { readings: choice, ..options.clone() }) {
        Ok(other) => count(&other, |_| true).to_string(),
        Err(_) => "too many".to_string(),
    }
}
