//! `run --executor slurm`: plan, submit, wait, collect.

use super::collect::finish_or_tell;
use super::figure_args::FigureArgs;
use super::run_options::RunOptions;
use super::{Exit, Failure, data_first};
use crate::cli::output::outln;
use crate::run::{DirectoryLock, Progress, Store, TimeLimit, now, shell_path};
use crate::sources::DataLocations;
use crate::spec::{Experiment, Spec};
use crate::sweep::{Cluster, OnQueue, RequestedSweep, Survey, SweepRequest};

/// Options of `--executor slurm`.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Slurm")]
pub struct SlurmOptions {
    /// Submit and return; `anonlab collect DIR` tells how far it is and finishes the report
    #[arg(long)]
    pub detach: bool,
    /// The partition its jobs go to
    #[arg(long, value_name = "P")]
    pub partition: Option<String>,
    /// The account its jobs are charged to
    #[arg(long, value_name = "A")]
    pub account: Option<String>,
    /// A further argument of sbatch, e.g. --sbatch-arg=--qos=long; may be given several times
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub sbatch_arg: Vec<String>,
    /// The estimated time of a batch of cells, which is one task
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub batch_time: TimeLimit,
    /// How often to look, while waiting
    #[arg(long, value_name = "TIME", default_value = "5s")]
    pub poll: TimeLimit,
}

impl SlurmOptions {
    /// Options that mean nothing without a cluster.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--detach", self.detach),
            ("--partition", self.partition.is_some()),
            ("--account", self.account.is_some()),
            ("--sbatch-arg", !self.sbatch_arg.is_empty()),
        ]
        .into_iter()
        .find(|(_, given)| *given)
        .map(|(name, _)| name)
    }

    fn cluster(&self) -> Cluster {
        let mut arguments: Vec<String> = Vec::new();
        arguments.extend(self.partition.iter().map(|name| format!("--partition={name}")));
        arguments.extend(self.account.iter().map(|name| format!("--account={name}")));
        arguments.extend(self.sbatch_arg.iter().cloned());
        Cluster { partition: self.partition.clone(), arguments, batch: self.batch_time }
    }
}

pub fn run(
    specs: Vec<Spec>,
    figures: &FigureArgs,
    options: &RunOptions,
    slurm: &SlurmOptions,
    locations: &DataLocations,
) -> Result<Exit, Failure> {
    let (wanted, started) = (options.wanted(figures, locations), now());
    let request = SweepRequest::new(&specs, &wanted, options.keep_releases, &started)?;
    let cluster = slurm.cluster();
    let request = SweepRequest { slurm: Some(cluster.clone()), ..request };
    let experiments =
        specs.into_iter().map(|spec| Experiment::new(spec, &wanted, &started)).collect::<Result<Vec<_>, _>>()?;
    data_first::check(&experiments, Some(&Store::in_directory(&options.out)))?;
    let _lock = DirectoryLock::acquire(&options.out).map_err(Failure::new)?;
    let sweep = RequestedSweep::begin(&options.out, request)?;
    let on_queue = OnQueue {
        out: &options.out,
        sweep: &sweep,
        queue: &cluster.queue(),
        batch: cluster.batch.0,
        experiments: &experiments,
    };
    outln!("{}", on_queue.submit(options.plan.allow_external)?)?;
    if slurm.detach {
        outln!("`anonlab collect {}` tells how far it is, and finishes the report", shell_path(&options.out))?;
        return Ok(Exit::AllWell);
    }
    on_queue.wait(slurm.poll.0, &Progress::new(options.told.style()))?;
    let survey = Survey::of(&sweep, &experiments, &options.out)?;
    finish_or_tell(vec![(sweep.name(), experiments, survey)], &options.out, options.strict)
}
