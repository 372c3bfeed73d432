use super::experiment::{self, RunOptions};
use super::{Exit, Failure};
use crate::data::DataLocations;
use std::path::PathBuf;

/// Run specs, resuming what is already in the store
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab run experiments/anatomy.yaml\n  anonlab run my.yaml --only fig1,fig2 --jobs 4 --out results\n  anonlab run my.yaml --quick --strict      for CI\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input"
)]
pub struct Args {
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    /// These figures alone
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    options: RunOptions,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let specs = experiment::read_specs(&args.specs)?;
    experiment::run(specs, &args.only, &args.options, locations)
}
