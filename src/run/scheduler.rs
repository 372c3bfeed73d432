//! Which cells run, when, and beside what. Knows nothing of processes and clocks: an executor does the work.

use super::rounds::Company;
use super::{Answer, Entry, Interrupt, Key, Lookup, Machine, PlannedCell, Progress, Status, Store, Turns, distinct};
use super::{Timing, Told, WorkOrder};
use crate::sources::DataLocations;
use indexmap::IndexMap;
use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Does the work of one cell.
pub trait Executor: Sync {
    /// None when there is no answer: the run was interrupted, or somebody outside killed the worker again and again.
    fn execute(&self, order: &WorkOrder, interrupt: &Interrupt) -> Option<Answer>;

    /// The same, and tells where the work is, if it knows.
    fn execute_telling(&self, order: &WorkOrder, _told: Told, interrupt: &Interrupt) -> Option<Answer> {
        self.execute(order, interrupt)
    }
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
    /// Where other parts of the same plan may run on this machine: what keeps them from disturbing timings.
    pub turns: Option<Turns>,
    /// The core that timed cells keep to.
    pub pin: Option<usize>,
}

/// What became of the cells.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// By key; cells that were not reached before an interrupt are absent.
    pub entries: IndexMap<Key, Entry>,
    pub summary: RunSummary,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct RunSummary {
    pub cached: usize,
    pub computed: usize,
    /// Of all distinct cells, those that are not ok.
    pub not_ok: usize,
    pub interrupted: bool,
    /// Cells without an answer although the run was not interrupted: somebody killed their workers.
    pub missing: usize,
}

/// Runs what is not in the store, each distinct cell once, and gives every cell's entry.
pub fn run_cells(
    cells: &[PlannedCell],
    policy: &Policy,
    executor: &dyn Executor,
    store: &Store,
    progress: &Progress,
    interrupt: &Interrupt,
) -> io::Result<RunOutcome> {
    let mut outcome = RunOutcome::default();
    let mut waiting: Vec<PlannedCell> = Vec::new();
    let machine = Machine::this().fingerprint();
    for (cell, timed) in distinct(cells) {
        if let Some(skipped) = skipped(cell, &machine) {
            outcome.entries.insert(cell.key.clone(), skipped);
            continue;
        }
        match store.look_up(&cell.key, &cell.limits, timed) {
            Lookup::Hit(entry) if !policy.fresh && entry.has_samples_for(cell) => {
                outcome.entries.insert(cell.key.clone(), *entry);
                outcome.summary.cached += 1;
            }
            _ => waiting.push(PlannedCell { timed, ..cell.clone() }),
        }
    }
    for cell in timed_with(&waiting, cells) {
        if outcome.entries.shift_remove(&cell.key).is_some() {
            outcome.summary.cached -= 1;
            waiting.push(PlannedCell { timed: true, ..cell.clone() });
        }
    }
    let done = outcome.entries.len();
    let all = done + waiting.len();
    progress.begin(all, done, outcome.summary.cached);
    let (timed, together): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|cell| cell.timed);
    let run = RunContext { policy, executor, store, progress, interrupt, machine: &machine };
    let mut found = run.batch(together, policy.jobs.max(1))?;
    found.extend(run.in_rounds(timed, cells)?);
    for (key, entry) in found {
        outcome.summary.computed += 1;
        outcome.entries.insert(key, entry);
    }
    progress.end();
    outcome.summary.interrupted = interrupt.is_set();
    if !outcome.summary.interrupted {
        outcome.summary.missing = all - outcome.entries.len();
    }
    outcome.summary.not_ok = outcome.entries.values().filter(|entry| entry.answer.status != Status::Ok).count();
    Ok(outcome)
}

/// Cells that must be timed again because somebody they are compared with is timed: times of different rounds do not pair.
fn timed_with<'a>(waiting: &[PlannedCell], cells: &'a [PlannedCell]) -> Vec<&'a PlannedCell> {
    let company = Company::paired([cells]);
    let groups: HashSet<usize> = waiting.iter().filter_map(|cell| company.group(&cell.key)).collect();
    let joins = |cell: &&PlannedCell| company.group(&cell.key).is_some_and(|group| groups.contains(&group));
    // What has no data here is not timed, whoever it would be compared with.
    let all = distinct(cells).into_iter().map(|(cell, _)| cell).filter(|cell| cell.missing_data.is_none());
    all.filter(joins).collect()
}

/// The row of a cell whose data cannot be had here: no run is needed for it.
pub fn skipped(cell: &PlannedCell, machine: &str) -> Option<Entry> {
    let reason = cell.missing_data.as_ref()?;
    let answer = Answer::without_result(Status::Skipped, reason.clone());
    Some(entry_of(cell, answer, machine))
}

pub(super) fn entry_of(cell: &PlannedCell, answer: Answer, machine: &str) -> Entry {
    Entry {
        key_fields: cell.key_fields(),
        answer,
        limits: cell.limits,
        alone: cell.timed,
        machine: machine.to_string(),
        samples: Vec::new(),
    }
}

pub(super) struct RunContext<'a> {
    policy: &'a Policy,
    executor: &'a dyn Executor,
    pub(super) store: &'a Store,
    pub(super) progress: &'a Progress,
    pub(super) interrupt: &'a Interrupt,
    pub(super) machine: &'a str,
}

impl RunContext<'_> {
    /// Runs `cells`, `jobs` at a time, and puts each answer into the store the moment it is there.
    fn batch(&self, cells: Vec<PlannedCell>, jobs: usize) -> io::Result<Vec<(Key, Entry)>> {
        let unfinished = AtomicUsize::new(cells.len());
        let queue = Mutex::new(VecDeque::from(cells));
        let finished = Mutex::new(Vec::new());
        let failure = Mutex::new(None);
        let next = || queue.lock().map(|mut queue| queue.pop_front()).unwrap_or_default();
        let broken =
            || failure.lock().is_ok_and(|failure: std::sync::MutexGuard<'_, Option<io::Error>>| failure.is_some());
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while !self.interrupt.is_set() && !broken() {
                        let Some(cell) = next() else { break };
                        // Cores that no cell is left for help those that run.
                        let threads = (jobs / unfinished.load(Relaxed).max(1)).max(1);
                        let done = self.one(&cell, threads);
                        unfinished.fetch_sub(1, Relaxed);
                        match done {
                            Ok(Some(entry)) => finished.lock().expect("no thread panics").push((cell.key, entry)),
                            // Interrupted, or its worker was killed: it is missing, and the others go on.
                            Ok(None) => {}
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

    fn one(&self, cell: &PlannedCell, threads: usize) -> io::Result<Option<Entry>> {
        let line = self.progress.start(cell);
        let told = self.progress.whereabouts(line.as_ref(), cell);
        let Some(answer) = self.execute(cell, told, threads) else { return Ok(None) };
        let entry = entry_of(cell, answer, self.machine);
        self.store.put(&cell.key, &entry)?;
        self.progress.finish(line, &entry.answer);
        Ok(Some(entry))
    }

    /// The work of a cell, when its turn has come; None when the run is to end, or there is no answer.
    pub(super) fn execute(&self, cell: &PlannedCell, told: Option<Told>, threads: usize) -> Option<Answer> {
        let order = WorkOrder {
            cell: cell.cell.clone(),
            data: Some(cell.data.clone()),
            locations: self.policy.locations.clone(),
            limits: cell.limits,
            keep: self.policy.keep.as_ref().map(|directory| directory.join(cell.key.short())),
            timing: Timing { careful: cell.timed, pin: self.policy.pin.filter(|_| cell.timed) },
            tell: told.is_some(),
            threads,
        };
        let _turn = match &self.policy.turns {
            None => None,
            Some(turns) => Some(turns.take(cell.timed, self.interrupt)?),
        };
        match told {
            Some(told) => self.executor.execute_telling(&order, told, self.interrupt),
            None => self.executor.execute(&order, self.interrupt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Observation;
    use crate::run::{Cell, ProgressStyle, Rounds, Samples, key_of, planned_cell};
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::Duration;

    /// Answers at once, and remembers how much ran beside what.
    #[derive(Default)]
    struct Mock {
        calls: AtomicUsize,
        running: AtomicUsize,
        most_at_once: AtomicUsize,
        /// Interrupts the run after this many calls.
        interrupt_after: Option<usize>,
        /// The threads that each call was given.
        threads: Mutex<Vec<usize>>,
    }

    impl Executor for Mock {
        fn execute(&self, order: &WorkOrder, interrupt: &Interrupt) -> Option<Answer> {
            let running = self.running.fetch_add(1, SeqCst) + 1;
            self.most_at_once.fetch_max(running, SeqCst);
            self.threads.lock().unwrap().push(order.threads);
            thread::sleep(Duration::from_millis(2));
            self.running.fetch_sub(1, SeqCst);
            let calls = self.calls.fetch_add(1, SeqCst) + 1;
            if self.interrupt_after.is_some_and(|limit| calls > limit) {
                interrupt.set();
                return None;
            }
            let mut answer = Answer::without_result(Status::Ok, "");
            let value = f64::from(order.cell.repetition);
            answer.observations.push(Observation { metric: "repetition".into(), at: None, value });
            Some(answer)
        }
    }

    fn cell(repetition: u32, timed: bool) -> PlannedCell {
        PlannedCell { timed, ..planned_cell(repetition) }
    }

    fn run(cells: &[PlannedCell], mock: &Mock, directory: &std::path::Path, jobs: usize, fresh: bool) -> RunOutcome {
        let policy = Policy { jobs, fresh, locations: DataLocations::new(None), keep: None, turns: None, pin: None };
        let progress = Progress::new(ProgressStyle::Quiet);
        run_cells(cells, &policy, mock, &Store::in_directory(directory), &progress, &Interrupt::default()).unwrap()
    }

    #[test]
    fn a_cell_runs_once_and_is_then_served_from_the_store() {
        let directory = tempfile::tempdir().unwrap();
        let cells: Vec<_> = [0, 1, 2, 1, 0].map(|repetition| cell(repetition, false)).to_vec();
        let mock = Mock::default();
        let first = run(&cells, &mock, directory.path(), 2, false);
        assert_eq!((first.entries.len(), first.summary.computed, mock.calls.load(SeqCst)), (3, 3, 3));
        let second = run(&cells, &mock, directory.path(), 2, false);
        assert_eq!((second.summary.cached, second.summary.computed), (3, 0));
        assert_eq!(first.entries[&cells[1].key], second.entries[&cells[1].key]);
        assert_eq!(run(&cells, &mock, directory.path(), 2, true).summary.computed, 3, "--fresh computes anew");
    }

    #[test]
    fn progress_counts_what_the_summary_counts() {
        let directory = tempfile::tempdir().unwrap();
        let mock = Mock::default();
        run(&[cell(0, false), cell(1, false)], &mock, directory.path(), 1, false);
        let missing = PlannedCell { missing_data: Some("it is nowhere".into()), ..cell(4, false) };
        let cells = [cell(0, false), cell(1, false), cell(2, false), cell(3, false), cell(3, false), missing];
        let policy =
            Policy { jobs: 1, fresh: false, locations: DataLocations::new(None), keep: None, turns: None, pin: None };
        let progress = Progress::new(ProgressStyle::Quiet);
        let store = Store::in_directory(directory.path());
        let outcome = run_cells(&cells, &policy, &mock, &store, &progress, &Interrupt::default()).unwrap();
        assert_eq!((progress.position(), outcome.entries.len()), ((5, 5), 5));
    }

    #[test]
    fn cells_whose_time_is_plotted_run_alone() {
        let directory = tempfile::tempdir().unwrap();
        let timed: Vec<_> = (0..6).map(|repetition| cell(repetition, true)).collect();
        let mock = Mock::default();
        run(&timed, &mock, directory.path(), 4, false);
        assert_eq!(mock.most_at_once.load(SeqCst), 1);
        let together: Vec<_> = (6..30).map(|repetition| cell(repetition, false)).collect();
        run(&together, &mock, directory.path(), 4, false);
        assert!(mock.most_at_once.load(SeqCst) > 1);
    }

    #[test]
    fn idle_cores_help_the_cells_that_are_left_unless_they_are_timed() {
        let threads = |cells: &[PlannedCell], jobs: usize| {
            let (mock, directory) = (Mock::default(), tempfile::tempdir().unwrap());
            run(cells, &mock, directory.path(), jobs, false);
            mock.threads.into_inner().unwrap()
        };
        let cells = |number: u32, timed: bool| -> Vec<_> { (0..number).map(|i| cell(i, timed)).collect() };
        assert_eq!(threads(&cells(1, false), 4), [4]);
        assert_eq!(threads(&cells(2, false), 4), [2, 2]);
        assert_eq!(threads(&cells(1, true), 4), [1]);
        let many = threads(&cells(12, false), 3);
        assert!(many[..9].iter().all(|&threads| threads == 1) && many.iter().all(|&threads| threads <= 3), "{many:?}");
    }

    #[test]
    fn a_time_measured_beside_other_cells_is_measured_again_where_it_is_plotted() {
        let directory = tempfile::tempdir().unwrap();
        let mock = Mock::default();
        run(&[cell(0, false)], &mock, directory.path(), 1, false);
        assert_eq!(run(&[cell(0, true)], &mock, directory.path(), 1, false).summary.computed, 1);
        assert_eq!(run(&[cell(0, false)], &mock, directory.path(), 1, false).summary.cached, 1);
    }

    #[test]
    fn an_interrupted_run_keeps_what_it_finished_and_goes_on_from_there() {
        let directory = tempfile::tempdir().unwrap();
        let cells: Vec<_> = (0..10).map(|repetition| cell(repetition, false)).collect();
        let stopped = Mock { interrupt_after: Some(4), ..Mock::default() };
        let outcome = run(&cells, &stopped, directory.path(), 1, false);
        assert!(outcome.summary.interrupted);
        assert_eq!(outcome.entries.len(), 4);
        let rest = run(&cells, &Mock::default(), directory.path(), 1, false);
        assert_eq!((rest.summary.cached, rest.summary.computed), (4, 6));
    }

    #[test]
    fn absent_data_is_a_row_not_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let missing = PlannedCell { missing_data: Some("it is nowhere".into()), ..cell(0, false) };
        let outcome = run(std::slice::from_ref(&missing), &Mock::default(), directory.path(), 1, false);
        let answer = &outcome.entries[&missing.key].answer;
        assert_eq!((answer.status, answer.reason.as_str()), (Status::Skipped, "it is nowhere"));
    }

    #[test]
    fn absent_data_stays_a_row_where_it_would_be_timed_with_others() {
        let directory = tempfile::tempdir().unwrap();
        // A claim compares times on two data sets, so that all of the figure is timed in the same rounds.
        let rounds = Some(Rounds { point: 0, samples: Samples { at_least: 2, at_most: 2, ..Samples::ONE } });
        let here = PlannedCell { rounds, ..cell(0, true) };
        let elsewhere = Cell { seed: Some(2), ..here.cell.clone() };
        let missing = PlannedCell {
            key: key_of(&elsewhere.key_fields(&[])),
            cell: elsewhere,
            missing_data: Some("it is nowhere".into()),
            ..here.clone()
        };
        let mock = Mock::default();
        let outcome = run(&[here, missing.clone()], &mock, directory.path(), 1, false);
        assert_eq!(outcome.entries[&missing.key].answer.status, Status::Skipped);
        assert_eq!((mock.calls.load(SeqCst), outcome.summary.cached, outcome.summary.computed), (2, 0, 1));
    }

    #[test]
    fn a_store_that_cannot_be_written_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(".store"), "a file where a directory should be").unwrap();
        let policy =
            Policy { jobs: 1, fresh: false, locations: DataLocations::new(None), keep: None, turns: None, pin: None };
        let progress = Progress::new(ProgressStyle::Quiet);
        let store = Store::in_directory(directory.path());
        let result = run_cells(&[cell(0, false)], &policy, &Mock::default(), &store, &progress, &Interrupt::default());
        assert!(result.is_err());
    }
}
