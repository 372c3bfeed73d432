//! Releases of algorithms inside this program, and finished ones.

#![forbid(unsafe_code)]

use super::honesty::holds_to_its_word;
use super::kept::digest;
use super::order::Timing;
use super::spending::{Spent, spend};
use crate::answer::{Answer, Status};
use crate::cell::{AlgorithmCell, Cell};
use crate::data::Dataset;
use crate::examination::FinishedRelease;
use crate::lab::{LabError, Workbench};
use crate::publish::{contract, publisher};
use crate::release::{Guarantee, Release};
use std::time::Duration;

/// A publisher that takes longer than this is called once.
const QUICK: Duration = Duration::from_millis(50);
/// Calls of a quick publisher after the first: as many as fill [`QUICK`], within these.
const FEWEST_CALLS: usize = 3;
const MOST_CALLS: usize = 25;

/// What came of an algorithm's run.
pub(super) struct Publication {
    /// Or the answer of a cell without a release.
    pub release: Result<Release, Answer>,
    /// What the release must keep.
    pub guarantee: Result<Guarantee, LabError>,
    pub costs: Vec<(String, f64)>,
    pub counters: Vec<(String, f64)>,
}

pub(super) fn built_in(
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
    let mut costs = match timing.careful && spent.elapsed < QUICK {
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
    if timing.careful {
        // Of a publisher that is called once, too: what grows from quick to slow is compared by its first calls.
        costs.insert(1, ("seconds.first".to_string(), spent.elapsed.as_secs_f64()));
    }
    Ok(Publication {
        release: Ok(release),
        guarantee: publisher.guarantee(&algorithm.parameters),
        costs,
        counters: bench.counters().iter().map(|(name, &value)| (name.clone(), value)).collect(),
    })
}

/// A release that somebody else made: it costs nothing here, and is held to its guarantee as any other.
pub(super) fn finished(files: &FinishedRelease, algorithm: &AlgorithmCell, dataset: &Dataset) -> Publication {
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

pub(super) fn phases(bench: &Workbench) -> impl Iterator<Item = (&str, Duration)> {
    bench.phases().iter().map(|phase| (&*phase.name, phase.elapsed))
}

/// The costs of calls after the first: the one in the middle, with its phases. Heap and allocations are those of the first
/// call, which repeat from run to run; so is `seconds.first`, which has the cold caches in it and is added to these.
fn warm(first: &Spent, mut again: Vec<(Workbench, Spent)>) -> Vec<(String, f64)> {
    again.sort_by_key(|(_, spent)| spent.elapsed);
    let cpu = again.iter().map(|(_, spent)| spent.cpu).sum::<Duration>() / again.len() as u32;
    let (bench, middle) = &again[again.len() / 2];
    let typical = Spent { elapsed: middle.elapsed, cpu, heap: first.heap, counts: middle.counts };
    typical.metrics(phases(bench))
}
