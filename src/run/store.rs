//! The store: one file per finished cell, so that a run cannot lose work.
//!
//! An entry is written to a temporary name, synced and renamed, and starts with a checksum of its body: whatever is cut
//! off or altered is noticed and computed anew, and so is an entry that lies under the name of another cell. What is no plain
//! file is none of the store's.

use super::{Answer, Key, Limits, PlannedCell, Status, TimingSample, write_atomically};
use crate::lab::{Durability, open_plain, write_whole};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What is known of a finished cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub key_fields: IndexMap<String, String>,
    pub answer: Answer,
    /// What it ran under: a timeout under 10 s says nothing of a limit of 60 s.
    pub limits: Limits,
    /// Ran with nothing beside it, so that its seconds can be plotted.
    pub alone: bool,
    /// Fingerprint of the machine its costs were measured on.
    pub machine: String,
    /// Its timings, round by round; empty where it was not timed, and its costs are those of its answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<TimingSample>,
}

/// What the store says of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup {
    Hit(Box<Entry>),
    /// Its worker crashed, or its program failed without a release: a row if it must be, but a run tries again.
    Crashed(Box<Entry>),
    /// Nothing stored under this key.
    Absent,
    /// Something is there, but this cell must run all the same.
    Unusable(&'static str),
}

#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
}

impl Store {
    /// The store of an output directory.
    pub fn in_directory(out: &Path) -> Self {
        Self { directory: out.join(".store") }
    }

    /// A store that lies in `directory` itself.
    pub fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.directory.join(&key.as_str()[..2]).join(key.as_str())
    }

    /// The entry of `key`, if it can stand for a cell with these limits.
    pub fn look_up(&self, key: &Key, limits: &Limits, timed: bool) -> Lookup {
        let entry = match read(&self.path(key)) {
            Ok(entry) => entry,
            Err(ReadError::Absent) => return Lookup::Absent,
            Err(ReadError::Damaged) => return Lookup::Unusable("its stored result is damaged"),
            Err(ReadError::OfAnother) => return Lookup::Unusable("its stored result is that of another cell"),
        };
        match entry.answer.status {
            Status::Timeout if entry.limits.time != limits.time => {
                Lookup::Unusable("it timed out under another time limit")
            }
            Status::OutOfMemory if entry.limits.memory != limits.memory => {
                Lookup::Unusable("it ran out of memory under another limit")
            }
            Status::Failed if entry.answer.crashed => Lookup::Crashed(Box::new(entry)),
            _ if timed && !entry.alone => Lookup::Unusable("its time was measured beside other cells"),
            _ => Lookup::Hit(Box::new(entry)),
        }
    }

    /// Whether a cell need not run: there is an answer, timed as often as is asked for.
    pub fn has_answer(&self, cell: &PlannedCell, timed: bool) -> bool {
        matches!(self.look_up(&cell.key, &cell.limits, timed), Lookup::Hit(entry) if entry.has_samples_for(cell))
    }

    /// Writes an entry durably.
    pub fn put(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        write_atomically(&self.path(key), &encoded(entry)?)
    }

    /// Writes an entry that can be had again, should the machine stop.
    pub fn put_unsynced(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        write_whole(&self.path(key), &encoded(entry)?, Durability::Unsynced)
    }

    /// The name of every file with its entry, sorted; none where it is damaged. Whether a name is that of its cell is for the
    /// caller to see.
    pub fn files(&self) -> impl Iterator<Item = (String, Option<Entry>)> {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.paths().map(move |path| (name(&path), read_whatever_name(&path).ok().map(|(entry, _)| entry)))
    }

    /// The keys under which something is stored, in no order.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        let list = |directory: PathBuf| fs::read_dir(directory).into_iter().flatten().flatten();
        let names = list(self.directory.clone()).flat_map(move |shard| list(shard.path()));
        // Temporary files begin with a dot.
        names.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| !name.starts_with('.'))
    }

    /// Takes over every sound entry of another store that says more than what is here; tells how many. Not synced file by
    /// file: should the machine stop in between, checksums tell, and the other store still has them.
    pub fn take_over(&self, other: &Self) -> io::Result<usize> {
        let mut taken = 0;
        for path in other.paths() {
            let Ok((entry, bytes)) = read_with_bytes(&path) else { continue };
            let key = super::key_of(&entry.key_fields);
            if read(&self.path(&key)).is_ok_and(|known| known.stands_against(&entry)) {
                continue;
            }
            write_whole(&self.path(&key), &bytes, Durability::Unsynced)?;
            taken += 1;
        }
        Ok(taken)
    }

    /// Every sound entry, for estimates and explanations.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.paths().filter_map(|path| read(&path).ok())
    }

    fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let list = |directory: &Path| {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            paths.sort();
            paths
        };
        list(&self.directory).into_iter().flat_map(move |shard| list(&shard))
    }
}

impl Entry {
    /// Whether it was timed as often as is asked for.
    pub fn has_samples_for(&self, cell: &PlannedCell) -> bool {
        let asked = cell.samples();
        asked < 2 || self.answer.status != Status::Ok || self.samples.len() >= asked
    }

    /// Its costs: (sample, metric, value). One sample where it was not timed in rounds.
    pub fn costs(&self) -> impl Iterator<Item = (u32, &str, f64)> {
        let once = self.samples.is_empty().then_some(&self.answer.costs.metrics);
        let samples = self.samples.iter().map(|sample| &sample.metrics);
        once.into_iter()
            .chain(samples)
            .zip(0..)
            .flat_map(|(metrics, sample)| metrics.iter().map(move |(name, value)| (sample, name.as_str(), *value)))
    }

    /// Whether another entry of the cell has nothing to add. Of two limits that were met neither speaks for the other, and the one
    /// that is brought is the one that was asked for last.
    fn stands_against(&self, other: &Self) -> bool {
        let met = |entry: &Self| matches!(entry.answer.status, Status::Timeout | Status::OutOfMemory);
        let of_other_limits = met(self) && met(other) && self.limits != other.limits;
        !of_other_limits && self.worth() >= other.worth()
    }

    /// Which of two entries of one cell to keep: an answer before a limit that was met, that before a crash; and of
    /// equal ones the one whose time was measured alone.
    fn worth(&self) -> (u8, bool, usize) {
        let answered = match self.answer.status {
            _ if self.answer.crashed => 0,
            Status::Timeout | Status::OutOfMemory => 1,
            Status::Ok | Status::Failed | Status::Invalid | Status::Skipped => 2,
        };
        (answered, self.alone, self.samples.len())
    }
}

/// A checksum, and the entry as JSON.
fn encoded(entry: &Entry) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(entry).map_err(io::Error::other)?;
    let mut bytes = blake3::hash(&body).to_hex().to_string().into_bytes();
    bytes.push(b'\n');
    bytes.extend(body);
    Ok(bytes)
}

enum ReadError {
    Absent,
    Damaged,
    /// Sound, but its name is not that of its cell.
    OfAnother,
}

/// No entry is longer than what a worker may answer.
const LONGEST_ENTRY: u64 = 128 << 20;

fn read(path: &Path) -> Result<Entry, ReadError> {
    read_with_bytes(path).map(|(entry, _)| entry)
}

fn read_with_bytes(path: &Path) -> Result<(Entry, Vec<u8>), ReadError> {
    let (entry, bytes) = read_whatever_name(path)?;
    match path.file_name().is_some_and(|name| name == super::key_of(&entry.key_fields).as_str()) {
        true => Ok((entry, bytes)),
        false => Err(ReadError::OfAnother),
    }
}

fn read_whatever_name(path: &Path) -> Result<(Entry, Vec<u8>), ReadError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open_plain(path)?.take(LONGEST_ENTRY).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ReadError::Absent),
        Err(_) => return Err(ReadError::Damaged),
    };
    let split = bytes.iter().position(|&byte| byte == b'\n').ok_or(ReadError::Damaged)?;
    let (checksum, body) = (&bytes[..split], &bytes[split + 1..]);
    if checksum != blake3::hash(body).to_hex().as_bytes() {
        return Err(ReadError::Damaged);
    }
    let entry = serde_json::from_slice(body).map_err(|_| ReadError::Damaged)?;
    Ok((entry, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::key_of;

    fn entry(status: Status) -> (Key, Entry) {
        let key_fields = IndexMap::from([("seed".to_string(), "1".to_string())]);
        let answer = Answer::without_result(status, "");
        let entry = Entry {
            key_fields: key_fields.clone(),
            answer,
            limits: Limits::default(),
            alone: false,
            machine: "m".into(),
            samples: Vec::new(),
        };
        (key_of(&key_fields), entry)
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::in_directory(directory.path());
        let (key, entry) = entry(Status::Ok);
        store.put(&key, &entry).unwrap();
        assert_eq!(store.look_up(&key, &entry.limits, false), Lookup::Hit(Box::new(entry.clone())));
        let path = store.path(&key);
        let sound = fs::read(&path).unwrap();
        for position in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[position] ^= 1;
            fs::write(&path, &damaged).unwrap();
            assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Unusable(_)), "byte {position}");
        }
        fs::write(&path, &sound[..sound.len() - 1]).unwrap();
        assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Unusable(_)));
    }

    #[test]
    fn the_better_of_two_entries_is_kept_and_a_damaged_one_is_not_taken() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (ours, theirs) = (Store::in_directory(here.path()), Store::in_directory(there.path()));
        let (key, timeout) = entry(Status::Timeout);
        let (_, ok) = entry(Status::Ok);
        let stored = |store: &Store| match store.look_up(&key, &ok.limits, false) {
            Lookup::Hit(entry) => entry.answer.status,
            other => panic!("{other:?}"),
        };
        theirs.put(&key, &timeout).unwrap();
        assert_eq!(ours.take_over(&theirs).unwrap(), 1);
        theirs.put(&key, &ok).unwrap();
        assert_eq!(ours.take_over(&theirs).unwrap(), 1);
        assert_eq!(ours.take_over(&theirs).unwrap(), 0, "nothing is taken twice");
        theirs.put(&key, &timeout).unwrap();
        assert_eq!((ours.take_over(&theirs).unwrap(), stored(&ours)), (0, Status::Ok));
        fs::write(ours.path(&key), "cut off").unwrap();
        assert_eq!((ours.take_over(&theirs).unwrap(), stored(&ours)), (1, Status::Timeout));
        fs::write(theirs.path(&key), "cut off").unwrap();
        assert_eq!((ours.take_over(&theirs).unwrap(), stored(&ours)), (0, Status::Timeout));
        assert_eq!(ours.keys().collect::<Vec<_>>(), [key.as_str()]);
    }

    #[test]
    fn a_timeout_under_the_limit_that_is_asked_for_is_taken_over() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (ours, theirs) = (Store::in_directory(here.path()), Store::in_directory(there.path()));
        let (key, known) = entry(Status::Timeout);
        for time in ["5m", "1s"] {
            let limits = Limits { time: time.parse().unwrap(), ..known.limits };
            ours.put(&key, &known).unwrap();
            theirs.put(&key, &Entry { limits, ..known.clone() }).unwrap();
            assert_eq!(ours.take_over(&theirs).unwrap(), 1, "{time}");
            assert!(matches!(ours.look_up(&key, &limits, false), Lookup::Hit(_)), "{time}");
            assert_eq!(ours.take_over(&theirs).unwrap(), 0, "{time}");
        }
    }

    #[test]
    fn an_entry_under_the_name_of_another_cell_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::in_directory(directory.path());
        let (key, entry) = entry(Status::Ok);
        store.put(&key, &entry).unwrap();
        let other = key_of(&IndexMap::from([("seed".to_string(), "2".to_string())]));
        fs::create_dir_all(store.path(&other).parent().unwrap()).unwrap();
        fs::copy(store.path(&key), store.path(&other)).unwrap();
        assert_eq!(
            store.look_up(&other, &entry.limits, false),
            Lookup::Unusable("its stored result is that of another cell")
        );
        assert_eq!(store.entries().count(), 1);
    }

    #[test]
    fn links_and_pipes_in_the_store_are_no_entries() {
        let directory = tempfile::tempdir().unwrap();
        let (store, elsewhere) = (Store::in_directory(directory.path()), directory.path().join("elsewhere"));
        let (key, entry) = entry(Status::Ok);
        store.put(&key, &entry).unwrap();
        fs::rename(store.path(&key), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, store.path(&key)).unwrap();
        assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Unusable(_)));
        fs::remove_file(store.path(&key)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(store.path(&key)).status().unwrap().success());
        assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Unusable(_)), "nobody waits for a writer");
        // A new entry takes its place.
        store.put(&key, &entry).unwrap();
        assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Hit(_)));
    }

    #[test]
    fn a_timeout_speaks_only_for_its_own_limit() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::in_directory(directory.path());
        let (key, entry) = entry(Status::Timeout);
        store.put(&key, &entry).unwrap();
        assert!(matches!(store.look_up(&key, &entry.limits, false), Lookup::Hit(_)));
        let longer = Limits { time: "5m".parse().unwrap(), ..entry.limits };
        assert!(matches!(store.look_up(&key, &longer, false), Lookup::Unusable(_)));
    }
}
