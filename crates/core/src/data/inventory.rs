//! What of the catalogue is here: what the `data` command shows.

use super::catalogue::{Entry, PartEntry, catalogue};
use super::locate::{Catalogued, FoundAt, LocatedFile, find_entry};
use super::{DataError, DataLocations, Origin};
use serde::Serialize;

/// A data set of the catalogue, and what of it is here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Holding {
    pub name: &'static str,
    #[serde(flatten)]
    pub entry: &'static Entry,
    /// What a spec gets here: real or partial data, a stand-in (if it allows one), or nothing.
    pub here: Option<Origin>,
    /// Where the data was found, in words; or how to get it.
    pub note: String,
}

/// The result of holding a file to its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub dataset: String,
    pub file: String,
    /// The path, or "embedded".
    pub place: String,
    /// None when the file is what the catalogue says.
    pub fault: Option<String>,
}

/// Every entry of the catalogue with what is here of it.
pub fn inventory(locations: &DataLocations) -> Vec<Holding> {
    catalogue().iter().map(|(name, entry)| holding(name, entry, locations)).collect()
}

/// One entry with what is here of it.
pub fn holding(name: &'static str, entry: &'static Entry, locations: &DataLocations) -> Holding {
    let (here, note) = match find_entry(entry, None, locations) {
        Some(found) => (Some(found.origin), found.note()),
        None => (entry.stand_in_statistics().map(|_| Origin::StandIn), entry.obtain.clone()),
    };
    Holding { name, entry, here, note }
}

/// Holds every file of the entry that is here to the catalogue, reading it all (no checksum from memory). Files without a
/// checksum are parsed and held to their statistics.
pub fn verify(name: &'static str, entry: &'static Entry, locations: &DataLocations) -> Vec<Verification> {
    let parts = entry.parts.values();
    let found =
        find_entry(entry, None, locations).filter(|found| found.origin == Origin::Real || entry.parts.is_empty());
    let sets = found.into_iter().chain(parts.filter_map(|part: &PartEntry| find_entry(entry, Some(part), locations)));
    sets.flat_map(|set| verify_set(name, &set)).collect()
}

fn verify_set(name: &str, set: &Catalogued) -> Vec<Verification> {
    let verification = |file: &LocatedFile, outcome: Result<(), DataError>| Verification {
        dataset: name.to_string(),
        file: file.entry.name.clone(),
        place: match &file.place {
            FoundAt::Embedded(_) => "embedded".to_string(),
            FoundAt::DataDirectory(path) | FoundAt::Cache(path) => path.display().to_string(),
        },
        fault: outcome.err().map(|error| error.to_string()),
    };
    set.files.iter().map(|file| verification(file, set.verify(file))).collect()
}
