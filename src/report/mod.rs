//! The report: figures, claims with their verdicts, and the pages that show them. Reads measurements, never algorithms.

mod claims;
mod error;
mod metrics;
mod number;
mod observations;
mod results;
pub mod statistics;
mod value;

pub use claims::{Evidence, Judgement, Outcome, Verdict};
pub use error::ReportError;
pub use results::{
    DataOrigin, DataUsed, ExperimentResult, FigureResult, Limits, Machine, MetricInfo, Paper, Provenance,
};
