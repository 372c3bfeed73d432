//! A submission: a folder that says which batch has which cells, and the job arrays that run them.

use super::{Array, Slurm, SlurmError, patiently};
use crate::run::write_atomically;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

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

/// How a task is started: everything but the number of its batch.
#[derive(Debug, Clone)]
pub struct TaskCommand {
    pub words: Vec<OsString>,
    pub directory: PathBuf,
}

/// What was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The ids of the arrays.
    pub jobs: Vec<String>,
    pub batches: usize,
}

const ARRAYS: &str = "arrays.json";
const BATCHES: &str = "batches.jsonl";

impl Submission {
    /// Reads a folder; one that was never completed has no batches.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let arrays = match std::fs::read(folder.join(ARRAYS)) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if absent(&error) => Vec::new(),
            Err(error) => return Err(error),
        };
        let batches = match std::fs::File::open(folder.join(BATCHES)) {
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
        let mut lines = BufReader::new(std::fs::File::open(folder.join(BATCHES))?).lines();
        match lines.nth(number) {
            Some(line) => Ok(serde_json::from_str(&line?)?),
            None => Err(io::Error::other(format!("there is no batch {number} in {}", folder.display()))),
        }
    }

    /// The names of its arrays, as `squeue` and `scancel` know them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|array| array.name.as_str())
    }

    /// (array, index, keys) of every task.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (&str, usize, &[String])> {
        self.arrays.iter().flat_map(|array| {
            (0..array.tasks).filter_map(|index| {
                Some((array.name.as_str(), index, self.batches.get(array.first + index)?.as_slice()))
            })
        })
    }

    /// Writes the folder and submits its arrays. What was written before something failed is found again by `read`.
    pub fn send(
        folder: &Path,
        arrays: &[Array],
        command: &TaskCommand,
        options: &[String],
        slurm: Slurm,
    ) -> Result<Sent, SlurmError> {
        let failed = |error: io::Error| SlurmError::Refused(error.to_string());
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
            let script = folder.join(format!("{}.sh", named.name));
            write_atomically(&script, script_text(named, command).as_bytes()).map_err(failed)?;
            let arguments = arguments(array, named, command, options, &script);
            // Where the controller took the job and its answer was lost, the batch runs twice, which costs time alone.
            jobs.push(patiently(|| slurm.submit(&arguments))?);
        }
        Ok(Sent { jobs, batches: arrays.iter().map(|array| array.batches.len()).sum() })
    }
}

/// Tells this submission's jobs from all others of the cluster.
fn token(folder: &Path) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    blake3::hash(format!("{} {now} {}", folder.display(), std::process::id()).as_bytes()).to_hex()[..10].to_string()
}

fn arguments(
    array: &Array,
    named: &NamedArray,
    command: &TaskCommand,
    options: &[String],
    script: &Path,
) -> Vec<OsString> {
    let minutes = array.time.as_secs().div_ceil(60);
    let megabytes = array.memory.div_ceil(1 << 20);
    let mut arguments: Vec<OsString> = [
        "--parsable".to_string(),
        format!("--job-name={}", named.name),
        format!("--array=0-{}", named.tasks - 1),
        "--ntasks=1".to_string(),
        "--cpus-per-task=1".to_string(),
        format!("--time={minutes}"),
        format!("--mem={megabytes}M"),
        "--requeue".to_string(),
        "--open-mode=append".to_string(),
    ]
    .map(OsString::from)
    .to_vec();
    let with = |option: &str, path: &Path, tail: &str| {
        let mut word = OsString::from(option);
        word.push(path);
        word.push(tail);
        word
    };
    arguments.push(with("--chdir=", &command.directory, ""));
    // A percent sign in a path is one to Slurm only when doubled.
    let log = script.with_extension("").to_string_lossy().replace('%', "%%");
    arguments.push(format!("--output={log}-%a.log").into());
    if array.timed {
        arguments.push("--exclusive".into());
    }
    // What the user says comes last, and so wins.
    arguments.extend(options.iter().map(OsString::from));
    arguments.push(script.into());
    arguments
}

fn script_text(array: &NamedArray, command: &TaskCommand) -> String {
    let words: Vec<String> = command.words.iter().map(|word| quoted(&word.to_string_lossy())).collect();
    format!(
        "#!/bin/sh\n# A task runs one batch of cells; those that are in the store already it leaves alone.\nexec {} \"$(({} + SLURM_ARRAY_TASK_ID))\"\n",
        words.join(" "),
        array.first
    )
}

/// A word of a shell command, whatever is in it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_task_is_this_program_with_the_number_of_its_batch() {
        let array = NamedArray { name: "anonlab-x-1".into(), first: 40, tasks: 2 };
        let words = ["/opt/my lab/anonlab", "task", "it's"].map(OsString::from).to_vec();
        let script = script_text(&array, &TaskCommand { words, directory: "/".into() });
        assert!(script.starts_with("#!/bin/sh\n"));
        assert!(script.ends_with("exec '/opt/my lab/anonlab' 'task' 'it'\\''s' \"$((40 + SLURM_ARRAY_TASK_ID))\"\n"));
    }

    #[test]
    fn the_limits_of_cells_are_those_of_the_array_and_the_users_words_come_last() {
        let array =
            Array { batches: vec![vec!["k".into()]; 3], timed: true, time: Duration::from_secs(61), memory: 3 << 20 };
        let named = NamedArray { name: "n".into(), first: 0, tasks: 3 };
        let command = TaskCommand { words: vec![], directory: "/here".into() };
        let words = arguments(&array, &named, &command, &["--time=5".into()], Path::new("/100%/n.sh"));
        let words: Vec<_> = words.iter().map(|word| word.to_str().unwrap()).collect();
        for expected in ["--array=0-2", "--time=2", "--mem=3M", "--exclusive", "--output=/100%%/n-%a.log", "--requeue"]
        {
            assert!(words.contains(&expected), "{expected} is not in {words:?}");
        }
        assert_eq!(words[words.len() - 2..], ["--time=5", "/100%/n.sh"]);
    }

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
