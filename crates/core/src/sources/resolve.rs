//! What a definition comes to on this machine, found without parsing any data: what a cell's key needs.

use super::catalogue::unknown;
use super::definition::HierarchyDefinition;
use super::digest::{Digest, file_sha256, read_plain, remembered, sha256};
use super::locate::locate;
use super::{DataError, DataLocations, DatasetDefinition, built_in_hierarchies, trees};
use crate::data::Origin;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a definition comes to on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// Where the data comes from.
    pub origin: Origin,
    /// Of everything that decides the dataset besides its definition and the seed, in a fixed order: data files, then
    /// hierarchy files.
    pub digests: Vec<Digest>,
    /// How it was resolved, in words: "adult.data embedded", "generated in place of bms-pos, which is not here: …".
    pub note: String,
}

/// Finds the files, the origin and the checksums. Checksums of files are remembered in the cache directory by inode,
/// length and times of change, so that planning is cheap; `load` computes them again from what it reads.
pub fn resolve(definition: &DatasetDefinition, locations: &DataLocations) -> Result<Resolution, DataError> {
    let located = locate(definition, locations)?;
    let mut digests = located.digests(locations)?;
    digests.extend(hierarchy_digests(definition, locations)?);
    Ok(Resolution { origin: located.origin(), digests, note: located.note() })
}

/// The checksums of the hierarchies that are not in the definition itself.
fn hierarchy_digests(definition: &DatasetDefinition, locations: &DataLocations) -> Result<Vec<Digest>, DataError> {
    let digests = hierarchies_of(definition).map(|(path, tree)| hierarchy_digest(&path, tree, locations));
    Ok(digests.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The hierarchies of a definition with their paths in it, in a fixed order.
fn hierarchies_of(definition: &DatasetDefinition) -> impl Iterator<Item = (String, &HierarchyDefinition)> {
    let named = definition.hierarchies.iter().map(|(name, tree)| (format!("hierarchies.{name}"), tree));
    named.chain(definition.hierarchy.iter().map(|tree| ("hierarchy".to_string(), tree)))
}

/// Hierarchies by their paths in the definition, names and files replaced by what is behind them, and the checksums of
/// the bytes that were read for them: the same list that `resolve` gives, unless a file changed in between.
pub(super) fn read_hierarchies(
    definition: &DatasetDefinition,
    locations: &DataLocations,
) -> Result<(BTreeMap<String, HierarchyDefinition>, Vec<Digest>), DataError> {
    let (mut trees, mut digests) = (BTreeMap::new(), Vec::new());
    for (path, tree) in hierarchies_of(definition) {
        let (tree, digest) = read_hierarchy(&path, tree, locations)?;
        trees.insert(path, tree);
        digests.extend(digest);
    }
    Ok((trees, digests))
}

fn hierarchy_digest(
    path: &str,
    definition: &HierarchyDefinition,
    locations: &DataLocations,
) -> Result<Option<Digest>, DataError> {
    match definition {
        HierarchyDefinition::BuiltIn(name) => {
            let text = trees::built_in(name).ok_or_else(|| DataError::fault(path, no_such_hierarchy(name)))?;
            Ok(Some(Digest { file: name.clone(), sha256: sha256(text.as_bytes()) }))
        }
        HierarchyDefinition::File(file) => {
            let found =
                locations.find(&file.file).map_err(|message| DataError::fault(format!("{path}.file"), message))?;
            let sha256 = remembered(&found, &locations.cache_dir, "raw", file_sha256)?;
            Ok(Some(Digest { file: file.file.clone(), sha256 }))
        }
        HierarchyDefinition::Tree(_)
        | HierarchyDefinition::Degree(_)
        | HierarchyDefinition::Height(_)
        | HierarchyDefinition::Intervals(_) => Ok(None),
    }
}

/// The definition behind a name or a file, with the checksum of its bytes; others stay as they are.
fn read_hierarchy(
    path: &str,
    definition: &HierarchyDefinition,
    locations: &DataLocations,
) -> Result<(HierarchyDefinition, Option<Digest>), DataError> {
    let (name, bytes) = match definition {
        HierarchyDefinition::BuiltIn(name) => {
            let text = trees::built_in(name).ok_or_else(|| DataError::fault(path, no_such_hierarchy(name)))?;
            (name, text.as_bytes().to_vec())
        }
        HierarchyDefinition::File(file) => match locations.find(&file.file) {
            Ok(found) => (&file.file, read_plain(&found)?),
            Err(message) => return Err(DataError::fault(format!("{path}.file"), message)),
        },
        other => return Ok((other.clone(), None)),
    };
    let digest = Digest { file: name.clone(), sha256: sha256(&bytes) };
    Ok((trees::parse(name, bytes)?, Some(digest)))
}

pub(super) fn no_such_hierarchy(name: &str) -> String {
    let known: Vec<String> = built_in_hierarchies().map(String::from).collect();
    unknown("built-in hierarchy", name, &known)
}
