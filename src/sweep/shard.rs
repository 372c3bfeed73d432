//! Parts of a plan: which cell belongs to which of N shards or batches.

use crate::run::{Company, PlannedCell};
use indexmap::IndexMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

/// One of several parts of a plan, written `2/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: usize,
    pub of: usize,
}

/// More than this is a slip: no engine starts that many processes for one plan.
pub const MOST_SHARDS: usize = 100_000;

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is not a shard; write I/N with I from 1 to N and N at most {MOST_SHARDS}, e.g. 2/8");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if (1..=of).contains(&index) && of <= MOST_SHARDS { Ok(Self { index, of }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The part of each of these cells, from 0. Weighed by their time limits, the one cost that a spec alone tells: whoever
/// asks, wherever and whenever, whatever is in the store, gets the same parts. Cells that are timed in the same rounds
/// stay together.
pub fn shard_of_each(cells: &[(&PlannedCell, bool)], company: &Company, of: usize) -> Vec<usize> {
    let cells: Vec<&PlannedCell> = cells.iter().map(|(cell, _)| *cell).collect();
    let weight = |cell: &PlannedCell| cell.limits.time.0.as_millis() as u64 * cell.samples() as u64;
    let loads = Loads::of(&cells, company, weight);
    loads.each(&balance(&loads.weights, of))
}

/// Cells that go nowhere without each other, as one weight.
pub struct Loads {
    pub weights: Vec<u64>,
    /// The load of each cell.
    of_cell: Vec<usize>,
}

impl Loads {
    pub fn of(cells: &[&PlannedCell], company: &Company, weight: impl Fn(&PlannedCell) -> u64) -> Self {
        let mut loads: IndexMap<(Option<usize>, usize), u64> = IndexMap::new();
        let mut of_cell = Vec::with_capacity(cells.len());
        for (number, cell) in cells.iter().enumerate() {
            let group = company.group(&cell.key);
            let entry = loads.entry((group, if group.is_some() { 0 } else { number }));
            of_cell.push(entry.index());
            *entry.or_default() += weight(cell);
        }
        Self { weights: loads.into_values().collect(), of_cell }
    }

    /// The part of each cell, from the part of each load.
    pub fn each(&self, parts: &[usize]) -> Vec<usize> {
        self.of_cell.iter().map(|&load| parts[load]).collect()
    }
}

/// Deals weights to parts, the heaviest first and each to the part that has least (Graham's rule: at most a third above
/// the best there is). Equal weights go round, so that neighbours of a sweep, whose costs are alike, part company.
/// O(n log n).
pub fn balance(weights: &[u64], parts: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| (Reverse(weights[i]), i));
    let mut loads: BinaryHeap<Reverse<(u128, usize, usize)>> = (0..parts).map(|part| Reverse((0, 0, part))).collect();
    let mut part_of = vec![0; weights.len()];
    for i in order {
        let Some(Reverse((load, cells, part))) = loads.pop() else { break };
        part_of[i] = part;
        loads.push(Reverse((load + u128::from(weights[i]), cells + 1, part)));
    }
    part_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shards_read_and_print_the_same() {
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for bad in ["", "2", "0/8", "9/8", "1/0", "-1/3", "1/2/3", "a/b", "1/99999999999"] {
            assert!(bad.parse::<Shard>().unwrap_err().contains("e.g. 2/8"), "{bad}");
        }
    }

    #[test]
    fn equal_weights_go_round_and_the_heavy_ones_part_company() {
        assert_eq!(balance(&[1; 6], 3), [0, 1, 2, 0, 1, 2]);
        assert_eq!(balance(&[0; 4], 2), [0, 1, 0, 1]);
        let parts = balance(&[1, 1, 10, 1, 10, 1], 2);
        assert_ne!(parts[2], parts[4]);
        assert_eq!(parts.iter().filter(|&&part| part == 0).count(), 3);
    }

    proptest! {
        #[test]
        fn no_part_is_far_above_the_mean(weights in prop::collection::vec(0u64..1000, 1..80), parts in 1usize..12) {
            let part_of = balance(&weights, parts);
            let load = |part| weights.iter().zip(&part_of).filter(|(_, p)| **p == part).map(|(w, _)| *w).sum::<u64>();
            let (total, heaviest) = (weights.iter().sum::<u64>(), weights.iter().max().copied().unwrap_or(0));
            for part in 0..parts {
                prop_assert!(load(part) <= total / parts as u64 + heaviest);
            }
        }
    }
}
