//! The report: figures, claims with their verdicts, and the pages that show them. Reads measurements, never algorithms.

mod results;

pub use results::{
    DataOrigin, DataUsed, ExperimentResult, FigureResult, Limits, Machine, MetricInfo, Paper, Provenance,
};
