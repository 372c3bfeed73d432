//! The worker: one cell in a process of its own. It gets a work order on standard input and answers on standard output.

use super::code::build_name;
use super::{AlgorithmCell, Cell, Limits, heap, programs};
use crate::data::{DataLocations, Dataset, load};
use crate::lab::{Attachment, LabError, Observation, Seed, Workbench};
use crate::measure::measure;
use crate::publish::publisher;
use crate::release::{Guarantee, Release, ReleaseFile, Verdict, verify};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How a cell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Ok,
    Timeout,
    OutOfMemory,
    Failed,
    /// A verifier refused the release.
    Invalid,
    /// It could not run here (its data is absent and no stand-in is allowed).
    Skipped,
}

impl Status {
    pub const ALL: [Self; 6] = [Self::Ok, Self::Timeout, Self::OutOfMemory, Self::Failed, Self::Invalid, Self::Skipped];

    /// As it stands in CSV.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Timeout => "timeout",
            Self::OutOfMemory => "out_of_memory",
            Self::Failed => "failed",
            Self::Invalid => "invalid",
            Self::Skipped => "skipped",
        }
    }
}

/// What a cell found, or why it found nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub status: Status,
    /// Empty when all is well.
    pub reason: String,
    /// The worker itself broke (a signal, garbage on its output): not an answer to keep.
    #[serde(default)]
    pub crashed: bool,
    pub observations: Vec<Observation>,
    pub costs: Costs,
    /// Of the release files, so that a changed release is noticed even when no metric moves.
    pub release_digest: Option<String>,
    /// The guarantee that the verifier held the release to, as JSON; None where there was no release to verify.
    #[serde(default)]
    pub verified: Option<String>,
    /// What the worker was built with: heap and allocations repeat only within one build.
    #[serde(default)]
    pub build: Option<String>,
}

impl Answer {
    pub fn without_result(status: Status, reason: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
            crashed: false,
            observations: Vec::new(),
            costs: Costs::default(),
            release_digest: None,
            verified: None,
            build: None,
        }
    }
}

/// What the algorithm cost; loading, verifying and storing are not in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// (metric, value), in a fixed order: `seconds`, `seconds.<phase>`, `cpu_seconds`, `peak_heap_bytes`, …
    pub metrics: Vec<(String, f64)>,
    /// Wall-clock time of the whole cell, as the scheduler saw it: for estimates.
    pub cell_seconds: f64,
}

/// What a worker is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrder {
    pub cell: Cell,
    pub locations: DataLocations,
    pub limits: Limits,
    /// Where to leave the release and its attachments, if anybody wants them.
    pub keep: Option<PathBuf>,
}

/// Serves one order: the body of the hidden `worker` command.
pub fn serve(mut input: impl Read, mut output: impl Write) -> std::io::Result<()> {
    let start = Instant::now();
    die_with_parent(libc::SIGKILL);
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let order: WorkOrder = serde_json::from_str(&text)?;
    heap::set_ceiling(usize::try_from(order.limits.memory.0).unwrap_or(usize::MAX));
    let mut answer = match compute(&order, start) {
        Ok(answer) => answer,
        Err(error) => Answer::without_result(Status::Failed, error.to_string()),
    };
    answer.build = Some(build_name().to_string());
    serde_json::to_writer(&mut output, &answer)?;
    output.flush()
}

fn compute(order: &WorkOrder, start: Instant) -> Result<Answer, LabError> {
    let cell = &order.cell;
    let seed = Seed(cell.seed);
    let loaded = load(&cell.dataset, &order.locations, seed).map_err(|error| LabError::input(error.to_string()))?;
    let dataset = Dataset { name: cell.dataset_name.clone(), ..loaded.dataset };
    let mut answer = Answer::without_result(Status::Ok, "");
    let mut attachments = Vec::new();

    let release = match &cell.algorithm {
        None => None,
        Some(algorithm) => {
            let publication = match &algorithm.external {
                None => built_in(cell, algorithm, &dataset)?,
                Some(program) => programs::publish(program, order, &dataset, start),
            };
            answer.costs.metrics = publication.costs;
            let counters = publication.counters.into_iter();
            answer.observations.extend(counters.map(|(metric, value)| Observation { metric, at: None, value }));
            let release = match publication.release {
                Ok(release) => release,
                Err(answer) => return Ok(answer),
            };
            let files = release.files(&dataset)?;
            answer.release_digest = Some(digest(&files));
            keep_files(order.keep.as_deref(), &files)?;
            let guarantee = publication.guarantee?;
            answer.verified = serde_json::to_string(&guarantee).ok();
            if let Verdict::Broken(faults) = verify(&dataset, &release, &guarantee)? {
                answer.status = Status::Invalid;
                answer.reason = faults.join("; ");
                answer.observations.clear();
                return Ok(answer);
            }
            Some(release)
        }
    };
    measure_all(order, &dataset, release.as_ref(), &mut answer, &mut attachments)?;
    let attachments: Vec<(&str, &[u8])> =
        attachments.iter().map(|file: &Attachment| (file.name.as_str(), file.bytes.as_slice())).collect();
    keep_all(order.keep.as_deref(), &attachments)?;
    // That of a program is known already, and this process is not it.
    if cell.algorithm.as_ref().is_none_or(|algorithm| algorithm.external.is_none()) {
        answer.costs.metrics.push(("peak_rss_bytes".to_string(), peak_resident_bytes() as f64));
    }
    Ok(answer)
}

/// What came of an algorithm's run.
pub(super) struct Publication {
    /// Or the answer of a cell without a release.
    pub release: Result<Release, Answer>,
    /// What the release must keep.
    pub guarantee: Result<Guarantee, LabError>,
    pub costs: Vec<(String, f64)>,
    pub counters: Vec<(String, f64)>,
}

fn built_in(cell: &Cell, algorithm: &AlgorithmCell, dataset: &Dataset) -> Result<Publication, LabError> {
    let publisher = publisher(&algorithm.publisher)
        .ok_or_else(|| LabError::input(format!("there is no publisher `{}`", algorithm.publisher)))?;
    let mut bench = Workbench::new(Seed(cell.seed), cell.algorithm_axes());
    let (release, spent) = spend(|| publisher.publish(dataset, &algorithm.parameters, &mut bench));
    Ok(Publication {
        release: Ok(release?),
        guarantee: publisher.guarantee(&algorithm.parameters),
        costs: spent.metrics(bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed))),
        counters: bench.counters().iter().map(|(name, &value)| (name.clone(), value)).collect(),
    })
}

fn measure_all(
    order: &WorkOrder,
    dataset: &Dataset,
    release: Option<&Release>,
    answer: &mut Answer,
    attachments: &mut Vec<Attachment>,
) -> Result<(), LabError> {
    for wanted in &order.cell.measures {
        let known = measure(&wanted.measure)
            .ok_or_else(|| LabError::input(format!("there is no measure `{}`", wanted.measure)))?;
        let mut bench = Workbench::new(Seed(order.cell.seed), order.cell.measure_axes(wanted))
            .keeping_attachments(order.keep.is_some());
        let (observations, spent) = spend(|| known.measure(dataset, release, &wanted.parameters, &mut bench));
        answer.observations.extend(observations.map_err(|error| prefixed(&wanted.name, error))?);
        // A measure's time is its own cost, named after it and its phases.
        let own = std::iter::once((wanted.name.as_str(), spent.elapsed));
        let phases = bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed));
        answer
            .costs
            .metrics
            .extend(own.chain(phases).map(|(name, time)| (format!("seconds.{name}"), time.as_secs_f64())));
        answer.costs.metrics.push((format!("peak_heap_bytes.{}", wanted.name), spent.heap.peak_bytes as f64));
        attachments.extend(bench.attachments().iter().cloned());
    }
    Ok(())
}

fn prefixed(measure: &str, error: LabError) -> LabError {
    match error {
        LabError::Input(message) => LabError::Input(format!("{measure}: {message}")),
        LabError::Unreachable(message) => LabError::Unreachable(format!("{measure}: {message}")),
        LabError::NoAnswer(message) => LabError::NoAnswer(format!("{measure}: {message}")),
    }
}

/// What one call took.
struct Spent {
    elapsed: Duration,
    cpu: Duration,
    heap: heap::HeapUse,
}

impl Spent {
    fn metrics<'a>(&self, phases: impl Iterator<Item = (&'a str, Duration)>) -> Vec<(String, f64)> {
        let mut metrics = vec![("seconds".to_string(), self.elapsed.as_secs_f64())];
        metrics.extend(phases.map(|(name, time)| (format!("seconds.{name}"), time.as_secs_f64())));
        metrics.push(("cpu_seconds".to_string(), self.cpu.as_secs_f64()));
        metrics.push(("peak_heap_bytes".to_string(), self.heap.peak_bytes as f64));
        metrics.push(("allocations".to_string(), self.heap.allocations as f64));
        metrics
    }
}

fn spend<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let (cpu, start) = (cpu_time(), Instant::now());
    let (result, heap) = heap::watch(work);
    let elapsed = start.elapsed();
    (result, Spent { elapsed, cpu: cpu_time().saturating_sub(cpu), heap })
}

/// User and system time of this process so far.
fn cpu_time() -> Duration {
    // SAFETY: rusage is plain data, and the call only writes into it.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let time = |value: libc::timeval| Duration::new(value.tv_sec as u64, value.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// The peak resident set of this process image. Not `ru_maxrss`, which on Linux starts at the size of the parent that
/// forked us.
fn peak_resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().split(' ').next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn digest(files: &[ReleaseFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(file.name.as_bytes());
        hasher.update(&(file.bytes.len() as u64).to_le_bytes());
        hasher.update(&file.bytes);
    }
    hasher.finalize().to_hex().to_string()
}

fn keep_files(directory: Option<&Path>, files: &[ReleaseFile]) -> Result<(), LabError> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name, file.bytes.as_slice())).collect();
    keep_all(directory, &files)
}

fn keep_all(directory: Option<&Path>, files: &[(&str, &[u8])]) -> Result<(), LabError> {
    let Some(directory) = directory else { return Ok(()) };
    for (name, bytes) in files {
        super::store::write_atomically(&directory.join(name), bytes)
            .map_err(|error| LabError::no_answer(format!("cannot keep {name}: {error}")))?;
    }
    Ok(())
}

/// A worker whose run was killed has nobody to answer to: it gets `signal` then.
pub(super) fn die_with_parent(signal: i32) {
    // SAFETY: asks the kernel for a signal; touches no memory.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, signal as libc::c_ulong);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = signal;
}
