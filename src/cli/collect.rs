use super::{Exit, Failure, experiment};
use crate::cli::output::outln;
use crate::lab::counted;
use crate::run::tell;
use crate::run::{DirectoryLock, Progress, ProgressStyle, Store, TimeLimit};
use crate::sources::DataLocations;
use crate::spec::Experiment;
use crate::sweep::{OnQueue, RequestedSweep, Survey, SweepRequest};
use std::path::{Path, PathBuf};

/// Show how far a sweep in shards or on a cluster is, and write its report once every cell is there
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab collect reports                        how far it is; the report, when it is complete\n  anonlab collect reports --retry --wait         submit what is missing to Slurm again, and wait for it\n  anonlab collect all --from shard-1 --from shard-2\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input · 3 cells are missing or still run · 130 interrupted"
)]
pub struct Args {
    /// Where results are: the --out of the shards or of the run on Slurm
    #[arg(value_name = "DIR")]
    out: PathBuf,
    /// Take over the finished cells of this output directory first; may be given several times
    #[arg(long, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// Submit to Slurm what is neither finished nor in the queue
    #[arg(long)]
    retry: bool,
    /// Wait until nothing is in the queue any more
    #[arg(long)]
    wait: bool,
    /// How often to look, while waiting
    #[arg(long, value_name = "TIME", default_value = "5s")]
    poll: TimeLimit,
    /// Also fail on inconclusive claims, on verdicts against expectation in small variants and on stand-ins, and on cells that timed out, ran out of memory or were skipped
    #[arg(long)]
    strict: bool,
    /// Let the spec run programs of its own: they are asked for their version
    #[arg(long)]
    allow_external: bool,
    /// Print no progress, only the summary
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    for other in &args.from {
        take_over(args, other)?;
    }
    let sweeps = RequestedSweep::in_directory(&args.out)?;
    if sweeps.is_empty() {
        return Err(Failure::new(format!(
            "nothing to collect was begun in {}; `anonlab run SPEC --shard I/N` and `anonlab run SPEC --executor slurm` do",
            args.out.display()
        )));
    }
    let planned =
        sweeps.iter().map(|sweep| sweep.experiments(locations, args.allow_external)).collect::<Result<Vec<_>, _>>()?;
    // To tell how far it is needs no lock: the run that waits for it may have it.
    let mut lock = None;
    if args.retry || args.wait {
        lock = Some(DirectoryLock::acquire(&args.out).map_err(Failure::new)?);
    }
    if args.retry && sweeps.iter().all(|sweep| sweep.request.slurm.is_none()) {
        return Err(Failure::new(
            "--retry is for sweeps on Slurm: run the shards that lack cells again, each computes what it lacks",
        ));
    }
    for (sweep, experiments) in sweeps.iter().zip(&planned) {
        let Some(cluster) = &sweep.request.slurm else { continue };
        let (queue, batch) = (cluster.queue(), cluster.batch.0);
        let on_queue = OnQueue { out: &args.out, sweep, queue: &queue, batch, experiments };
        if args.retry {
            outln!("{}", on_queue.submit(args.allow_external)?)?;
        }
        if args.wait {
            let style = if args.quiet { ProgressStyle::Quiet } else { ProgressStyle::Auto };
            on_queue.wait(args.poll.0, &Progress::new(style))?;
        }
    }
    let mut surveyed = Vec::new();
    for (sweep, experiments) in sweeps.iter().zip(planned) {
        let survey = Survey::of(sweep, &experiments, &args.out)?;
        surveyed.push((sweep.name(), experiments, survey));
    }
    if lock.is_none() && surveyed.iter().any(|(_, _, survey)| survey.is_complete()) {
        lock = Some(DirectoryLock::acquire(&args.out).map_err(Failure::new)?);
    }
    let exit = finish_or_tell(surveyed, &args.out, args.strict);
    drop(lock);
    exit
}

/// Merges another output directory into ours: entries by key, and what was begun there.
fn take_over(args: &Args, other: &Path) -> Result<(), Failure> {
    if !other.is_dir() {
        return Err(Failure::new(format!("there is no directory {} to collect from", other.display())));
    }
    let taken = Store::in_directory(&args.out).take_over(&Store::in_directory(other))?;
    for sweep in RequestedSweep::in_directory(other)? {
        let shards = sweep.request.shards;
        // Jobs of another directory write to that one.
        RequestedSweep::begin(&args.out, SweepRequest { slurm: None, shards, ..sweep.request })?;
    }
    if !args.quiet {
        tell!("{}: {} taken over", other.display(), counted(taken, "cell"));
    }
    Ok(())
}

/// Writes the report of the sweeps that are complete; says how far the others are.
pub fn finish_or_tell(
    sweeps: Vec<(String, Vec<Experiment>, Survey)>,
    out: &Path,
    strict: bool,
) -> Result<Exit, Failure> {
    let (mut experiments, mut outcomes, mut unfinished) = (Vec::new(), Vec::new(), false);
    for (name, planned, survey) in sweeps {
        if survey.is_complete() {
            experiments.extend(planned);
            outcomes.extend(survey.outcomes);
        } else {
            unfinished = true;
            outln!("{name}: {}", survey.told())?;
            if let Some(hint) = survey.hint(&name, out) {
                outln!("{hint}")?;
            }
        }
    }
    let exit = match experiments.is_empty() {
        true => Exit::AllWell,
        false => experiment::finish(&experiments, outcomes, out, strict)?,
    };
    Ok(if unfinished { Exit::Unfinished } else { exit })
}
