use super::measure::{Bench, MeasureOptions, MeasuredSide, lanes};
use crate::cli::output::outln;
use crate::cli::{Exit, Failure};
use crate::lab::counted;
use crate::sources::DataLocations;
use crate::track::{self, Lane};
use std::path::PathBuf;

/// Store what is measured now as a baseline, to be committed
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab track record --quick --embedded-data --into baselines\n  anonlab track record --spec mine.yaml --into mine-baseline.csv --lane exact,noisy"
)]
pub struct Args {
    /// A file (.csv), or a directory for one file an experiment
    #[arg(long, value_name = "FILE|DIR", default_value = "baselines")]
    into: PathBuf,
    /// Which lanes to measure; exact unless given
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    lane: Vec<Lane>,
    #[command(flatten)]
    options: MeasureOptions,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let side = MeasuredSide::here(&args.options.specs()?, &args.options, locations)?;
    let bench = Bench::new(&args.options)?;
    let mut snapshot = bench.exact(&side)?;
    if lanes(&args.lane, &[Lane::Exact]).contains(&Lane::Noisy) {
        bench.add_samples(&side, &mut snapshot)?;
    }
    let files = track::write(&snapshot, &args.into)?;
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    outln!("{} recorded in {}", counted(snapshot.cells.len(), "cell"), files.join(", "))?;
    Ok(Exit::AllWell)
}
