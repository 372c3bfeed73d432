//! Which cells share a task, and what a task may use.

use super::shard::{Loads, balance};
use crate::run::{Company, PlannedCell};
use std::collections::BTreeMap;
use std::time::Duration;

/// What decides how large a batch is.
#[derive(Debug, Clone, Copy)]
pub struct BatchSizes {
    /// The estimated time of a batch: long enough that starting it costs little beside it, short enough that a lost one
    /// is no loss.
    pub batch: Duration,
    /// The longest that a task may ask for.
    pub longest: Duration,
    /// The most tasks of an array.
    pub tasks: usize,
}

/// Batches with the same needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// The keys of each batch's cells.
    pub batches: Vec<Vec<String>>,
    /// Their time is plotted: a task has its node for itself.
    pub timed: bool,
    /// Enough for every cell of any batch to run into its limit.
    pub time: Duration,
    /// Bytes.
    pub memory: u64,
}

/// Where nothing like a cell has run, it is taken for this part of its limit.
const PART_OF_LIMIT: f64 = 0.1;
/// Beyond its limit a cell may take this to be started, ended and stored.
const CELL_GRACE: Duration = Duration::from_secs(5);
/// A task reads its spec and looks at its data first.
const TASK_GRACE: Duration = Duration::from_secs(120);
/// A process is more than its heap.
const MEMORY_GRACE: u64 = 512 << 20;

/// Arrays of batches for these cells (with whether they run alone). Every cell is in one batch, and cells that are timed in
/// the same rounds are in the same one.
pub fn arrays(
    cells: &[(&PlannedCell, bool)],
    company: &Company,
    seconds: impl Fn(&PlannedCell) -> Option<f64>,
    sizes: &BatchSizes,
) -> Vec<Array> {
    let mut alike: BTreeMap<(bool, u64), Vec<&PlannedCell>> = BTreeMap::new();
    for &(cell, timed) in cells {
        alike.entry((timed, cell.limits.memory.0)).or_default().push(cell);
    }
    let mut arrays = Vec::new();
    for ((timed, memory), cells) in alike {
        let needs = |cell: &PlannedCell| (cell.limits.time.0 + CELL_GRACE) * cell.samples() as u32 + more_samples(cell);
        let expected = |cell: &PlannedCell| {
            let limit = cell.limits.time.0.as_secs_f64();
            let seconds = seconds(cell).map_or(limit * PART_OF_LIMIT, |seconds| seconds.min(limit));
            ((seconds * 1e3) as u64 + 1) * cell.samples() as u64
        };
        let loads = Loads::of(&cells, company, expected);
        let by_cost = loads.weights.iter().sum::<u64>().div_ceil(sizes.batch.as_millis().max(1) as u64) as usize;
        let all: Duration = cells.iter().map(|cell| needs(cell)).sum();
        let by_limit = (all.as_secs_f64() / sizes.longest.as_secs_f64()).ceil() as usize;
        // One array, unless its tasks would then ask for more time than there is.
        let wanted = by_cost.min(sizes.tasks).max(by_limit).clamp(1, loads.weights.len());
        let mut batches = vec![(Vec::new(), TASK_GRACE); wanted];
        for (cell, part) in cells.iter().zip(loads.each(&balance(&loads.weights, wanted))) {
            batches[part].0.push(cell.key.to_string());
            batches[part].1 += needs(cell);
        }
        let memory = memory.saturating_add(MEMORY_GRACE);
        for tasks in batches.chunks(sizes.tasks.max(1)) {
            let time = tasks.iter().map(|(_, time)| *time).max().unwrap_or_default();
            let batches = tasks.iter().map(|(keys, _)| keys.clone()).collect();
            arrays.push(Array { batches, timed, time, memory });
        }
    }
    arrays
}

/// What a cell may take for samples beyond the least. The budget is that of all cells together, so this is generous.
fn more_samples(cell: &PlannedCell) -> Duration {
    let samples = cell.rounds.map(|rounds| rounds.samples).filter(|samples| samples.at_most > samples.at_least);
    samples.map_or(Duration::ZERO, |samples| samples.budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Cell, Limits, Rounds, Samples, planned_cell};
    use std::collections::BTreeSet;

    fn cell(repetition: u32, time: &str, memory: &str) -> PlannedCell {
        let limits = Limits { time: time.parse().unwrap(), memory: memory.parse().unwrap() };
        PlannedCell { limits, ..planned_cell(repetition) }
    }

    const SIZES: BatchSizes =
        BatchSizes { batch: Duration::from_secs(60), longest: Duration::from_secs(86_400), tasks: 10 };

    #[test]
    fn batches_are_as_long_as_asked_and_every_cell_is_in_one() {
        let cells: Vec<_> = (0..100).map(|i| cell(i, "30s", "1GB")).collect();
        let given: Vec<_> = cells.iter().map(|cell| (cell, false)).collect();
        let [array] = &arrays(&given, &Company::default(), |_| Some(3.0), &SIZES)[..] else {
            panic!("one array was expected")
        };
        assert_eq!(array.batches.len(), 6, "300 s in batches of 60 s, and a millisecond a cell");
        let keys: BTreeSet<&String> = array.batches.iter().flatten().collect();
        assert_eq!((keys.len(), array.batches.iter().flatten().count()), (100, 100));
        assert_eq!(array.time, Duration::from_secs(17 * 35 + 120), "17 cells may all run into their limit");
        assert_eq!(array.memory, (1 << 30) + MEMORY_GRACE);
    }

    #[test]
    fn needs_that_differ_are_arrays_of_their_own() {
        let cells = [cell(0, "1s", "1GB"), cell(1, "1s", "2GB"), cell(2, "1s", "1GB")];
        let given = [(&cells[0], false), (&cells[1], false), (&cells[2], true)];
        let found: Vec<(bool, u64)> =
            arrays(&given, &Company::default(), |_| None, &SIZES).iter().map(|a| (a.timed, a.memory >> 30)).collect();
        assert_eq!(found, [(false, 1), (false, 2), (true, 1)]);
    }

    #[test]
    fn cells_that_are_timed_in_the_same_rounds_share_a_task_and_have_the_time_for_all_of_them() {
        let samples = Samples { at_least: 5, at_most: 5, ..Samples::ONE };
        let timed = |number: u32| PlannedCell {
            timed: true,
            rounds: Some(Rounds { point: number as usize % 4, samples }),
            cell: Cell { repetition: 0, ..planned_cell(number).cell },
            ..cell(number, "30s", "1GB")
        };
        let cells: Vec<_> = (0..12).map(timed).collect();
        let given: Vec<_> = cells.iter().map(|cell| (cell, true)).collect();
        let company = Company::paired([cells.as_slice()]);
        let [array] = &arrays(&given, &company, |_| Some(30.0), &SIZES)[..] else { panic!("one array was expected") };
        assert_eq!(array.batches.len(), 4, "more tasks would part contenders");
        let of = |key: &String| cells.iter().position(|cell| cell.key.as_str() == key).unwrap() % 4;
        for batch in &array.batches {
            let points: BTreeSet<usize> = batch.iter().map(of).collect();
            assert_eq!((batch.len(), points.len()), (3, 1), "{points:?}");
        }
        assert_eq!(array.time, Duration::from_secs(3 * 5 * 35 + 120));
    }

    #[test]
    fn limits_of_the_cluster_are_kept() {
        let cells: Vec<_> = (0..100).map(|i| cell(i, "55s", "1GB")).collect();
        let given: Vec<_> = cells.iter().map(|cell| (cell, false)).collect();
        let few = arrays(&given, &Company::default(), |_| Some(50.0), &SIZES);
        assert_eq!(few.iter().map(|array| array.batches.len()).collect::<Vec<_>>(), [10], "larger batches, one array");
        let short = arrays(
            &given,
            &Company::default(),
            |_| Some(50.0),
            &BatchSizes { longest: Duration::from_secs(120), ..SIZES },
        );
        assert_eq!(short.iter().map(|array| array.batches.len()).sum::<usize>(), 50, "two cells of a minute a task");
        assert!(short.iter().all(|array| array.batches.len() <= 10));
        assert!(arrays(&[], &Company::default(), |_| None, &SIZES).is_empty());
    }
}
