//! Hardware counters of this process, where the kernel gives them: instructions and cache misses of user code. Most virtual
//! machines and containers give none; then there are none, and `anonlab doctor` says why.

#![allow(unsafe_code)]

use std::sync::OnceLock;

/// What was counted at one moment, or between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HardwareCounts {
    /// Instructions retired.
    pub instructions: u64,
    /// Misses of the last-level cache.
    pub cache_misses: u64,
}

impl HardwareCounts {
    /// What was counted between two moments.
    pub fn since(self, before: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_sub(before.instructions),
            cache_misses: self.cache_misses.saturating_sub(before.cache_misses),
        }
    }
}

static OPENED: OnceLock<Result<system::Counters, String>> = OnceLock::new();

/// Starts counting for this process and what it starts from now on. Why there is nothing to count with, if there is not.
pub fn start() -> Result<(), String> {
    OPENED.get_or_init(system::Counters::open).as_ref().map(|_| ()).map_err(Clone::clone)
}

/// Whether this machine has them, without counting anything.
pub fn probe() -> Result<(), String> {
    system::Counters::open().map(|_| ())
}

/// None where counting was not started, or cannot be.
pub fn now() -> Option<HardwareCounts> {
    OPENED.get()?.as_ref().ok()?.read()
}

#[cfg(target_os = "linux")]
mod system {
    use crate::worker::counters::HardwareCounts;
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::{FromRawFd, RawFd};

    /// `perf_event_attr` of linux/perf_event.h in its first version, which every kernel takes.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        sample_period: u64,
        sample_type: u64,
        read_format: u64,
        flags: u64,
        wakeup_events: u32,
        breakpoint_type: u32,
        breakpoint_address: u64,
    }

    const HARDWARE: u32 = 0;
    const INSTRUCTIONS: u64 = 1;
    const CACHE_MISSES: u64 = 3;
    /// Threads and children that are started later are counted too; the kernel and the hypervisor are not.
    const INHERIT: u64 = 1 << 1;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
    const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

    #[derive(Debug)]
    pub struct Counters {
        instructions: File,
        cache_misses: File,
    }

    impl Counters {
        pub fn open() -> Result<Self, String> {
            Ok(Self { instructions: counter(INSTRUCTIONS)?, cache_misses: counter(CACHE_MISSES)? })
        }

        pub fn read(&self) -> Option<HardwareCounts> {
            Some(HardwareCounts { instructions: value(&self.instructions)?, cache_misses: value(&self.cache_misses)? })
        }
    }

    fn counter(config: u64) -> Result<File, String> {
        let attributes = Attributes {
            kind: HARDWARE,
            size: size_of::<Attributes>() as u32,
            config,
            flags: INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            ..Attributes::default()
        };
        let (this_process, any_core, no_group): (libc::c_int, libc::c_int, libc::c_int) = (0, -1, -1);
        // SAFETY: the attributes live through the call, which reads `size` bytes of them; the result is a new descriptor of
        // ours or −1.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_process,
                any_core,
                no_group,
                CLOSE_ON_EXEC,
            )
        };
        match RawFd::try_from(descriptor) {
            // SAFETY: the descriptor was just opened, and nobody else has it.
            Ok(descriptor) if descriptor >= 0 => Ok(unsafe { File::from_raw_fd(descriptor) }),
            _ => Err(io::Error::last_os_error().to_string()),
        }
    }

    fn value(mut counter: &File) -> Option<u64> {
        let mut bytes = [0; 8];
        counter.read_exact(&mut bytes).ok()?;
        Some(u64::from_ne_bytes(bytes))
    }

    #[cfg(test)]
    mod tests {
        use crate::worker::counters::system::Attributes;

        #[test]
        fn the_attributes_are_as_large_as_the_kernel_takes_them() {
            assert_eq!(size_of::<Attributes>(), 64);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use crate::worker::counters::HardwareCounts;

    #[derive(Debug)]
    pub struct Counters;

    impl Counters {
        pub fn open() -> Result<Self, String> {
            Err("this system has none that a program can ask for".to_string())
        }

        pub fn read(&self) -> Option<HardwareCounts> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True on machines with counters and on those without: more work is more instructions, or there is a reason.
    #[test]
    fn more_work_is_more_instructions_or_it_is_said_why_nothing_is_counted() {
        let work = |rounds: u64| (0..rounds).fold(0u64, |sum, i| std::hint::black_box(sum.wrapping_mul(31) + i));
        match start() {
            Err(why) => {
                assert!(!why.is_empty());
                assert_eq!(now(), None);
            }
            Ok(()) => {
                let counted = |rounds| {
                    let before = now().unwrap();
                    work(rounds);
                    now().unwrap().since(before).instructions
                };
                let (little, much) = (counted(10_000), counted(1_000_000));
                assert!(much > 10 * little, "{little} {much}");
            }
        }
    }
}
