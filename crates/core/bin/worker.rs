//! The worker process alone: what computes an answer, without all that plans and reports. Builds for other machines are compared
//! with it (`scripts/check-bytes.sh`), since it takes a tenth of the program's time to build.

use anonlab_core::worker::heap::CountingAllocator;

#[global_allocator]
static HEAP: CountingAllocator = CountingAllocator;

fn main() -> std::io::Result<()> {
    anonlab_core::worker::serve(std::io::stdin().lock(), std::io::stdout().lock())
}
