//! Runs cells: keys, worker processes with limits, the store, the scheduler, progress, and the frames that come out.

mod cell;
mod clock;
mod code;
mod estimate;
mod frames;
mod heap;
mod interrupt;
mod limits;
mod lock;
mod machine;
mod process;
mod programs;
mod progress;
mod scheduler;
mod shard;
mod store;
mod turns;
mod worker;

pub use cell::{AlgorithmCell, Cell, Key, MeasureCell, PlannedCell, key_of, plain};
pub use clock::now;
pub use code::{build_name, code_digest};
pub use estimate::History;
pub use frames::{costs_frame, measurements_frame, write_csv};
pub use heap::CountingAllocator;
pub use interrupt::Interrupt;
pub use limits::{Limits, MemoryLimit, TimeLimit};
pub use lock::DirectoryLock;
pub use machine::Machine;
pub use process::ProcessExecutor;
pub use programs::reserved_counter;
pub use progress::{Progress, ProgressStyle};
pub use scheduler::{Executor, Outcome, Policy, Summary, run_cells, skipped};
pub use shard::{Shard, balance, distinct, shard_of_each};
pub use store::{Entry, Lookup, Store, write_atomically};
pub use turns::Turns;
pub use worker::{Answer, Costs, Status, WorkOrder, serve};
