//! Checksums of files that the catalogue has none of: `datasets.lock`, a JSON file in the data directory or in the cache.
//!
//! `anonlab data fetch` records the first bytes it sees; from then on a file of that name is held to them. Whoever shares
//! results shares the lock file, and everybody's data is the same.

use super::{DataError, DataLocations};
use crate::lab::write_atomically;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

pub(super) const LOCK: &str = "datasets.lock";

/// One file in the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Of the uncompressed bytes.
    pub sha256: String,
    /// Where those bytes were first seen: an address, or the directory they were put into by hand.
    pub from: String,
}

type Lock = BTreeMap<String, Locked>;

/// What a file is locked to; the data directory's lock comes before the cache's.
pub(super) fn locked(file: &str, locations: &DataLocations) -> Result<Option<Locked>, DataError> {
    for directory in [&locations.data_dir, &locations.cache_dir] {
        if let Some(locked) = read(&directory.join(LOCK))?.remove(file) {
            return Ok(Some(locked));
        }
    }
    Ok(None)
}

/// Adds a file to the cache's lock, unless one of the locks has it; the path of the lock that has it now.
pub fn record(file: &str, first_seen: Locked, locations: &DataLocations) -> Result<PathBuf, DataError> {
    let path = locations.cache_dir.join(LOCK);
    // Of two that fetch at once, the second would take away what the first adds. Where nothing can be locked, it may.
    let directory = std::fs::create_dir_all(&locations.cache_dir).and_then(|()| File::open(&locations.cache_dir));
    let _alone = directory.ok().filter(|directory| directory.lock().is_ok());
    if locked(file, locations)?.is_none() {
        let mut lock = read(&path)?;
        lock.insert(file.to_string(), first_seen);
        let text = serde_json::to_string_pretty(&lock).map_err(|error| DataError::file(&path, error))?;
        write_atomically(&path, format!("{text}\n").as_bytes()).map_err(|error| DataError::file(&path, error))?;
    }
    Ok(path)
}

fn read(path: &Path) -> Result<Lock, DataError> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| DataError::file(path, format!("no lock file: {error}; mend it or take it away"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Lock::new()),
        Err(error) => Err(DataError::file(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_record_at_once_is_all_there() {
        let dir = tempfile::tempdir().unwrap();
        let locations = &DataLocations {
            data_dir: dir.path().join("data"),
            cache_dir: dir.path().join("cache"),
            ..DataLocations::new(None)
        };
        let names: Vec<String> = (0..16).map(|i| format!("file {i}")).collect();
        std::thread::scope(|scope| {
            for name in &names {
                let seen = Locked { sha256: name.clone(), from: "https://x".to_string() };
                scope.spawn(move || record(name, seen, locations).unwrap());
            }
        });
        for name in &names {
            assert_eq!(locked(name, locations).unwrap().map(|locked| locked.sha256), Some(name.clone()));
        }
    }

    #[test]
    fn the_first_bytes_stay_and_the_data_directory_decides() {
        let dir = tempfile::tempdir().unwrap();
        let locations = DataLocations {
            data_dir: dir.path().join("data"),
            cache_dir: dir.path().join("cache"),
            spec_dir: dir.path().to_path_buf(),
            ..DataLocations::new(None)
        };
        let seen = |sha256: &str| Locked { sha256: sha256.to_string(), from: "https://x".to_string() };
        assert_eq!(locked("a", &locations).unwrap(), None);
        record("a", seen("1"), &locations).unwrap();
        record("a", seen("2"), &locations).unwrap();
        record("b", seen("3"), &locations).unwrap();
        assert_eq!(locked("a", &locations).unwrap(), Some(seen("1")));
        assert_eq!(locked("b", &locations).unwrap(), Some(seen("3")));
        std::fs::create_dir_all(&locations.data_dir).unwrap();
        std::fs::write(locations.data_dir.join(LOCK), r#"{"a": {"sha256": "9", "from": "a colleague"}}"#).unwrap();
        assert_eq!(locked("a", &locations).unwrap().unwrap().sha256, "9");
        std::fs::write(locations.data_dir.join(LOCK), "x").unwrap();
        assert!(locked("a", &locations).unwrap_err().to_string().contains("no lock file"));
    }
}
