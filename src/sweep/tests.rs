//! Sweeps on a queue that is only made up.

use super::batches::Array;
use super::in_queue::{InQueue, Position};
use super::queue::{Job, Queue, QueueError, QueueLimits, Task, TaskCommand, TaskState};
use super::submission::Submission;
use super::wait::{Waited, wait};
use crate::run::{Interrupt, Progress, ProgressStyle, Store, planned_cell};
use std::cell::RefCell;
use std::time::Duration;

/// Takes every job, and says of its tasks what it is told to.
#[derive(Default)]
struct MadeUp {
    jobs: RefCell<Vec<(String, usize)>>,
    states: RefCell<Vec<TaskState>>,
    cancelled: RefCell<Vec<String>>,
}

impl Queue for MadeUp {
    fn submit(&self, job: &Job) -> Result<String, QueueError> {
        self.jobs.borrow_mut().push((job.name.to_string(), job.first));
        Ok(self.jobs.borrow().len().to_string())
    }

    fn tasks(&self, names: &[&str]) -> Result<Vec<Task>, QueueError> {
        let task = |(index, state): (usize, &TaskState)| Task {
            job: names[0].to_string(),
            index,
            id: format!("1_{index}"),
            state: state.clone(),
        };
        Ok(self.states.borrow().iter().enumerate().map(task).collect())
    }

    fn cancel(&self, ids: &[String]) -> Result<(), QueueError> {
        self.cancelled.borrow_mut().extend_from_slice(ids);
        Ok(())
    }

    fn cancel_command(&self, names: &[&str]) -> String {
        names.join(" ")
    }

    fn limits(&self) -> QueueLimits {
        QueueLimits { tasks: 10, time: None }
    }
}

fn array(batches: &[&[&str]]) -> Array {
    let batches = batches.iter().map(|keys| keys.iter().map(ToString::to_string).collect()).collect();
    Array { batches, timed: false, time: Duration::from_secs(60), memory: 1 << 30 }
}

#[test]
fn cells_are_where_their_tasks_are() {
    let (folder, queue) = (tempfile::tempdir().unwrap(), MadeUp::default());
    let command = TaskCommand { words: Vec::new(), directory: "/".into() };
    let arrays = [array(&[&["a", "b"], &["c"], &["d"], &["e"]]), array(&[&["f"]])];
    let sent = Submission::send(folder.path(), &arrays, &command, &queue).unwrap();
    assert_eq!((sent.jobs, sent.batches), (vec!["1".to_string(), "2".to_string()], 5));
    let firsts: Vec<usize> = queue.jobs.borrow().iter().map(|(_, first)| *first).collect();
    assert_eq!(firsts, [0, 4], "the second job begins after the batches of the first");
    let timeout = TaskState::Ended("TIMEOUT".into());
    *queue.states.borrow_mut() = vec![TaskState::Running, TaskState::Pending, TaskState::Held, timeout];
    let submissions = [Submission::read(folder.path()).unwrap()];
    let seen = InQueue::of(&submissions, &queue).unwrap();
    let positions = ["a", "b", "c", "d", "e", "f"].map(|key| seen.position(key));
    assert_eq!(positions[..3], [Some(Position::Running), Some(Position::Running), Some(Position::Pending)]);
    assert_eq!(positions[3..], [None, None, None]);
    assert_eq!(seen.counts(), "2 running, 1 pending");
    assert_eq!(seen.ends(["d", "e", "f"].into_iter()), "1 HELD, 1 TIMEOUT");
    seen.drop_held(&queue).unwrap();
    assert_eq!(*queue.cancelled.borrow(), ["1_2"]);
}

#[test]
fn waiting_ends_where_nothing_is_left_to_wait_for() {
    let directory = tempfile::tempdir().unwrap();
    let (store, queue) = (Store::in_directory(directory.path()), MadeUp::default());
    let (progress, interrupt) = (Progress::new(ProgressStyle::Quiet), Interrupt::default());
    let poll = Duration::from_millis(1);
    let cell = planned_cell(0);
    let lost = wait(&[(&cell, false)], &[], &store, &queue, &progress, &interrupt, poll).unwrap();
    assert_eq!(lost, Waited::Lost, "neither in the store nor in the queue");
    assert_eq!(wait(&[], &[], &store, &queue, &progress, &interrupt, poll).unwrap(), Waited::Done);
}
