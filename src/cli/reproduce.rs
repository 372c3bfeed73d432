use super::figure_args::FigureArgs;
use super::offers::{self, When};
use super::placement::Placement;
use super::run_options::RunOptions;
use super::{Exit, Failure};
use crate::sources::DataLocations;
use crate::spec::inside;
use std::path::{Path, PathBuf};

/// Run every paper spec and write the report: all tables and figures, all claims
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab reproduce                 the specs in experiments/, or those inside the program\n  anonlab reproduce --quick --out /tmp/quick\n  anonlab reproduce --fetch always  real data where it can be fetched\n  anonlab reproduce --thorough      each reading with 10 seeds, and the specs that take long; goes on where it was stopped\n  anonlab reproduce --thorough --executor slurm --out /shared/papers    the same on a cluster\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input · 3 cells are missing · 130 interrupted"
)]
pub struct Args {
    /// Where the specs are; the papers' own are inside the program, for where that directory is absent
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    experiments: PathBuf,
    /// Each reading with 10 seeds (`--readings each --seeds 10`, unless those are given), and the specs that say `thorough: true`; takes about an hour on 2 cores
    #[arg(long)]
    thorough: bool,
    /// Whether to fetch data that is absent but can be fetched
    #[arg(long, value_name = "WHEN", default_value = "ask")]
    fetch: When,
    #[command(flatten)]
    options: RunOptions,
    #[command(flatten)]
    placement: Placement,
}

/// The seeds of a thorough run.
const THOROUGH: u32 = 10;

pub fn run(mut args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    args.placement.check(&args.options)?;
    args.options.thorough_seeds = args.thorough.then_some(THOROUGH);
    let mut specs = args.options.plan.read(&specs_in(&args.experiments)?)?;
    specs.retain(|spec| args.thorough || !spec.file.thorough);
    offers::fetch_offered(&specs, args.fetch, locations);
    args.placement.run(specs, &FigureArgs::default(), &args.options, locations)
}

/// The specs directly in a directory, by name; those inside the program where their directory is absent.
pub fn specs_in(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    if directory == Path::new(inside::FOLDER) && !directory.exists() {
        return Ok(inside::specs());
    }
    let entries = std::fs::read_dir(directory).map_err(|error| {
        Failure::new(format!(
            "cannot list {}: {error}; `anonlab init` writes the papers' specs out",
            directory.display()
        ))
    })?;
    let mut specs: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    specs.sort();
    if specs.is_empty() {
        return Err(Failure::new(format!("there is no spec (*.yaml) in {}", directory.display())));
    }
    Ok(specs)
}
