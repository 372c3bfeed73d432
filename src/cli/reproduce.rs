use super::experiment::{self, RunOptions};
use super::{Exit, Failure};
use crate::data::DataLocations;
use std::path::{Path, PathBuf};

/// Run every paper spec and write the report: all tables and figures, all claims
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab reproduce\n  anonlab reproduce --quick --out /tmp/quick\n\nExit codes: 0 all well · 1 a cell failed, a claim failed or a release was invalid · 2 bad input · 130 interrupted"
)]
pub struct Args {
    /// Where the specs are
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    experiments: PathBuf,
    #[command(flatten)]
    options: RunOptions,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let specs = experiment::read_specs(&specs_in(&args.experiments)?, &args.options.set)?;
    experiment::run(specs, &[], &args.options, locations)
}

/// The specs directly in a directory, by name.
pub fn specs_in(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(directory).map_err(|error| {
        Failure::new(format!(
            "cannot list {}: {error}; run this in the project's directory, or name the specs' with --experiments",
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
