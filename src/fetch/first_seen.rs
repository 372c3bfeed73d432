//! Files that the catalogue has no checksum of: the first bytes with the right statistics are the ones to hold to.

use super::Fetched;
use crate::sources::{
    DataError, DataLocations, DatasetDefinition, DatasetEntry, Locked, record as lock, resolve, verify,
};
use serde_json::json;

/// Records what was just fetched, or lay there already, in the lock file. Data with other statistics is refused; what was
/// brought of it does not stay in the cache.
pub(super) fn record(
    name: &'static str,
    entry: &'static DatasetEntry,
    files: &[Fetched],
    locations: &DataLocations,
) -> Result<Vec<Fetched>, DataError> {
    if entry.files.iter().all(|file| file.sha256.is_some()) {
        return Ok(Vec::new());
    }
    if let Some(fault) = verify(name, entry, locations).into_iter().find_map(|file| file.fault) {
        for file in files {
            if let Fetched::Brought { path, .. } = file {
                std::fs::remove_file(path).map_err(|error| DataError::file(path, error))?;
            }
        }
        return Err(DataError::Fetch(format!("{name} is not what the catalogue describes: {fault}")));
    }
    let definition: DatasetDefinition =
        serde_json::from_value(json!({"source": name})).map_err(|error| DataError::Unknown(error.to_string()))?;
    let mut recorded = Vec::new();
    for digest in resolve(&definition, locations)?.digests {
        let known = entry.files.iter().find(|file| file.name == digest.file);
        let fetched = files.iter().find(|file| file.file() == digest.file);
        let (Some(None), Some(fetched)) = (known.map(|file| &file.sha256), fetched) else { continue };
        let from = match fetched {
            Fetched::Brought { from, .. } => from.clone(),
            // The lock file is shared: it names no place on this machine.
            _ => "put there by hand".to_string(),
        };
        let path = lock(&digest.file, Locked { sha256: digest.sha256.clone(), from }, locations)?;
        recorded.push(Fetched::Locked { file: digest.file, sha256: digest.sha256, lock: path });
    }
    Ok(recorded)
}
