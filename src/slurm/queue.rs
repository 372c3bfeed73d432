//! What the controller says of the batches of a sweep.

use super::submission::Submission;
use super::{Slurm, SlurmError};
use std::collections::{BTreeMap, HashMap};

/// A task of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub array: String,
    pub index: usize,
    /// As `scancel` knows it.
    pub id: String,
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    Pending,
    Running,
    /// Back in the queue after a failure, and kept there until somebody lets it go: it will not run by itself.
    Held,
    /// How it ended, in Slurm's word.
    Ended(String),
}

impl State {
    /// By its name and, of one that waits, the reason. One that its user holds waits for its user.
    pub fn named(name: &str, reason: &str) -> Self {
        match name {
            "REQUEUE_HOLD" | "SPECIAL_EXIT" => Self::Held,
            "PENDING" if reason.contains("requeued held") => Self::Held,
            "PENDING" | "REQUEUED" | "REQUEUE_FED" | "RESV_DEL_HOLD" => Self::Pending,
            "RUNNING" | "CONFIGURING" | "COMPLETING" | "RESIZING" | "SIGNALING" | "STAGE_OUT" | "STOPPED"
            | "SUSPENDED" => Self::Running,
            ended => Self::Ended(ended.to_string()),
        }
    }
}

/// Where a cell's batch is, if it is anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Pending,
    Running,
}

/// The batches of a sweep that are not over, by cell; and how those that are over ended.
#[derive(Debug, Default)]
pub struct Queue<'a> {
    places: HashMap<&'a str, Place>,
    /// Cells by the last known end of their batch.
    ends: HashMap<&'a str, String>,
    /// The ids of tasks that will not run by themselves.
    held: Vec<String>,
}

impl<'a> Queue<'a> {
    /// Asks the controller.
    pub fn of(submissions: &'a [Submission], slurm: Slurm) -> Result<Self, SlurmError> {
        let names: Vec<&str> = submissions.iter().flat_map(Submission::names).collect();
        let mut queue = Self::default();
        let mut batches: HashMap<(&str, usize), &[String]> = HashMap::new();
        for submission in submissions {
            batches.extend(submission.tasks().map(|(array, index, keys)| ((array, index), keys)));
        }
        let mut tasks = slurm.tasks(&names)?;
        // The last end of a cell's batch is the one to tell.
        let submitted: HashMap<&str, usize> = names.iter().enumerate().map(|(order, name)| (*name, order)).collect();
        tasks.sort_by_key(|task| submitted.get(task.array.as_str()).copied());
        for task in tasks {
            let Some(keys) = batches.get(&(task.array.as_str(), task.index)) else { continue };
            if task.state == State::Held {
                queue.held.push(task.id);
            }
            for key in keys.iter() {
                let place = match &task.state {
                    State::Pending => Place::Pending,
                    State::Running => Place::Running,
                    State::Held => {
                        queue.ends.insert(key, "HELD".to_string());
                        continue;
                    }
                    State::Ended(state) => {
                        queue.ends.insert(key, state.clone());
                        continue;
                    }
                };
                let known = queue.places.entry(key).or_insert(place);
                *known = place.max(*known);
            }
        }
        Ok(queue)
    }

    pub fn place(&self, key: &str) -> Option<Place> {
        self.places.get(key).copied()
    }

    /// Takes tasks that will not run by themselves out of the queue, so that others can have their cells.
    pub fn drop_held(&self, slurm: Slurm) -> Result<(), SlurmError> {
        if self.held.is_empty() { Ok(()) } else { slurm.cancel(&self.held) }
    }

    /// "8 running, 40 pending" cells.
    pub fn counts(&self) -> String {
        let count = |place| self.places.values().filter(|&&known| known == place).count();
        format!("{} running, {} pending", count(Place::Running), count(Place::Pending))
    }

    /// "12 TIMEOUT, 3 NODE_FAIL": how the batches of these cells ended, as far as the controller remembers.
    pub fn ends<'k>(&self, keys: impl Iterator<Item = &'k str>) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for end in keys.filter_map(|key| self.ends.get(key)) {
            *counts.entry(end).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(end, count)| format!("{count} {end}")).collect();
        counts.join(", ")
    }
}
