use super::measure::{Bench, MeasureOptions, MeasuredSide, lanes};
use crate::cli::list::counted;
use crate::cli::output::outln;
use crate::cli::repository::Repository;
use crate::cli::{Exit, Failure};
use crate::report::trends::write_trends;
use crate::run::Machine;
use crate::sources::DataLocations;
use crate::track::{History, Lane, trends};
use std::path::{Path, PathBuf};

/// Append this run to a history and draw its trends
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab track history history.csv --quick\n  anonlab track history history.csv --lane exact,noisy --revision v1.2"
)]
pub struct Args {
    /// The history: CSV, one line a revision, cell and metric; made where it is not there
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What this run is called; the revision of the repository we are in unless given
    #[arg(long, value_name = "NAME")]
    revision: Option<String>,
    /// Which lanes to measure; exact unless given
    #[arg(long, value_name = "LANE", value_delimiter = ',')]
    lane: Vec<Lane>,
    #[command(flatten)]
    options: MeasureOptions,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    // A history that cannot be read must not be found out after an hour of measuring.
    let mut history = History::read(&args.file).map_err(|error| Failure::new(error.to_string()))?;
    let revision = revision(args)?;
    let side = MeasuredSide::here(&args.options.specs()?, &args.options, locations)?;
    let bench = Bench::new(&args.options)?;
    let mut snapshot = bench.exact(&side)?;
    if lanes(&args.lane, &[Lane::Exact]).contains(&Lane::Noisy) {
        bench.add_samples(&side, &mut snapshot)?;
    }
    let machine = Machine::this().fingerprint();
    history.append(&revision, &machine, &snapshot);
    history.write(&args.file)?;
    let page = trends(&history, &side.names(), &machine);
    let path = write_trends(&page, &args.options.out)?;
    let fresh = page.levels.iter().filter(|level| level.revision == revision);
    for level in fresh.clone().take(20) {
        outln!("{}: {} {}", level.metric, level.change.replace('\u{a0}', " "), level.place)?;
    }
    outln!(
        "{} in {}; {} of level at {revision}, {} in all\ntrends: {}",
        counted(page.revisions.len(), "revision"),
        args.file.display(),
        counted(fresh.count(), "change"),
        page.levels.len(),
        path.display()
    )?;
    Ok(Exit::AllWell)
}

fn revision(args: &Args) -> Result<String, Failure> {
    if let Some(name) = &args.revision {
        return Ok(name.clone());
    }
    let repository = Repository::around(Path::new("."));
    let Some((repository, head)) = repository.as_ref().and_then(|found| Some((found, found.head()?))) else {
        return Err(Failure::new("this is no git repository with a commit; name the run with --revision NAME"));
    };
    let revision = &head[..12];
    Ok(match repository.has_changes() {
        Some(false) => revision.to_string(),
        Some(true) => format!("{revision}-changed"),
        None => format!("{revision}-unknown"),
    })
}
