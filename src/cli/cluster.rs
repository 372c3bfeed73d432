//! `run --executor slurm`: plan, submit, wait, collect. Submitting what is missing is the same the first time and any
//! later one.

use super::experiment::{self, Experiment, RunOptions, all_cells};
use super::survey::{Survey, finish_or_tell};
use super::sweep::{Cluster, Request, Sweep};
use super::{Exit, Failure};
use crate::data::DataLocations;
use crate::run::{DirectoryLock, History, Interrupt, Progress, ProgressStyle, Store, TimeLimit, now};
use crate::slurm::{Queue, Sent, Sizes, Slurm, SlurmError, Submission, TaskCommand, Waited, arrays, patiently, wait};
use crate::spec::Spec;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Options of `--executor slurm`.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Slurm")]
pub struct SlurmOptions {
    /// Submit and return; `anonlab collect DIR` tells how far it is and finishes the report
    #[arg(long)]
    pub detach: bool,
    #[arg(long, value_name = "P")]
    pub partition: Option<String>,
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

/// The longest that a task asks for, where its partition allows that much.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

pub fn run(
    specs: Vec<Spec>,
    only: &[String],
    options: &RunOptions,
    slurm: &SlurmOptions,
    locations: &DataLocations,
) -> Result<Exit, Failure> {
    let (wanted, started) = (options.wanted(only, locations), now());
    let request = Request::new(&specs, &wanted, options.keep_releases, &started)?;
    let cluster = slurm.cluster();
    let request = Request { slurm: Some(cluster.clone()), ..request };
    let experiments =
        specs.into_iter().map(|spec| Experiment::new(spec, &wanted, &started)).collect::<Result<Vec<_>, _>>()?;
    let _lock = DirectoryLock::acquire(&options.out).map_err(Failure::new)?;
    let sweep = Sweep::begin(&options.out, request)?;
    let on_cluster = OnCluster { out: &options.out, sweep: &sweep, cluster: &cluster, experiments: &experiments };
    on_cluster.submit(options.allow_external)?;
    if slurm.detach {
        println!("`anonlab collect {}` tells how far it is, and finishes the report", options.out.display());
        return Ok(Exit::AllWell);
    }
    on_cluster.wait(slurm.poll.0, options.quiet)?;
    let survey = Survey::of(&sweep, &experiments, &options.out)?;
    finish_or_tell(vec![(sweep.name(), experiments, survey)], &options.out, options.strict)
}

/// A sweep that Slurm runs.
pub struct OnCluster<'a> {
    pub out: &'a Path,
    pub sweep: &'a Sweep,
    pub cluster: &'a Cluster,
    pub experiments: &'a [Experiment],
}

impl OnCluster<'_> {
    /// Submits every cell that is neither in the store nor in the queue, and says what it did.
    pub fn submit(&self, allow_external: bool) -> Result<(), Failure> {
        let Cluster { partition, arguments, batch } = self.cluster;
        let store = Store::in_directory(self.out);
        let submissions = self.sweep.submissions()?;
        let queue = patiently(|| Queue::of(&submissions, Slurm))?;
        patiently(|| queue.drop_held(Slurm))?;
        let mut cells = all_cells(self.experiments);
        let there = Survey::stored(&cells, &store);
        cells.retain(|(cell, _)| {
            let key = cell.key.as_str();
            cell.missing_data.is_none() && !there.contains(key) && queue.place(key).is_none()
        });
        if cells.is_empty() {
            println!("{}: nothing to submit", self.sweep.name());
            return Ok(());
        }
        let limits = Slurm.limits(partition.as_deref());
        let longest = limits.time.unwrap_or(LONGEST).min(LONGEST);
        let history = History::of(&store);
        let arrays =
            arrays(&cells, |cell| history.seconds(cell), &Sizes { batch: batch.0, longest, tasks: limits.array });
        let folder = std::path::absolute(self.sweep.next_submission())?;
        self.sweep.write_request(&folder)?;
        let command = self.task_command(&folder, allow_external)?;
        let Sent { jobs, batches } = Submission::send(&folder, &arrays, &command, arguments, Slurm)?;
        println!(
            "{}: {} cells in {batches} batches submitted, job{} {}",
            self.sweep.name(),
            cells.len(),
            if jobs.len() == 1 { "" } else { "s" },
            jobs.join(", ")
        );
        Ok(())
    }

    fn task_command(&self, folder: &Path, allow_external: bool) -> Result<TaskCommand, Failure> {
        let mut words: Vec<OsString> = vec![std::env::current_exe()?.into()];
        words.extend(["--data-dir".into(), self.sweep.request.data_dir.clone().into(), "task".into()]);
        words.extend(["--out".into(), std::path::absolute(self.out)?.into()]);
        if allow_external {
            words.push("--allow-external".into());
        }
        words.push(folder.into());
        Ok(TaskCommand { words, directory: std::env::current_dir()? })
    }

    /// Waits until nothing of it is in the queue, or all of it is in the store.
    pub fn wait(&self, poll: Duration, quiet: bool) -> Result<(), Failure> {
        let store = Store::in_directory(self.out);
        let progress = Progress::new(if quiet { ProgressStyle::Quiet } else { ProgressStyle::Auto });
        let interrupt = Interrupt::on_signals()?;
        let submissions = self.sweep.submissions()?;
        let cells = all_cells(self.experiments);
        let waited = wait(&cells, &submissions, &store, Slurm, &progress, &interrupt, poll);
        progress.end();
        let later = format!("`anonlab collect {}` tells how far it is, and finishes the report", self.out.display());
        match waited {
            Ok(Waited::Done | Waited::Lost) => Ok(()),
            Ok(Waited::Interrupted) => {
                let kept = experiment::interrupted(self.experiments, &store);
                let names: Vec<&str> = submissions.iter().flat_map(Submission::names).collect();
                Err(Failure::new(format!(
                    "{kept}\nThe jobs go on: {later}; `scancel --name={}` ends them",
                    names.join(",")
                )))
            }
            Err(error) => Err(Failure::new(format!("{error}\nThe jobs may go on all the same: {later}"))),
        }
    }
}

impl From<SlurmError> for Failure {
    fn from(error: SlurmError) -> Self {
        Self::new(error.to_string())
    }
}
