use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// User and system time of this process so far.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
