//! What else goes on while an algorithm is timed, and how to keep away from it.

#![allow(unsafe_code)]

use crate::answer::Disturbance;
use crate::lab::resource_usage;
use std::fs;
use std::time::Instant;

/// Counters of the machine and of this process at one moment.
pub struct Surroundings {
    at: Instant,
    /// Hundredths of a second that the host took from this machine, over all cores.
    stolen: f64,
    switches: f64,
}

impl Surroundings {
    pub fn now() -> Self {
        let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
        Self { at: Instant::now(), stolen: stolen(&stat), switches: involuntary_switches() }
    }

    pub fn since(self) -> Disturbance {
        let now = Self::now();
        let seconds = (now.at - self.at).as_secs_f64().max(1e-6);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        // The kernel counts in hundredths of a second: in a shorter time one of them says little.
        let stolen = if seconds < 0.1 { 0.0 } else { (now.stolen - self.stolen).max(0.0) / 100.0 };
        // One switch is none: somebody has to take turns with the kernel itself.
        let switches = (now.switches - self.switches - 1.0).max(0.0);
        Disturbance {
            steal: stolen / seconds,
            switches: switches / seconds.max(0.05),
            load: load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0),
        }
    }
}

/// The eighth number of the first line of `/proc/stat`.
fn stolen(stat: &str) -> f64 {
    stat.lines().next().and_then(|line| line.split_whitespace().nth(8)?.parse().ok()).unwrap_or(0.0)
}

/// How often the kernel took a core away from this process and those that it has waited for.
fn involuntary_switches() -> f64 {
    let of = |who| resource_usage(who).ru_nivcsw as f64;
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}

/// Keeps this process, and what it starts, to one core. A core that there is not keeps it nowhere.
pub fn keep_to_core(core: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the set is plain data, filled by its own macros within its size; the call only reads it.
    unsafe {
        if core < libc::CPU_SETSIZE as usize {
            let mut set = std::mem::zeroed::<libc::cpu_set_t>();
            libc::CPU_SET(core, &mut set);
            libc::sched_setaffinity(0, std::mem::size_of::<libc::cpu_set_t>(), &set);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_the_eighth_number() {
        assert_eq!(stolen("cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2"), 80.0);
        assert_eq!(stolen(""), 0.0);
    }

    #[test]
    fn bounds_are_told_apart() {
        let quiet = Disturbance { steal: 0.01, switches: 3.0, load: 5.0 };
        assert!(!quiet.is_too_much());
        assert!(Disturbance { steal: 0.2, ..quiet }.is_too_much());
        assert!(Disturbance { switches: 300.0, ..quiet }.is_too_much());
    }
}
