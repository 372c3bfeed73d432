//! When a worker ends without an answer: at its deadline, and when its run is gone.

#![forbid(unsafe_code)]

use crate::external;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getppid, test_kill_process};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// The exit code of a worker that was asked to end by somebody, or whose program was: there is no answer.
pub const KILLED_EXIT: i32 = 87;
/// The variable that has the process id of the run a worker belongs to.
pub const RUN_VARIABLE: &str = "ANONLAB_RUN";
/// How long after its time limit a worker ends by itself. Its run ends it before, unless the run was stopped or killed.
pub(super) const OVERTIME: Duration = Duration::from_secs(10);

/// Whether the run was killed before the kernel was told to end its workers with it. Its parent need not be the run itself:
/// a script may stand between them.
pub(super) fn is_orphan() -> bool {
    let run = std::env::var(RUN_VARIABLE).ok().and_then(|id| Pid::from_raw(id.parse().ok()?));
    run.is_some_and(|run| getppid() != Some(run) && test_kill_process(run) == Err(Errno::SRCH))
}

/// Ends this process and the program it runs at `deadline`, whatever it does then. Comes back when the watch has begun: what a thread
/// allocates to start would else be counted as what a publisher does.
pub(super) fn end_at(deadline: Instant) {
    let begun = Arc::new(Barrier::new(2));
    let watching = begun.clone();
    let watch = move || {
        watching.wait();
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        external::end_all();
        std::process::exit(KILLED_EXIT);
    };
    // Without it, the run alone keeps the time.
    if std::thread::Builder::new().name("deadline".to_string()).stack_size(64 << 10).spawn(watch).is_ok() {
        begun.wait();
    }
}

/// A worker whose run was killed has nobody to answer to: it gets `signal` then.
pub(super) fn die_with_parent(signal: Signal) {
    // Where there is no such thing, a worker outlives its run until it is done.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(signal));
    #[cfg(not(target_os = "linux"))]
    let _ = signal;
}
