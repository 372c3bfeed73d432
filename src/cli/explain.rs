use super::list::aligned;
use super::{Exit, Failure};
use crate::data::DataLocations;
use crate::run::{Entry, Lookup, PlannedCell, Store};
use crate::spec::{PlanOptions, plan};
use std::path::PathBuf;

/// Tell why a cell is cached or will run: every field of its key
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  anonlab plan experiments/anatomy.yaml      prints the cells with the start of their keys\n  anonlab explain 3fa2b1c09d7e --spec experiments/anatomy.yaml"
)]
pub struct Args {
    /// The start of a cell's key, as `plan` prints it
    cell: String,
    /// Where to look for the cell; every spec in experiments/ unless given
    #[arg(long, value_name = "SPEC")]
    spec: Vec<PathBuf>,
    /// The small variant of each sweep
    #[arg(long)]
    quick: bool,
    /// Instead of the seed of the spec
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Let the spec run programs of its own: they are asked for their version
    #[arg(long)]
    allow_external: bool,
    /// Where results are
    #[arg(long, value_name = "DIR", default_value = "reports")]
    out: PathBuf,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let paths =
        if args.spec.is_empty() { super::reproduce::specs_in("experiments".as_ref())? } else { args.spec.clone() };
    let store = Store::in_directory(&args.out);
    for spec in super::experiment::read_specs(&paths)? {
        let options = PlanOptions {
            quick: args.quick,
            only: Vec::new(),
            seed: args.seed,
            locations: locations.clone(),
            allow_external: args.allow_external,
        };
        let plan = plan(&spec, &options)?;
        if let Some(cell) = plan.cells.iter().find(|cell| cell.key.as_str().starts_with(&args.cell)) {
            print!("{}", explain(cell, &spec.id, &store));
            return Ok(Exit::AllWell);
        }
    }
    let searched: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    Err(Failure::new(format!(
        "no cell of {} has a key that starts with `{}`; `anonlab plan SPEC` prints the keys (they differ under --quick and --seed)",
        searched.join(", "),
        args.cell
    )))
}

fn explain(cell: &PlannedCell, experiment: &str, store: &Store) -> String {
    let lookup = store.look_up(&cell.key, &cell.limits, cell.timed);
    let verdict = match (&cell.missing_data, &lookup) {
        (Some(reason), _) => format!("will be skipped: {reason}"),
        (None, Lookup::Hit(entry)) => format!("cached: it ended `{}`", entry.answer.status.as_str()),
        (None, Lookup::Crashed(_)) => "will run again: its worker crashed last time".to_string(),
        (None, Lookup::Unusable(reason)) => format!("will run again: {reason}"),
        (None, Lookup::Absent) => match nearest_entry(cell, store) {
            Some((entry, changed)) => format!(
                "will run: {} changed since it last ended `{}`",
                changed.join(" and "),
                entry.answer.status.as_str()
            ),
            None => "will run: nothing is stored under its key".to_string(),
        },
    };
    let mut rows = vec![vec!["key".to_string(), cell.key.to_string()]];
    rows.extend(cell.key_fields().into_iter().map(|(name, value)| vec![format!("  {name}"), value]));
    rows.push(vec!["limits".to_string(), format!("{}, {}", cell.limits.time, cell.limits.memory)]);
    let alone = if cell.timed { "yes: its time is plotted" } else { "no" };
    rows.push(vec!["runs alone".to_string(), alone.to_string()]);
    format!("{experiment}, {}: {}\n{verdict}\n\n{}", cell.figure, cell.title(), aligned(&rows))
}

/// A stored cell that differs in one or two fields of its key, with their names.
fn nearest_entry(cell: &PlannedCell, store: &Store) -> Option<(Entry, Vec<String>)> {
    let fields = cell.key_fields();
    store
        .entries()
        .map(|entry| {
            let differs = |(name, value): &(&String, &String)| entry.key_fields.get(*name) != Some(*value);
            let changed: Vec<String> = fields.iter().filter(differs).map(|(name, _)| name.clone()).collect();
            (entry, changed)
        })
        .filter(|(_, changed)| changed.len() <= 2)
        .min_by_key(|(_, changed)| changed.len())
}
