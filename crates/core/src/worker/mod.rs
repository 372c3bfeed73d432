//! The worker: one cell in a process of its own. It gets a work order on standard input and answers on standard output.

pub mod counters;
pub mod heap;
mod honesty;
mod kept;
mod lifetime;
mod measuring;
mod order;
mod programs;
mod publication;
mod spending;
mod surroundings;
mod telling;

pub use lifetime::{KILLED_EXIT, RUN_VARIABLE};
pub use order::{TELLS, Timing, WorkOrder};
pub use programs::reserved_counter;
pub use publication::NOT_REPEATABLE;

use crate::answer::{Answer, Status};
use crate::cell::AlgorithmCell;
use crate::data::Dataset;
use crate::lab::{Attachment, Cost, LabError, Observation, Whereabouts};
use crate::release::{PrivacyVerdict, verify};
use crate::sources::{Digest, LoadedOnce, load_once};
use crate::{build_name, code_digest};
use kept::{digest, keep_all, keep_files};
use lifetime::{OVERTIME, die_with_parent, end_at, is_orphan};
use measuring::{Subject, measure_all, shown};
use publication::{built_in, finished};
use rustix::process::Signal;
use spending::{forget_peak, peak_resident_bytes};
use std::io::{BufWriter, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use surroundings::Surroundings;
use telling::tell;

/// Serves one order: the body of the hidden `worker` command.
///
/// `output` may lead to standard output, but must not hold its lock: measures on other threads would wait for it, and the worker for them.
pub fn serve(mut input: impl Read, output: impl Write) -> std::io::Result<()> {
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
    let mut output = BufWriter::new(output);
    serde_json::to_writer(&mut output, &answer)?;
    output.flush()
}

fn compute(order: &WorkOrder, start: Instant) -> Result<Answer, LabError> {
    let cell = &order.cell;
    let whereabouts = order.tell.then(|| Whereabouts::new(tell));
    let enter = |phase: &str| whereabouts.iter().for_each(|whereabouts| whereabouts.enter(phase));
    enter("loading");
    let load = || {
        let once = load_once(&cell.dataset, &order.locations, cell.data_seed(), code_digest());
        once.map_err(|error| LabError::input(error.to_string()))
    };
    let (once, loading) = load_timed(order.timing, load)?;
    // What is timed costs what it costs, whatever others found before.
    let shared = (!order.timing.careful).then(|| once.shared(&order.locations)).flatten();
    let loaded = once.loaded;
    if let Some(change) = order.data.as_ref().and_then(|planned| changed_data(planned, &loaded.digests)) {
        // Not an answer to keep: under the planned key it would be a lie, and the next run plans with what is there then.
        return Ok(Answer { crashed: true, ..Answer::without_result(Status::Failed, change) });
    }
    let dataset = Dataset { name: cell.dataset_name.clone(), ..loaded.dataset };
    let mut answer = Answer::without_result(Status::Ok, "");

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
            let counters = publication.counters.into_iter().filter(|(_, value)| value.is_finite());
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
            if let PrivacyVerdict::Broken(_) = verdict {
                answer.status = Status::Invalid;
                answer.observations.clear();
                answer.witnesses = shown(verdict.witnesses(), cell, &dataset);
                // In their words: the verdict's own say what single rows of the original hold.
                answer.reason = answer.witnesses.iter().map(|fault| fault.says.as_str()).collect::<Vec<_>>().join("; ");
                return Ok(answer);
            }
            let part = |name: &str, time: Duration| (Cost::Seconds.of_part(name).into(), time.as_secs_f64());
            answer.costs.metrics.extend([part("load", loading), part("verify", verifying.elapsed())]);
            Some(release)
        }
    };
    let subject = Subject { order, dataset: &dataset, release: release.as_ref(), shared };
    let attachments = measure_all(&subject, &mut answer)?;
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

/// The data, and the time it takes to load. A cell whose costs are looked at loads as every later one does, whichever of them comes first: where
/// this load filled the cache, it is done again, and neither its time nor its memory counts.
fn load_timed(
    timing: Timing,
    mut load: impl FnMut() -> Result<LoadedOnce, LabError>,
) -> Result<(LoadedOnce, Duration), LabError> {
    let mut start = Instant::now();
    let mut once = load()?;
    if timing.careful && once.kept_now {
        drop(once);
        forget_peak();
        start = Instant::now();
        once = load()?;
    }
    Ok((once, start.elapsed()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;
    use crate::examination::FinishedRelease;
    use crate::lab::Limits;
    use crate::release::ReleaseKind;
    use crate::sources::{DataLocations, DatasetDefinition, resolve};
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
            threads: 1,
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

    /// A reason stands in measurements.csv and on pages: of rows that are nobody else's business it tells the numbers alone.
    #[test]
    fn the_reason_of_a_refusal_shows_rows_only_where_witnesses_may() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let rows = "zip,ill\n1,flu\n2,cold\n";
        write("people.csv", rows);
        write("theirs.csv", "zip,ill\n2,flu\n2,cold\n");
        let finished =
            FinishedRelease::resolve("theirs.csv", ReleaseKind::GeneralizedTable, "k-anonymity", folder.path())
                .unwrap();
        let refused = |source: serde_json::Value| {
            let order: WorkOrder = serde_json::from_value(serde_json::json!({
                "cell": {
                    "dataset_name": "people",
                    "dataset": {"source": source, "quasi_identifiers": ["zip"], "sensitive": "ill"},
                    "algorithm": {
                        "name": "theirs", "publisher": "theirs", "parameters": {"k": 1}, "finished": finished,
                    },
                    "measures": [], "repetition": 0, "seed": 1,
                },
                "locations": DataLocations::new(Some(folder.path().to_path_buf())), "limits": Limits::default(), "keep": null,
            }))
            .unwrap();
            let answer = compute(&order, Instant::now()).unwrap();
            assert_eq!(answer.status, Status::Invalid, "{}", answer.reason);
            assert_eq!(answer.reason, answer.witnesses[0].says);
            answer.reason
        };
        let file = refused(serde_json::json!({"file": "people.csv", "format": "csv"}));
        assert_eq!(file, "row 1: `zip` is `2`, which does not cover the original's value");
        let inline = refused(serde_json::json!({"inline": rows, "format": "csv"}));
        assert_eq!(inline, "row 1: `zip` is `2`, which does not cover the original's `1`");
    }

    /// Whoever comes first fills the cache, and is timed as the others are.
    #[test]
    fn a_timed_worker_that_filled_the_cache_loads_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache_dir = folder.path().join("cache");
        let locations = DataLocations { cache_dir: cache_dir.clone(), ..DataLocations::new(None) };
        // Just large enough to be kept.
        let definition: DatasetDefinition = serde_json::from_value(serde_json::json!({
            "source": {"synthetic": {"rows": 360_000, "columns": {"a": 9, "b": 4, "s": 7}}},
            "quasi_identifiers": ["a", "b"], "sensitive": "s",
        }))
        .unwrap();
        let loads = |careful: bool| {
            let mut kept = Vec::new();
            let load = || {
                let once = load_once(&definition, &locations, crate::lab::Seed(1), "code").unwrap();
                kept.push(once.kept_now);
                Ok(once)
            };
            let (once, _) = load_timed(Timing { careful, pin: None }, load).unwrap();
            assert_eq!(once.loaded.rows_read, 360_000);
            kept
        };
        assert_eq!(loads(true), [true, false], "the first one generates, then loads");
        assert_eq!(loads(true), [false], "the others load");
        fs::remove_dir_all(&cache_dir).unwrap();
        assert_eq!(loads(false), [true], "nobody looks at its time");
    }

    /// Measures on several threads find the same, tell the same and take the same from the heap.
    #[test]
    fn the_number_of_threads_changes_no_answer() {
        let order = |threads: usize, careful: bool| -> WorkOrder {
            let measure = |name: &str, measure: &str| {
                let parameters = crate::measures::measure(measure).unwrap().complete(&Default::default()).unwrap();
                serde_json::json!({"name": name, "measure": measure, "parameters": parameters})
            };
            let anatomy = crate::publish::publisher("anatomy").unwrap();
            let parameters = anatomy.complete(serde_json::json!({"l": 3}).as_object().unwrap()).unwrap();
            let columns = serde_json::json!({"a": 9, "b": 4, "c": 5, "s": 7});
            serde_json::from_value(serde_json::json!({
                "cell": {
                    "dataset_name": "generated",
                    "dataset": {
                        "source": {"synthetic": {"rows": 3000, "columns": columns}},
                        "quasi_identifiers": ["a", "b", "c"], "sensitive": "s",
                    },
                    "algorithm": {"name": "anatomy", "publisher": "anatomy", "parameters": parameters},
                    "measures": [
                        measure("queries", "query-error"), measure("entropy", "maximum-entropy"),
                        measure("confidence", "confidence-error"), measure("privacy", "reached-privacy"),
                    ],
                    "repetition": 0, "workloads": 2, "seed": 1,
                },
                "locations": DataLocations::new(None), "limits": Limits::default(), "keep": null,
                "timing": {"careful": careful, "pin": null}, "threads": threads,
            }))
            .unwrap()
        };
        let told = |threads: usize, careful: bool| {
            let answer = compute(&order(threads, careful), Instant::now()).unwrap();
            assert_eq!(answer.status, Status::Ok, "{}", answer.reason);
            let names: Vec<_> = answer.costs.metrics.iter().map(|(name, _)| name.to_string()).collect();
            (answer.observations, answer.further_workloads, answer.witnesses, answer.release_digest, names)
        };
        let one = told(1, false);
        for threads in [2, 3, 16] {
            assert_eq!(told(threads, false), one, "{threads} threads");
        }
        assert_eq!(measuring::threads(&order(16, true)), 1, "what is timed has one core");
    }
}
