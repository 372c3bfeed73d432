//! Hands cells to Slurm: batches of them, as tasks of job arrays that meet in the store. Decides nothing that a scheduler
//! decides; all it asks of one is to run a command, and all it believes is what is in the store.
//!
//! ```text
//! cells ──▶ batches ──▶ submission (a folder, and `sbatch`) ──▶ tasks ──▶ store ──▶ collect
//!                              └──▶ queue (`squeue`) ──▶ what still runs, what is gone
//! ```

mod batches;
mod commands;
mod queue;
mod submission;
mod wait;

pub use batches::{Array, Sizes, arrays};
pub use commands::{Slurm, SlurmError, patiently};
pub use queue::{Place, Queue};
pub use submission::{Sent, Submission, TaskCommand};
pub use wait::{Waited, wait};
