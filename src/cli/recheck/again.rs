//! The cells that are drawn, computed again.

use super::args::Args;
use super::planned::PlannedRun;
use crate::capsule::{CellCheck, MatchedCell, SampleSize, compare, draw, slower};
use crate::cli::{Failure, jail};
use crate::lab::temporary_directory;
use crate::run::{Interrupt, PlannedCell, Policy, ProcessExecutor, Progress, Status, Store, missing_told, run_cells};
use std::collections::{BTreeMap, BTreeSet};

/// What became of the sample.
pub struct Again {
    pub seed: u64,
    /// Cells that could have been drawn.
    pub checkable: usize,
    pub cells: Vec<CellCheck>,
    /// Why cells could not be drawn, and how many.
    pub open: BTreeMap<String, usize>,
}

impl Again {
    pub fn of(planned: &[PlannedRun], size: SampleSize, args: &Args) -> Result<Self, Failure> {
        let mut open = BTreeMap::new();
        let mut candidates: Vec<(&PlannedRun, MatchedCell)> = Vec::new();
        let mut known = BTreeSet::new();
        for one in planned {
            for found in one.matched() {
                // Runs may share cells.
                if !known.insert(found.key.as_str().to_string()) {
                    continue;
                }
                match obstacle(&found, args.allow_external) {
                    Some(why) => *open.entry(why).or_insert(0) += 1,
                    None => candidates.push((one, found)),
                }
            }
        }
        let seed = args.seed.unwrap_or_else(unforeseen);
        let drawn = draw(candidates.len(), size.of(candidates.len()), seed);
        let mut again = Self { seed, checkable: candidates.len(), cells: Vec::new(), open };
        let scratch = temporary_directory("recheck")?;
        let (store, interrupt) = (Store::in_directory(scratch.path()), Interrupt::on_signals()?);
        for one in planned {
            let of_run: Vec<&MatchedCell> = drawn
                .iter()
                .map(|&i| &candidates[i])
                .filter(|(own, _)| std::ptr::eq(*own, one))
                .map(|(_, found)| found)
                .collect();
            // Times are compared by their ratio: nothing need run alone for them.
            let cells: Vec<PlannedCell> =
                of_run.iter().map(|found| PlannedCell { timed: false, rounds: None, ..found.cell.clone() }).collect();
            jail::tell(&cells);
            let policy = Policy {
                jobs: args.jobs,
                fresh: true,
                locations: one.locations.clone(),
                keep: None,
                turns: None,
                pin: None,
            };
            let executor = ProcessExecutor::this_binary()?;
            let progress = Progress::new(args.told.style());
            let outcome = run_cells(&cells, &policy, &executor, &store, &progress, &interrupt)?;
            if outcome.summary.interrupted {
                return Err(Failure::interrupted("interrupted; nothing is kept. The same command begins anew."));
            }
            if outcome.summary.missing > 0 {
                return Err(Failure::unfinished(missing_told(outcome.summary.missing)));
            }
            for found in of_run {
                let Some(entry) = outcome.entries.get(&found.cell.key) else { continue };
                let (agreement, detail) = compare(found.entry, entry, &found.difference);
                again.cells.push(CellCheck {
                    experiment: one.run.id.clone(),
                    figure: found.cell.figure.clone(),
                    title: found.cell.title(),
                    agreement,
                    detail,
                    slower: slower(found.entry, entry),
                });
            }
        }
        Ok(again)
    }
}

/// Why a cell cannot be computed here, if so.
fn obstacle(found: &MatchedCell, allow_external: bool) -> Option<String> {
    let external = found.cell.cell.algorithm.as_ref().is_some_and(|algorithm| algorithm.external.is_some());
    match () {
        () if found.entry.answer.status == Status::Skipped => {
            Some("they were skipped: their data was missing there".to_string())
        }
        () if !found.difference.data.is_empty() => Some(found.difference.in_words()),
        () if external && !allow_external => Some("their programs run only under --allow-external".to_string()),
        () => None,
    }
}

/// A seed that whoever made a capsule could not know.
fn unforeseen() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // The keys of a hash map are drawn by the system, to be unforeseen.
    RandomState::new().hash_one(std::process::id()) >> 16
}
