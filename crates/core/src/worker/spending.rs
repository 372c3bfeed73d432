//! What one call takes: time, processor time, heap and what the hardware counts.

#![forbid(unsafe_code)]

use super::counters::{self, HardwareCounts};
use super::heap;
use crate::lab::{Aside, Cost, cpu_time};
use std::time::{Duration, Instant};

/// What one call took.
pub(super) struct Spent {
    pub elapsed: Duration,
    pub cpu: Duration,
    pub heap: heap::HeapUse,
    /// Where the hardware counts.
    pub counts: Option<HardwareCounts>,
}

impl Spent {
    /// Less what was spent on instrumentation.
    pub fn without(self, aside: Aside) -> Self {
        let elapsed = self.elapsed.saturating_sub(aside.elapsed);
        Self { elapsed, cpu: self.cpu.saturating_sub(aside.cpu), ..self }
    }

    pub fn metrics<'a>(&self, phases: impl Iterator<Item = (&'a str, Duration)>) -> Vec<(String, f64)> {
        let metric = |cost: Cost, value| (cost.name().to_string(), value);
        let mut metrics = vec![metric(Cost::Seconds, self.elapsed.as_secs_f64())];
        metrics.extend(phases.map(|(name, time)| (Cost::Seconds.of_part(name), time.as_secs_f64())));
        metrics.push(metric(Cost::CpuSeconds, self.cpu.as_secs_f64()));
        metrics.push(metric(Cost::PeakHeapBytes, self.heap.peak_bytes as f64));
        metrics.push(metric(Cost::Allocations, self.heap.allocations as f64));
        metrics.push(metric(Cost::AllocatedBytes, self.heap.allocated_bytes as f64));
        metrics.extend(counted(self.counts));
        metrics
    }
}

/// As costs; none where nothing was counted.
fn counted(counts: Option<HardwareCounts>) -> impl Iterator<Item = (String, f64)> {
    counts.into_iter().flat_map(|counts| {
        [(Cost::Instructions, counts.instructions), (Cost::CacheMisses, counts.cache_misses)]
            .map(|(cost, count)| (cost.name().to_string(), count as f64))
    })
}

pub(super) fn spend<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let before = counters::now();
    let (cpu, start) = (cpu_time(), Instant::now());
    let (result, heap) = heap::watch(work);
    let elapsed = start.elapsed();
    let cpu = cpu_time().saturating_sub(cpu);
    let counts = counters::now().zip(before).map(|(now, before)| now.since(before));
    (result, Spent { elapsed, cpu, heap, counts })
}

/// The peak resident set of this process image. Not `ru_maxrss`, which on Linux starts at the size of the parent that
/// forked us.
#[cfg(target_os = "linux")]
pub(super) fn peak_resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().split(' ').next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// From now on the peak is what is resident from now on. Systems that cannot forget keep the peak of all that was.
pub(super) fn forget_peak() {
    heap::give_back_freed();
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The peak resident set of this process, as other systems tell it.
#[cfg(not(target_os = "linux"))]
pub(super) fn peak_resident_bytes() -> u64 {
    let usage = crate::lab::resource_usage(libc::RUSAGE_SELF);
    // Apple's counts in bytes, the others in kilobytes.
    usage.ru_maxrss as u64 * if cfg!(target_vendor = "apple") { 1 } else { 1024 }
}
