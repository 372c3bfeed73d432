use super::measure::real;
use crate::cli::experiment;
use crate::cli::figure_args::FigureArgs;
use crate::cli::format::{OutputFormat, print_json};
use crate::cli::list::aligned;
use crate::cli::output::{out, outln};
use crate::cli::run_options::RunOptions;
use crate::cli::{Exit, Failure};
use crate::data::{THRESHOLDS, Transactions, together};
use crate::lab::{LabError, Seed, Workbench, write_atomically};
use crate::measures::measure;
use crate::publish::publisher;
use crate::report::number::number;
use crate::sources::{DataLocations, DatasetDefinition, aggregates, load};
use crate::spec::Spec;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Show a data set and its stand-in side by side: sizes, spectra, what occurs together, and what AA and cohesion make of
/// them
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab --data-dir ~/data data compare bms-webview-1 stand-in\n  anonlab --data-dir ~/data data compare retail stand-in --format json\n  anonlab --data-dir ~/data data compare bms-webview-1 stand-in --report --out comparison"
)]
pub struct Args {
    /// A data set that is here
    name: String,
    /// What to compare it with
    #[arg(value_parser = ["stand-in"])]
    with: String,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
    /// Also run both as an experiment and write its report into --out
    #[arg(long, conflicts_with = "format")]
    report: bool,
    #[command(flatten)]
    options: RunOptions,
}

/// One statistic or result on both sides; none where it could not be had.
#[derive(Debug, Serialize)]
struct ComparedLine {
    about: &'static str,
    what: String,
    real: Option<f64>,
    stand_in: Option<f64>,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let name = &args.name;
    crate::sources::entry(name)?;
    if aggregates(name, None).is_none() {
        return Err(Failure::new(format!(
            "{name} has no measured statistics, so its stand-in has the published sizes alone"
        )));
    }
    let transactions = real(name, None, locations).map_err(Failure::new)?;
    let generated = definition(json!({"source": {"synthetic": {"like": name}}}))?;
    let generated = load(&generated, locations, Seed(0))?;
    let generated = &generated.dataset.baskets().map_err(|error| Failure::new(error.to_string()))?.transactions;
    let mut lines = described(&transactions, generated);
    lines.extend(results(name, locations)?);
    match args.format {
        OutputFormat::Json => print_json(&json!({"dataset": name, "lines": lines}))?,
        OutputFormat::Text => out!("{}", table(&lines))?,
    }
    if !args.report {
        return Ok(Exit::AllWell);
    }
    let path = args.options.out.join(format!("compare-{name}.yaml"));
    fs_err::create_dir_all(&args.options.out)?;
    write_atomically(&path, include_str!("compare.yaml").replace("NAME", name).as_bytes())?;
    outln!("the experiment: {}", path.display())?;
    experiment::run(vec![Spec::read(&path)?], &FigureArgs::default(), &args.options, locations)
}

fn definition(json: Value) -> Result<DatasetDefinition, Failure> {
    serde_json::from_value(json).map_err(|error| Failure::new(error.to_string()))
}

/// Sizes, spectra and what occurs together.
fn described(real: &Transactions, stand_in: &Transactions) -> Vec<ComparedLine> {
    let mut lines = Vec::new();
    let mut line = |about, what: String, (real, stand_in): (f64, f64)| {
        lines.push(ComparedLine { about, what, real: Some(real), stand_in: Some(stand_in) });
    };
    let both = |f: &dyn Fn(&Transactions) -> f64| (f(real), f(stand_in));
    line("sizes", "transactions".into(), both(&|t| t.len() as f64));
    line("sizes", "items".into(), both(&|t| t.items() as f64));
    line("sizes", "longest".into(), both(&|t| t.longest() as f64));
    line("sizes", "mean length".into(), both(&|t| t.mean_length()));
    for percent in [10, 50, 90, 99] {
        let lengths = |t: &Transactions| t.rows().map(|row| row.len() as u32).collect();
        line("lengths", format!("{percent} % have at most"), both(&|t| quantile(lengths(t), percent)));
    }
    for percent in [10, 50, 90, 99] {
        line("supports", format!("{percent} % of the items have at most"), both(&|t| quantile(t.supports(), percent)));
    }
    let least = 20;
    let (real, stand_in) = (together(real, Some(least)), together(stand_in, Some(least)));
    for (at, threshold) in THRESHOLDS.iter().enumerate() {
        if real.pairs[at] + stand_in.pairs[at] > 0 {
            let counts = (real.pairs[at] as f64, stand_in.pairs[at] as f64);
            line("pairs", format!("in at least {threshold}"), counts);
        }
    }
    for (at, &threshold) in THRESHOLDS.iter().enumerate() {
        if threshold >= least && real.triples[at] + stand_in.triples[at] > 0 {
            let counts = (real.triples[at] as f64, stand_in.triples[at] as f64);
            line("triples", format!("in at least {threshold}"), counts);
        }
    }
    for k in [5, 10] {
        let at = THRESHOLDS.iter().position(|&threshold| threshold == k).unwrap_or(0);
        let rare = |pairs: &[usize]| (pairs[0] - pairs[at]) as f64;
        line("borders", format!("pairs in fewer than {k}"), (rare(&real.pairs), rare(&stand_in.pairs)));
    }
    lines
}

fn quantile(mut values: Vec<u32>, percent: usize) -> f64 {
    values.sort_unstable();
    values.get((values.len().max(1) - 1) * percent / 100).map_or(0.0, |&value| f64::from(value))
}

/// What AA and cohesion make of both.
fn results(name: &str, locations: &DataLocations) -> Result<Vec<ComparedLine>, Failure> {
    let sources = [json!(name), json!({"synthetic": {"like": name}})];
    let mut lines = Vec::new();
    for order in ["id", "frequency"] {
        for m in [2, 3] {
            let value = |source: &Value| {
                let roles = json!({"source": source, "hierarchy": {"degree": 5, "order": order}});
                result(roles, locations, ("aa", json!({"k": 5, "m": m})), ("ncp", json!({})), "ncp")
            };
            let (real, stand_in) = (value(&sources[0])?, value(&sources[1])?);
            lines.push(ComparedLine {
                about: "AA, k = 5, loss",
                what: format!("m = {m}, items by {order}"),
                real,
                stand_in,
            });
        }
    }
    for (k, p) in [(5, 2), (10, 2), (10, 3), (50, 2)] {
        let value = |source: &Value| {
            let roles = json!({"source": source, "private": {"share": 0.05}});
            let parameters = json!({"k": k, "p": p, "k_prime": 100});
            result(
                roles,
                locations,
                ("cohesion", parameters),
                ("nuggets-kept", json!({"k_prime": 100})),
                "nuggets_kept",
            )
        };
        let (real, stand_in) = (value(&sources[0])?, value(&sources[1])?);
        lines.push(ComparedLine {
            about: "cohesion, nuggets kept in %",
            what: format!("k = {k}, p = {p}"),
            real,
            stand_in,
        });
    }
    Ok(lines)
}

/// One number about a release; none where the publisher gives up.
fn result(
    roles: Value,
    locations: &DataLocations,
    (algorithm, parameters): (&str, Value),
    (measured, settings): (&str, Value),
    metric: &str,
) -> Result<Option<f64>, Failure> {
    let loaded = load(&definition(roles)?, locations, Seed(1))?;
    let (Some(publisher), Some(measure)) = (publisher(algorithm), measure(measured)) else { return Ok(None) };
    let (parameters, settings) = (map(parameters), map(settings));
    let mut bench = Workbench::new(Seed(1), "compare");
    let mut value = || -> Result<Option<f64>, LabError> {
        let release = publisher.publish(&loaded.dataset, &parameters, &mut bench)?;
        let found = measure.measure(&loaded.dataset, Some(&release), &settings, &mut bench)?;
        Ok(found.into_iter().find(|found| found.metric == metric && found.at.is_none()).map(|found| found.value))
    };
    Ok(value().unwrap_or(None))
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn table(lines: &[ComparedLine]) -> String {
    let shown = |value: Option<f64>| {
        value.map_or("–".to_string(), |value| match value {
            value if value == value.round() => number(value),
            value if value.abs() < 1.0 => format!("{value:.4}"),
            value => format!("{value:.2}"),
        })
    };
    let quotient = |line: &ComparedLine| match (line.real, line.stand_in) {
        (Some(real), Some(stand_in)) if real != 0.0 => format!("{:.2}", stand_in / real),
        _ => "–".to_string(),
    };
    let mut rows = vec![["", "", "real", "stand-in", "quotient"].map(String::from).to_vec()];
    let mut about = "";
    for line in lines {
        let heading = if line.about == about { "" } else { line.about };
        about = line.about;
        let what = line.what.clone();
        rows.push(vec![heading.to_string(), what, shown(line.real), shown(line.stand_in), quotient(line)]);
    }
    aligned(&rows)
}
