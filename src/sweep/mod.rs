//! Sweeps that more than one process runs: in shards, by any engine, or as batches of a cluster's queue. Each part runs cells
//! into the store and nothing else; `collect` finds out how far a sweep is and reports on it once every cell is there.
//!
//! ```text
//! cells ──▶ shards ─────────────────────────────────────▶ part ──▶ store ──▶ survey ──▶ report
//!   └─────▶ batches ──▶ submission ──▶ queue (Slurm) ──▶ part ──────┘
//! ```
//!
//! Decides nothing that a scheduler decides. All it asks of a [`Queue`] is to run a command, and all it believes is what is
//! in the store.

mod batches;
mod error;
mod in_queue;
mod on_queue;
mod part;
mod queue;
mod request;
mod shard;
mod slurm;
mod submission;
mod survey;
#[cfg(test)]
mod tests;
mod wait;

pub use error::SweepError;
pub use on_queue::{OnQueue, Submitted};
pub use part::{Part, PartSummary};
pub use queue::{Queue, QueueError};
pub use request::{Cluster, RequestedSweep, SpecText, SweepRequest};
pub use shard::{MOST_SHARDS, Shard, shard_of_each};
pub use slurm::Slurm;
pub use submission::Submission;
pub use survey::Survey;
