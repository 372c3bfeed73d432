//! How far a sweep is: what is in the store, what is in the queue, what is nowhere.

use super::SweepError;
use super::in_queue::{InQueue, Position};
use super::request::RequestedSweep;
use super::shard::{Shard, shard_of_each};
use crate::run::{
    Company, Entry, Lookup, Machine, PlannedCell, RunOutcome, RunSummary, Status, Store, distinct, release_start,
    shell_path, skipped,
};
use crate::spec::{Experiment, all_cells, all_company};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::path::Path;

/// What is known of a sweep's cells.
#[derive(Debug, Default)]
pub struct Survey {
    /// One an experiment.
    pub outcomes: Vec<RunOutcome>,
    cells: usize,
    done: usize,
    statuses: BTreeMap<Status, usize>,
    running: usize,
    pending: usize,
    missing: usize,
    /// How the batches of missing cells ended, where the controller remembers.
    ends: String,
    /// Why the queue is not known.
    unasked: Option<String>,
    /// The shards that lack cells.
    shards: Vec<Shard>,
}

impl Survey {
    pub fn of(sweep: &RequestedSweep, experiments: &[Experiment], out: &Path) -> Result<Self, SweepError> {
        let store = Store::in_directory(out);
        let submissions = sweep.submissions()?;
        // Where nothing was submitted there is nothing to ask.
        let asked = match &sweep.request.slurm {
            Some(cluster) => InQueue::of(&submissions, &cluster.queue()),
            None => Ok(InQueue::default()),
        };
        let (queue, unasked) = match asked {
            Ok(queue) => (queue, None),
            Err(error) => (InQueue::default(), Some(error.to_string())),
        };
        let mut survey = Self { unasked, ..Self::default() };
        let machine = Machine::this().fingerprint();
        let mut missing: BTreeSet<&str> = BTreeSet::new();
        for experiment in experiments {
            let mut outcome = RunOutcome::default();
            let found = ReportSources { store: &store, machine: &machine, queue: &queue };
            let cells = distinct(&experiment.plan.cells);
            for (cell, entry) in found.each(&cells) {
                survey.cells += 1;
                match entry {
                    Some(entry) => {
                        *survey.statuses.entry(entry.answer.status).or_default() += 1;
                        outcome.entries.insert(cell.key.clone(), entry);
                    }
                    None => match queue.position(cell.key.as_str()) {
                        Some(Position::Running) => survey.running += 1,
                        Some(Position::Pending) => survey.pending += 1,
                        None => {
                            missing.insert(cell.key.as_str());
                            survey.missing += 1;
                        }
                    },
                }
            }
            survey.done += outcome.entries.len();
            outcome.summary = RunSummary { cached: outcome.entries.len(), ..RunSummary::default() };
            survey.outcomes.push(outcome);
        }
        survey.ends = queue.ends(missing.iter().copied());
        if let (Some(of), None) = (sweep.request.shards, &sweep.request.slurm) {
            survey.shards = incomplete_shards(experiments, of, &missing);
        }
        Ok(survey)
    }

    /// The keys of these cells that need not run. A cell that is timed together with one that must run does too: times of
    /// different rounds do not pair.
    pub fn stored<'a>(cells: &[(&'a PlannedCell, bool)], company: &Company, store: &Store) -> HashSet<&'a str> {
        let there: HashSet<String> = store.keys().collect();
        let (stored, open): (Vec<_>, Vec<_>) = cells
            .iter()
            .filter(|(cell, _)| cell.missing_data.is_none())
            .partition(|(cell, timed)| there.contains(cell.key.as_str()) && store.has_answer(cell, *timed));
        let open: HashSet<usize> = open.iter().filter_map(|(cell, _)| company.group(&cell.key)).collect();
        let alone = |cell: &PlannedCell| company.group(&cell.key).is_none_or(|group| !open.contains(&group));
        stored.into_iter().map(|(cell, _)| cell).filter(|cell| alone(cell)).map(|cell| cell.key.as_str()).collect()
    }

    pub fn is_complete(&self) -> bool {
        self.done == self.cells
    }

    /// Whether every cell that lacks is in the queue.
    fn goes_on(&self) -> bool {
        self.missing == 0
    }

    /// "10 of 15 cells done (1 failed), 2 running, 3 missing".
    pub fn told(&self) -> String {
        let mut text = format!("{} of {} cells done", self.done, self.cells);
        let not_ok = self.statuses.iter().filter(|(status, _)| **status != Status::Ok);
        let not_ok: Vec<String> = not_ok.map(|(status, count)| format!("{count} {status}")).collect();
        if !not_ok.is_empty() {
            let _ = write!(text, " ({})", not_ok.join(", "));
        }
        for (count, what) in [(self.running, "running"), (self.pending, "pending"), (self.missing, "missing")] {
            if count > 0 {
                let _ = write!(text, ", {count} {what}");
            }
        }
        if !self.ends.is_empty() {
            let _ = write!(text, " (their batches ended: {})", self.ends);
        }
        if let Some(error) = &self.unasked {
            let _ = write!(text, "; the queue is not known here, so missing ones may still run: {error}");
        }
        text
    }

    pub fn hint(&self, sweep: &str, out: &Path) -> Option<String> {
        const SHOWN: usize = 20;
        if self.goes_on() {
            return None;
        }
        if self.shards.is_empty() {
            return Some(format!("`anonlab collect {} --retry` submits what is missing", shell_path(out)));
        }
        let shards: Vec<String> = self.shards.iter().take(SHOWN).map(Shard::to_string).collect();
        let more = if self.shards.len() > SHOWN { ", …" } else { "" };
        let others = "collect them with `--from DIR`, or run them again: each computes only what it lacks";
        Some(format!("{sweep}: incomplete shards: {}{more}; {others}", shards.join(", ")))
    }
}

/// What there is of cells, for a report.
struct ReportSources<'a> {
    store: &'a Store,
    machine: &'a str,
    queue: &'a InQueue<'a>,
}

/// Cells that the threads read together before their answers are taken.
const BLOCK: usize = 10_000;

impl ReportSources<'_> {
    /// What stands for each cell, in their order: entries are many small files, which all cores read.
    fn each<'s, 'c>(
        &'s self,
        cells: &'s [(&'c PlannedCell, bool)],
    ) -> impl Iterator<Item = (&'c PlannedCell, Option<Entry>)> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        cells.chunks(BLOCK).flat_map(move |block| {
            let read = |part: &[(&PlannedCell, bool)]| -> Vec<Option<Entry>> {
                part.iter().map(|(cell, timed)| self.of(cell, *timed).map(for_report)).collect()
            };
            let entries: Vec<Option<Entry>> = std::thread::scope(|scope| {
                let parts = block.chunks(block.len().div_ceil(threads));
                let parts: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
                let joined = parts.into_iter().flat_map(|part| part.join().expect("reading does not panic"));
                joined.collect()
            });
            block.iter().map(|(cell, _)| *cell).zip(entries)
        })
    }

    /// A crash is a cell's row only when nobody runs it any more.
    fn of(&self, cell: &PlannedCell, timed: bool) -> Option<Entry> {
        if let Some(entry) = skipped(cell, self.machine) {
            return Some(entry);
        }
        match self.store.look_up(&cell.key, &cell.limits, timed) {
            Lookup::Hit(entry) if entry.has_samples_for(cell) => Some(*entry),
            Lookup::Crashed(entry) if self.queue.position(cell.key.as_str()).is_none() => Some(*entry),
            Lookup::Hit(_) | Lookup::Crashed(_) | Lookup::Absent | Lookup::Unusable(_) => None,
        }
    }
}

/// An entry less what no report tells: of a million cells the rest is large enough. The fields of its key are known from the
/// plan.
fn for_report(mut entry: Entry) -> Entry {
    entry.key_fields = Default::default();
    (entry.answer.verified, entry.answer.build) = (None, None);
    if let Some(digest) = &mut entry.answer.release_digest {
        *digest = release_start(digest).to_string();
    }
    entry
}

fn incomplete_shards(experiments: &[Experiment], of: usize, missing: &BTreeSet<&str>) -> Vec<Shard> {
    let cells = all_cells(experiments);
    let lacking: BTreeSet<usize> = cells
        .iter()
        .zip(shard_of_each(&cells, &all_company(experiments), of))
        .filter(|((cell, _), _)| missing.contains(cell.key.as_str()))
        .map(|(_, shard)| shard)
        .collect();
    lacking.into_iter().map(|shard| Shard { index: shard + 1, of }).collect()
}
