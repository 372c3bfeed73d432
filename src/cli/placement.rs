//! Where cells run: on this machine, as one shard of several, or on a cluster.

use super::cluster::{self, SlurmOptions};
use super::experiment;
use super::figure_args::FigureArgs;
use super::run_options::RunOptions;
use super::{Exit, Failure, data_first, jail};
use crate::cli::output::outln;
use crate::run::{Store, now};
use crate::sources::DataLocations;
use crate::spec::{Experiment, Spec, all_cells, all_company};
use crate::sweep::{Part, RequestedSweep, Shard, SweepRequest, shard_of_each};
use clap::ValueEnum;
use std::collections::HashSet;

/// Options of `run` and `reproduce`.
#[derive(Debug, clap::Args)]
pub struct Placement {
    /// Part I of N, into the store alone; `anonlab collect` writes the report once all parts are there
    #[arg(long, value_name = "I/N", conflicts_with = "executor")]
    shard: Option<Shard>,
    /// Where cells run
    #[arg(long, default_value = "local")]
    executor: ExecutorName,
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

impl Placement {
    /// Refuses options that mean nothing where the cells run.
    pub fn check(&self, options: &RunOptions) -> Result<(), Failure> {
        if let (ExecutorName::Local, Some(option)) = (self.executor, self.slurm.given()) {
            return Err(Failure::new(format!("{option} is for `--executor slurm`")));
        }
        if self.executor == ExecutorName::Slurm && options.fresh {
            let message =
                "--fresh is for runs on this machine: on a cluster, name another directory with --out instead";
            return Err(Failure::new(message));
        }
        Ok(())
    }

    pub fn run(
        &self,
        specs: Vec<Spec>,
        figures: &FigureArgs,
        options: &RunOptions,
        locations: &DataLocations,
    ) -> Result<Exit, Failure> {
        match (self.executor, self.shard) {
            (_, Some(shard)) => run_shard(specs, figures, shard, options, locations),
            (ExecutorName::Local, None) => experiment::run(specs, figures, options, locations),
            (ExecutorName::Slurm, None) => cluster::run(specs, figures, options, &self.slurm, locations),
        }
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
