//! Runs cells: keys, worker processes with limits, the store, the scheduler, progress, and the tables that come out.

mod clock;
mod doctor;
mod estimate;
mod interrupt;
mod lock;
mod machine;
mod planned;
mod process;
mod progress;
mod reasons;
mod rounds;
mod scheduler;
mod sheet;
mod shell;
mod store;
mod tables;
mod terminal;
mod timed;
mod turns;

pub use anonlab_core::answer::{Answer, Costs, Disturbance, Status};
pub use anonlab_core::cell::{AlgorithmCell, Cell, Key, MeasureCell, key_of};
pub use anonlab_core::lab::{Limits, MemoryLimit, TimeLimit, write_atomically, write_atomically_with};
pub use anonlab_core::worker::heap::CountingAllocator;
pub use anonlab_core::worker::{NOT_REPEATABLE, Timing, WorkOrder, reserved_counter, serve};
pub use anonlab_core::{build_name, code_digest};
pub use clock::now;
pub use doctor::{Fact, examine, lasting_faults};
pub use estimate::History;
pub use interrupt::Interrupt;
pub use lock::DirectoryLock;
pub use machine::Machine;
#[cfg(test)]
pub use planned::fixtures::planned_cell;
pub use planned::{PlannedCell, Rounds, Samples, distinct, plain};
pub use process::ProcessExecutor;
pub use progress::{Progress, ProgressStyle, Told};
pub use reasons::reasons_told;
pub use rounds::{Company, Sample, order};
pub use scheduler::{Executor, Outcome, Policy, Summary, run_cells, skipped};
pub use sheet::Sheet;
pub use shell::{shell_line, shell_word};
pub use store::{Entry, Lookup, Store};
pub use tables::{DEFAULTS, RELEASE_DIGITS, TABLES};
pub(crate) use terminal::tell;
pub use terminal::{print, printable, tell_line};
pub use turns::Turns;
