//! What the system tells about processes: the one place that knows how each system does. Linux has `/proc`, Apple's has libproc;
//! elsewhere nothing is told, and limits are kept by time, files and the kernel's own limits alone.

#![allow(unsafe_code)]

use std::time::Duration;

/// What a process has used so far, and what it holds.
pub(super) struct Process {
    pub cpu: Duration,
    pub resident_bytes: u64,
}

pub(super) use system::{adopt_orphans, children, environment, everybody, held_open, process};

#[cfg(target_os = "linux")]
mod system {
    use super::{Duration, Process};
    use rustix::param::{clock_ticks_per_second, page_size};
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    /// Whether processes whose parent ends become children of this one.
    pub fn adopt_orphans(adopt: bool) {
        // Any process id means this process; none means no longer.
        let _ = rustix::process::set_child_subreaper(adopt.then(rustix::process::getpid));
    }

    /// From `/proc/PID/stat`; the fields follow the name, which may hold anything.
    pub fn process(pid: i32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        let (user, system, pages) = (number(11)?, number(12)?, number(21)?);
        let (ticks, page) = (clock_ticks_per_second(), page_size());
        Some(Process {
            cpu: Duration::from_secs_f64((user + system) as f64 / ticks.max(1) as f64),
            resident_bytes: pages * page as u64,
        })
    }

    /// The children of all threads of a process; none when it has just ended.
    pub fn children(process: i32) -> Vec<i32> {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        tasks
            .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
            .collect()
    }

    /// Every process of the machine, as far as this one may see.
    pub fn everybody() -> Vec<i32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    }

    /// What a process of this user was started with, variables with zeros between them.
    pub fn environment(process: i32) -> Vec<u8> {
        fs::read(format!("/proc/{process}/environ")).unwrap_or_default()
    }

    /// The bytes of files that have no name any more and live as long as these processes hold them open. Memory that is a
    /// file (memfd) is among them.
    pub fn held_open(processes: &[i32]) -> u64 {
        let mut held: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for process in processes {
            for descriptor in fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten() {
                // Followed, to the file itself.
                let Ok(file) = fs::metadata(descriptor.path()) else { continue };
                if file.is_file() && file.nlink() == 0 {
                    held.insert((file.dev(), file.ino()), (file.blocks() * 512).min(file.len()));
                }
            }
        }
        held.values().sum()
    }
}

#[cfg(target_vendor = "apple")]
mod system {
    use super::{Duration, Process};
    use std::mem::{size_of, zeroed};

    /// There is no such thing: an orphan leaves the tree, and is found by its process group alone.
    pub fn adopt_orphans(_: bool) {}

    pub fn process(pid: i32) -> Option<Process> {
        let size = size_of::<libc::proc_taskinfo>() as libc::c_int;
        // SAFETY: the struct is plain data for which zeros are valid, and the call writes no more than `size` bytes into it.
        let (written, info) = unsafe {
            let mut info = zeroed::<libc::proc_taskinfo>();
            let written = libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, (&raw mut info).cast(), size);
            (written, info)
        };
        // Counted in ticks of the machine's clock, which are nanoseconds on Intel's and 125/3 of one on Apple's processors.
        let nanoseconds = |ticks: u64| if cfg!(target_arch = "aarch64") { ticks * 125 / 3 } else { ticks };
        (written == size).then(|| Process {
            cpu: Duration::from_nanos(nanoseconds(info.pti_total_user + info.pti_total_system)),
            resident_bytes: info.pti_resident_size,
        })
    }

    pub fn children(process: i32) -> Vec<i32> {
        let mut pids = vec![0i32; 4096];
        let bytes = (pids.len() * size_of::<i32>()) as libc::c_int;
        // SAFETY: the call writes no more than `bytes` bytes, which are those of the vector.
        let found = unsafe { libc::proc_listchildpids(process, pids.as_mut_ptr().cast(), bytes) };
        pids.truncate(usize::try_from(found).unwrap_or(0));
        pids
    }

    pub use super::untold::{environment, everybody, held_open};
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
mod system {
    use super::Process;

    pub fn adopt_orphans(_: bool) {}

    pub fn process(_: i32) -> Option<Process> {
        None
    }

    pub fn children(_: i32) -> Vec<i32> {
        Vec::new()
    }

    pub use super::untold::{environment, everybody, held_open};
}

/// What only Linux tells.
#[cfg(not(target_os = "linux"))]
mod untold {
    pub fn everybody() -> Vec<i32> {
        Vec::new()
    }

    pub fn environment(_: i32) -> Vec<u8> {
        Vec::new()
    }

    pub fn held_open(_: &[i32]) -> u64 {
        0
    }
}
