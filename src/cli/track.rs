mod against;
mod capsule;
mod check;
mod history;
mod measure;
mod record;
mod revision;

use super::{Exit, Failure};
use crate::sources::DataLocations;
use clap::Subcommand;

/// Track regressions: record a baseline, check against it, keep a history
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab track record --quick --into baselines          commit what it writes\n  anonlab track check --quick --against baselines        in CI\n  anonlab track check --against main --allow-external   builds it and measures both in turns\n  anonlab track history history.csv --lane exact,noisy\n\nExit codes of check: 0 unchanged or better · 1 regression · 2 bad input · 3 nothing comparable was measured"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Record(record::Args),
    Check(check::Args),
    History(history::Args),
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    match args.command {
        Command::Record(args) => record::run(&args, locations),
        Command::Check(args) => check::run(&args, locations),
        Command::History(args) => history::run(&args, locations),
    }
}
