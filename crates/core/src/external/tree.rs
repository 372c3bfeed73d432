//! The process tree below this process: what it uses, and its end.
//!
//! While a [`Reaper`] lives, a process whose parent ends becomes this process's child, so nothing a program starts can
//! leave the tree, and "no children left" means that nothing of it is left. That holds as long as this process has no
//! other children: a worker, or a command that runs nothing beside. Only Linux has such adoption; elsewhere orphans are ended
//! with the process group of their program.

use super::processes::{self, children, held_open, process};
use crate::lab::resource_usage;
use rustc_hash::FxHashMap;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait, waitpid};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// What a program's process tree used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// From its start to its end.
    pub elapsed: Duration,
    /// Processor time of all its processes.
    pub cpu: Duration,
    /// The most memory they had resident together.
    pub peak_resident_bytes: u64,
}

/// Makes orphans of the tree children of this process until it is dropped.
pub struct Reaper(());

impl Reaper {
    pub fn new() -> Self {
        processes::adopt_orphans(true);
        Self(())
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        end_all();
        processes::adopt_orphans(false);
    }
}

/// What the tree has used so far, put together from samples.
#[derive(Debug, Default)]
pub struct TreeUse {
    /// The most it held at once: all processes' resident sets together.
    pub peak_bytes: u64,
    /// Process to its time so far; processes that end keep their last one.
    cpu: FxHashMap<i32, Duration>,
}

/// The tree at one moment.
pub struct TreeSample {
    pub processes: usize,
    pub resident_bytes: u64,
}

impl TreeUse {
    pub fn sample(&mut self) -> TreeSample {
        let pids = descendants();
        let mut resident_bytes = 0;
        for &pid in &pids {
            let Some(process) = process(pid) else { continue };
            resident_bytes += process.resident_bytes;
            let known = self.cpu.entry(pid).or_default();
            *known = process.cpu.max(*known);
        }
        self.peak_bytes = self.peak_bytes.max(resident_bytes);
        TreeSample { processes: pids.len(), resident_bytes }
    }

    /// `waited_for` is the processor time of the children this process has waited for. Programs that leave their own
    /// children unwaited would hide time from it, but not from the samples.
    pub fn usage(&self, elapsed: Duration, waited_for: Duration) -> Usage {
        Usage {
            elapsed,
            cpu: self.cpu.values().sum::<Duration>().max(waited_for),
            peak_resident_bytes: self.peak_bytes,
        }
    }
}

/// Every process below this one.
fn descendants() -> Vec<i32> {
    with_all_below(own_children())
}

fn own_children() -> Vec<i32> {
    children(rustix::process::getpid().as_raw_nonzero().get())
}

/// These processes, and every process below them.
fn with_all_below(mut found: Vec<i32>) -> Vec<i32> {
    let mut next = 0;
    while next < found.len() {
        let below = children(found[next]);
        found.extend(below);
        next += 1;
    }
    found
}

/// Ends every process below this one and waits for all of them.
pub fn end_all() {
    // Stopped first: whoever is stopped starts nothing new while the others are ended.
    for signal in [Signal::STOP, Signal::KILL] {
        for pid in descendants() {
            send(pid, signal);
        }
    }
    while !matches!(reap(), Reaped::NoneLeft) {
        for pid in descendants() {
            send(pid, Signal::KILL);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// From now on, processes below this one whose parent ends become its children, and [`end_strays`] finds them.
pub fn adopt_orphans() {
    processes::adopt_orphans(true);
}

/// Ends the children of this process that are none of its own, with all below them: what a killed worker's program had
/// sent into the background.
pub fn end_strays(is_own: &dyn Fn(i32) -> bool) {
    // Each round may bring new ones: those that strays had started.
    for _ in 0..STRAY_ROUNDS {
        let strays: Vec<i32> = own_children().into_iter().filter(|&child| !is_own(child)).collect();
        if strays.is_empty() {
            return;
        }
        for signal in [Signal::STOP, Signal::KILL] {
            for pid in with_all_below(strays.clone()) {
                send(pid, signal);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
        for pid in strays.into_iter().filter_map(Pid::from_raw) {
            // One that has not ended yet is found in the next round.
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

/// A process that does not end within so many milliseconds hangs in the kernel, and ends when that lets it.
const STRAY_ROUNDS: usize = 1000;

/// Ends one process.
pub(super) fn kill(process: i32) {
    send(process, Signal::KILL);
}

/// The bytes of files without a name that the tree holds open.
pub(super) fn nameless_bytes() -> u64 {
    held_open(&descendants())
}

/// One that has ended meanwhile gets no signal.
fn send(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

pub enum Reaped {
    Ended(i32, ExitStatus),
    /// There are children, and none has ended.
    NoneEnded,
    NoneLeft,
}

/// Waits for one child that has ended, if there is one.
pub fn reap() -> Reaped {
    match wait(WaitOptions::NOHANG) {
        Ok(None) | Err(Errno::INTR) => Reaped::NoneEnded,
        Ok(Some((pid, status))) => Reaped::Ended(pid.as_raw_pid(), ExitStatus::from_raw(status.as_raw())),
        Err(_) => Reaped::NoneLeft,
    }
}

/// Processor time of all children waited for so far.
pub fn children_cpu() -> Duration {
    let usage = resource_usage(libc::RUSAGE_CHILDREN);
    let time = |value: libc::timeval| Duration::new(value.tv_sec as u64, value.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}
