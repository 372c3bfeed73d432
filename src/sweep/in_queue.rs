//! What the queue says of the batches of a sweep.

use super::queue::{Queue, QueueError, TaskState};
use super::submission::Submission;
use std::collections::{BTreeMap, HashMap};

/// Where a cell's batch is in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    Pending,
    Running,
}

/// The batches of a sweep that are not over, by cell; and how those that are over ended.
#[derive(Debug, Default)]
pub struct InQueue<'a> {
    positions: HashMap<&'a str, Position>,
    /// Cells by the last known end of their batch.
    ends: HashMap<&'a str, String>,
    /// The ids of tasks that will not run by themselves.
    held: Vec<String>,
}

impl<'a> InQueue<'a> {
    /// Asks the queue.
    pub fn of(submissions: &'a [Submission], queue: &dyn Queue) -> Result<Self, QueueError> {
        let names: Vec<&str> = submissions.iter().flat_map(Submission::names).collect();
        let mut found = Self::default();
        let mut batches: HashMap<(&str, usize), &[String]> = HashMap::new();
        for submission in submissions {
            batches.extend(submission.tasks().map(|(array, index, keys)| ((array, index), keys)));
        }
        let mut tasks = queue.tasks(&names)?;
        // The last end of a cell's batch is the one to tell.
        let submitted: HashMap<&str, usize> = names.iter().enumerate().map(|(order, name)| (*name, order)).collect();
        tasks.sort_by_key(|task| submitted.get(task.job.as_str()).copied());
        for task in tasks {
            let Some(keys) = batches.get(&(task.job.as_str(), task.index)) else { continue };
            if task.state == TaskState::Held {
                found.held.push(task.id);
            }
            for key in keys.iter() {
                let position = match &task.state {
                    TaskState::Pending => Position::Pending,
                    TaskState::Running => Position::Running,
                    TaskState::Held => {
                        found.ends.insert(key, "HELD".to_string());
                        continue;
                    }
                    TaskState::Ended(state) => {
                        found.ends.insert(key, state.clone());
                        continue;
                    }
                };
                let known = found.positions.entry(key).or_insert(position);
                *known = position.max(*known);
            }
        }
        Ok(found)
    }

    pub fn position(&self, key: &str) -> Option<Position> {
        self.positions.get(key).copied()
    }

    /// Takes tasks that will not run by themselves out of the queue, so that others can have their cells.
    pub fn drop_held(&self, queue: &dyn Queue) -> Result<(), QueueError> {
        if self.held.is_empty() { Ok(()) } else { queue.cancel(&self.held) }
    }

    /// "8 running, 40 pending" cells.
    pub fn counts(&self) -> String {
        let count = |position| self.positions.values().filter(|&&known| known == position).count();
        format!("{} running, {} pending", count(Position::Running), count(Position::Pending))
    }

    /// "12 TIMEOUT, 3 NODE_FAIL": how the batches of these cells ended, as far as the queue remembers.
    pub fn ends<'k>(&self, keys: impl Iterator<Item = &'k str>) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for end in keys.filter_map(|key| self.ends.get(key)) {
            *counts.entry(end).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(end, count)| format!("{count} {end}")).collect();
        counts.join(", ")
    }
}
