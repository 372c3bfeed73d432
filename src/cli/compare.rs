mod tables;

use super::figure_args::FigureArgs;
use super::plan_args::PlanArgs;
use super::submissions::{self, SubmittedResults};
use super::{Exit, Failure};
use crate::capsule::is_capsule;
use crate::cli::output::{out, outln};
use crate::report::contest::{Options, contest};
use crate::report::{Observations, known_metrics};
use crate::run::tell;
use crate::run::{Lookup, PlannedCell, Store, shell_path};
use crate::sources::DataLocations;
use crate::spec::{PlanOptions, ReadingChoice, plan};
use clap::ValueEnum;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};

/// Compare algorithms: who is best where, by how much, and whether that could be chance
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab compare reports/injector\n  anonlab compare reports/injector --metric median_relative_error --over dataset,l\n  anonlab compare mine.yaml --allow-external --baseline mine --format markdown\n  anonlab compare ada.zip grace.zip reports/injector      results of several people side by side\n\nValues are paired over the same data, parameters, repetition and queries. A test counts independent units: a point (data and parameters), inside which repetitions are averaged; for times at fewer than six points, a round of timings. Differences have the interval (95 %) of Wilcoxon's signed-rank test, whose p is corrected after Holm for the number of comparisons of the metric; where there are too few units, the verdict says so. Ranks are over data sets, with Friedman's test and Nemenyi's critical difference at 5 %. Pareto fronts are within a guarantee, unless an absolute measure of privacy is one of their axes."
)]
pub struct Args {
    /// A spec whose cells have run, or a directory with measurements.csv and costs.csv; or capsules and directories of several people
    #[arg(value_name = "SPEC|DIR|CAPSULE", required = true)]
    what: Vec<PathBuf>,
    /// The experiment to take from capsules that have several
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    /// Compare only these metrics; by default every metric that has a better direction
    #[arg(long, value_name = "M", value_delimiter = ',')]
    metric: Vec<String>,
    /// Judge each combination of values in these columns by itself
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', default_value = "dataset")]
    over: Vec<String>,
    /// Compare every algorithm with this one instead of with the best
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// csv has the standings alone, json everything
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    /// Of a spec: where its results are
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
    #[command(flatten)]
    figures: FigureArgs,
    #[command(flatten, next_help_heading = "Of a spec")]
    plan: PlanArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Text,
    Markdown,
    Csv,
    Json,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let observed = match args.what.as_slice() {
        [one] if one.is_dir() => from_directory(one)?,
        [one] if !is_capsule(one) => from_spec(args, one, locations)?,
        several => {
            let submissions = SubmittedResults::all(several, args.experiment.as_deref())?;
            for line in submissions::told(&submissions) {
                tell!("{line}");
            }
            submissions::observations(&submissions.iter().collect::<Vec<_>>())?
        }
    };
    let named = args.what.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let options = Options { metrics: args.metric.clone(), over: args.over.clone(), baseline: args.baseline.clone() };
    let found = contest(&observed.iter().collect::<Vec<_>>(), known_metrics(), &options)
        .map_err(|error| Failure::new(format!("{named}: {error}")))?;
    if found.metrics.is_empty() {
        return Err(Failure::new(format!(
            "{named}: there is nothing to compare: no metric with a better and a worse is reported by two algorithms"
        )));
    }
    match args.format {
        OutputFormat::Text => out!("{}", tables::text(&found))?,
        OutputFormat::Markdown => out!("{}", tables::markdown(&found))?,
        OutputFormat::Csv => out!("{}", tables::csv(&found))?,
        OutputFormat::Json => {
            let json = serde_json::to_string_pretty(&found).map_err(|error| Failure::new(error.to_string()))?;
            outln!("{json}")?;
        }
    }
    Ok(Exit::AllWell)
}

/// What a run left in its directory.
fn from_directory(directory: &Path) -> Result<Vec<Observations>, Failure> {
    if !directory.join("measurements.csv").is_file() {
        let hint = match experiments_in(directory).as_slice() {
            [] => "name the directory of one experiment, as `anonlab run` leaves it".to_string(),
            found => format!("there are experiments below it: {}", found.join(", ")),
        };
        return Err(Failure::new(format!("there is no measurements.csv in {}; {hint}", directory.display())));
    }
    Ok(Observations::read_figures(directory)?)
}

fn experiments_in(directory: &Path) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("measurements.csv").is_file())
        .map(|path| path.display().to_string())
        .collect();
    found.sort();
    found
}

/// What the store has of a spec's cells.
fn from_spec(args: &Args, path: &PathBuf, locations: &DataLocations) -> Result<Vec<Observations>, Failure> {
    let spec = args.plan.read(std::slice::from_ref(path))?.remove(0);
    let planned = args.plan.options(locations);
    let options = args.figures.of(PlanOptions { readings: ReadingChoice::None, ..planned });
    let cells = plan(&spec, &options)?.cells;
    let store = Store::in_directory(&args.out);
    let mut entries = IndexMap::new();
    let (mut without_data, mut crashed, mut absent) = (0, 0, 0);
    for cell in &cells {
        match store.look_up(&cell.key, &cell.limits, cell.timed) {
            Lookup::Hit(entry) => {
                entries.insert(cell.key.clone(), *entry);
            }
            _ if cell.missing_data.is_some() => without_data += 1,
            Lookup::Crashed(_) => crashed += 1,
            _ => absent += 1,
        }
    }
    let command = format!("anonlab run {}", shell_path(path));
    let told = [
        (without_data, "cannot run here, their data is absent (`anonlab data list` says how to get it)".to_string()),
        (crashed, format!("crashed (`{command}` tries them again)")),
        (absent, format!("have not run (`{command}` runs them)")),
    ];
    let told: Vec<String> =
        told.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if entries.is_empty() {
        let (all, out) = (cells.len(), args.out.display());
        return Err(Failure::new(format!("none of the {all} cells has an answer in {out}: {}", told.join("; "))));
    }
    if !told.is_empty() {
        tell!("of {} cells, {}", cells.len(), told.join("; "));
    }
    let mut of_figures: IndexMap<&str, Vec<&PlannedCell>> = IndexMap::new();
    for cell in &cells {
        of_figures.entry(cell.figure.as_str()).or_default().push(cell);
    }
    Ok(of_figures.values().map(|cells| Observations::of_cells(cells, &entries)).collect())
}
