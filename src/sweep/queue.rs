//! What the lab asks of a cluster's queue.

use super::batches::Array;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A queue that runs arrays of tasks. [`Slurm`](super::Slurm) is one.
pub trait Queue {
    /// Hands over a job, and gives the id under which its users know it.
    fn submit(&self, job: &Job) -> Result<String, QueueError>;

    /// Every task of the jobs of these names that the queue still knows of.
    fn tasks(&self, names: &[&str]) -> Result<Vec<Task>, QueueError>;

    /// Takes tasks out of the queue, by their ids.
    fn cancel(&self, ids: &[String]) -> Result<(), QueueError>;

    /// The command with which a user ends the jobs of these names.
    fn cancel_command(&self, names: &[&str]) -> String;

    /// What the queue allows; its usual configuration where it does not say.
    fn limits(&self) -> QueueLimits;
}

/// An array of tasks, each of which runs one batch of cells.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Chosen before it is submitted: whatever happens in between, its tasks can be found by it.
    pub name: &'a str,
    /// The number of its first batch; task i runs batch `first` + i.
    pub first: usize,
    pub array: &'a Array,
    pub command: &'a TaskCommand,
    /// Where scripts and logs go.
    pub folder: &'a Path,
}

/// How a task is started: everything but the number of its batch.
#[derive(Debug, Clone)]
pub struct TaskCommand {
    pub words: Vec<OsString>,
    pub directory: PathBuf,
}

/// A task of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The name of its job.
    pub job: String,
    pub index: usize,
    /// As [`Queue::cancel`] takes it.
    pub id: String,
    pub state: TaskState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskState {
    Pending,
    Running,
    /// Back in the queue after a failure, and kept there until somebody lets it go: it will not run by itself.
    Held,
    /// How it ended, in the queue's own word.
    Ended(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Tasks of one job.
    pub tasks: usize,
    /// The longest that a task may run, where there is such a limit.
    pub time: Option<Duration>,
}

#[derive(Debug, Error)]
pub enum QueueError {
    /// The controller does not answer: it restarts, or the network is down. It may be back in a moment.
    #[error("{0}")]
    Away(String),
    /// It answered no.
    #[error("{0}")]
    Refused(String),
    /// There is no such queue here.
    #[error("{0}")]
    Absent(String),
}

/// How long a controller that does not answer a question is asked again.
const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_secs(2);

/// Asks again while the controller is away.
pub fn patiently<T>(mut ask: impl FnMut() -> Result<T, QueueError>) -> Result<T, QueueError> {
    let start = Instant::now();
    loop {
        match ask() {
            Err(QueueError::Away(_)) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            answer => return answer,
        }
    }
}
