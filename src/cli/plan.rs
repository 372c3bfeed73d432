use super::figure_args::FigureArgs;
use super::format::OutputFormat;
use super::list::{aligned, counted};
use super::plan_args::PlanArgs;
use super::variation::Variation;
use super::{Exit, Failure, choices};
use crate::cli::output::{out, outln};
use crate::report::number::percent;
use crate::run::{
    Company, Lookup, MemoryLimit, PlannedCell, Samples, Store, StoredTimes, TimeLimit, distinct, shell_line,
};
use crate::sources::DataLocations;
use crate::spec::plan;
use crate::sweep::{Shard, shard_of_each};
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// Print the cells a spec would run, how many are cached, and an estimate of the time
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab plan experiments/anatomy.yaml\n  anonlab plan experiments/anatomy.yaml --only fig1 --quick\n  anonlab plan my.yaml --shards 8 --format json | jq -c '[.shards[].shard]'      for a CI matrix"
)]
pub struct Args {
    /// A spec (*.yaml); the papers' own are inside the program, as experiments/NAME.yaml
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    #[command(flatten)]
    figures: FigureArgs,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    variation: Variation,
    /// Where results are
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
    /// The counts, without a line for each cell
    #[arg(long)]
    summary: bool,
    /// The parts that `anonlab run SPEC --shard I/N` runs, balanced by the time limits of their cells
    #[arg(long, value_name = "N", value_parser = shards_given)]
    shards: Option<usize>,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

fn shards_given(text: &str) -> Result<usize, String> {
    super::run_options::number_up_to(crate::sweep::MOST_SHARDS, text)
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let spec = args.plan.read(std::slice::from_ref(&args.spec))?.remove(0);
    let options = args.figures.of(args.variation.of(args.plan.options(locations)));
    let plan = plan(&spec, &options)?;
    if let Some(of) = args.shards {
        let shards = shards(args, &plan.cells, of);
        match args.format {
            OutputFormat::Text => out!("{}", aligned(&shard_rows(&shards)))?,
            OutputFormat::Json => {
                outln!("{}", json!({"shards": shards.iter().map(PlannedShard::json).collect::<Vec<_>>()}))?
            }
        }
        return Ok(Exit::AllWell);
    }
    let store = Store::in_directory(&args.out);
    let mut distinct = BTreeSet::new();
    let (mut states, mut to_run, mut cached, mut skipped) = (Vec::new(), Vec::new(), 0, 0);
    for cell in &plan.cells {
        let first = distinct.insert(&cell.key);
        let state = match (&cell.missing_data, store.look_up(&cell.key, &cell.limits, cell.timed)) {
            (Some(_), _) => "no data",
            (None, Lookup::Hit(entry)) if entry.has_samples_for(cell) => "cached",
            (None, Lookup::Hit(_)) => "to be timed",
            (None, Lookup::Absent) => "to run",
            (None, Lookup::Unusable(_) | Lookup::Crashed(_)) => "to run again",
        };
        if first {
            match state {
                "cached" => cached += 1,
                "no data" => skipped += 1,
                _ => to_run.push(cell),
            }
        }
        states.push((cell, state));
    }
    if args.format == OutputFormat::Json {
        outln!("{}", json!({"cells": states.iter().map(|(cell, state)| cell_json(cell, state)).collect::<Vec<_>>()}))?;
        return Ok(Exit::AllWell);
    }
    if !args.summary {
        let row = |(cell, state): &(&PlannedCell, &str)| {
            vec![cell.key.short().to_string(), state.to_string(), cell.figure.clone(), cell.title()]
        };
        out!("{}", aligned(&states.iter().map(row).collect::<Vec<_>>()))?;
    }
    let missing = if skipped > 0 { format!(", {skipped} without their data") } else { String::new() };
    outln!(
        "{} in {}, {} of them distinct: {cached} cached{missing}, {} to run{}",
        counted(plan.cells.len(), "cell"),
        counted(plan.figures.len(), "figure"),
        distinct.len(),
        to_run.len(),
        estimate(&to_run, &store),
    )?;
    out!("{}", choices::costs(&spec, &plan, &options))?;
    out!("{}", timings(&to_run))?;
    Ok(Exit::AllWell)
}

fn cell_json(cell: &PlannedCell, state: &str) -> Value {
    json!({
        "key": cell.key,
        "state": state,
        "figure": cell.figure,
        "reading": &*cell.reading,
        "seed": cell.cell.seed,
        "title": cell.title(),
        "time_limit_seconds": cell.limits.time.0.as_secs_f64(),
        "memory_limit_bytes": cell.limits.memory.0,
        "alone": cell.timed,
    })
}

/// One shard, for people and engines.
struct PlannedShard<'a> {
    shard: Shard,
    cells: Vec<(&'a PlannedCell, bool)>,
    command: Vec<String>,
}

/// The parts of a plan, whatever of it is in the store.
fn shards<'a>(args: &Args, cells: &'a [PlannedCell], of: usize) -> Vec<PlannedShard<'a>> {
    let mut parts: Vec<PlannedShard> = (1..=of)
        .map(|index| PlannedShard { shard: Shard { index, of }, cells: Vec::new(), command: Vec::new() })
        .collect();
    let company = Company::paired([cells]);
    let cells = distinct(cells);
    for (&cell, part) in cells.iter().zip(shard_of_each(&cells, &company, of)) {
        parts[part].cells.push(cell);
    }
    for part in &mut parts {
        part.command = command(args, part.shard);
    }
    parts
}

fn command(args: &Args, shard: Shard) -> Vec<String> {
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let mut words = vec!["anonlab".to_string(), "run".to_string(), path(&args.spec)];
    words.extend(["--shard".to_string(), shard.to_string(), "--out".to_string(), path(&args.out)]);
    words.extend(args.figures.words());
    words.extend(Variation::words(args.variation.readings, args.variation.seeds));
    words.extend(args.plan.words());
    words
}

impl PlannedShard<'_> {
    /// If every cell took all it may.
    fn time(&self) -> Duration {
        self.cells.iter().map(|(cell, _)| cell.limits.time.0).sum()
    }

    fn memory(&self) -> u64 {
        self.cells.iter().map(|(cell, _)| cell.limits.memory.0).max().unwrap_or(0)
    }

    fn alone(&self) -> usize {
        self.cells.iter().filter(|(_, alone)| *alone).count()
    }

    fn json(&self) -> Value {
        json!({
            "shard": self.shard.to_string(),
            "cells": self.cells.len(),
            "alone": self.alone(),
            "time_limit_seconds": self.time().as_secs_f64(),
            "memory_limit_bytes": self.memory(),
            "command": self.command,
            "keys": self.cells.iter().map(|(cell, _)| cell.key.as_str()).collect::<Vec<_>>(),
        })
    }
}

fn shard_rows(parts: &[PlannedShard]) -> Vec<Vec<String>> {
    let heads = ["shard", "cells", "alone", "at most", "memory", "command"];
    let row = |part: &PlannedShard| {
        vec![
            part.shard.to_string(),
            part.cells.len().to_string(),
            part.alone().to_string(),
            TimeLimit(part.time()).to_string(),
            MemoryLimit(part.memory()).to_string(),
            shell_line(part.command.iter().map(String::as_str)),
        ]
    };
    std::iter::once(heads.map(String::from).to_vec()).chain(parts.iter().map(row)).collect()
}

/// How often the cells of each figure are timed, and what that may take beyond the least.
fn timings(cells: &[&PlannedCell]) -> String {
    let mut figures: IndexMap<&str, (usize, Samples)> = IndexMap::new();
    for cell in cells {
        if let Some(rounds) = cell.rounds.filter(|rounds| rounds.samples.at_most > 1) {
            figures.entry(&cell.figure).or_insert((0, rounds.samples)).0 += 1;
        }
    }
    let told = |(figure, (cells, samples)): (&str, (usize, Samples))| {
        let Samples { at_least, at_most, until, budget } = samples;
        let more = match at_most > at_least {
            true => format!(
                ", and up to {at_most} until ratios are known to ±{}, for {} at most",
                percent(until).trim_start_matches('+').replace('\u{a0}', " "),
                TimeLimit(budget)
            ),
            false => String::new(),
        };
        format!("{figure}: {} timed in {at_least} rounds{more}\n", counted(cells, "cell"))
    };
    figures.into_iter().map(told).collect()
}

/// ", about 12 s", from what cells of the same algorithm took before.
fn estimate(cells: &[&PlannedCell], store: &Store) -> String {
    if cells.is_empty() {
        return String::new();
    }
    let history = StoredTimes::of(store);
    let all = |cell: &PlannedCell| Some(cell.samples() as f64 * history.seconds(cell)?);
    let Some(seconds) = cells.iter().map(|cell| all(cell)).sum::<Option<f64>>() else {
        return "; no estimate, since nothing like them has run here yet".to_string();
    };
    format!(", about {} one after another", human_time(seconds))
}

/// "850 ms", "12 s", "3 min".
fn human_time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
