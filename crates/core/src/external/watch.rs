//! Waits for a program within its limits, and ends it and all that it started when it leaves them.

use super::exit::ExitNotice;
use super::removal::contents;
use super::sandbox::ProgramDirectory;
use super::tree::{Reaped, Reaper, TreeUse, Usage, children_cpu, end_all, nameless_bytes, reap};
use std::fs;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Messages are a few lines; more than this is a flood.
pub(super) const STDOUT_LIMIT: u64 = 1 << 20;
const STDERR_LIMIT: u64 = 16 << 20;
/// More processes than this at once are no computation on one core.
const PROCESSES: usize = 256;
/// A quick program is looked at often, so that its peak is seen; a long one rarely, so that watching costs nothing.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// How often the files it writes are counted.
const FILES_PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy)]
pub struct WatchLimits {
    pub deadline: Instant,
    pub memory: u64,
    pub output_bytes: u64,
    pub files: usize,
}

/// Why waiting ended.
#[derive(Debug)]
pub enum End {
    Exited(ExitStatus),
    Deadline,
    /// It held more memory than it may.
    Memory,
    /// It wrote more than it may, or started more processes; in words.
    Excess(String),
    /// Whoever runs it wants it to end.
    Stopped,
}

/// Waits for `child`, which was started while `reaper` lived: what a program sends into the background at once would else be
/// another's child. Nothing that it started is left when this returns.
pub fn watch(
    child: &Child,
    reaper: Reaper,
    directory: &ProgramDirectory,
    limits: &WatchLimits,
    stop: &dyn Fn() -> bool,
) -> (End, Usage) {
    let (start, cpu_before) = (Instant::now(), children_cpu());
    let notice = ExitNotice::of(child);
    let before = contents(directory.root(), usize::MAX);
    let mut noticed = None;
    let mut used = TreeUse::default();
    let mut pause = SHORTEST_PAUSE;
    let mut files_at = start + FILES_PAUSE;
    let end = loop {
        let sample = used.sample();
        if sample.resident_bytes > limits.memory {
            break End::Memory;
        }
        if sample.processes > PROCESSES {
            break End::Excess(format!("started more than {PROCESSES} processes"));
        }
        if let Some(status) = ended(child) {
            break End::Exited(status);
        }
        let now = Instant::now();
        if stop() {
            break End::Stopped;
        }
        if now >= limits.deadline {
            break End::Deadline;
        }
        if now >= files_at {
            if let Some(excess) = excess(directory, limits, before) {
                break End::Excess(excess);
            }
            files_at = now + FILES_PAUSE;
        }
        if notice.within(pause.min(limits.deadline - now)) {
            noticed.get_or_insert_with(|| start.elapsed());
        }
        pause = (pause + pause / 8).min(LONGEST_PAUSE);
    };
    // Looking at the tree once more takes time, too.
    let elapsed = noticed.unwrap_or_else(|| start.elapsed());
    // Where orphans leave the tree, they are still in the program's process group.
    #[cfg(not(target_os = "linux"))]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    end_all();
    drop(reaper);
    let usage = used.usage(elapsed, children_cpu().saturating_sub(cpu_before));
    // A short program may have ended before its files were counted.
    match end {
        End::Exited(status) => match excess(directory, limits, before) {
            Some(excess) => (End::Excess(excess), usage),
            None => (End::Exited(status), usage),
        },
        other => (other, usage),
    }
}

/// The status of the program itself, once it has ended. Waits for whatever else of the tree has ended, too.
fn ended(child: &Child) -> Option<ExitStatus> {
    loop {
        match reap() {
            Reaped::Ended(pid, status) if pid as u32 == child.id() => return Some(status),
            Reaped::Ended(..) => {}
            Reaped::NoneEnded => return None,
            // Only if somebody else waited for it: then nothing is known but that it is over.
            Reaped::NoneLeft => return Some(ExitStatus::default()),
        }
    }
}

/// What there is too much of on disk.
fn excess(directory: &ProgramDirectory, limits: &WatchLimits, before: (usize, u64)) -> Option<String> {
    let size = |path| fs::symlink_metadata(path).map_or(0, |metadata| metadata.len());
    if size(directory.stdout()) > STDOUT_LIMIT {
        return Some(format!("wrote more than {} MB to standard output", STDOUT_LIMIT >> 20));
    }
    if size(directory.stderr()) > STDERR_LIMIT {
        return Some(format!("wrote more than {} MB to standard error", STDERR_LIMIT >> 20));
    }
    let (files, bytes) = contents(directory.root(), before.0 + limits.files + 1);
    if files > before.0 + limits.files {
        return Some(format!("made more than {} files", limits.files));
    }
    // Files that are open and have no name fill the disk, too.
    if bytes.saturating_add(nameless_bytes()) > before.1.saturating_add(limits.output_bytes) {
        return Some(format!("wrote more than {} MB of files", limits.output_bytes >> 20));
    }
    None
}
