//! Waits for the cells of a sweep. What is in the store is done, whatever the controller says; what is neither there nor
//! in the queue is lost.

use super::in_queue::InQueue;
use super::queue::{Queue, QueueError};
use super::submission::Submission;
use crate::run::{Interrupt, Lookup, PlannedCell, Progress, Store};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Why waiting ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// Every cell is in the store, or its worker crashed and nobody runs it any more.
    Done,
    /// Some cells are neither in the store nor in the queue.
    Lost,
    Interrupted,
}

/// A controller that is away this long is not restarting.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// Looks every `poll` until nothing is left to wait for. `cells` are distinct, with whether they run alone.
pub fn wait(
    cells: &[(&PlannedCell, bool)],
    submissions: &[Submission],
    store: &Store,
    queue: &dyn Queue,
    progress: &Progress,
    interrupt: &Interrupt,
    poll: Duration,
) -> Result<Waited, QueueError> {
    let mut open: HashMap<&str, (&PlannedCell, bool)> = cells
        .iter()
        .filter(|(cell, _)| cell.missing_data.is_none())
        .map(|&(cell, timed)| (cell.key.as_str(), (cell, timed)))
        .collect();
    let mut away: Option<Instant> = None;
    let mut idle = 0;
    settle(&mut open, store);
    let there = cells.len() - open.len();
    progress.begin(cells.len(), there, there);
    loop {
        let seen = InQueue::of(submissions, queue);
        // Looked at after the queue: what ended before the question is in the store by now.
        settle(&mut open, store);
        progress.reached(cells.len() - open.len(), &note(&seen, away));
        match seen {
            _ if open.is_empty() => return Ok(Waited::Done),
            Ok(seen) => {
                away = None;
                idle = if open.keys().any(|key| seen.position(key).is_some()) { 0 } else { idle + 1 };
                // Twice, since a shared file system may show the last entries a moment late.
                if idle > 1 {
                    let crashed = |(cell, timed): &(&PlannedCell, bool)| {
                        matches!(store.look_up(&cell.key, &cell.limits, *timed), Lookup::Crashed(_))
                    };
                    return Ok(if open.values().all(crashed) { Waited::Done } else { Waited::Lost });
                }
            }
            Err(error @ QueueError::Absent(_)) => return Err(error),
            // Whatever it says while it restarts: the question is one that it has answered before.
            Err(error) => {
                let since = *away.get_or_insert_with(Instant::now);
                if since.elapsed() > PATIENCE {
                    return Err(error);
                }
            }
        }
        let until = Instant::now() + poll;
        while Instant::now() < until {
            if interrupt.is_set() {
                return Ok(Waited::Interrupted);
            }
            std::thread::sleep(Duration::from_millis(50).min(poll));
        }
    }
}

/// Takes out what the store has. Names are listed first: looking for each of a hundred thousand files is slower.
fn settle(open: &mut HashMap<&str, (&PlannedCell, bool)>, store: &Store) {
    for key in store.keys() {
        if let Some((cell, timed)) = open.get(key.as_str())
            && store.has_answer(cell, *timed)
        {
            open.remove(key.as_str());
        }
    }
}

fn note(seen: &Result<InQueue, QueueError>, away: Option<Instant>) -> String {
    match (seen, away) {
        (Ok(seen), _) => seen.counts(),
        (Err(_), None) => "the controller does not answer".to_string(),
        (Err(_), Some(since)) => format!("the controller does not answer, for {} s now", since.elapsed().as_secs()),
    }
}
