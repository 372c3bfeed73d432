//! Reads a stranger's zip file into a directory. Nothing in it is believed: names, lengths, kinds and checksums are checked
//! before and while a byte is written, and what is wrong refuses the whole file by name.

use super::{CapsuleError, names};
use fs_err::os::unix::fs::OpenOptionsExt;
use fs_err::{self as fs, File};
use std::collections::BTreeSet;
use std::io::{Read, Seek, Write};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// How much a capsule may come to.
#[derive(Debug, Clone, Copy)]
pub struct CapsuleBounds {
    pub files: usize,
    pub bytes: u64,
    /// How many times its packed length a file may have, where it is longer than [`SMALL`].
    pub ratio: u64,
}

/// Files up to this length may pack as well as they like.
const SMALL: u64 = 1 << 20;

impl Default for CapsuleBounds {
    fn default() -> Self {
        Self { files: 2_000_000, bytes: 8 << 30, ratio: 400 }
    }
}

/// Writes every file of `archive` below `into`, and gives their names, sorted.
pub fn unpack(archive: impl Read + Seek, into: &Path, bounds: CapsuleBounds) -> Result<Vec<String>, CapsuleError> {
    let mut zip = ZipArchive::new(archive).map_err(|error| refused(format!("it is no sound zip file: {error}")))?;
    if zip.len() > bounds.files {
        return Err(refused(format!("it has more than {} files", bounds.files)));
    }
    if zip.has_duplicate_names() {
        return Err(refused("two of its files have the same name"));
    }
    let names = checked_names(&mut zip)?;
    if zip.has_overlapping_files().map_err(|error| refused(error.to_string()))? {
        return Err(refused("files in it overlap, as those of a zip bomb do"));
    }
    zip.validate_header_consistency().map_err(|error| refused(format!("its two lists of files differ: {error}")))?;
    let mut left = bounds.bytes;
    let mut files = Vec::new();
    for (index, name, is_directory) in names {
        let path = into.join(&name);
        if is_directory {
            fs::create_dir_all(&path)?;
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let of_file = |message: String| refused(format!("`{name}`: {message}"));
        let mut entry = zip.by_index(index).map_err(|error| of_file(error.to_string()))?;
        let most = left.min(SMALL.max(entry.compressed_size().saturating_mul(bounds.ratio)));
        let executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
        let mode = if executable { 0o700 } else { 0o600 };
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        let mut written = 0;
        let mut chunk = vec![0; 1 << 16];
        loop {
            // The checksum of the bytes is held to the one in the file when they end.
            let read = entry.read(&mut chunk).map_err(|error| of_file(error.to_string()))?;
            if read == 0 {
                break;
            }
            written += read as u64;
            if written > most {
                return Err(match most == left {
                    true => refused(format!("it holds more than {} bytes", bounds.bytes)),
                    false => of_file(format!(
                        "it unpacks to more than {} times its length, as a zip bomb does",
                        bounds.ratio
                    )),
                });
            }
            file.write_all(&chunk[..read])?;
        }
        left -= written;
        files.push(name);
    }
    files.sort();
    Ok(files)
}

fn refused(message: impl Into<String>) -> CapsuleError {
    CapsuleError::refused(message)
}

/// Index, name and whether it is a directory, of everything in the file.
fn checked_names<R: Read + Seek>(zip: &mut ZipArchive<R>) -> Result<Vec<(usize, String, bool)>, CapsuleError> {
    let mut found = Vec::new();
    // As systems see them that do not tell capitals from small letters.
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(|error| refused(format!("file {index}: {error}")))?;
        let raw = entry.name_raw().to_vec();
        let whole = std::str::from_utf8(&raw)
            .map_err(|_| refused(format!("`{}`: its name is not UTF-8", String::from_utf8_lossy(&raw))))?;
        let is_directory = whole.ends_with('/');
        let name = if is_directory { whole.trim_end_matches('/') } else { whole };
        let fault = names::fault(name).or_else(|| {
            let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
            Some(match () {
                () if entry.is_symlink() || kind == 0o120_000 => "it is a symbolic link",
                () if ![0, 0o040_000, 0o100_000].contains(&kind) => "it is neither a file nor a directory",
                () if entry.encrypted() => "it is encrypted",
                () if ![CompressionMethod::Stored, CompressionMethod::Deflated].contains(&entry.compression()) => {
                    "it is packed by a method other than deflate"
                }
                () => return None,
            })
        });
        if let Some(fault) = fault {
            return Err(refused(format!("`{whole}`: {fault}")));
        }
        let lower = name.to_lowercase();
        for (end, _) in lower.match_indices('/') {
            folders.insert(lower[..end].to_string());
        }
        let new = if is_directory { folders.insert(lower) || is_directory } else { files.insert(lower) };
        if !new {
            return Err(refused(format!("`{whole}`: two of its files have this name")));
        }
        found.push((index, name.to_string(), is_directory));
    }
    match files.intersection(&folders).next() {
        Some(both) => Err(refused(format!("`{both}`: it is both a file and a directory"))),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn archive(fill: impl FnOnce(&mut ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        fill(&mut zip);
        zip.finish().unwrap().into_inner()
    }

    fn files(names: &[&str]) -> Vec<u8> {
        archive(|zip| {
            for name in names {
                zip.start_file(*name, SimpleFileOptions::default()).unwrap();
                zip.write_all(b"text").unwrap();
            }
        })
    }

    /// The bytes with the first `times` occurrences of a name replaced by another of the same length: what a writer refuses to write.
    fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8], times: usize) -> Vec<u8> {
        assert_eq!(from.len(), to.len());
        let mut at = 0;
        for _ in 0..times {
            at += bytes[at..].windows(from.len()).position(|window| window == from).unwrap();
            bytes[at..at + to.len()].copy_from_slice(to);
        }
        bytes
    }

    /// What is said of a file that must be refused, and that nothing of it lies outside of the directory.
    fn refusal(bytes: &[u8], bounds: CapsuleBounds) -> String {
        let outside = tempfile::tempdir().unwrap();
        let inside = outside.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let error = unpack(Cursor::new(bytes), &inside, bounds).unwrap_err().to_string();
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{error}");
        error
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        let sound = files(&["xxxxxxxx"]);
        for (name, why) in [
            (&b"../../xx"[..], "leads out of the capsule"),
            (b"/etc/xxx", "absolute"),
            (b"a\\..\\..x", "backslashes"),
            (b"C:/xxxxx", "names a drive"),
            (b"a//b/xxx", "empty parts"),
            (b"a/\xff\xfexxxx", "not UTF-8"),
            (b"a\x1b[2Jxxx", "control characters"),
            (b"a\0xxxxxx", "control characters"),
        ] {
            let error = refusal(&renamed(sound.clone(), b"xxxxxxxx", name, 2), CapsuleBounds::default());
            assert!(error.contains(why), "{}: {error}", String::from_utf8_lossy(name));
        }
    }

    #[test]
    fn links_and_odd_kinds_are_refused() {
        let link = archive(|zip| zip.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).unwrap());
        let error = refusal(&link, CapsuleBounds::default());
        assert!(error.contains("`link`: it is a symbolic link"), "{error}");
    }

    #[test]
    fn names_that_are_there_twice_are_refused() {
        let twice = renamed(files(&["aaaa", "bbbb"]), b"bbbb", b"aaaa", 2);
        assert!(refusal(&twice, CapsuleBounds::default()).contains("same name"));
        let capitals = files(&["a/README", "a/readme"]);
        assert!(refusal(&capitals, CapsuleBounds::default()).contains("two of its files have this name"));
        let both = files(&["a", "A/b"]);
        assert!(refusal(&both, CapsuleBounds::default()).contains("both a file and a directory"));
        let two_lists = renamed(files(&["aaaa"]), b"aaaa", b"bbbb", 1);
        assert!(refusal(&two_lists, CapsuleBounds::default()).contains("two lists of files differ"));
    }

    #[test]
    fn bombs_are_refused_before_they_burst() {
        let bomb = archive(|zip| {
            zip.start_file("bomb", SimpleFileOptions::default()).unwrap();
            zip.write_all(&vec![0; 8 << 20]).unwrap();
        });
        assert!(bomb.len() < 1 << 15);
        let error = refusal(&bomb, CapsuleBounds::default());
        assert!(error.contains("`bomb`: it unpacks to more than 400 times its length"), "{error}");
        let small = CapsuleBounds { bytes: 6, ..CapsuleBounds::default() };
        assert!(refusal(&files(&["a", "b"]), small).contains("holds more than 6 bytes"));
        let few = CapsuleBounds { files: 1, ..CapsuleBounds::default() };
        assert!(refusal(&files(&["a", "b"]), few).contains("more than 1 files"));
    }

    #[test]
    fn what_is_no_zip_or_is_damaged_is_refused() {
        assert!(refusal(b"", CapsuleBounds::default()).contains("no sound zip file"));
        assert!(refusal(b"PK\x03\x04 and nothing more", CapsuleBounds::default()).contains("no sound zip file"));
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let sound = archive(|zip| {
            zip.start_file("a", stored).unwrap();
            zip.write_all(b"the measured value").unwrap();
        });
        let altered = renamed(sound, b"measured", b"invented", 1);
        assert!(refusal(&altered, CapsuleBounds::default()).starts_with("`a`:"));
    }
}
