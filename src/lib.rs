//! anonlab: declarative, reproducible experiments for data anonymization.
//!
//! A spec (`spec`) names datasets, algorithms and sweeps; it is expanded into cells, each cell runs in its own worker
//! process (`run`), and what the cells measured becomes figures, claims and pages (`report`). In the middle stands one
//! line that every algorithm goes through:
//!
//! ```text
//! dataset ──▶ publish ──▶ release ──▶ verify · audit · utility
//! ```
//!
//! A room depends only on rooms above it in this list or beside it in the flow.

pub mod lab;

pub mod data;
pub mod mining;

pub mod matching;

pub mod release;

pub mod publish;

pub mod audit;
pub mod measure;
pub mod utility;

pub mod run;
pub mod spec;

pub mod slurm;

pub mod report;

pub mod track;

pub mod cli;
