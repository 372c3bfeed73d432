use super::figure_args::FigureArgs;
use super::placement::Placement;
use super::run_options::RunOptions;
use super::{Exit, Failure};
use crate::sources::DataLocations;
use std::path::PathBuf;

/// Run specs, resuming what is already in the store
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab run experiments/anatomy.yaml\n  anonlab run my.yaml --only fig1,fig2 --jobs 4 --out results\n  anonlab run my.yaml --set fig1.l=4 --set 'datasets.adult.derive=[{first: 1000}]'\n  anonlab run my.yaml --quick --strict      for CI\n  anonlab run my.yaml --shard 2/8           one part of eight, for any engine; then `anonlab collect reports`\n  anonlab run my.yaml --executor slurm --partition short --sbatch-arg=--qos=low\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input · 3 cells are missing · 130 interrupted"
)]
pub struct Args {
    /// Specs (*.yaml); the papers' own are inside the program, as experiments/NAME.yaml
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    #[command(flatten)]
    figures: FigureArgs,
    #[command(flatten)]
    options: RunOptions,
    #[command(flatten)]
    placement: Placement,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let Args { specs, figures, options, placement } = args;
    placement.check(&options)?;
    let specs = options.plan.read(&specs)?;
    placement.run(specs, &figures, &options, locations)
}
