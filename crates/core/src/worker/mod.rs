//! The worker: one cell in a process of its own. It gets a work order on standard input and answers on standard output.

#![allow(unsafe_code)]

pub mod counters;
pub mod heap;
mod programs;
mod surroundings;

pub use programs::reserved_counter;

use crate::answer::{Answer, Status};
use crate::cell::{AlgorithmCell, Cell, MeasureCell};
use crate::data::{DataLocations, Dataset, Digest, load_once};
use crate::examination::Finished;
use crate::lab::{
    Aside, Attachment, Cost, LabError, Limits, Observation, Shared, Whereabouts, Witness, Workbench, cpu_time,
    write_atomically,
};
use crate::measures::measure;
use crate::publish::external::{self, contract};
use crate::publish::publisher;
use crate::release::{Guarantee, Release, ReleaseFile, Verdict, verify};
use crate::{build_name, code_digest};
use counters::Counts;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getppid, test_kill_process};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};
use surroundings::Surroundings;

/// What a worker is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrder {
    pub cell: Cell,
    /// The files behind the dataset with their digests, as they are in the cell's key: other bytes are refused. None takes
    /// whatever there is.
    #[serde(default)]
    pub data: Option<Arc<Vec<(String, String)>>>,
    pub locations: DataLocations,
    pub limits: Limits,
    /// Where to leave the release and its attachments, if anybody wants them.
    pub keep: Option<PathBuf>,
    /// How its time is taken, if anybody looks at it.
    #[serde(default)]
    pub timing: Timing,
    /// Whether somebody waits who wants to know where the work is: lines that begin with [`TELLS`], before the answer.
    #[serde(default)]
    pub tell: bool,
}

/// What a line on standard output begins with that says where a worker is.
pub const TELLS: &str = "# ";

/// How the time of an algorithm is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// A publisher that is quick is called several times, and what else went on is told.
    pub careful: bool,
    /// Keep to this core.
    pub pin: Option<usize>,
}

/// A publisher that takes longer than this is called once.
const QUICK: Duration = Duration::from_millis(50);
/// Calls of a quick publisher after the first: as many as fill [`QUICK`], within these.
const FEWEST_CALLS: usize = 3;
const MOST_CALLS: usize = 25;

/// The exit code of a worker that was asked to end by somebody, or whose program was: there is no answer.
pub const KILLED_EXIT: i32 = 87;
/// The variable that has the process id of the run a worker belongs to.
pub const RUN_VARIABLE: &str = "ANONLAB_RUN";
/// How long after its time limit a worker ends by itself. Its run ends it before, unless the run was stopped or killed.
const OVERTIME: Duration = Duration::from_secs(10);

/// Serves one order: the body of the hidden `worker` command.
pub fn serve(mut input: impl Read, mut output: impl Write) -> std::io::Result<()> {
    let start = Instant::now();
    die_with_parent(Signal::KILL);
    if is_orphan() {
        return Err(std::io::Error::other("the run that this worker belongs to is gone"));
    }
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let order: WorkOrder = serde_json::from_str(&text)?;
    end_at(start + order.limits.time.0 + OVERTIME);
    heap::set_ceiling(usize::try_from(order.limits.memory.0).unwrap_or(usize::MAX));
    if let Some(core) = order.timing.pin {
        surroundings::keep_to_core(core);
    }
    if order.timing.careful {
        // Where there are none, the costs have none.
        let _ = counters::start();
    }
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
    let whereabouts = order.tell.then(|| Whereabouts::new(tell));
    let enter = |phase: &str| whereabouts.iter().for_each(|whereabouts| whereabouts.enter(phase));
    enter("loading");
    let loading = Instant::now();
    let once = load_once(&cell.dataset, &order.locations, cell.root(), code_digest())
        .map_err(|error| LabError::input(error.to_string()))?;
    // What is timed costs what it costs, whatever others found before.
    let shared = (!order.timing.careful).then(|| once.shared(&order.locations)).flatten();
    let loaded = once.loaded;
    let loading = loading.elapsed();
    if let Some(change) = order.data.as_ref().and_then(|planned| changed_data(planned, &loaded.digests)) {
        // Not an answer to keep: under the planned key it would be a lie, and the next run plans with what is there then.
        return Ok(Answer { crashed: true, ..Answer::without_result(Status::Failed, change) });
    }
    let dataset = Dataset { name: cell.dataset_name.clone(), ..loaded.dataset };
    let mut answer = Answer::without_result(Status::Ok, "");
    let mut attachments = Vec::new();

    let release = match &cell.algorithm {
        None => None,
        Some(algorithm) => {
            enter("publishing");
            let before = order.timing.careful.then(Surroundings::now);
            let publication = match (&algorithm.external, &algorithm.finished) {
                (None, None) => built_in(cell, algorithm, &dataset, order.timing)?,
                (Some(program), _) => programs::publish(program, order, &dataset, start),
                (None, Some(files)) => finished(files, algorithm, &dataset),
            };
            answer.costs.disturbance = before.map(Surroundings::since);
            answer.costs.metrics = publication.costs.into_iter().map(|(name, cost)| (name.into(), cost)).collect();
            let counters = publication.counters.into_iter();
            answer.observations.extend(counters.map(|(metric, value)| Observation {
                metric: metric.into(),
                at: None,
                value,
            }));
            let release = match publication.release {
                Ok(release) => release,
                Err(answer) => return Ok(answer),
            };
            enter("verifying");
            let verifying = Instant::now();
            let files = release.files(&dataset)?;
            answer.release_digest = Some(digest(&files));
            keep_files(order.keep.as_deref(), &files)?;
            let guarantee = publication.guarantee?;
            answer.verified = serde_json::to_string(&guarantee).ok();
            let verdict = verify(&dataset, &release, &guarantee)?;
            if let Verdict::Broken(_) = verdict {
                answer.status = Status::Invalid;
                answer.reason = verdict.reason();
                answer.observations.clear();
                answer.witnesses = shown(verdict.witnesses(), cell, &dataset);
                return Ok(answer);
            }
            let part = |name: &str, time: Duration| (Cost::Seconds.of_part(name).into(), time.as_secs_f64());
            answer.costs.metrics.extend([part("load", loading), part("verify", verifying.elapsed())]);
            Some(release)
        }
    };
    let around = Around { shared, whereabouts };
    measure_all(order, &dataset, release.as_ref(), &around, &mut answer, &mut attachments)?;
    let attachments: Vec<(&str, &[u8])> =
        attachments.iter().map(|file: &Attachment| (file.name.as_str(), file.bytes.as_slice())).collect();
    keep_all(order.keep.as_deref(), &attachments)?;
    // That of a program is known already, and this process is not it; a finished release was made by nothing here.
    let made_here = |algorithm: &Arc<AlgorithmCell>| algorithm.external.is_none() && algorithm.finished.is_none();
    if cell.algorithm.as_ref().is_none_or(made_here) {
        answer.costs.metrics.push((Cost::PeakRssBytes.name().into(), peak_resident_bytes() as f64));
    }
    Ok(answer)
}

/// What is different in the data that was read from the data the cell was planned with.
fn changed_data(planned: &[(String, String)], read: &[Digest]) -> Option<String> {
    let as_planned = |read: &Digest, planned: &(String, String)| read.file == planned.0 && read.sha256 == planned.1;
    if read.len() == planned.len() && read.iter().zip(planned).all(|(read, planned)| as_planned(read, planned)) {
        return None;
    }
    let changed = read.iter().find(|read| !planned.iter().any(|planned| as_planned(read, planned)));
    let file = changed.map(|read| &read.file).or(planned.first().map(|(file, _)| file));
    Some(format!(
        "{} changed after this cell was planned; run again to plan with what is there now",
        file.map_or("the data", |file| file.as_str())
    ))
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

fn built_in(
    cell: &Cell,
    algorithm: &AlgorithmCell,
    dataset: &Dataset,
    timing: Timing,
) -> Result<Publication, LabError> {
    let publisher = publisher(&algorithm.publisher)
        .ok_or_else(|| LabError::input(format!("there is no publisher `{}`", algorithm.publisher)))?;
    let call = || -> Result<(Release, Workbench, Spent), LabError> {
        let mut bench = Workbench::new(cell.root(), cell.algorithm_axes());
        let (release, spent) = spend(|| publisher.publish(dataset, &algorithm.parameters, &mut bench));
        holds_to_its_word(publisher.name(), publisher.about().randomized, &bench)?;
        let spent = spent.without(bench.spent_aside());
        Ok((release?, bench, spent))
    };
    let (release, bench, spent) = call()?;
    let costs = match timing.careful && spent.elapsed < QUICK {
        false => spent.metrics(phases(&bench)),
        true => {
            let first = digest(&release.files(dataset)?);
            let calls = (QUICK.as_secs_f64() / spent.elapsed.as_secs_f64().max(1e-9)) as usize;
            let mut again: Vec<(Workbench, Spent)> = Vec::new();
            for _ in 0..calls.clamp(FEWEST_CALLS, MOST_CALLS) {
                let (release, bench, spent) = call()?;
                if digest(&release.files(dataset)?) != first {
                    return Err(LabError::no_answer(NOT_REPEATABLE));
                }
                again.push((bench, spent));
            }
            warm(&spent, again)
        }
    };
    Ok(Publication {
        release: Ok(release),
        guarantee: publisher.guarantee(&algorithm.parameters),
        costs,
        counters: bench.counters().iter().map(|(name, &value)| (name.clone(), value)).collect(),
    })
}

/// A release that somebody else made: it costs nothing here, and is held to its guarantee as any other.
fn finished(files: &Finished, algorithm: &AlgorithmCell, dataset: &Dataset) -> Publication {
    let release = files.read(dataset).map_err(|error| match error {
        LabError::NoAnswer(reason) => Answer { crashed: true, ..Answer::without_result(Status::Failed, reason) },
        error => Answer::without_result(Status::Invalid, error.to_string()),
    });
    let guarantee = contract(files.release, Some(&files.guarantee))
        .ok_or_else(|| LabError::input(format!("{} have no guarantee `{}`", files.release, files.guarantee)))
        .and_then(|contract| contract.guarantee(&algorithm.parameters));
    Publication { release, guarantee, costs: Vec::new(), counters: Vec::new() }
}

/// What is wrong with work that gives something else every time.
pub const NOT_REPEATABLE: &str = "gave another release when it ran again with the same data, parameters and seed";

fn phases(bench: &Workbench) -> impl Iterator<Item = (&str, Duration)> {
    bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed))
}

/// The costs of calls after the first: the one in the middle, with its phases. Heap and allocations are those of the first
/// call, which repeat from run to run; so is `seconds.first`, which has the cold caches in it.
fn warm(first: &Spent, mut again: Vec<(Workbench, Spent)>) -> Vec<(String, f64)> {
    again.sort_by_key(|(_, spent)| spent.elapsed);
    let cpu = again.iter().map(|(_, spent)| spent.cpu).sum::<Duration>() / again.len() as u32;
    let (bench, middle) = &again[again.len() / 2];
    let typical = Spent { elapsed: middle.elapsed, cpu, heap: first.heap, counts: middle.counts };
    let mut metrics = typical.metrics(phases(bench));
    metrics.insert(1, ("seconds.first".to_string(), first.elapsed.as_secs_f64()));
    metrics
}

/// What measures are given beside data and release, none of which changes what they find.
struct Around {
    shared: Option<Shared>,
    whereabouts: Option<Whereabouts>,
}

impl Around {
    fn bench(&self, cell: &Cell, measure: &MeasureCell, repetition: u32) -> Workbench {
        Workbench::new(cell.root(), cell.measure_axes(measure, repetition))
            .sharing(self.shared.clone())
            .telling(self.whereabouts.clone())
    }
}

/// Tells where the worker is. Nobody may listen any more, which is no reason to stop.
fn tell(place: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{TELLS}{place}").and_then(|()| out.flush());
}

fn measure_all(
    order: &WorkOrder,
    dataset: &Dataset,
    release: Option<&Release>,
    around: &Around,
    answer: &mut Answer,
    attachments: &mut Vec<Attachment>,
) -> Result<(), LabError> {
    for wanted in order.cell.measures.iter() {
        let known = measure(&wanted.measure)
            .ok_or_else(|| LabError::input(format!("there is no measure `{}`", wanted.measure)))?;
        let cell = &order.cell;
        if let Some(whereabouts) = &around.whereabouts {
            whereabouts.enter(&format!("measuring {}", wanted.name));
        }
        let mut bench = around
            .bench(cell, wanted, cell.repetition)
            .keeping_attachments(order.keep.is_some())
            .wanting_witnesses(true);
        let (observations, spent) = spend(|| known.measure(dataset, release, &wanted.parameters, &mut bench));
        let spent = spent.without(bench.spent_aside());
        holds_to_its_word(known.name(), known.draws(), &bench)?;
        answer.observations.extend(observations.map_err(|error| prefixed(&wanted.name, error))?);
        // A measure's time is its own cost, named after it and its phases.
        let own = std::iter::once((wanted.name.as_str(), spent.elapsed));
        let phases = bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed));
        answer
            .costs
            .metrics
            .extend(own.chain(phases).map(|(name, time)| (Cost::Seconds.of_part(name).into(), time.as_secs_f64())));
        answer.costs.metrics.push((Cost::PeakHeapBytes.of_part(&wanted.name).into(), spent.heap.peak_bytes as f64));
        attachments.extend(bench.attachments().iter().cloned());
        answer.witnesses.extend(shown(bench.witnesses(), cell, dataset));
        // The costs are those of the first workload: of the others only what they say of the release is wanted.
        for further in 1..if known.draws() { cell.workloads } else { 1 } {
            let mut bench = around.bench(cell, wanted, cell.repetition + further);
            let observations = known.measure(dataset, release, &wanted.parameters, &mut bench);
            let place = further as usize - 1;
            if answer.further_workloads.len() <= place {
                answer.further_workloads.push(Vec::new());
            }
            answer.further_workloads[place].extend(observations.map_err(|error| prefixed(&wanted.name, error))?);
        }
    }
    Ok(())
}

/// Witnesses as they may be kept: with what the original says of their rows, or by number alone.
fn shown(witnesses: &[Witness], cell: &Cell, dataset: &Dataset) -> Vec<Witness> {
    let rows_may_be_shown = cell.dataset.rows_may_be_shown(dataset.origin);
    let shown = |witness: &Witness| {
        let mut witness = witness.clone();
        match rows_may_be_shown {
            true => dataset.introduce(&mut witness),
            false => witness.by_number(),
        }
        witness
    };
    witnesses.iter().map(shown).collect()
}

/// What says that it draws nothing is planned once for all seeds, so it must not draw.
fn holds_to_its_word(name: &str, draws: bool, bench: &Workbench) -> Result<(), LabError> {
    match bench.drew() && !draws {
        true => Err(LabError::no_answer(format!("`{name}` is registered as drawing nothing, and drew random numbers"))),
        false => Ok(()),
    }
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
    /// Where the hardware counts.
    counts: Option<Counts>,
}

impl Spent {
    /// Less what was spent on instrumentation.
    fn without(self, aside: Aside) -> Self {
        let elapsed = self.elapsed.saturating_sub(aside.elapsed);
        Self { elapsed, cpu: self.cpu.saturating_sub(aside.cpu), ..self }
    }

    fn metrics<'a>(&self, phases: impl Iterator<Item = (&'a str, Duration)>) -> Vec<(String, f64)> {
        let metric = |cost: Cost, value| (cost.name().to_string(), value);
        let mut metrics = vec![metric(Cost::Seconds, self.elapsed.as_secs_f64())];
        metrics.extend(phases.map(|(name, time)| (Cost::Seconds.of_part(name), time.as_secs_f64())));
        metrics.push(metric(Cost::CpuSeconds, self.cpu.as_secs_f64()));
        metrics.push(metric(Cost::PeakHeapBytes, self.heap.peak_bytes as f64));
        metrics.push(metric(Cost::Allocations, self.heap.allocations as f64));
        metrics.push(metric(Cost::AllocatedBytes, self.heap.allocated_bytes as f64));
        metrics.extend(counted(self.counts));
        metrics
    }
}

/// As costs; none where nothing was counted.
fn counted(counts: Option<Counts>) -> impl Iterator<Item = (String, f64)> {
    counts.into_iter().flat_map(|counts| {
        [(Cost::Instructions, counts.instructions), (Cost::CacheMisses, counts.cache_misses)]
            .map(|(cost, count)| (cost.name().to_string(), count as f64))
    })
}

fn spend<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let before = counters::now();
    let (cpu, start) = (cpu_time(), Instant::now());
    let (result, heap) = heap::watch(work);
    let elapsed = start.elapsed();
    let cpu = cpu_time().saturating_sub(cpu);
    let counts = counters::now().zip(before).map(|(now, before)| now.since(before));
    (result, Spent { elapsed, cpu, heap, counts })
}

/// The peak resident set of this process image. Not `ru_maxrss`, which on Linux starts at the size of the parent that
/// forked us.
#[cfg(target_os = "linux")]
fn peak_resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().split(' ').next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The peak resident set of this process, as other systems tell it.
#[cfg(not(target_os = "linux"))]
fn peak_resident_bytes() -> u64 {
    // SAFETY: rusage is plain data for which zeros are valid, and the call only writes into it.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    // Apple's counts in bytes, the others in kilobytes.
    usage.ru_maxrss as u64 * if cfg!(target_vendor = "apple") { 1 } else { 1024 }
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
        write_atomically(&directory.join(name), bytes)
            .map_err(|error| LabError::no_answer(format!("cannot keep {name}: {error}")))?;
    }
    Ok(())
}

/// Whether the run was killed before the kernel was told to end its workers with it. Its parent need not be the run itself:
/// a script may stand between them.
fn is_orphan() -> bool {
    let run = std::env::var(RUN_VARIABLE).ok().and_then(|id| Pid::from_raw(id.parse().ok()?));
    run.is_some_and(|run| getppid() != Some(run) && test_kill_process(run) == Err(Errno::SRCH))
}

/// Ends this process and the program it runs at `deadline`, whatever it does then. Comes back when the watch has begun: what a thread
/// allocates to start would else be counted as what a publisher does.
fn end_at(deadline: Instant) {
    let begun = Arc::new(Barrier::new(2));
    let watching = begun.clone();
    let watch = move || {
        watching.wait();
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        external::end_all();
        std::process::exit(KILLED_EXIT);
    };
    // Without it, the run alone keeps the time.
    if std::thread::Builder::new().name("deadline".to_string()).stack_size(64 << 10).spawn(watch).is_ok() {
        begun.wait();
    }
}

/// A worker whose run was killed has nobody to answer to: it gets `signal` then.
fn die_with_parent(signal: Signal) {
    // Where there is no such thing, a worker outlives its run until it is done.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(signal));
    #[cfg(not(target_os = "linux"))]
    let _ = signal;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DatasetDefinition, resolve};
    use std::fs;

    /// Somebody edits a data file or a hierarchy after the plan was made.
    #[test]
    fn data_other_than_the_planned_is_refused_and_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let (rows, tree) = ("zip,ill\n1,flu\n2,cold\n1,cold\n2,flu\n", "1;low;*\n2;low;*\n");
        let locations = DataLocations::new(Some(folder.path().to_path_buf()));
        let definition: DatasetDefinition = serde_json::from_value(serde_json::json!({
            "source": {"file": "people.csv", "format": "csv"},
            "quasi_identifiers": ["zip"], "sensitive": "ill",
            "hierarchies": {"zip": {"file": "zip.csv"}},
        }))
        .unwrap();
        write("people.csv", rows);
        write("zip.csv", tree);
        let planned = resolve(&definition, &locations).unwrap().digests;
        let cell = Cell {
            dataset_name: "people".into(),
            dataset: definition.into(),
            algorithm: None,
            measures: Default::default(),
            repetition: 0,
            workloads: 1,
            seed: Some(1),
        };
        let data = planned.into_iter().map(|digest| (digest.file, digest.sha256)).collect();
        let order = WorkOrder {
            cell,
            data: Some(Arc::new(data)),
            locations,
            limits: Limits::default(),
            keep: None,
            timing: Timing::default(),
            tell: false,
        };
        let answer = || compute(&order, Instant::now()).unwrap();
        assert_eq!(answer().status, Status::Ok);
        for (file, was, is) in
            [("people.csv", rows, rows.replace("1,cold", "1,flu")), ("zip.csv", tree, tree.replace("low", "all"))]
        {
            write(file, &is);
            let refused = answer();
            assert_eq!((refused.status, refused.crashed), (Status::Failed, true));
            assert!(
                refused.reason.starts_with(&format!("{file} changed after this cell was planned")),
                "{}",
                refused.reason
            );
            write(file, was);
            assert_eq!(answer().status, Status::Ok);
        }
    }

    #[test]
    fn what_says_that_it_draws_nothing_must_not_draw() {
        let bench = Workbench::new(crate::lab::Seed(1), ());
        assert!(holds_to_its_word("quiet", false, &bench).is_ok());
        let _ = bench.rng("queries");
        assert!(holds_to_its_word("open", true, &bench).is_ok());
        let error = holds_to_its_word("sly", false, &bench).unwrap_err();
        assert_eq!(error.to_string(), "`sly` is registered as drawing nothing, and drew random numbers");
    }
}
