//! One run of a program: from a dataset to the release it leaves, or to what it did instead.

use super::definition::External;
use super::failure::ProgramFailure;
use super::messages::{Said, excerpt};
use super::private::RunSecrets;
use super::request::{PROTOCOL, ProgramRequest, RequestLimits};
use super::sandbox::ProgramDirectory;
use super::tree::{Reaper, Usage};
use super::watch::{End, STDOUT_LIMIT, WatchLimits, watch};
use super::{input, output};
use crate::data::Dataset;
use crate::lab::{Killed, MemoryKills, open_plain};
use crate::release::Release;
use serde_json::{Map, Value};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// More files than this are no release.
const FILES: usize = 1_000;
/// How much of a program's error output a row keeps.
const ERROR_TAIL: u64 = 2_000;

/// What a program is to do, and what it may use.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    /// What runs.
    pub program: &'a External,
    /// What it is given.
    pub dataset: &'a Dataset,
    /// Its parameters, complete.
    pub parameters: &'a Map<String, Value>,
    /// What it may draw with.
    pub seed: u64,
    /// When it is ended.
    pub deadline: Instant,
    /// Of its whole process tree.
    pub memory: u64,
}

/// What a program did, as we measured it, whatever it says itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// What it wrote, read and found sound in form.
    pub release: Release,
    /// The times it reported.
    pub phases: Vec<(String, Duration)>,
    /// The counters it reported.
    pub counters: Vec<(String, f64)>,
}

/// Runs the program. This process must have no other children meanwhile: whatever is below it is taken for the program's
/// and ended.
pub fn publish(assignment: &Assignment, stop: &dyn Fn() -> bool) -> (Result<Published, ProgramFailure>, Usage) {
    let directory = match ProgramDirectory::new() {
        Ok(directory) => directory,
        Err(error) => return (Err(not_run("cannot make a temporary directory", error)), Usage::default()),
    };
    let mut usage = Usage::default();
    let result = run(assignment, &directory, stop, &mut usage);
    (result, usage)
}

fn not_run(what: &str, error: impl std::fmt::Display) -> ProgramFailure {
    ProgramFailure::NotRun(format!("{what}: {error}"))
}

fn run(
    assignment: &Assignment,
    directory: &ProgramDirectory,
    stop: &dyn Fn() -> bool,
    usage: &mut Usage,
) -> Result<Published, ProgramFailure> {
    let Assignment { program, dataset, parameters, seed, deadline, memory } = *assignment;
    if let Some(file) = program.changed_file() {
        return Err(ProgramFailure::NotRun(format!("`{file}` changed since the run was planned; run again")));
    }
    let arguments = program.arguments().map_err(ProgramFailure::NotRun)?;
    let limits = RequestLimits {
        seconds: deadline.saturating_duration_since(Instant::now()).as_secs_f64(),
        memory_bytes: memory,
        // Text of this size takes about the memory limit to read and verify.
        output_bytes: memory / 4,
        files: FILES,
    };
    let request = ProgramRequest {
        protocol: PROTOCOL,
        release: program.release,
        input: input::write(dataset, &directory.input())?,
        parameters: parameters.clone(),
        seed,
        limits,
        output: directory.output(),
    };
    let mut stdin = serde_json::to_vec(&request).map_err(|error| not_run("cannot write the request", error))?;
    stdin.push(b'\n');
    let grants = program.grants().map_err(ProgramFailure::NotRun)?;
    let walls = directory.walls(program.jail, &grants).map_err(|error| not_run("cannot build its jail", error))?;
    let jailed = walls.stand();
    let kills = MemoryKills::so_far();
    let reaper = Reaper::new();
    let child = directory
        .start(&arguments, &stdin, limits.output_bytes, memory, walls)
        .map_err(|error| not_run(&format!("cannot start `{}`", program.title()), error))?;
    let private = RunSecrets { directory: directory.root().to_path_buf(), process: child.id() };
    let watched = WatchLimits { deadline, memory, output_bytes: limits.output_bytes, files: limits.files };
    let end;
    (end, *usage) = watch(&child, reaper, directory, &watched, stop);
    match end {
        End::Exited(status) => judge(assignment, directory, status, &limits, jailed, kills, &private)
            .map_err(|failure| failure.without(&private)),
        End::Deadline => Err(ProgramFailure::Timeout),
        End::Memory => Err(ProgramFailure::OutOfMemory(format!("its processes held more than {} MB", memory >> 20))),
        End::Excess(what) => Err(ProgramFailure::Failed(what)),
        End::Stopped => Err(ProgramFailure::Stopped),
    }
}

/// What an ended program's status, messages and files mean.
fn judge(
    assignment: &Assignment,
    directory: &ProgramDirectory,
    status: ExitStatus,
    limits: &RequestLimits,
    jailed: bool,
    kills: MemoryKills,
    private: &RunSecrets,
) -> Result<Published, ProgramFailure> {
    let mut messages = Vec::new();
    // It may have put something else in place of the file.
    open_plain(&directory.stdout())
        .and_then(|file| file.take(STDOUT_LIMIT).read_to_end(&mut messages))
        .map_err(|error| ProgramFailure::Failed(format!("its standard output cannot be read: {error}")))?;
    let said = Said::read(&messages);
    if let Ok(Said { refusal: Some(reason), .. }) = &said {
        return Err(ProgramFailure::Refused(reason.clone()));
    }
    if !status.success() {
        return Err(unsuccessful(status, kills, &error_tail(directory, private), limits, jailed));
    }
    let said = said.map_err(ProgramFailure::Failed)?;
    let release = output::read(assignment.program.release, assignment.dataset, &directory.output())?;
    Ok(Published { release, phases: said.phases.into_iter().collect(), counters: said.counters.into_iter().collect() })
}

/// What programs of many languages say when the kernel refuses them something.
const REFUSALS: [&str; 4] = ["ermission denied", "not permitted", "EACCES", "EPERM"];

fn unsuccessful(
    status: ExitStatus,
    kills: MemoryKills,
    errors: &str,
    limits: &RequestLimits,
    jailed: bool,
) -> ProgramFailure {
    let said = if errors.is_empty() { String::new() } else { format!(": {errors}") };
    match kills.judge(status) {
        Some(Killed::ForMemory) => {
            return ProgramFailure::OutOfMemory(format!("killed by the system for lack of memory{said}"));
        }
        Some(Killed::FromOutside) => return ProgramFailure::Killed(format!("was killed from outside ({status})")),
        None => {}
    }
    match status.signal() {
        Some(libc::SIGXFSZ) => {
            ProgramFailure::Failed(format!("wrote a file of more than {} MB", limits.output_bytes >> 20))
        }
        _ if jailed && REFUSALS.iter().any(|refusal| errors.contains(refusal)) => ProgramFailure::Failed(format!(
            "ended with {status}{said}; its jail closes files that the spec does not name, TCP ports and other processes to it"
        )),
        _ => ProgramFailure::Failed(format!("ended with {status}{said}")),
    }
}

/// The end of what it wrote to standard error.
fn error_tail(directory: &ProgramDirectory, private: &RunSecrets) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = open_plain(&directory.stderr())?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(ERROR_TAIL)))?;
        let mut tail = Vec::new();
        file.take(ERROR_TAIL).read_to_end(&mut tail)?;
        Ok(tail)
    };
    let tail = read().unwrap_or_default();
    // The last lines say most: a traceback's own message is its last.
    let text = private.removed_from(&String::from_utf8_lossy(&tail));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].iter().map(|line| excerpt(line.as_bytes())).collect::<Vec<_>>().join(" · ")
}
