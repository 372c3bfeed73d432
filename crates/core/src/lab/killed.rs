//! Who ended a process that a signal ended: somebody outside, or the system for lack of memory.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// What people, shells and batch systems send to end a process. A computation does not send them to itself.
const FROM_OUTSIDE: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGKILL];

/// Whose doing it was that a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Killed {
    /// The system had no memory left, and chose this process.
    ForMemory,
    /// Somebody sent a signal: that says nothing about what the process computed.
    FromOutside,
}

/// How often the system has ended processes for lack of memory; taken before a process starts, to compare with after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryKills(u64);

impl MemoryKills {
    /// The kernel's count of processes killed for memory, as of now.
    pub fn so_far() -> Self {
        Self(of_group().or_else(of_machine).unwrap_or(0))
    }

    /// Who ended a process that had not begun when `self` was taken; None when it ended by itself.
    pub fn judge(self, status: ExitStatus) -> Option<Killed> {
        // A shell, or a runtime that catches the signal, ends with 128 and its number.
        let signal = status.signal().or(status.code().map(|code| code - 128))?;
        match signal {
            libc::SIGKILL if Self::so_far() > self => Some(Killed::ForMemory),
            _ if FROM_OUTSIDE.contains(&signal) => Some(Killed::FromOutside),
            _ => None,
        }
    }
}

impl PartialOrd for MemoryKills {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

/// Of the control group that this process is in: the limits of a batch system and of a container are kept there.
fn of_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let top = Path::new("/sys/fs/cgroup");
    let own: PathBuf = top.join(group);
    // Not every group counts memory; the nearest that does has the groups below it in its count.
    let counting = own.ancestors().take_while(|folder| folder.starts_with(top));
    let events = counting.filter_map(|folder| fs::read_to_string(folder.join("memory.events")).ok()).next()?;
    counted(&events)
}

fn of_machine() -> Option<u64> {
    counted(&fs::read_to_string("/proc/vmstat").ok()?)
}

fn counted(table: &str) -> Option<u64> {
    table.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_of_others_are_told_from_those_of_a_computation() {
        let before = MemoryKills::so_far();
        let judged = |signal: i32| before.judge(ExitStatus::from_raw(signal));
        for signal in FROM_OUTSIDE {
            assert_eq!(judged(signal), Some(Killed::FromOutside), "{signal}");
            assert_eq!(judged((128 + signal) << 8), Some(Killed::FromOutside), "a shell's {signal}");
        }
        for own in [0, 1 << 8, 3 << 8, 86 << 8, libc::SIGSEGV, libc::SIGABRT, libc::SIGXFSZ, 255 << 8] {
            assert_eq!(judged(own), None, "{own}");
        }
    }

    #[test]
    fn a_table_of_events_is_read() {
        assert_eq!(counted("low 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 0\n"), Some(2));
        assert_eq!(counted("pgfault 1\n"), None);
    }
}
