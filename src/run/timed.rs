//! The cells whose times are looked at: one at a time, in rounds.

use super::planned::Samples;
use super::rounds::{Company, TimingSample, are_known, order};
use super::scheduler::{RunContext, entry_of};
use super::{Answer, Entry, Key, NOT_REPEATABLE, PlannedCell, Status};
use std::collections::BTreeMap;
use std::io;

/// A timing that others disturbed beyond the bound is taken again, so often at most; the least disturbed one is kept.
const TRIES: u32 = 3;

/// A cell with what is known of it so far.
struct Subject {
    cell: PlannedCell,
    samples: Samples,
    group: usize,
    entry: Option<Entry>,
    /// Somebody outside killed its worker again and again.
    is_lost: bool,
}

impl Subject {
    /// Whether a further timing of it means anything.
    fn can_go_on(&self) -> bool {
        !self.is_lost && self.entry.as_ref().is_none_or(|entry| entry.answer.status == Status::Ok)
    }

    /// Whether it was lost before it had the samples that it needs.
    fn lacks_samples(&self) -> bool {
        self.is_lost && self.taken() < self.samples.at_least
    }

    fn taken(&self) -> usize {
        self.entry.as_ref().map_or(0, |entry| entry.samples.len())
    }

    /// Its samples of a time; None where it has no such time.
    fn times(&self, metric: &str) -> Option<Vec<f64>> {
        let samples = self.entry.iter().flat_map(|entry| &entry.samples);
        let times: Vec<f64> = samples.filter_map(|sample| sample.value(metric)).collect();
        (!times.is_empty()).then_some(times)
    }
}

impl RunContext<'_> {
    /// Times `cells`; `all` are those of the plan, which says who is compared with whom.
    pub(super) fn in_rounds(&self, cells: Vec<PlannedCell>, all: &[PlannedCell]) -> io::Result<Vec<(Key, Entry)>> {
        let company = Company::of([all], |_| true);
        let subject = |cell: PlannedCell| {
            let samples = cell.rounds.map_or(Samples::ONE, |rounds| rounds.samples);
            let group = company.group(&cell.key).unwrap_or(usize::MAX);
            Subject { cell, samples, group, entry: None, is_lost: false }
        };
        let mut subjects: Vec<Subject> = cells.into_iter().map(subject).collect();
        // Seconds that went into more samples than the least.
        let mut spent = 0.0;
        for round in 0.. {
            let due = due(&subjects, spent);
            if due.is_empty() {
                break;
            }
            let places: Vec<usize> = due.iter().map(|&index| subjects[index].group).collect();
            let seed = subjects[due[0]].cell.cell.seed.unwrap_or(0);
            for next in order(seed, round, &places) {
                let subject = &mut subjects[due[next]];
                let is_extra = subject.taken() >= subject.samples.at_least;
                match self.sample(subject)? {
                    Some(seconds) => spent += if is_extra { seconds } else { 0.0 },
                    None if self.interrupt.is_set() => return Ok(finished(subjects)),
                    // It is missing, and the others go on.
                    None => subject.is_lost = true,
                }
            }
        }
        Ok(finished(subjects))
    }

    /// One more timing of a cell, put into the store at once; how long it took. None when the run is to end, or its worker was
    /// killed again and again.
    fn sample(&self, subject: &mut Subject) -> io::Result<Option<f64>> {
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let cell = &subject.cell;
        let line = subject.entry.is_none().then(|| self.progress.start(cell));
        let Some((answer, taken)) = self.least_disturbed(cell) else { return Ok(None) };
        let seconds = answer.costs.cell_seconds;
        let sample =
            TimingSample { metrics: answer.costs.metrics.clone(), disturbance: answer.costs.disturbance, taken };
        let entry = match subject.entry.take() {
            None => Entry { samples: vec![sample], ..entry_of(cell, answer, self.machine) },
            Some(mut entry) => {
                match () {
                    // A cell that does not always end well is not one that does.
                    () if answer.status != Status::Ok => entry.answer = answer,
                    () if answer.release_digest != entry.answer.release_digest => {
                        entry.answer = Answer::without_result(Status::Failed, NOT_REPEATABLE);
                    }
                    () => entry.samples.push(sample),
                }
                if entry.answer.status != Status::Ok {
                    entry.samples.clear();
                }
                entry
            }
        };
        self.store.put(&cell.key, &entry)?;
        if let Some(line) = line {
            self.progress.finish(line, &entry.answer);
        }
        subject.entry = Some(entry);
        Ok(Some(seconds))
    }

    /// The answer of the least disturbed of a few tries, and how many there were.
    fn least_disturbed(&self, cell: &PlannedCell) -> Option<(Answer, u32)> {
        let bad = |answer: &Answer| answer.costs.disturbance.map_or(0.0, |found| found.steal + found.switches / 1e3);
        let mut best: Option<Answer> = None;
        let mut tries = 0;
        while tries < TRIES {
            tries += 1;
            // What is timed is not asked how far it is.
            let answer = self.execute(cell, None, 1)?;
            let enough = answer.status != Status::Ok
                || !answer.costs.disturbance.is_some_and(|disturbance| disturbance.is_too_much());
            if best.as_ref().is_none_or(|best| bad(&answer) < bad(best)) {
                best = Some(answer);
            }
            if enough {
                break;
            }
        }
        best.map(|answer| (answer, tries))
    }
}

fn finished(subjects: Vec<Subject>) -> Vec<(Key, Entry)> {
    let done = subjects.into_iter().filter(|subject| !subject.lacks_samples());
    done.filter_map(|subject| Some((subject.cell.key, subject.entry?))).collect()
}

/// Who is timed in the next round: whoever has fewer samples than the least, and whoever is compared with somebody
/// without being told apart well enough.
fn due(subjects: &[Subject], spent: f64) -> Vec<usize> {
    // By group and metric, the samples of each contender that has it.
    let mut times: BTreeMap<usize, BTreeMap<&str, Vec<Vec<f64>>>> = BTreeMap::new();
    for subject in subjects.iter().filter(|subject| subject.can_go_on()) {
        let of_group = times.entry(subject.group).or_default();
        for metric in &*subject.cell.judged_times {
            of_group.entry(metric).or_default().extend(subject.times(metric));
        }
    }
    let all_known = |group: usize, until: f64| times[&group].values().all(|times| are_known(times, until));
    let mut known: BTreeMap<usize, bool> = BTreeMap::new();
    let mut due = Vec::new();
    for (index, subject) in subjects.iter().enumerate().filter(|(_, subject)| subject.can_go_on()) {
        let Samples { at_least, at_most, until, budget } = subject.samples;
        let more = || spent < budget.as_secs_f64() && subject.taken() < at_most;
        if subject.taken() < at_least
            || (more() && !*known.entry(subject.group).or_insert_with(|| all_known(subject.group, until)))
        {
            due.push(index);
        }
    }
    due
}

#[cfg(test)]
mod tests;
