//! What of the catalogue is here: what the `data` command shows.

use super::catalogue::{DatasetEntry, HierarchyEntry, PartEntry, catalogue};
use super::digest::read_plain;
use super::formats::{SourceText, read_records};
use super::locate::{Catalogued, FoundAt, LocatedFile, find_entry};
use super::{DataError, DataLocations};
use crate::data::Origin;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// A data set of the catalogue, and what of it is here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Holding {
    /// The name in the catalogue.
    pub name: &'static str,
    /// What the catalogue says of it.
    #[serde(flatten)]
    pub entry: &'static DatasetEntry,
    /// What a spec gets here: real or partial data, a stand-in (if it allows one), or nothing.
    pub here: Option<Origin>,
    /// Where the data was found, in words; or how to get it.
    pub note: String,
}

/// The result of holding a file to its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The dataset that the file belongs to.
    pub dataset: String,
    /// The file's name.
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
pub fn holding(name: &'static str, entry: &'static DatasetEntry, locations: &DataLocations) -> Holding {
    let (here, note) = match find_entry(entry, None, locations) {
        Some(found) => (Some(found.origin), found.note()),
        None => (entry.stand_in_statistics().map(|_| Origin::StandIn), entry.obtain.clone()),
    };
    Holding { name, entry, here, note }
}

/// Holds every file of the entry that is here to the catalogue, reading it all (no checksum from memory). Files without a
/// checksum are parsed and held to their statistics.
pub fn verify(name: &'static str, entry: &'static DatasetEntry, locations: &DataLocations) -> Vec<Verification> {
    let parts = entry.parts.values();
    let found =
        find_entry(entry, None, locations).filter(|found| found.origin == Origin::Real || entry.parts.is_empty());
    let sets = found.into_iter().chain(parts.filter_map(|part: &PartEntry| find_entry(entry, Some(part), locations)));
    let data = sets.flat_map(|set| verify_set(name, &set));
    let trees = entry.hierarchies.iter().filter_map(|tree| {
        let path = DataLocations::in_directory(&locations.data_dir, &tree.name)?;
        Some(Verification {
            dataset: name.to_string(),
            file: tree.name.clone(),
            place: path.display().to_string(),
            fault: verify_hierarchy(tree, &path).err().map(|error| error.to_string()),
        })
    });
    data.chain(trees).collect()
}

/// Whether a hierarchy that comes with the data has as many labels on each level as the catalogue says.
fn verify_hierarchy(tree: &HierarchyEntry, path: &Path) -> Result<(), DataError> {
    let rows = read_records(&SourceText::new(&tree.name, read_plain(path)?)?, b',')?;
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let labels = |level: usize| rows.iter().filter_map(|(_, row)| row.get(level)).collect::<BTreeSet<_>>().len();
    let found: Vec<usize> = (0..width).map(labels).collect();
    // The last one is the root.
    if found.len() == tree.levels.len() + 1 && found.starts_with(&tree.levels) {
        return Ok(());
    }
    let told = |levels: &[usize]| levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ");
    let message = format!(
        "not the hierarchy of that name: levels of {} → 1 labels are expected, it has {}",
        told(&tree.levels),
        told(&found)
    );
    Err(DataError::file(path, message))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn hierarchies_that_come_with_data_are_held_to_their_levels() {
        let dir = tempfile::tempdir().unwrap();
        let locations = DataLocations {
            data_dir: dir.path().to_path_buf(),
            cache_dir: dir.path().join("cache"),
            spec_dir: dir.path().to_path_buf(),
            ..DataLocations::new(None)
        };
        let (name, entry) = catalogue().get_key_value("groceries").unwrap();
        assert!(verify(name, entry, &locations).is_empty(), "nothing is here");
        let tree = |items: usize| {
            (0..items).fold(String::new(), |mut text, i| {
                let _ = writeln!(text, "item {i},group {},kind {},*", i % 55, i % 55 % 10);
                text
            })
        };
        let path = dir.path().join("groceries-items.csv");
        std::fs::write(&path, tree(169)).unwrap();
        assert_eq!(verify(name, entry, &locations)[0].fault, None);
        std::fs::write(&path, tree(168)).unwrap();
        let fault = verify(name, entry, &locations)[0].fault.clone().unwrap();
        assert!(fault.contains("169 → 55 → 10 → 1 labels are expected, it has 168 → 55 → 10 → 1"), "{fault}");
    }
}
