use super::format::{OutputFormat, print_json};
use super::list::{aligned, counted};
use super::plan_args::PlanArgs;
use super::variation::Variation;
use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::run::{Entry, Lookup, PlannedCell, Store, distinct};
use crate::sources::DataLocations;
use crate::spec::plan;
use indexmap::IndexMap;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Show why cells are cached or will run: of a spec in numbers, of one cell with every field of its key
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab explain experiments/anatomy.yaml\n  anonlab explain experiments/anatomy.yaml 3fa2b1c09d7e      `anonlab plan` prints the keys\n  anonlab explain 3fa2b1c09d7e                               looks in every spec of experiments/"
)]
pub struct Args {
    /// A spec (*.yaml), the start of a cell's key, or both
    #[arg(required = true, value_name = "SPEC|CELL")]
    what: Vec<String>,
    /// A spec to look in, as SPEC
    #[arg(long, value_name = "SPEC")]
    spec: Vec<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    variation: Variation,
    /// Where results are
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
    /// The output format
    #[arg(long, default_value = "text")]
    format: OutputFormat,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let is_spec = |word: &&String| word.ends_with(".yaml") || word.ends_with(".yml") || Path::new(word).is_file();
    let (specs, cells): (Vec<&String>, Vec<&String>) = args.what.iter().partition(is_spec);
    let mut paths: Vec<PathBuf> = args.spec.iter().cloned().chain(specs.into_iter().map(PathBuf::from)).collect();
    if paths.is_empty() {
        let experiments = Path::new("experiments");
        if !experiments.is_dir() {
            let cell = &args.what[0];
            let message = format!(
                "there is no folder `experiments` here to look for `{cell}` in; name its spec: anonlab explain SPEC {cell}"
            );
            return Err(Failure::new(message));
        }
        paths = super::reproduce::specs_in(experiments)?;
    }
    let store = Store::in_directory(&args.out);
    let mut planned = Vec::new();
    for spec in args.plan.read(&paths)? {
        let options = args.variation.of(args.plan.options(locations));
        let plan = plan(&spec, &options)?;
        planned.push((spec.id, plan.cells));
    }
    match cells.as_slice() {
        [] => of_specs(&planned, &store, args.format)?,
        cells => {
            for cell in cells {
                of_cell(cell, &planned, &paths, &store, args.format)?;
            }
        }
    }
    Ok(Exit::AllWell)
}

/// How many cells will run and how many will not, by reason.
fn of_specs(planned: &[(String, Vec<PlannedCell>)], store: &Store, format: OutputFormat) -> Result<(), Failure> {
    let entries: Vec<Entry> = store.entries().collect();
    let mut found = Vec::new();
    for (id, cells) in planned {
        let mut reasons: IndexMap<String, (usize, &PlannedCell)> = IndexMap::new();
        for (cell, timed) in distinct(cells) {
            let reason = verdict(cell, timed, store, &entries);
            reasons.entry(reason).or_insert((0, cell)).0 += 1;
        }
        found.push((id, reasons));
    }
    if format == OutputFormat::Json {
        let groups = found.iter().flat_map(|(id, reasons)| {
            reasons.iter().map(move |(reason, (count, first))| {
                json!({"experiment": id, "cells": count, "verdict": reason, "first": first.key})
            })
        });
        return print_json(&groups.collect::<Vec<_>>());
    }
    for (id, reasons) in found {
        outln!("{id}: {}", counted(reasons.values().map(|(count, _)| count).sum::<usize>(), "cell"))?;
        let row = |(reason, (count, first)): (&String, &(usize, &PlannedCell))| {
            vec![format!("  {count}"), reason.clone(), format!("(the first is {})", first.key.short())]
        };
        out!("{}", aligned(&reasons.iter().map(row).collect::<Vec<_>>()))?;
    }
    Ok(())
}

fn of_cell(
    start: &str,
    planned: &[(String, Vec<PlannedCell>)],
    paths: &[PathBuf],
    store: &Store,
    format: OutputFormat,
) -> Result<(), Failure> {
    let all =
        planned.iter().flat_map(|(id, cells)| distinct(cells).into_iter().map(move |(cell, timed)| (id, cell, timed)));
    let Some((id, cell, timed)) = all.into_iter().find(|(_, cell, _)| cell.key.as_str().starts_with(start)) else {
        let searched: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::new(format!(
            "no cell of {} has a key that starts with `{start}`; `anonlab plan SPEC` prints the keys (they differ under --quick, --readings, --seed, --seeds and --set)",
            searched.join(", "),
        )));
    };
    let entries: Vec<Entry> = store.entries().collect();
    let verdict = verdict(cell, timed, store, &entries);
    let fields = cell.key_fields();
    if format == OutputFormat::Json {
        return print_json(&json!({
            "experiment": id,
            "figure": cell.figure,
            "title": cell.title(),
            "verdict": verdict,
            "key": cell.key,
            "fields": fields,
            "time_limit_seconds": cell.limits.time.0.as_secs_f64(),
            "memory_limit_bytes": cell.limits.memory.0,
            "alone": timed,
        }));
    }
    let mut rows = vec![vec!["key".to_string(), cell.key.to_string()]];
    rows.extend(fields.into_iter().map(|(name, value)| vec![format!("  {name}"), value]));
    rows.push(vec!["limits".to_string(), format!("{}, {}", cell.limits.time, cell.limits.memory)]);
    let alone = if timed { "yes: its time is plotted" } else { "no" };
    rows.push(vec!["runs alone".to_string(), alone.to_string()]);
    outln!("{id}, {}: {}\n{verdict}\n\n{}", cell.figure, cell.title(), aligned(&rows).trim_end())?;
    Ok(())
}

fn verdict(cell: &PlannedCell, timed: bool, store: &Store, entries: &[Entry]) -> String {
    match (&cell.missing_data, store.look_up(&cell.key, &cell.limits, timed)) {
        (Some(reason), _) => format!("will be skipped: {reason}"),
        (None, Lookup::Hit(entry)) if !entry.has_samples_for(cell) => {
            format!("will run again: it was timed {} of the {} times asked for", entry.samples.len(), cell.samples())
        }
        (None, Lookup::Hit(entry)) => match entry.answer.reason.as_str() {
            "" => format!("cached: it ended `{}`", entry.answer.status.name()),
            reason => format!("cached: it ended `{}`: {reason}", entry.answer.status.name()),
        },
        (None, Lookup::Crashed(entry)) => {
            format!("will run again: it gave no answer last time: {}", entry.answer.reason)
        }
        (None, Lookup::Unusable(reason)) => format!("will run again: {reason}"),
        (None, Lookup::Absent) => match nearest_entry(cell, entries) {
            Some((entry, changed)) => format!(
                "will run: {} changed since it last ended `{}`",
                changed.join(" and "),
                entry.answer.status.name()
            ),
            None => "will run: nothing is stored under its key".to_string(),
        },
    }
}

/// What may change around a cell that stays itself.
const AROUND: [&str; 4] = ["data", "code", "program", "seed"];

/// A stored cell that differs in nothing but what is around it, with the names of what differs.
fn nearest_entry<'a>(cell: &PlannedCell, entries: &'a [Entry]) -> Option<(&'a Entry, Vec<String>)> {
    let fields = cell.key_fields();
    entries
        .iter()
        .map(|entry| {
            let differs = |(name, value): &(&String, &String)| entry.key_fields.get(*name) != Some(*value);
            let changed: Vec<String> = fields.iter().filter(differs).map(|(name, _)| name.clone()).collect();
            (entry, changed)
        })
        .filter(|(_, changed)| changed.iter().all(|name| AROUND.contains(&name.as_str())))
        .min_by_key(|(_, changed)| changed.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Answer, Rounds, Samples, Status, planned_cell};

    #[test]
    fn a_cell_that_will_be_timed_again_is_not_cached() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::in_directory(directory.path());
        let samples = Samples { at_least: 6, at_most: 6, ..Samples::ONE };
        let cell = PlannedCell { rounds: Some(Rounds { point: 0, samples }), ..planned_cell(0) };
        let entry = Entry {
            key_fields: cell.key_fields(),
            answer: Answer::without_result(Status::Ok, ""),
            limits: cell.limits,
            alone: true,
            machine: "m".into(),
            samples: Vec::new(),
        };
        store.put(&cell.key, &entry).unwrap();
        let told = |cell: &PlannedCell| verdict(cell, true, &store, &[]);
        assert_eq!(told(&cell), "will run again: it was timed 0 of the 6 times asked for");
        assert_eq!(told(&planned_cell(0)), "cached: it ended `ok`");
    }
}
