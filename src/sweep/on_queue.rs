//! A sweep on a queue: submit what is missing, which is the same the first time and any later one, and wait for it.

use super::SweepError;
use super::batches::{BatchSizes, arrays};
use super::in_queue::InQueue;
use super::queue::{Queue, TaskCommand, patiently};
use super::request::RequestedSweep;
use super::submission::{Sent, Submission};
use super::survey::Survey;
use super::wait::{Waited, wait};
use crate::lab::counted;
use crate::run::{Interrupt, Progress, Store, StoredTimes, shell_path};
use crate::spec::{Experiment, all_cells, all_company};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// The longest that a task asks for, where its queue allows that much.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A sweep that a queue runs.
pub struct OnQueue<'a> {
    pub out: &'a Path,
    pub sweep: &'a RequestedSweep,
    pub queue: &'a dyn Queue,
    /// The estimated time of a batch.
    pub batch: Duration,
    pub experiments: &'a [Experiment],
}

/// What was handed to the queue.
#[derive(Debug)]
pub struct Submitted {
    sweep: String,
    cells: usize,
    /// None where every cell is in the store or in the queue already.
    sent: Option<Sent>,
}

impl fmt::Display for Submitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Sent { jobs, batches }) = &self.sent else { return write!(f, "{}: nothing to submit", self.sweep) };
        let (cells, batches) = (counted(self.cells, "cell"), counted(batches, "batch"));
        let s = if jobs.len() == 1 { "" } else { "s" };
        write!(f, "{}: {cells} in {batches} submitted, job{s} {}", self.sweep, jobs.join(", "))
    }
}

impl OnQueue<'_> {
    /// Submits every cell that is neither in the store nor in the queue.
    pub fn submit(&self, allow_external: bool) -> Result<Submitted, SweepError> {
        let store = Store::in_directory(self.out);
        let submissions = self.sweep.submissions()?;
        let queued = patiently(|| InQueue::of(&submissions, self.queue))?;
        patiently(|| queued.drop_held(self.queue))?;
        let mut cells = all_cells(self.experiments);
        let company = all_company(self.experiments);
        let there = Survey::stored(&cells, &company, &store);
        cells.retain(|(cell, _)| {
            let key = cell.key.as_str();
            cell.missing_data.is_none() && !there.contains(key) && queued.position(key).is_none()
        });
        let submitted = |sent| Submitted { sweep: self.sweep.name(), cells: cells.len(), sent };
        if cells.is_empty() {
            return Ok(submitted(None));
        }
        let limits = self.queue.limits();
        let longest = limits.time.unwrap_or(LONGEST).min(LONGEST);
        let history = StoredTimes::of(&store);
        let sizes = BatchSizes { batch: self.batch, longest, tasks: limits.tasks };
        let arrays = arrays(&cells, &company, |cell| history.seconds(cell), &sizes);
        let folder = std::path::absolute(self.sweep.next_submission())?;
        self.sweep.write_request(&folder)?;
        let command = self.task_command(&folder, allow_external)?;
        let sent = Submission::send(&folder, &arrays, &command, self.queue)?;
        Ok(submitted(Some(sent)))
    }

    fn task_command(&self, folder: &Path, allow_external: bool) -> Result<TaskCommand, SweepError> {
        let mut words: Vec<OsString> = vec![std::env::current_exe()?.into()];
        let locations = &self.sweep.request.plan.locations;
        words.extend(["--data-dir".into(), locations.data_dir.clone().into()]);
        for directory in &locations.allowed {
            words.extend(["--allow-files".into(), directory.into()]);
        }
        words.push("task".into());
        words.extend(["--out".into(), std::path::absolute(self.out)?.into()]);
        if allow_external {
            words.push("--allow-external".into());
        }
        words.push(folder.into());
        Ok(TaskCommand { words, directory: std::env::current_dir()? })
    }

    /// Waits until nothing of it is in the queue, or all of it is in the store.
    pub fn wait(&self, poll: Duration, progress: &Progress) -> Result<(), SweepError> {
        let store = Store::in_directory(self.out);
        let interrupt = Interrupt::on_signals()?;
        let submissions = self.sweep.submissions()?;
        let cells = all_cells(self.experiments);
        let waited = wait(&cells, &submissions, &store, self.queue, progress, &interrupt, poll);
        progress.end();
        let later = format!("`anonlab collect {}` tells how far it is, and finishes the report", shell_path(self.out));
        match waited {
            Ok(Waited::Done | Waited::Lost) => Ok(()),
            Ok(Waited::Interrupted) => {
                let done = Survey::stored(&cells, &all_company(self.experiments), &store).len();
                let names: Vec<&str> = submissions.iter().flat_map(Submission::names).collect();
                Err(SweepError::Interrupted(format!(
                    "interrupted; {done} of {} cells are done and kept.\nThe jobs go on: {later}; `{}` ends them",
                    cells.len(),
                    self.queue.cancel_command(&names)
                )))
            }
            Err(error) => Err(SweepError::Input(format!("{error}\nThe jobs may go on all the same: {later}"))),
        }
    }
}
