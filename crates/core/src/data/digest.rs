//! Checksums of files, remembered so that planning does not read every file again.

use super::DataError;
use super::formats::decompress;
use crate::lab::write_atomically;
use flate2::bufread::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file whose bytes entered a dataset, or the generator that made them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest {
    /// Its name in the catalogue or in the spec, the same on every machine.
    pub file: String,
    /// Of the uncompressed bytes, in hexadecimal.
    pub sha256: String,
}

/// No data file is longer than this, uncompressed: it is for memory's sake.
pub(super) const LARGEST_FILE: u64 = 4 << 30;

/// In hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file's uncompressed bytes.
pub(super) fn read_plain(path: &Path) -> Result<Vec<u8>, DataError> {
    let bytes = fs::read(path).map_err(|error| DataError::file(path, error))?;
    match decompress(&bytes, LARGEST_FILE).map_err(|message| DataError::file(path, message))? {
        std::borrow::Cow::Owned(plain) => Ok(plain),
        std::borrow::Cow::Borrowed(_) => Ok(bytes),
    }
}

/// The first lines of a file's uncompressed bytes: enough for any header.
pub(super) fn read_first_lines(path: &Path) -> Result<Vec<u8>, DataError> {
    const ENOUGH: u64 = 1 << 16;
    let io = |error: std::io::Error| DataError::file(path, error);
    let mut file = std::io::BufReader::new(fs::File::open(path).map_err(io)?);
    let gzipped = file.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let mut bytes = Vec::new();
    match gzipped {
        true => MultiGzDecoder::new(file).take(ENOUGH).read_to_end(&mut bytes),
        false => file.take(ENOUGH).read_to_end(&mut bytes),
    }
    .map_err(io)?;
    if bytes.len() as u64 == ENOUGH {
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(bytes.len());
        bytes.truncate(lines);
    }
    Ok(bytes)
}

/// The checksum of a file's uncompressed bytes, from memory where path, length and time of change are those of a file
/// seen before. `purpose` tells apart different checksums of one file.
pub(super) fn remembered(
    path: &Path,
    cache_dir: &Path,
    purpose: &str,
    compute: impl FnOnce(&Path) -> Result<String, DataError>,
) -> Result<String, DataError> {
    let note = note_of(path, cache_dir, purpose);
    if let Some(note) = &note
        && let Ok(known) = fs::read_to_string(note)
        && known.len() == 64
    {
        return Ok(known);
    }
    let digest = compute(path)?;
    if let Some(note) = note {
        // Only a shortcut: whoever cannot write it computes again.
        let _ = write_atomically(&note, digest.as_bytes());
    }
    Ok(digest)
}

/// Where the checksum is noted; None for a file that changed so recently that it may change again within one tick of
/// the clock.
fn note_of(path: &Path, cache_dir: &Path, purpose: &str) -> Option<PathBuf> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?;
    if SystemTime::now().duration_since(changed).ok()? < Duration::from_secs(2) {
        return None;
    }
    let nanoseconds = changed.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    let path = fs::canonicalize(path).ok()?;
    let key = format!("{purpose}\n{}\n{}\n{nanoseconds}", path.display(), metadata.len());
    Some(cache_dir.join("checksums").join(blake3::hash(key.as_bytes()).to_hex().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_remembered_until_the_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.dat");
        fs::write(&file, "1 2\n").unwrap();
        let old = SystemTime::now() - Duration::from_secs(60);
        fs::File::open(&file).unwrap().set_modified(old).unwrap();
        let digest = |text: &str| remembered(&file, dir.path(), "raw", |_| Ok(sha256(text.as_bytes()))).unwrap();
        let first = digest("first");
        assert_eq!(digest("second"), first, "the note answers");
        fs::write(&file, "1 3\n").unwrap();
        assert_eq!(digest("third"), sha256(b"third"), "a file of this second is not remembered");
        assert_eq!(digest("fourth"), sha256(b"fourth"));
    }
}
