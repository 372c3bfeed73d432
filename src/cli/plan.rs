use super::list::aligned;
use super::{Exit, Failure};
use crate::data::DataLocations;
use crate::run::{Lookup, PlannedCell, Store};
use crate::spec::{PlanOptions, plan};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Print the cells a spec would run, how many are cached, and an estimate of the time
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab plan experiments/anatomy.yaml\n  anonlab plan experiments/anatomy.yaml --only fig1 --quick"
)]
pub struct Args {
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// These figures alone
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    only: Vec<String>,
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
    /// The counts, without a line for each cell
    #[arg(long)]
    summary: bool,
}

pub fn run(args: &Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let spec = super::experiment::read_specs(std::slice::from_ref(&args.spec))?.remove(0);
    let options = PlanOptions {
        quick: args.quick,
        only: args.only.clone(),
        seed: args.seed,
        locations: locations.clone(),
        allow_external: args.allow_external,
    };
    let plan = plan(&spec, &options)?;
    let store = Store::in_directory(&args.out);
    let mut distinct = BTreeSet::new();
    let (mut rows, mut to_run, mut cached, mut skipped) = (Vec::new(), Vec::new(), 0, 0);
    for cell in &plan.cells {
        let first = distinct.insert(&cell.key);
        let state = match (&cell.missing_data, store.look_up(&cell.key, &cell.limits, cell.timed)) {
            (Some(_), _) => "no data",
            (None, Lookup::Hit(_)) => "cached",
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
        rows.push(vec![cell.key.short().to_string(), state.to_string(), cell.figure.clone(), cell.title()]);
    }
    if !args.summary {
        print!("{}", aligned(&rows));
    }
    let missing = if skipped > 0 { format!(", {skipped} without their data") } else { String::new() };
    println!(
        "{} cells in {} figures, {} of them distinct: {cached} cached{missing}, {} to run{}",
        plan.cells.len(),
        plan.figures.len(),
        distinct.len(),
        to_run.len(),
        estimate(&to_run, &store),
    );
    Ok(Exit::AllWell)
}

/// ", about 12 s", from what cells of the same algorithm took before.
fn estimate(cells: &[&PlannedCell], store: &Store) -> String {
    if cells.is_empty() {
        return String::new();
    }
    let mut history: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for entry in store.entries() {
        if let Some(publisher) = entry.key_fields.get("publisher") {
            history.entry(publisher.clone()).or_default().push(entry.answer.costs.cell_seconds);
        }
    }
    let mut seconds = 0.0;
    for cell in cells {
        match history.get(&cell.key_fields["publisher"]) {
            Some(known) => seconds += known.iter().sum::<f64>() / known.len() as f64,
            None => return "; no estimate, since nothing like them has run here yet".to_string(),
        }
    }
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
