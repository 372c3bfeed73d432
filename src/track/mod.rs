//! Baselines, comparison of runs, history: has anything got worse?
//!
//! ```text
//! cells of a run ──▶ snapshot ──▶ baseline file          (record)
//!                        └──────▶ exact ─┐
//! samples of A and B ───────────▶ noisy ─┴▶ comparison ──▶ formats      (check)
//! snapshot ──▶ history ──▶ change points ──▶ trends      (history)
//! ```
//!
//! Two lanes: what repeats to the last digit is compared exactly; seconds and resident sets are measured in turns and
//! judged by statistics.

mod baseline;
mod change_points;
mod comparison;
mod exact;
mod formats;
mod history;
mod interleave;
mod noisy;
mod pooled;
mod renamed;
mod rules;
mod snapshot;
mod trends;

pub use baseline::{read, write};
pub use change_points::{Change, change_points};
pub use comparison::{ChangeFinding, ChangeVerdict, RunComparison, Topic};
pub use exact::compare as compare_exactly;
pub use formats::{CheckFormat, CheckOutcome, CheckReport, render};
pub use history::{History, HistoryLine};
pub use interleave::{
    ComparedCell, ComparedSide, Hand, InterleaveSettings, Interrupted, NoisyCosts, compare as compare_in_turns,
    take_samples,
};
pub use noisy::Spreads;
pub use rules::{Lane, MetricRule, rule};
pub use snapshot::{CellId, CellName, CostConditions, Record, Snapshot, only_repeats};
pub use trends::trends;

/// Why a baseline or a history cannot be used: the file, where in it, what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TrackError(pub String);
