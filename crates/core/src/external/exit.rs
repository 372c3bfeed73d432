//! Notices at once that a program has ended. What it took is then known exactly, however rarely it is looked at: seen only
//! at the next look, a program of 40 ms would seem to take 5 ms more or less.

#![forbid(unsafe_code)]

use std::process::Child;
use std::thread;
use std::time::Duration;

/// The kernel's word that a process has ended, where there is a way to wait for it.
pub(super) struct ExitNotice {
    #[cfg(target_os = "linux")]
    process: Option<rustix::fd::OwnedFd>,
}

impl ExitNotice {
    /// Of a child that nobody has waited for yet.
    #[cfg(target_os = "linux")]
    pub fn of(child: &Child) -> Self {
        use rustix::process::{Pid, PidfdFlags, pidfd_open};
        Self { process: pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok() }
    }

    /// Of a child that nobody has waited for yet.
    #[cfg(not(target_os = "linux"))]
    pub fn of(_child: &Child) -> Self {
        Self {}
    }

    /// Waits so long, or until the process has ended: then this is true. Where the kernel does not tell, it is never.
    pub fn within(&self, time: Duration) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(process) = &self.process {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let timeout = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
            // A signal ends the wait early; the caller looks and waits again.
            return poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&timeout)).is_ok_and(|ready| ready > 0);
        }
        thread::sleep(time);
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Instant;

    #[test]
    fn the_end_of_a_program_is_noticed_when_it_comes() {
        let mut child = Command::new("sleep").arg("0.2").spawn().unwrap();
        let (notice, start) = (ExitNotice::of(&child), Instant::now());
        assert!(!notice.within(Duration::from_millis(1)), "it has not ended yet");
        assert!(notice.within(Duration::from_secs(60)), "it ends long before");
        assert!(start.elapsed() < Duration::from_secs(30), "waited after the end");
        assert!(notice.within(Duration::ZERO), "it has ended");
        child.wait().unwrap();
    }
}
