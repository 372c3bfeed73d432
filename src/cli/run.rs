use super::cluster::{self, SlurmOptions};
use super::experiment;
use super::figure_args::FigureArgs;
use super::run_options::RunOptions;
use super::{Exit, Failure, data_first, jail};
use crate::cli::output::outln;
use crate::data::DataLocations;
use crate::run::{Store, now};
use crate::spec::{Experiment, Spec, all_cells, all_company};
use crate::sweep::{Part, RequestedSweep, Shard, SweepRequest, shard_of_each};
use clap::ValueEnum;
use std::collections::HashSet;
use std::path::PathBuf;

/// Run specs, resuming what is already in the store
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab run experiments/anatomy.yaml\n  anonlab run my.yaml --only fig1,fig2 --jobs 4 --out results\n  anonlab run my.yaml --set fig1.l=4 --set datasets.adult.first=1000\n  anonlab run my.yaml --quick --strict      for CI\n  anonlab run my.yaml --shard 2/8           one part of eight, for any engine; then `anonlab collect reports`\n  anonlab run my.yaml --executor slurm --partition short --sbatch-arg=--qos=low\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input · 3 cells are missing · 130 interrupted"
)]
pub struct Args {
    /// Specs (*.yaml); the papers' own are inside the program, as experiments/NAME.yaml
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,
    #[command(flatten)]
    figures: FigureArgs,
    /// Part I of N, into the store alone; `anonlab collect` writes the report once all parts are there
    #[arg(long, value_name = "I/N", conflicts_with = "executor")]
    shard: Option<Shard>,
    /// Where cells run
    #[arg(long, default_value = "local")]
    executor: ExecutorName,
    #[command(flatten)]
    options: RunOptions,
    #[command(flatten)]
    slurm: SlurmOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExecutorName {
    /// On this machine
    Local,
    /// As job arrays of a cluster; the output directory is on a file system that its nodes share
    Slurm,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let Args { specs, figures, shard, executor, options, slurm } = args;
    if let (ExecutorName::Local, Some(option)) = (executor, slurm.given()) {
        return Err(Failure::new(format!("{option} is for `--executor slurm`")));
    }
    if executor == ExecutorName::Slurm && options.fresh {
        let message = "--fresh is for runs on this machine: on a cluster, name another directory with --out instead";
        return Err(Failure::new(message));
    }
    let specs = options.plan.read(&specs)?;
    match (executor, shard) {
        (_, Some(shard)) => run_shard(specs, &figures, shard, &options, locations),
        (ExecutorName::Local, None) => experiment::run(specs, &figures, &options, locations),
        (ExecutorName::Slurm, None) => cluster::run(specs, &figures, &options, &slurm, locations),
    }
}

/// A failed cell is an answer like any other: `collect` judges, so that an engine that stops at the first failure does
/// not stop here.
fn run_shard(
    specs: Vec<Spec>,
    figures: &FigureArgs,
    shard: Shard,
    options: &RunOptions,
    locations: &DataLocations,
) -> Result<Exit, Failure> {
    let (wanted, started) = (options.wanted(figures, locations), now());
    let request = SweepRequest::new(&specs, &wanted, options.keep_releases, &started)?;
    let experiments =
        specs.into_iter().map(|spec| Experiment::new(spec, &wanted, &started)).collect::<Result<Vec<_>, _>>()?;
    data_first::check(&experiments, (!options.fresh).then_some(&Store::in_directory(&options.out)))?;
    RequestedSweep::begin(&options.out, SweepRequest { shards: Some(shard.of), ..request })?;
    jail::tell(experiments.iter().flat_map(|experiment| &experiment.plan.cells));
    let cells = all_cells(&experiments);
    let ours: HashSet<&str> = cells
        .iter()
        .zip(shard_of_each(&cells, &all_company(&experiments), shard.of))
        .filter(|(_, part)| part + 1 == shard.index)
        .map(|((cell, _), _)| cell.key.as_str())
        .collect();
    let part = Part {
        out: &options.out,
        jobs: options.jobs,
        fresh: options.fresh,
        keep_releases: options.keep_releases,
        style: options.told.style(),
    };
    outln!("shard {shard}: {}", part.run(&experiments, |key| ours.contains(key))?)?;
    Ok(Exit::AllWell)
}
