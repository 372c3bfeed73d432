//! A comparison as people and other programs read it.

mod benchmark;
mod json;
mod junit;
mod lines;
mod markdown;
#[cfg(test)]
mod tests;
mod text;

use super::comparison::{ChangeVerdict, RunComparison};
use super::snapshot::Snapshot;
use crate::lab::named;
use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For a terminal
    Text,
    /// For a pull-request comment or a step summary
    Markdown,
    /// Every finding
    Json,
    /// A test case a cell, for CI systems that show tests
    Junit,
    /// This run's values where lower is better, for github-action-benchmark (`customSmallerIsBetter`)
    GithubActionBenchmark,
    /// This run's values where higher is better, for github-action-benchmark (`customBiggerIsBetter`)
    GithubActionBenchmarkBigger,
    /// This run's values as Bencher Metric Format
    Bencher,
}

/// What is told.
#[derive(Debug, Clone, Copy)]
pub struct CheckReport<'a> {
    /// What was compared with.
    pub against: &'a str,
    pub comparison: &'a RunComparison,
    /// What this run measured.
    pub measured: &'a Snapshot,
    pub outcome: CheckOutcome,
}

named! {
    /// How a check ends.
    pub enum CheckOutcome {
        /// Unchanged or better.
        Well = "unchanged or better",
        Regression = "regression",
        /// Under `--strict`: something is inconclusive, or was not compared.
        Open = "not all could be compared",
        NothingComparable = "nothing comparable was measured",
    }
}

impl CheckOutcome {
    pub fn of(comparison: &RunComparison, strict: bool) -> Self {
        let count = |verdict| comparison.count(verdict);
        match () {
            () if count(ChangeVerdict::Regression) > 0 => Self::Regression,
            () if comparison.is_empty() => Self::NothingComparable,
            () if strict && count(ChangeVerdict::Inconclusive) + count(ChangeVerdict::NotCompared) > 0 => Self::Open,
            () => Self::Well,
        }
    }
}

pub fn render(format: CheckFormat, report: &CheckReport) -> String {
    match format {
        CheckFormat::Text => text::text(report),
        CheckFormat::Markdown => markdown::markdown(report),
        CheckFormat::Json => json::json(report),
        CheckFormat::Junit => junit::junit(report),
        CheckFormat::GithubActionBenchmark => benchmark::github(report.measured, crate::lab::Better::Lower),
        CheckFormat::GithubActionBenchmarkBigger => benchmark::github(report.measured, crate::lab::Better::Higher),
        CheckFormat::Bencher => benchmark::bencher(report.measured),
    }
}
