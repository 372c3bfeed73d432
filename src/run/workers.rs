//! The workers of this process, told apart from orphans that come to it.
//!
//! When a worker is killed outright, what its program had sent into the background has no parent left. The kernel gives it
//! to this process, which ends it.

use anonlab_core::external::{adopt_orphans, clear_abandoned, end_strays};
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The process ids of the workers that run. One for all executors: they are children of one process.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    // A set of numbers is sound whatever happened to whoever held it.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether what a worker leaves is looked for. Only where this process starts nothing but workers while cells run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adopts(pub bool);

impl Adopts {
    /// Clears what killed runs left on this machine, and takes orphans from now on.
    pub fn begin() -> Self {
        clear_abandoned();
        adopt_orphans();
        Self(true)
    }

    /// Starts a worker.
    pub fn start(self, command: &mut Command) -> io::Result<Child> {
        // Held over the start, so that nobody takes it for a stray before it is known.
        let mut running = running();
        let child = command.spawn()?;
        running.insert(child.id());
        Ok(child)
    }

    /// Forgets a worker that has ended; where it did not end `well`, also ends what it left.
    pub fn over(self, worker: u32, well: bool) {
        let mut running = running();
        running.remove(&worker);
        if self.0 && !well {
            end_strays(&|child| u32::try_from(child).is_ok_and(|child| running.contains(&child)));
        }
    }
}
