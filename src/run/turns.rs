//! Who may run a cell on this machine, when several parts of a plan run on it at once.

use super::Interrupt;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::Duration;

/// A lock of this machine, not of the output directory: cells whose time is plotted hold it alone, others share it, so
/// that no shard disturbs the timings of another.
#[derive(Debug, Clone)]
pub struct Turns {
    path: PathBuf,
}

/// A cell's turn; ends when it is dropped, however that comes.
#[derive(Debug)]
pub struct Turn {
    _file: Option<File>,
}

/// How often a cell that waits looks again.
const PAUSE: Duration = Duration::from_millis(20);

impl Turns {
    /// Among all of this user's shards on this machine.
    pub fn of_this_machine() -> Self {
        let user = rustix::process::geteuid().as_raw();
        Self { path: std::env::temp_dir().join(format!("anonlab-turns-{user}")) }
    }

    /// Waits for a turn; None when the run was interrupted first. Where there is no such lock to be had (a file system
    /// without locks) everybody has a turn at once.
    pub fn take(&self, alone: bool, interrupt: &Interrupt) -> Option<Turn> {
        let open = || {
            let flags = libc::O_NOFOLLOW | libc::O_CLOEXEC;
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .custom_flags(flags)
                .open(&self.path)
        };
        let Ok(file) = open() else { return Some(Turn { _file: None }) };
        while !interrupt.is_set() {
            match if alone { file.try_lock() } else { file.try_lock_shared() } {
                Ok(()) => return Some(Turn { _file: Some(file) }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(_)) => return Some(Turn { _file: None }),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timed_cell_has_the_machine_for_itself() {
        let directory = tempfile::tempdir().unwrap();
        let turns = Turns { path: directory.path().join("turns") };
        let (go_on, stop) = (Interrupt::default(), Interrupt::default());
        stop.set();
        let (first, second) = (turns.take(false, &go_on), turns.take(false, &go_on));
        assert!(first.is_some() && second.is_some(), "others share it");
        assert!(turns.take(true, &stop).is_none());
        drop((first, second));
        let alone = turns.take(true, &go_on).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(false, &go_on));
            std::thread::sleep(3 * PAUSE);
            assert!(!waiting.is_finished());
            drop(alone);
            assert!(waiting.join().unwrap().is_some());
        });
    }
}
