//! The heap as the algorithms see it: live bytes, their peak, and a ceiling.
//!
//! Live bytes of a single-threaded algorithm repeat to the byte, which the resident set does not; and a ceiling on them
//! turns a runaway into a row (`out_of_memory`) before the machine suffers.
//!
//! The ceiling is for the whole process. What is told of a stretch of work is of its thread alone, whatever others do meanwhile.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The exit code of a worker that reached its ceiling; the parent turns it into `out_of_memory`.
pub const OUT_OF_MEMORY_EXIT: i32 = 86;
/// The exit code of a worker that the system gave no more memory, below its ceiling.
pub const NO_MEMORY_EXIT: i32 = 85;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static CEILING: AtomicUsize = AtomicUsize::new(usize::MAX);

/// What a thread has done. It may free what another allocated, so that its live bytes can be below 0.
#[derive(Debug, Clone, Copy)]
struct Account {
    live: i64,
    peak: i64,
    allocations: u64,
    allocated: u64,
}

thread_local! {
    // Plain numbers: nothing to allocate when a thread begins, nothing to drop when it ends.
    static ACCOUNT: Cell<Account> = const { Cell::new(Account { live: 0, peak: 0, allocations: 0, allocated: 0 }) };
}

/// The system's allocator, counting.
pub struct CountingAllocator;

// SAFETY: every call is handed to the system's allocator unchanged. What counts them (atomics, and cells of a thread that need
// neither a beginning nor an end) allocates nothing and does not panic.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller promises what the system's allocator asks for.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as in `alloc`.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: as in `alloc`; the pointer is the system's, since all were handed on unchanged.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Growing in place is one allocation of the new size, as far as peaks go.
        shrink(layout.size());
        grow(size);
        // SAFETY: as in `dealloc`.
        given(unsafe { System.realloc(pointer, layout, size) })
    }
}

fn grow(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    // Of a thread that is about to end nobody asks any more.
    let _ = ACCOUNT.try_with(|account| {
        let before = account.get();
        let live = before.live + bytes as i64;
        account.set(Account {
            live,
            peak: before.peak.max(live),
            allocations: before.allocations + 1,
            allocated: before.allocated + bytes as u64,
        });
    });
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

fn shrink(bytes: usize) {
    LIVE.fetch_sub(bytes, Relaxed);
    let _ =
        ACCOUNT.try_with(|account| account.set(Account { live: account.get().live - bytes as i64, ..account.get() }));
}

/// No more live bytes than this from now on, or the process ends.
pub fn set_ceiling(bytes: usize) {
    CEILING.store(bytes, Relaxed);
}

/// Gives pages of freed memory back to the system, where its allocator can: it keeps them for later otherwise.
pub fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it touches only memory that nothing was allocated from, and holds the allocator's own locks.
    unsafe {
        libc::malloc_trim(0);
    }
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

/// Watches what this thread takes from the heap while `work` runs. Not for nested use: there is one peak.
pub fn watch<T>(work: impl FnOnce() -> T) -> (T, HeapUse) {
    let before = ACCOUNT.get();
    ACCOUNT.set(Account { peak: before.live, ..before });
    let result = work();
    let after = ACCOUNT.get();
    let used = HeapUse {
        peak_bytes: u64::try_from(after.peak - before.live).unwrap_or(0),
        allocations: after.allocations - before.allocations,
        allocated_bytes: after.allocated - before.allocated,
    };
    (result, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counting allocator is not that of the tests, so that it is asked itself.
    fn hold(bytes: usize, work: impl FnOnce()) {
        let layout = Layout::from_size_align(bytes, 8).unwrap();
        // SAFETY: the layout has a size, and what is allocated is freed with it.
        unsafe {
            let held = CountingAllocator.alloc(layout);
            work();
            CountingAllocator.dealloc(held, layout);
        }
    }

    #[test]
    fn a_thread_is_charged_with_its_own_work() {
        let ((), used) = watch(|| {
            hold(1000, || {
                let other = std::thread::spawn(|| watch(|| hold(50_000, || hold(50_000, || ()))).1);
                let other = other.join().unwrap();
                assert_eq!((other.peak_bytes, other.allocations, other.allocated_bytes), (100_000, 2, 100_000));
                hold(500, || ());
            })
        });
        assert_eq!((used.peak_bytes, used.allocations, used.allocated_bytes), (1500, 2, 1500));
    }
}
