use crate::cli::output::outln;
use crate::cli::{Exit, Failure};
use crate::data::Transactions;
use crate::lab::{Seed, write_atomically};
use crate::run::tell;
use crate::sources::{Aggregates, DataLocations, DatasetDefinition, aggregates, all_aggregates, fit, load};
use serde_json::json;
use std::path::PathBuf;

/// Measure the aggregate statistics that stand-ins are generated from, and fit the generator to them
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab --data-dir ~/data data measure --check\n  anonlab --data-dir ~/data data measure bms-pos.a --into datasets/statistics --tries 40\n\nExit codes: 0 all well · 1 statistics differ from those inside the program · 2 bad input"
)]
pub struct Args {
    /// A data set, or a part of one after a dot; all with statistics inside the program, unless some are named
    names: Vec<String>,
    /// Compare with the statistics inside the program; data that is not here is passed over
    #[arg(long)]
    check: bool,
    /// Write NAME.json into this directory, instead of printing it
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    into: Option<PathBuf>,
    /// How many settings of the generator are tried; 0 keeps those inside the program
    #[arg(long, default_value_t = 0, conflicts_with = "check")]
    tries: usize,
}

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    let known: Vec<String> = all_aggregates().map(|(name, _)| name.to_string()).collect();
    let names = if args.names.is_empty() { &known } else { &args.names };
    let mut alike = true;
    for name in names {
        let (entry, part) = name.split_once('.').map_or((name.as_str(), None), |(entry, part)| (entry, Some(part)));
        let transactions = match real(entry, part, locations) {
            Ok(transactions) => transactions,
            Err(error) if args.check && args.names.is_empty() => {
                outln!("{name}: not here ({})", error.lines().next().unwrap_or_default())?;
                continue;
            }
            Err(error) => return Err(Failure::new(error)),
        };
        let inside = aggregates(entry, part);
        let mut measured = Aggregates::of(&transactions);
        if args.check {
            let same = inside.is_some_and(|inside| inside.measured_alike(&measured));
            alike &= same;
            outln!(
                "{name}: {}",
                if same { "as inside the program" } else { "differs from what is inside the program" }
            )?;
            continue;
        }
        if let Some(inside) = inside {
            measured.fit = inside.fit;
        }
        if args.tries > 0 {
            let tell = |tried, distance| tell!("{name}: {distance:.3} after {tried}");
            let (best, distance) = fit(&measured, args.tries, tell).map_err(Failure::new)?;
            tell!("{name}: distance {distance:.3}");
            measured.fit = best;
        }
        match &args.into {
            None => outln!("{}", measured.to_text().trim_end())?,
            Some(directory) => {
                let path = directory.join(format!("{name}.json"));
                write_atomically(&path, measured.to_text().as_bytes())
                    .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
                outln!("{}", path.display())?;
            }
        }
    }
    Ok(if alike { Exit::AllWell } else { Exit::NotAllWell })
}

/// The transactions themselves; an error where only a stand-in could serve.
pub(super) fn real(entry: &str, part: Option<&str>, locations: &DataLocations) -> Result<Transactions, String> {
    let mut definition = json!({"source": entry});
    if let Some(part) = part {
        definition["part"] = json!(part);
    }
    let definition: DatasetDefinition = serde_json::from_value(definition).map_err(|error| error.to_string())?;
    let loaded = load(&definition, locations, Seed(0)).map_err(|error| error.to_string())?;
    loaded.dataset.baskets().map(|baskets| baskets.transactions.clone()).map_err(|error| format!("{entry}: {error}"))
}
