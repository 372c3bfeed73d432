//! The commands, one file each: `Args`, and `run` that does it.

mod algorithms;
mod cluster;
mod collect;
mod compare;
mod completions;
mod data;
mod experiment;
mod explain;
mod external;
mod list;
mod plan;
mod provenance;
mod publish;
mod reproduce;
mod run;
mod schema;
mod task;
mod track;
mod validate;
mod worker;

use crate::data::{DataError, DataLocations};
use crate::lab::LabError;
use crate::report::ReportError;
use crate::spec::SpecError;
use crate::sweep::SweepError;
use clap::{Parser, Subcommand};
use std::fmt;
use std::path::PathBuf;

/// Declarative, reproducible experiments for data anonymization.
///
/// A YAML spec names datasets, algorithms and sweeps; one command runs it in isolated workers with seeded randomness and
/// leaves measurements, figures and a report in which every claim carries a verdict.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input",
    after_long_help = "Exit codes:\n  0  all well\n  1  a cell failed, a claim failed or a release was invalid\n  2  bad input: the message says where and what would be right\n  3  cells are missing, or still run elsewhere\n\nExamples:\n  anonlab reproduce                            every figure of every paper, into reports/\n  anonlab run experiments/anatomy.yaml         one spec\n  anonlab publish --dataset adult --algorithm anatomy -p l=4 --out release/\n  anonlab data list                            what data there is, and whether it is real here"
)]
pub struct Cli {
    /// Where data sets are looked for first
    #[arg(long, global = true, env = "ANONLAB_DATA", value_name = "DIR", default_value = "datasets")]
    data_dir: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reproduce(reproduce::Args),
    Run(run::Args),
    Plan(plan::Args),
    Collect(collect::Args),
    Explain(explain::Args),
    Data(data::Args),
    Algorithms(algorithms::Args),
    Compare(compare::Args),
    Track(track::Args),
    Publish(publish::Args),
    Validate(validate::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    #[command(hide = true)]
    External(external::Args),
    #[command(hide = true)]
    Task(task::Args),
    #[command(hide = true)]
    Worker(worker::Args),
}

impl Cli {
    pub fn dispatch(self) -> Result<Exit, Failure> {
        let locations = DataLocations::new(Some(self.data_dir));
        match self.command {
            Command::Reproduce(args) => reproduce::run(args, &locations),
            Command::Run(args) => run::run(args, &locations),
            Command::Collect(args) => collect::run(&args, &locations),
            Command::Plan(args) => plan::run(&args, &locations),
            Command::Explain(args) => explain::run(&args, &locations),
            Command::Data(args) => data::run(args, &locations),
            Command::Algorithms(args) => algorithms::run(args),
            Command::Compare(args) => compare::run(&args, &locations),
            Command::Track(args) => track::run(args, &locations),
            Command::Publish(args) => publish::run(args, &locations),
            Command::Validate(args) => validate::run(&args),
            Command::Schema(args) => schema::run(&args),
            Command::Completions(args) => completions::run(&args),
            Command::External(args) => external::run(&args),
            Command::Task(args) => task::run(&args, &locations),
            Command::Worker(args) => worker::run(&args),
        }
    }
}

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    AllWell,
    /// A cell failed, a claim failed, a release was invalid, or something got worse.
    NotAllWell,
    /// There was nothing to compare with.
    NothingComparable,
    /// Cells are missing, or still run elsewhere.
    Unfinished,
}

/// Why a command did not do its work: bad input, or a machine that does not let it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        Self(error.to_string())
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self(error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self(error.to_string())
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        Self(error.to_string())
    }
}

impl From<polars::error::PolarsError> for Failure {
    fn from(error: polars::error::PolarsError) -> Self {
        Self(error.to_string())
    }
}

impl From<Vec<SpecError>> for Failure {
    fn from(errors: Vec<SpecError>) -> Self {
        Self(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_shows_an_example() {
        Cli::command().debug_assert();
        let mut cli = Cli::command();
        for command in cli.get_subcommands_mut().filter(|command| !command.is_hide_set()) {
            let help = command.render_long_help().to_string();
            assert!(help.contains("anonlab "), "`{}` has no example in its help", command.get_name());
        }
    }
}
