//! A submission: a folder that says which batch has which cells, and the job arrays that run them.

use super::batches::Array;
use super::queue::{Job, Queue, QueueError, TaskCommand, patiently};
use crate::run::write_atomically;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// As it stands in the folder.
#[derive(Debug)]
pub struct Submission {
    arrays: Vec<NamedArray>,
    /// The keys of each batch, in the order of the arrays.
    batches: Vec<Vec<String>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct NamedArray {
    /// The job's name, chosen before it is submitted: whatever happens in between, its tasks can be found by it.
    name: String,
    /// The number of its first batch.
    first: usize,
    tasks: usize,
}

/// What was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The ids of the jobs.
    pub jobs: Vec<String>,
    pub batches: usize,
}

const ARRAYS: &str = "arrays.json";
const BATCHES: &str = "batches.jsonl";

impl Submission {
    /// Reads a folder; one that was never completed has no batches.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let arrays = match fs_err::read(folder.join(ARRAYS)) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if absent(&error) => Vec::new(),
            Err(error) => return Err(error),
        };
        let batches = match fs_err::File::open(folder.join(BATCHES)) {
            Ok(file) => BufReader::new(file)
                .lines()
                .map(|line| Ok(serde_json::from_str(&line?)?))
                .collect::<io::Result<Vec<_>>>()?,
            Err(error) if absent(&error) => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { arrays, batches })
    }

    /// The keys of one batch: what a task is for.
    pub fn batch(folder: &Path, number: usize) -> io::Result<Vec<String>> {
        let mut lines = BufReader::new(fs_err::File::open(folder.join(BATCHES))?).lines();
        match lines.nth(number) {
            Some(line) => Ok(serde_json::from_str(&line?)?),
            None => Err(io::Error::other(format!("there is no batch {number} in {}", folder.display()))),
        }
    }

    /// The names of its jobs, as the queue knows them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|array| array.name.as_str())
    }

    /// (job, index, keys) of every task.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (&str, usize, &[String])> {
        self.arrays.iter().flat_map(|array| {
            (0..array.tasks).filter_map(|index| {
                Some((array.name.as_str(), index, self.batches.get(array.first + index)?.as_slice()))
            })
        })
    }

    /// Writes the folder and submits its arrays. What was written before something failed is found again by `read`.
    pub fn send(folder: &Path, arrays: &[Array], command: &TaskCommand, queue: &dyn Queue) -> Result<Sent, QueueError> {
        let failed = |error: io::Error| QueueError::Refused(error.to_string());
        let mut lines = String::new();
        for batch in arrays.iter().flat_map(|array| &array.batches) {
            let _ = writeln!(lines, "{}", serde_json::json!(batch));
        }
        write_atomically(&folder.join(BATCHES), lines.as_bytes()).map_err(failed)?;
        let token = token(folder);
        let mut named: Vec<NamedArray> = Vec::new();
        for (number, array) in arrays.iter().enumerate() {
            let first = named.last().map_or(0, |last| last.first + last.tasks);
            named.push(NamedArray { name: format!("anonlab-{token}-{number}"), first, tasks: array.batches.len() });
        }
        let text = format!("{:#}\n", serde_json::json!(named));
        write_atomically(&folder.join(ARRAYS), text.as_bytes()).map_err(failed)?;
        let mut jobs = Vec::new();
        for (array, named) in arrays.iter().zip(&named) {
            let job = Job { name: &named.name, first: named.first, array, command, folder };
            // Where the controller took the job and its answer was lost, the batch runs twice, which costs time alone.
            jobs.push(patiently(|| queue.submit(&job))?);
        }
        Ok(Sent { jobs, batches: arrays.iter().map(|array| array.batches.len()).sum() })
    }
}

/// Tells this submission's jobs from all others of the cluster.
fn token(folder: &Path) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    blake3::hash(format!("{} {now} {}", folder.display(), std::process::id()).as_bytes()).to_hex()[..10].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_that_broke_off_has_no_batches() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Submission::read(folder.path()).unwrap().tasks().count(), 0);
        assert!(Submission::batch(folder.path(), 0).is_err());
        std::fs::write(folder.path().join(BATCHES), "[\"a\"]\n[\"b\",\"c\"]\n").unwrap();
        assert_eq!(Submission::batch(folder.path(), 1).unwrap(), ["b", "c"]);
        assert!(Submission::batch(folder.path(), 2).is_err());
    }
}
