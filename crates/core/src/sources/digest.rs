//! Checksums of files, remembered so that planning does not read every file again.

use super::DataError;
use crate::lab::write_atomically;
use flate2::bufread::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

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
    in_hexadecimal(Sha256::new().chain_update(bytes))
}

fn in_hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file's uncompressed bytes, one after another, and at most `limit` of them: more are an error when they are met.
struct PlainBytes<'a> {
    path: &'a Path,
    source: Box<dyn Read>,
    gzipped: bool,
    left: u64,
    limit: u64,
}

impl<'a> PlainBytes<'a> {
    fn open(path: &'a Path, limit: u64) -> Result<Self, DataError> {
        let fault = |error: std::io::Error| DataError::file(path, error);
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(fault)?);
        let gzipped = file.fill_buf().map_err(fault)?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn Read> = if gzipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        Ok(Self { path, source, gzipped, left: limit, limit })
    }

    /// Fills the front of `buffer`; 0 at the end of the file.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, DataError> {
        let n = self.source.read(buffer).map_err(|error| match self.gzipped {
            true => DataError::file(self.path, format!("not sound gzip: {error}")),
            false => DataError::file(self.path, error),
        })?;
        let within = self.left.checked_sub(n as u64);
        self.left = within.ok_or_else(|| DataError::file(self.path, format!("more than {} bytes", self.limit)))?;
        Ok(n)
    }
}

/// A file's uncompressed bytes.
pub(super) fn read_plain(path: &Path) -> Result<Vec<u8>, DataError> {
    read_within(path, LARGEST_FILE)
}

/// A file's uncompressed bytes; an error for what is no regular file: a pipe would wait for ever, a device never end.
pub fn read_regular_file(path: &Path) -> Result<Vec<u8>, DataError> {
    let metadata = fs::metadata(path).map_err(|error| DataError::file(path, error))?;
    match () {
        () if metadata.is_dir() => Err(DataError::file(path, "it is a directory; a file is needed")),
        () if !metadata.is_file() => Err(DataError::file(path, "it is no regular file (a pipe, a socket or a device)")),
        () => read_plain(path),
    }
}

/// [`read_plain`] of a file that has at most `limit` bytes.
pub(super) fn read_within(path: &Path, limit: u64) -> Result<Vec<u8>, DataError> {
    let mut source = PlainBytes::open(path, limit)?;
    // What the file itself has is there at once; gzip says its length at its end, which may be a lie.
    let told = if source.gzipped { 0 } else { fs::metadata(path).map_or(0, |metadata| metadata.len()) };
    if told > limit {
        return Err(DataError::file(path, format!("more than {limit} bytes")));
    }
    let mut plain = Vec::with_capacity(told as usize);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match source.read(&mut chunk)? {
            0 => return Ok(plain),
            n => plain.extend_from_slice(&chunk[..n]),
        }
    }
}

/// The checksum of a file's uncompressed bytes, within a few kilobytes of memory whatever its length.
pub(super) fn file_sha256(path: &Path) -> Result<String, DataError> {
    let mut source = PlainBytes::open(path, LARGEST_FILE)?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match source.read(&mut chunk)? {
            0 => return Ok(in_hexadecimal(hash)),
            n => hash.update(&chunk[..n]),
        }
    }
}

/// The first record of a CSV file: up to the first line end that no quotes enclose.
pub(super) fn read_first_record(path: &Path) -> Result<Vec<u8>, DataError> {
    /// Longer than this is no header.
    const LONGEST: usize = 64 << 20;
    let mut source = PlainBytes::open(path, LARGEST_FILE)?;
    let (mut record, mut quoted) = (Vec::new(), false);
    let mut chunk = vec![0; 1 << 16];
    loop {
        let n = source.read(&mut chunk)?;
        for (i, &byte) in chunk[..n].iter().enumerate() {
            quoted ^= byte == b'"';
            if byte == b'\n' && !quoted {
                record.extend_from_slice(&chunk[..i]);
                return Ok(record);
            }
        }
        record.extend_from_slice(&chunk[..n]);
        if n == 0 {
            return Ok(record);
        }
        if record.len() > LONGEST {
            return Err(DataError::file(path, format!("its first line has more than {} MB", LONGEST >> 20)));
        }
    }
}

/// The checksum of a file's uncompressed bytes, from memory where the file is one seen before: the same inode, length and
/// times of change. `purpose` tells apart different checksums of one file.
pub(super) fn remembered(
    path: &Path,
    cache_dir: &Path,
    purpose: &str,
    compute: impl FnOnce(&Path) -> Result<String, DataError>,
) -> Result<String, DataError> {
    remembered_at(SystemTime::now(), path, cache_dir, purpose, compute)
}

fn remembered_at(
    now: SystemTime,
    path: &Path,
    cache_dir: &Path,
    purpose: &str,
    compute: impl FnOnce(&Path) -> Result<String, DataError>,
) -> Result<String, DataError> {
    let note = note_of(now, path, cache_dir, purpose);
    if let Some(note) = &note
        && let Ok(known) = fs::read_to_string(note)
        && known.len() == 64
    {
        return Ok(known);
    }
    let digest = compute(path)?;
    // Of a file that changed meanwhile nobody knows what was read.
    if let Some(note) = note.filter(|note| note_of(now, path, cache_dir, purpose).as_ref() == Some(note)) {
        // Only a shortcut: whoever cannot write it computes again.
        let _ = write_atomically(&note, digest.as_bytes());
    }
    Ok(digest)
}

/// Where the checksum is noted; None for a file that changed so recently that it may change again within one tick of
/// the clock. A program can set the time of modification to what it likes (`cp -p`, `touch -r`), but not that of the
/// inode's change.
fn note_of(now: SystemTime, path: &Path, cache_dir: &Path, purpose: &str) -> Option<PathBuf> {
    let file = fs::metadata(path).ok()?;
    let seconds = u64::try_from(file.mtime().max(file.ctime())).ok()?;
    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    if now.duration_since(changed).ok()? < Duration::from_secs(3) {
        return None;
    }
    let inode = (file.dev(), file.ino(), file.len());
    let times = (file.ctime(), file.ctime_nsec(), file.mtime(), file.mtime_nsec());
    let key = format!("{purpose}\n{inode:?}\n{times:?}");
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
        let later = SystemTime::now() + Duration::from_secs(60);
        let digest =
            |text: &str| remembered_at(later, &file, dir.path(), "raw", |_| Ok(sha256(text.as_bytes()))).unwrap();
        let now = |text: &str| remembered(&file, dir.path(), "raw", |_| Ok(sha256(text.as_bytes()))).unwrap();
        assert_eq!(now("zero"), sha256(b"zero"));
        assert_eq!(now("nought"), sha256(b"nought"), "a file of this second is not remembered");
        let first = digest("first");
        assert_eq!(digest("second"), first, "the note answers");
        // Other bytes of the same length, under the old time of modification.
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, "1 3\n").unwrap();
        File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
        assert_eq!(digest("third"), sha256(b"third"), "the inode changed");
        // Another file put in its place with both times.
        let other = dir.path().join("y.dat");
        fs::write(&other, "1 4\n").unwrap();
        fs::rename(&other, &file).unwrap();
        assert_eq!(digest("fourth"), sha256(b"fourth"), "it is another inode");
    }

    #[test]
    fn what_changes_while_it_is_read_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.dat");
        fs::write(&file, "1 2\n").unwrap();
        let later = SystemTime::now() + Duration::from_secs(60);
        let changing = |path: &Path| {
            fs::write(path, "1 2 3\n").unwrap();
            Ok(sha256(b"of which?"))
        };
        remembered_at(later, &file, dir.path(), "raw", changing).unwrap();
        fs::write(&file, "1 2\n").unwrap();
        let again = remembered_at(later, &file, dir.path(), "raw", |_| Ok(sha256(b"again"))).unwrap();
        assert_eq!(again, sha256(b"again"));
    }

    #[test]
    fn checksums_are_of_the_uncompressed_bytes_and_lengths_are_bounded_while_reading() {
        use std::io::Write;
        let dir = tempfile::tempdir().unwrap();
        let (plain, gzipped) = (dir.path().join("x.dat"), dir.path().join("x.dat.gz"));
        let text = "1 2 3\n".repeat(50_000);
        fs::write(&plain, &text).unwrap();
        let mut encoder =
            flate2::write::GzEncoder::new(File::create(&gzipped).unwrap(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
        for path in [&plain, &gzipped] {
            assert_eq!(file_sha256(path).unwrap(), sha256(text.as_bytes()));
            assert_eq!(read_within(path, text.len() as u64).unwrap(), text.as_bytes());
            let error = read_within(path, text.len() as u64 - 1).unwrap_err();
            assert_eq!(error.to_string(), format!("{}: more than {} bytes", path.display(), text.len() - 1));
        }
        let cut = fs::read(&gzipped).unwrap();
        fs::write(&gzipped, &cut[..cut.len() - 3]).unwrap();
        assert!(file_sha256(&gzipped).unwrap_err().to_string().contains("not sound gzip"));
    }

    #[test]
    fn a_first_record_may_be_long_and_have_lines() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.csv");
        let long = (0..20_000).map(|i| format!("column {i}")).collect::<Vec<_>>().join(",");
        for header in [long.as_str(), "a,\"b\nc\",d", "a"] {
            fs::write(&file, format!("{header}\n1,2\n")).unwrap();
            assert_eq!(String::from_utf8(read_first_record(&file).unwrap()).unwrap(), header);
        }
        fs::write(&file, "a,b").unwrap();
        assert_eq!(read_first_record(&file).unwrap(), b"a,b");
    }
}
