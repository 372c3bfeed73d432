//! Which cells run, when, and beside what. Knows nothing of processes and clocks: an executor does the work.

use super::worker::WorkOrder;
use super::{Answer, Entry, Interrupt, Key, Lookup, Machine, PlannedCell, Progress, Status, Store};
use crate::data::DataLocations;
use indexmap::IndexMap;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

/// Does the work of one cell.
pub trait Executor: Sync {
    /// None when the run was interrupted before there was an answer.
    fn execute(&self, order: &WorkOrder, interrupt: &Interrupt) -> Option<Answer>;
}

/// How a run goes about its cells.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Cells at once; cells whose time is plotted run alone whatever this says.
    pub jobs: usize,
    /// Compute anew what the store already has.
    pub fresh: bool,
    pub locations: DataLocations,
    /// Leave releases and attachments below this directory, a folder a cell.
    pub keep: Option<PathBuf>,
}

/// What became of the cells.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By key; cells that were not reached before an interrupt are absent.
    pub entries: IndexMap<Key, Entry>,
    pub summary: Summary,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    pub cached: usize,
    pub computed: usize,
    /// Of all distinct cells, those that are not ok.
    pub not_ok: usize,
    pub interrupted: bool,
}

/// Runs what is not in the store, each distinct cell once, and gives every cell's entry.
pub fn run_cells(
    cells: &[PlannedCell],
    policy: &Policy,
    executor: &dyn Executor,
    store: &Store,
    progress: &Progress,
    interrupt: &Interrupt,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut waiting: IndexMap<Key, PlannedCell> = IndexMap::new();
    for planned in cells {
        let cell = waiting.entry(planned.key.clone()).or_insert_with(|| planned.clone());
        // A cell of two figures runs alone if either plots its time.
        cell.timed |= planned.timed;
    }
    let machine = Machine::this().fingerprint();
    waiting.retain(|key, cell| {
        if let Some(reason) = &cell.missing_data {
            let answer = Answer::without_result(Status::Skipped, reason.clone());
            outcome.entries.insert(key.clone(), entry_of(cell, answer, &machine));
            return false;
        }
        match store.look_up(key, &cell.limits, cell.timed) {
            Lookup::Hit(entry) if !policy.fresh => {
                outcome.entries.insert(key.clone(), *entry);
                outcome.summary.cached += 1;
                false
            }
            _ => true,
        }
    });
    progress.begin(waiting.len(), outcome.summary.cached);
    let (timed, together): (Vec<_>, Vec<_>) = waiting.into_values().partition(|cell| cell.timed);
    let run = Run { policy, executor, store, progress, interrupt, machine: &machine };
    for (batch, jobs) in [(together, policy.jobs.max(1)), (timed, 1)] {
        for (key, entry) in run.batch(batch, jobs)? {
            outcome.summary.computed += 1;
            outcome.entries.insert(key, entry);
        }
    }
    progress.end();
    outcome.summary.interrupted = interrupt.is_set();
    outcome.summary.not_ok = outcome.entries.values().filter(|entry| entry.answer.status != Status::Ok).count();
    Ok(outcome)
}

fn entry_of(cell: &PlannedCell, answer: Answer, machine: &str) -> Entry {
    Entry {
        key_fields: cell.key_fields.clone(),
        answer,
        limits: cell.limits,
        alone: cell.timed,
        machine: machine.to_string(),
    }
}

struct Run<'a> {
    policy: &'a Policy,
    executor: &'a dyn Executor,
    store: &'a Store,
    progress: &'a Progress,
    interrupt: &'a Interrupt,
    machine: &'a str,
}

impl Run<'_> {
    /// Runs `cells`, `jobs` at a time, and puts each answer into the store the moment it is there.
    fn batch(&self, cells: Vec<PlannedCell>, jobs: usize) -> io::Result<Vec<(Key, Entry)>> {
        let queue = Mutex::new(VecDeque::from(cells));
        let finished = Mutex::new(Vec::new());
        let failure = Mutex::new(None);
        let next = || queue.lock().map(|mut queue| queue.pop_front()).unwrap_or_default();
        let broken = || failure.lock().is_ok_and(|failure: std::sync::MutexGuard<'_, Option<io::Error>>| failure.is_some());
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while !self.interrupt.is_set() && !broken() {
                        let Some(cell) = next() else { break };
                        match self.one(&cell) {
                            Ok(Some(entry)) => finished.lock().expect("no thread panics").push((cell.key, entry)),
                            Ok(None) => break,
                            Err(error) => *failure.lock().expect("no thread panics") = Some(error),
                        }
                    }
                });
            }
        });
        match failure.into_inner().expect("no thread panics") {
            Some(error) => Err(error),
            None => Ok(finished.into_inner().expect("no thread panics")),
        }
    }

    fn one(&self, cell: &PlannedCell) -> io::Result<Option<Entry>> {
        let order = WorkOrder {
            cell: cell.cell.clone(),
            locations: self.policy.locations.clone(),
            limits: cell.limits,
            keep: self.policy.keep.as_ref().map(|directory| directory.join(cell.key.short())),
        };
        let line = self.progress.start(cell);
        let Some(answer) = self.executor.execute(&order, self.interrupt) else { return Ok(None) };
        let entry = entry_of(cell, answer, self.machine);
        self.store.put(&cell.key, &entry)?;
        self.progress.finish(line, cell, &entry.answer);
        Ok(Some(entry))
    }
}
