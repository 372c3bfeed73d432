//! How many itemsets of a collection contain each item, kept up to date while items are suppressed (Section 6).
//!
//! Cost. The first counts take one step for each item of each edge. Suppressing v takes one for each item of each edge
//! with v; an edge is met once for each of its items at most.

use super::cover::Cover;
use super::instance::Local;
use super::subsets::{Subsets, add, subtract, to_number};
use num_bigint::BigUint;

#[derive(Debug)]
pub(super) struct Counts {
    cover: Cover,
    subsets: Subsets,
    /// For each item the number of itemsets with it, in words.
    sums: Vec<u64>,
    /// The edges with each item: `edges[starts[item]..starts[item + 1]]`.
    starts: Vec<usize>,
    edges: Vec<u32>,
    /// Edges with a suppressed item in α.
    dropped: Vec<bool>,
}

impl Counts {
    /// For items below `items`; `bits` is how many bits a count can have.
    pub fn new(cover: Cover, items: usize, bits: usize) -> Self {
        let most_room = cover.edges.iter().map(|edge| edge.room()).max().unwrap_or(0);
        let subsets = Subsets::new(cover.most_free(), most_room, bits);
        let mut sums = vec![0; items * subsets.words];
        let mut starts = vec![0; items + 1];
        for edge in &cover.edges {
            let (free, room) = (edge.free(), edge.room());
            let mut account = |items: &[Local], count: &[u64]| {
                for &item in items {
                    starts[item as usize + 1] += 1;
                    let sum = &mut sums[item as usize * count.len()..][..count.len()];
                    if edge.negative { subtract(sum, count) } else { add(sum, count) }
                }
            };
            account(&cover.items[edge.lower_items()], subsets.of(free, room));
            if free > 0 {
                account(&cover.items[edge.free_items()], subsets.of(free - 1, room - 1));
            }
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[items]];
        for (number, edge) in cover.edges.iter().enumerate() {
            for &item in &cover.items[edge.all_items()] {
                edges[next[item as usize]] = number as u32;
                next[item as usize] += 1;
            }
        }
        let dropped = vec![false; cover.edges.len()];
        Self { cover, subsets, sums, starts, edges, dropped }
    }

    pub fn edges(&self) -> usize {
        self.cover.edges.len()
    }

    /// The number of itemsets with `item` that are left.
    pub fn of(&self, item: Local) -> BigUint {
        let words = self.subsets.words;
        to_number(&self.sums[item as usize * words..][..words])
    }

    /// Takes all itemsets with `item` from the counts of the other items.
    pub fn suppress(&mut self, item: Local) {
        for at in self.starts[item as usize]..self.starts[item as usize + 1] {
            let number = self.edges[at] as usize;
            if self.dropped[number] {
                continue;
            }
            // W for X = {item, other}: what both are in, of the itemsets the edge covers.
            let (lower, free_with) = if self.cover.narrow(number, item) {
                let edge = &self.cover.edges[number];
                let (free, room) = (edge.free(), edge.room());
                let with_two = (free > 0 && room >= 2).then(|| self.subsets.of(free - 1, room - 2));
                (self.subsets.of(free, room - 1), with_two)
            } else {
                self.dropped[number] = true;
                let edge = &self.cover.edges[number];
                let (free, room) = (edge.free(), edge.room());
                (self.subsets.of(free, room), (free > 0).then(|| self.subsets.of(free - 1, room - 1)))
            };
            let edge = &self.cover.edges[number];
            let sums = &mut self.sums;
            let mut account = |items: &[Local], count: &[u64]| {
                for &other in items {
                    let sum = &mut sums[other as usize * count.len()..][..count.len()];
                    if edge.negative { add(sum, count) } else { subtract(sum, count) }
                }
            };
            account(&self.cover.items[edge.lower_items()], lower);
            if let Some(count) = free_with {
                account(&self.cover.items[edge.free_items()], count);
            }
        }
    }
}
