//! The heap as the algorithms see it: live bytes, their peak, and a ceiling.
//!
//! Live bytes of a single-threaded algorithm repeat to the byte, which the resident set does not; and a ceiling on them
//! turns a runaway into a row (`out_of_memory`) before the machine suffers.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The exit code of a worker that reached its ceiling; the parent turns it into `out_of_memory`.
pub const OUT_OF_MEMORY_EXIT: i32 = 86;
/// The exit code of a worker that the system gave no more memory, below its ceiling.
pub const NO_MEMORY_EXIT: i32 = 85;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static CEILING: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, counting.
pub struct CountingAllocator;

// SAFETY: every call is handed to the system's allocator unchanged; the counters are plain atomics.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Growing in place is one allocation of the new size, as far as peaks go.
        LIVE.fetch_sub(layout.size(), Relaxed);
        grow(size);
        given(unsafe { System.realloc(pointer, layout, size) })
    }
}

fn grow(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
    ALLOCATIONS.fetch_add(1, Relaxed);
    ALLOCATED.fetch_add(bytes as u64, Relaxed);
    if live > CEILING.load(Relaxed) {
        // Nothing may be allocated any more, so leave at once; the exit code says why.
        // SAFETY: _exit ends the process and touches no memory of ours.
        unsafe { libc::_exit(OUT_OF_MEMORY_EXIT) }
    }
}

/// A worker that gets no memory leaves at once, so that its run knows why; any other process ends as it would without us.
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && CEILING.load(Relaxed) != usize::MAX {
        // SAFETY: _exit ends the process and touches no memory of ours.
        unsafe { libc::_exit(NO_MEMORY_EXIT) }
    }
    pointer
}

/// No more live bytes than this from now on, or the process ends.
pub fn set_ceiling(bytes: usize) {
    CEILING.store(bytes, Relaxed);
}

/// What one stretch of work took from the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapUse {
    /// The most that was live at once, beyond what was live at the start.
    pub peak_bytes: u64,
    /// Calls of the allocator.
    pub allocations: u64,
    /// The bytes of all allocations together, whenever they were freed.
    pub allocated_bytes: u64,
}

/// Watches the heap while `work` runs. Not for nested use: there is one peak.
pub fn watch<T>(work: impl FnOnce() -> T) -> (T, HeapUse) {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    let (allocations, allocated) = (ALLOCATIONS.load(Relaxed), ALLOCATED.load(Relaxed));
    let result = work();
    let used = HeapUse {
        peak_bytes: PEAK.load(Relaxed).saturating_sub(live) as u64,
        allocations: ALLOCATIONS.load(Relaxed) - allocations,
        allocated_bytes: ALLOCATED.load(Relaxed) - allocated,
    };
    (result, used)
}
