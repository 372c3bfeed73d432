//! What `reproduce` offers to fetch before it runs: data that the specs name, that is not here, and that has a route.

use crate::data::Origin;
use crate::fetch::{fetch, told};
use crate::run::tell;
use crate::sources::definition::Source;
use crate::sources::{DataLocations, DatasetEntry, catalogue, holding};
use crate::spec::Spec;
use indexmap::IndexSet;
use std::io::{BufRead, IsTerminal, Write};

/// When data is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    /// After a question, on a terminal; else not
    Ask,
    Always,
    Never,
}

/// Fetches what may be had. A fetch that fails is a line on standard error: a stand-in serves.
pub fn fetch_offered(specs: &[Spec], when: When, locations: &DataLocations) {
    if when == When::Never {
        return;
    }
    for (name, entry) in offers(specs, locations) {
        if when == When::Ask && !agreed(name, entry) {
            continue;
        }
        match fetch(name, locations) {
            Ok(files) => files.iter().for_each(|file| tell!("{}", told(file))),
            Err(error) => {
                let error = error.to_string();
                tell!("{name}: a stand-in serves; {}", error.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
}

/// Entries that the specs name, that are not here, and whose every file has a route and a checksum.
fn offers(specs: &[Spec], locations: &DataLocations) -> Vec<(&'static str, &'static DatasetEntry)> {
    let definitions = specs.iter().flat_map(|spec| spec.file.datasets.values());
    let named: IndexSet<&str> = definitions
        .filter_map(|definition| match &definition.source {
            Source::Catalogue(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let known = named.into_iter().filter_map(|name| catalogue().get_key_value(name));
    known
        .map(|(name, entry)| (name.as_str(), entry))
        .filter(|(_, entry)| entry.files.iter().all(|file| file.sha256.is_some() && !file.fetch.is_empty()))
        .filter(|(name, entry)| matches!(holding(name, entry, locations).here, None | Some(Origin::StandIn)))
        .collect()
}

/// Asks, on a terminal. Nothing but a clear yes is one.
fn agreed(name: &str, entry: &DatasetEntry) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    tell!("{name} is not here and can be fetched: {}. Terms: {}.", entry.title, entry.licence);
    // A terminal that is gone gives no answer.
    let asked = write!(std::io::stderr(), "Fetch it? Without it a generated stand-in serves. [y/N] ");
    if asked.and_then(|()| std::io::stderr().flush()).is_err() {
        return false;
    }
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
