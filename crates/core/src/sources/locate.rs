//! Where the bytes of a source are: the data directory, inside the program, the cache, or nowhere, where a stand-in may
//! serve.

use super::catalogue::{self, DatasetEntry, FileEntry, PartEntry, Statistics};
use super::definition::{FileSource, Format, InlineSource, Label, Source, StandIn, Written};
use super::digest::{file_sha256, read_plain, read_within, remembered, sha256};
use super::formats::{self, Raw, RawTable, SourceText, TableLayout, Wanted, fimi};
use super::generated_once::GeneratedOnce;
use super::identify;
use super::lock::{LOCK, Locked, locked};
use super::{Aggregates, LifelikeParameters, aggregates, digest::LARGEST_FILE, stand_in};
use super::{DataError, DataLocations, DatasetDefinition, Digest, StandInParameters, TableParameters};
use crate::data::Origin;
use crate::lab::counted;
use serde::Serialize;
use std::path::PathBuf;

/// A source that was found.
pub(super) enum Located<'a> {
    Catalogued(Catalogued),
    File { source: &'a FileSource, path: PathBuf },
    Inline(&'a InlineSource),
    Sketched { parameters: StandInParameters, origin: Origin, note: String },
    Table { parameters: TableParameters, note: String },
    Lifelike { of: &'static Aggregates, parameters: LifelikeParameters, origin: Origin, note: String },
}

/// Files of a catalogue entry.
pub(super) struct Catalogued {
    pub entry: &'static DatasetEntry,
    pub files: Vec<LocatedFile>,
    pub origin: Origin,
    /// What data without a checksum has to have.
    pub statistics: Statistics,
}

pub(super) struct LocatedFile {
    pub entry: FileEntry,
    pub place: FoundAt,
    /// What a file without a checksum in the catalogue is locked to; an error where the lock cannot be read.
    lock: Result<Option<Locked>, DataError>,
}

/// Where a data file was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundAt {
    /// Below `--data-dir`.
    DataDirectory(PathBuf),
    /// Gzipped.
    Embedded(&'static [u8]),
    /// Where `data fetch` puts downloads.
    Cache(PathBuf),
}

/// Finds the source of `definition`.
pub(super) fn locate<'a>(
    definition: &'a DatasetDefinition,
    locations: &DataLocations,
) -> Result<Located<'a>, DataError> {
    match &definition.source {
        Source::Catalogue(name) => locate_entry(name, definition, locations),
        Source::File(source) => match locations.find(&source.file) {
            Ok(path) => Ok(Located::File { source, path }),
            Err(message) => Err(DataError::fault("source.file", message)),
        },
        Source::Inline(source) => Ok(Located::Inline(source)),
        Source::Synthetic(source) if source.synthetic.is_table() => {
            let parameters = TableParameters::from_synthetic(&source.synthetic).map_err(DataError::Definition)?;
            let note = format!(
                "generated: {} of {}",
                counted(parameters.rows, "row"),
                counted(parameters.columns.len(), "column")
            );
            Ok(Located::Table { parameters, note })
        }
        Source::Synthetic(source) => {
            let synthetic = &source.synthetic;
            let like = match &synthetic.like {
                Some(name) => catalogue::entry(name)?.stand_in_statistics(),
                None => None,
            };
            if let Some(of) = synthetic.like.as_deref().and_then(|name| aggregates(name, None))
                && synthetic.sizes_only()
            {
                let transactions = synthetic.transactions.unwrap_or(of.transactions);
                let parameters = LifelikeParameters { transactions, seed: synthetic.seed };
                let note = format!(
                    "generated: {transactions} transactions with the measured statistics of {}",
                    synthetic.like.as_deref().unwrap_or_default()
                );
                return Ok(Located::Lifelike { of, parameters, origin: Origin::Generated, note });
            }
            let parameters = StandInParameters::from_synthetic(synthetic, like).map_err(DataError::Definition)?;
            let note = format!("generated: {}", parameters.statistics);
            Ok(Located::Sketched { parameters, origin: Origin::Generated, note })
        }
    }
}

fn locate_entry<'a>(
    name: &str,
    definition: &DatasetDefinition,
    locations: &DataLocations,
) -> Result<Located<'a>, DataError> {
    let entry = catalogue::entry(name)?;
    let part = match &definition.part {
        None => None,
        Some(part) => Some(entry.parts.get(part).ok_or_else(|| no_such_part(name, part, entry))?),
    };
    if let Some(found) = find_entry(entry, part, locations) {
        return Ok(Located::Catalogued(found));
    }
    if definition.stand_in == StandIn::Allowed
        && let Some(of) = aggregates(name, definition.part.as_deref())
    {
        let parameters = LifelikeParameters { transactions: of.transactions, seed: 0 };
        let note =
            format!("generated in place of {name}, which is not here, from its measured statistics: {}", of.sizes());
        return Ok(Located::Lifelike { of, parameters, origin: Origin::StandIn, note });
    }
    let statistics = part.map(|part| part.statistics).or_else(|| entry.stand_in_statistics());
    match (definition.stand_in, statistics) {
        (StandIn::Allowed, Some(statistics)) => {
            let note = format!("generated in place of {name}, which is not here: {statistics}");
            let parameters = StandInParameters::like(statistics);
            Ok(Located::Sketched { parameters, origin: Origin::StandIn, note })
        }
        _ => Err(DataError::Absent(absent(name, entry, part, locations))),
    }
}

pub(super) fn no_such_part(name: &str, part: &str, entry: &DatasetEntry) -> DataError {
    if entry.parts.is_empty() {
        return DataError::fault("part", format!("{name} does not come in parts"));
    }
    DataError::fault("part", catalogue::unknown(&format!("part of {name}"), part, entry.parts.keys()))
}

/// The files of an entry, or of one part of it; the parts of an entry that is not here whole.
pub(super) fn find_entry(
    entry: &'static DatasetEntry,
    part: Option<&PartEntry>,
    locations: &DataLocations,
) -> Option<Catalogued> {
    let find_all = |files: Vec<FileEntry>| {
        files
            .into_iter()
            .map(|entry| find_file(&entry, locations).map(|place| LocatedFile::new(entry, place, locations)))
            .collect::<Option<Vec<_>>>()
    };
    if let Some(part) = part {
        let files = find_all(vec![part.file()])?;
        let statistics = Statistics::Baskets(part.statistics);
        return Some(Catalogued { entry, files, origin: Origin::Partial, statistics });
    }
    if let Some(files) = find_all(entry.files.clone()) {
        return Some(Catalogued { entry, files, origin: Origin::Real, statistics: entry.statistics });
    }
    if entry.parts.is_empty() {
        return None;
    }
    let files = find_all(entry.parts.values().map(PartEntry::file).collect())?;
    Some(Catalogued { entry, files, origin: Origin::Partial, statistics: entry.statistics })
}

/// Looks for a file of the catalogue, first in the data directory.
pub fn find_file(file: &FileEntry, locations: &DataLocations) -> Option<FoundAt> {
    let in_data = || DataLocations::in_directory(&locations.data_dir, &file.name).map(FoundAt::DataDirectory);
    let in_program = || catalogue::embedded(&file.name).map(FoundAt::Embedded);
    let in_cache = || DataLocations::in_directory(&locations.cache_dir, &file.name).map(FoundAt::Cache);
    let carried = || DataLocations::in_directory(locations.carried.as_deref()?, &file.name).map(FoundAt::Cache);
    in_data().or_else(in_program).or_else(in_cache).or_else(carried)
}

fn absent(name: &str, entry: &DatasetEntry, part: Option<&PartEntry>, locations: &DataLocations) -> String {
    let files: Vec<&str> = match part {
        Some(part) => vec![&part.name],
        None => entry.files.iter().map(|file| file.name.as_str()).collect(),
    };
    let hint = match entry.format.is_table() {
        true => "",
        false => " A spec can also say `stand_in: allowed`.",
    };
    format!(
        "{name} is not here: {} is neither in the data directory {} nor in the cache {}, plain or gzipped. {}{hint}",
        files.join(", "),
        locations.data_dir.display(),
        locations.cache_dir.display(),
        entry.obtain,
    )
}

impl LocatedFile {
    fn new(entry: FileEntry, place: FoundAt, locations: &DataLocations) -> Self {
        let lock = if entry.sha256.is_none() { locked(&entry.name, locations) } else { Ok(None) };
        Self { entry, place, lock }
    }

    /// The checksum it must have: the catalogue's, else the lock's.
    fn expected(&self) -> Result<Option<&String>, DataError> {
        let lock = self.lock.as_ref().map_err(Clone::clone)?;
        Ok(self.entry.sha256.as_ref().or(lock.as_ref().map(|locked| &locked.sha256)))
    }

    fn is_locked(&self) -> bool {
        matches!(self.lock, Ok(Some(_)))
    }

    /// "adult.data.gz", as it lies where it was found.
    pub fn name(&self) -> String {
        match &self.place {
            FoundAt::Embedded(_) => self.entry.name.clone(),
            FoundAt::DataDirectory(path) | FoundAt::Cache(path) => {
                path.file_name().map_or_else(|| self.entry.name.clone(), |name| name.to_string_lossy().into_owned())
            }
        }
    }

    fn wrong_checksum(&self, expected: &str, found: String) -> DataError {
        let (file, remedy) = match &self.place {
            FoundAt::DataDirectory(path) => (path.display().to_string(), "replace the file or take it away"),
            FoundAt::Cache(path) => (path.display().to_string(), "remove it and fetch it again"),
            FoundAt::Embedded(_) => (format!("the embedded {}", self.entry.name), "build the program again"),
        };
        let remedy = match self.is_locked() {
            true => {
                format!("{LOCK} has the checksum of the bytes first seen: {remedy}, or take its line out of {LOCK}")
            }
            false => remedy.to_string(),
        };
        DataError::Checksum { file, expected: expected.to_string(), found, remedy }
    }

    fn path(&self) -> Option<&PathBuf> {
        match &self.place {
            FoundAt::DataDirectory(path) | FoundAt::Cache(path) => Some(path),
            FoundAt::Embedded(_) => None,
        }
    }

    /// The checksum in the catalogue's terms, after the file has been held to it.
    pub fn digest(&self, format: Format, locations: &DataLocations) -> Result<Digest, DataError> {
        let file = self.entry.name.clone();
        let (path, expected) = match (self.path(), self.expected()?) {
            // Tests hold the embedded copies to their checksums.
            (None, expected) => return Ok(Digest { file, sha256: expected.cloned().unwrap_or_default() }),
            (Some(path), expected) => (path, expected),
        };
        let raw = remembered(path, &locations.cache_dir, "raw", file_sha256)?;
        let Some(expected) = expected else { return Ok(Digest { file, sha256: raw }) };
        if raw != *expected {
            let canonical = |path: &std::path::Path| {
                let plain = read_within(path, LARGEST_TWO_COLUMNS)?;
                Ok(canonical_digest(&self.entry.name, plain, format).unwrap_or_else(|| raw.clone()))
            };
            if remembered(path, &locations.cache_dir, "two columns", canonical)? != *expected {
                return Err(self.wrong_checksum(expected, raw));
            }
        }
        Ok(Digest { file, sha256: expected.clone() })
    }

    /// The text, held to its checksum, and the format it is in.
    fn read(&self, format: Format) -> Result<(SourceText, Format, Digest), DataError> {
        let plain = match &self.place {
            FoundAt::Embedded(gzipped) => formats::decompress(gzipped, LARGEST_FILE)
                .map_err(|message| DataError::file(&self.entry.name, message))?
                .into_owned(),
            FoundAt::DataDirectory(path) | FoundAt::Cache(path) => read_plain(path)?,
        };
        let expected = self.expected()?;
        let (mut found, mut digest) = (format, expected.cloned());
        if self.path().is_some() {
            let raw = sha256(&plain);
            match expected {
                None => digest = Some(raw),
                Some(expected) if raw == *expected => {}
                Some(expected) => {
                    if canonical_digest(&self.entry.name, plain.clone(), format).as_ref() != Some(expected) {
                        return Err(self.wrong_checksum(expected, raw));
                    }
                    found = Format::TwoColumn;
                }
            }
        }
        let digest = Digest { file: self.entry.name.clone(), sha256: digest.unwrap_or_default() };
        Ok((SourceText::new(self.name(), plain)?, found, digest))
    }
}

/// The format of all files of a set: read in another's, lines of two columns are transactions of two items.
fn one_format(files: &[(String, Format)]) -> Result<Option<Format>, DataError> {
    let Some((first, format)) = files.first() else { return Ok(None) };
    match files.iter().find(|(_, other)| other != format) {
        None => Ok(Some(*format)),
        Some((file, other)) => Err(DataError::file(
            file,
            format!("it is {other}, and {first} is {format}; files of one set have one format"),
        )),
    }
}

/// No catalogued set is longer than this as two columns.
const LARGEST_TWO_COLUMNS: u64 = 512 << 20;

/// The checksum of the transactions in canonical form, if the bytes are two columns.
fn canonical_digest(name: &str, plain: Vec<u8>, format: Format) -> Option<String> {
    if format.is_table() {
        return None;
    }
    let source = SourceText::new(name, plain).ok()?;
    let layout = TableLayout { columns: &[], delimiter: b',', missing: &[], wanted: &|_| false };
    match formats::read(Format::TwoColumn, layout, &[source]) {
        Ok(Raw::Transactions(transactions)) => Some(sha256(fimi::write(&transactions).as_bytes())),
        _ => None,
    }
}

impl Catalogued {
    pub fn note(&self) -> String {
        let place = |file: &LocatedFile| match &file.place {
            FoundAt::DataDirectory(_) if file.is_locked() => "from the data directory, held to datasets.lock",
            FoundAt::Cache(_) if file.is_locked() => "from the cache, held to datasets.lock",
            FoundAt::DataDirectory(_) => "from the data directory",
            FoundAt::Embedded(_) => "embedded",
            FoundAt::Cache(_) => "from the cache",
        };
        let groups = self.files.chunk_by(|a, b| place(a) == place(b)).map(|files| {
            let names: Vec<String> = files.iter().map(LocatedFile::name).collect();
            format!("{} {}", names.join(" and "), place(&files[0]))
        });
        let mut note = groups.collect::<Vec<_>>().join(", ");
        if self.origin == Origin::Partial {
            note += &format!("; a part of the whole, which has {}", self.entry.statistics);
        }
        note
    }

    fn read(&self, wanted: Wanted) -> Result<(Raw, Vec<Digest>), DataError> {
        let columns = if self.entry.header { &[][..] } else { &self.entry.columns };
        let layout = layout(columns, self.entry.delimiter, Some(&self.entry.missing), wanted);
        let (mut sources, mut digests) = (Vec::new(), Vec::new());
        let mut formats = Vec::new();
        for file in &self.files {
            let (source, found, digest) = file.read(self.entry.format)?;
            formats.push((source.name.clone(), found));
            sources.push(source);
            digests.push(digest);
        }
        let format = one_format(&formats)?.unwrap_or(self.entry.format);
        let raw = match self.files.iter().all(|file| file.entry.sha256.is_some()) {
            true => formats::read(format, layout, &sources)?,
            false => identify::read(self.entry, self.statistics, layout, &sources)?,
        };
        Ok((raw, digests))
    }

    /// Whether `file` is what the catalogue says, from its bytes alone.
    pub fn verify(&self, file: &LocatedFile) -> Result<(), DataError> {
        match (&file.place, file.expected()?) {
            (FoundAt::Embedded(gzipped), Some(expected)) => {
                let plain = formats::decompress(gzipped, LARGEST_FILE)
                    .map_err(|message| DataError::file(&file.entry.name, message))?;
                let found = sha256(&plain);
                if found == *expected { Ok(()) } else { Err(file.wrong_checksum(expected, found)) }
            }
            (_, Some(_)) => file.read(self.entry.format).map(drop),
            (_, None) => self.read(&|_| false).map(drop),
        }
    }
}

impl Located<'_> {
    pub fn origin(&self) -> Origin {
        match self {
            Self::Catalogued(found) => found.origin,
            Self::File { .. } => Origin::Real,
            Self::Inline(_) => Origin::Example,
            Self::Table { .. } => Origin::Generated,
            Self::Sketched { origin, .. } | Self::Lifelike { origin, .. } => *origin,
        }
    }

    /// The checksums of the data, remembered where they can be.
    pub fn digests(&self, locations: &DataLocations) -> Result<Vec<Digest>, DataError> {
        match self {
            Self::Catalogued(found) => {
                found.files.iter().map(|file| file.digest(found.entry.format, locations)).collect()
            }
            Self::File { source, path } => {
                let sha256 = remembered(path, &locations.cache_dir, "raw", file_sha256)?;
                Ok(vec![Digest { file: source.file.clone(), sha256 }])
            }
            // The definition has the text itself.
            Self::Inline(_) => Ok(Vec::new()),
            Self::Sketched { parameters, .. } => Ok(vec![generator_digest(stand_in::SKETCH, parameters)]),
            Self::Table { parameters, .. } => Ok(vec![generator_digest(stand_in::TABLE, parameters)]),
            Self::Lifelike { of, parameters, .. } => Ok(vec![generator_digest(stand_in::LIFELIKE, &(of, parameters))]),
        }
    }

    pub fn note(&self) -> String {
        match self {
            Self::Catalogued(found) => found.note(),
            Self::File { source, .. } => format!("the file {}", source.file),
            Self::Inline(_) => "rows in the spec".to_string(),
            Self::Sketched { note, .. } | Self::Table { note, .. } | Self::Lifelike { note, .. } => note.clone(),
        }
    }

    /// The data with its `wanted` columns, and the checksums of what was read.
    pub fn read(&self, wanted: Wanted, generated: GeneratedOnce) -> Result<(Raw, Vec<Digest>), DataError> {
        match self {
            Self::Catalogued(found) => found.read(wanted),
            Self::File { source, path } => {
                let plain = read_plain(path)?;
                let digest = Digest { file: source.file.clone(), sha256: sha256(&plain) };
                let text = SourceText::new(&source.file, plain)?;
                Ok((read_written(&source.written, &text, wanted)?, vec![digest]))
            }
            Self::Inline(source) => {
                let text = SourceText::new("the inline data", source.inline.clone().into_bytes())?;
                Ok((read_written(&source.written, &text, wanted)?, Vec::new()))
            }
            Self::Sketched { parameters, .. } => {
                let digest = generator_digest(stand_in::SKETCH, parameters);
                let transactions =
                    generated.transactions(&digest, || stand_in::generate(parameters).map_err(not_generated))?;
                Ok((Raw::Transactions(transactions), vec![digest]))
            }
            Self::Table { parameters, .. } => {
                let table = stand_in::generate_table(parameters, wanted);
                let complete = vec![true; table.rows()];
                let raw = RawTable { table, complete, places: Default::default() };
                Ok((Raw::Table(raw), vec![generator_digest(stand_in::TABLE, parameters)]))
            }
            Self::Lifelike { of, parameters, .. } => {
                let digest = generator_digest(stand_in::LIFELIKE, &(of, parameters));
                let transactions =
                    generated.transactions(&digest, || stand_in::lifelike(of, *parameters).map_err(not_generated))?;
                Ok((Raw::Transactions(transactions), vec![digest]))
            }
        }
    }
}

fn not_generated(message: String) -> DataError {
    DataError::fault("source.synthetic", message)
}

/// Of the generator and all it depends on: there are no bytes before it has run.
fn generator_digest(generator: &str, parameters: &impl Serialize) -> Digest {
    let description = serde_json::to_vec(parameters).expect("parameters are plain data, which always serializes");
    let sha256 = sha256(&[generator.as_bytes(), &description].concat());
    Digest { file: generator.to_string(), sha256 }
}

fn read_written(written: &Written, text: &SourceText, wanted: Wanted) -> Result<Raw, DataError> {
    let layout = layout(&written.columns, written.delimiter, written.missing.as_deref(), wanted);
    formats::read(written.format, layout, std::slice::from_ref(text))
}

fn layout<'a>(
    columns: &'a [String],
    delimiter: Option<char>,
    missing: Option<&'a [Label]>,
    wanted: Wanted<'a>,
) -> TableLayout<'a> {
    let delimiter = delimiter.and_then(|delimiter| u8::try_from(delimiter).ok()).unwrap_or(b',');
    TableLayout { columns, delimiter, missing: missing.unwrap_or_default(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_set_have_one_format() {
        let files = |formats: &[Format]| -> Vec<(String, Format)> {
            ["a.dat", "b.dat"].map(String::from).into_iter().zip(formats.iter().copied()).collect()
        };
        assert_eq!(one_format(&files(&[Format::Fimi, Format::Fimi])), Ok(Some(Format::Fimi)));
        assert_eq!(
            one_format(&files(&[Format::TwoColumn, Format::Fimi])).unwrap_err().to_string(),
            "b.dat: it is fimi, and a.dat is two-column; files of one set have one format"
        );
    }
}
