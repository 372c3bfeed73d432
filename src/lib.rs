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
//! A room depends only on rooms above it in this list; docs/architecture.md is the map.

#![forbid(unsafe_code)]
// What is printed goes through `run::terminal`: a closed or full output is no panic, and names are only text.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub use anonlab_core::{audit, data, examination, external, lab, measure, measures, mining, publish, release, sources};

pub mod fetch;

pub mod statistics;

pub mod run;

pub mod spec;

pub mod sweep;

pub mod report;

pub mod track;

pub mod capsule;

pub mod cli;
