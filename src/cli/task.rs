use super::{Exit, Failure};
use crate::cli::output::outln;
use crate::run::ProgressStyle;
use crate::sources::DataLocations;
use crate::sweep::{Part, RequestedSweep, Submission};
use std::collections::HashSet;
use std::path::PathBuf;

/// Runs one batch of a submission: what a task of a job array is.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder of the submission
    submission: PathBuf,
    /// The output directory
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Let the spec run programs of its own
    #[arg(long)]
    allow_external: bool,
    /// The number of the batch, from 0
    batch: usize,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let batch: HashSet<String> = Submission::batch(&args.submission, args.batch)?.into_iter().collect();
    let sweep = RequestedSweep::read(&args.submission)?;
    let experiments = sweep.experiments(locations, args.allow_external)?;
    let planned: HashSet<&str> =
        experiments.iter().flat_map(|experiment| &experiment.plan.cells).map(|cell| cell.key.as_str()).collect();
    let unknown = batch.iter().filter(|key| !planned.contains(key.as_str())).count();
    let part = Part {
        out: &args.out,
        jobs: 1,
        fresh: false,
        keep_releases: sweep.request.keep_releases,
        style: ProgressStyle::Auto,
    };
    outln!("batch {}: {}", args.batch, part.run(&experiments, |key| batch.contains(key))?)?;
    match unknown {
        0 => Ok(Exit::AllWell),
        _ => Err(Failure::new(format!(
            "{unknown} of the {} cells of this batch are not in the plan of this machine: its data, or the programs of \
             the spec, are not those where it was planned (`anonlab data list` here and there)",
            batch.len()
        ))),
    }
}
