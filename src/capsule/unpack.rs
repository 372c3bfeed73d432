//! Reads a stranger's zip file into a directory. Nothing in it is believed: names, lengths, kinds and checksums are checked
//! before and while a byte is written, and what is wrong refuses the whole file by name.

use super::{CapsuleError, names};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// How much a capsule may come to.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub files: usize,
    pub bytes: u64,
    /// How many times its packed length a file may have, where it is longer than [`SMALL`].
    pub ratio: u64,
}

/// Files up to this length may pack as well as they like.
const SMALL: u64 = 1 << 20;

impl Default for Bounds {
    fn default() -> Self {
        Self { files: 2_000_000, bytes: 8 << 30, ratio: 400 }
    }
}

/// Writes every file of `archive` below `into`, and gives their names, sorted.
pub fn unpack(archive: impl Read + Seek, into: &Path, bounds: Bounds) -> Result<Vec<String>, CapsuleError> {
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
