//! Edges with signs: how a collection of itemsets is counted without being enumerated (Section 5).
//!
//! An edge ⟨α, β⟩ covers every itemset between α and β of at most `longest` items. The edges of a border overlap, and the
//! paper untangles them anew in every round. Here it happens once: a [`Cover`] has edges with signs that count each
//! itemset of the collection exactly once, and every other not at all. Suppressing an item v keeps that true when edges
//! with v in α are dropped and v is taken from every β (Theorem 3 for the edge ⟨v, I⟩), since the itemsets without v are
//! counted as before. So every later update is the paper's Case 1, with no overlaps left.

use super::instance::Local;
use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Cover {
    /// The items of all edges, for each α and then the rest of β.
    pub items: Vec<Local>,
    pub edges: Vec<CoverEdge>,
}

#[derive(Debug, Clone)]
pub(super) struct CoverEdge {
    start: usize,
    lower: u32,
    free: u32,
    longest: u32,
    pub negative: bool,
}

impl Cover {
    /// Adds ⟨α, α ∪ `free`⟩; the two are disjoint.
    pub fn push(&mut self, lower: &[Local], free: &[Local], longest: usize, negative: bool) {
        let longest = u32::try_from(longest).unwrap_or(u32::MAX);
        let free = if longest as usize > lower.len() { free } else { &[] };
        if lower.is_empty() && free.is_empty() {
            // The empty itemset contains no item and counts for none.
            return;
        }
        self.edges.push(CoverEdge {
            start: self.items.len(),
            lower: lower.len() as u32,
            free: free.len() as u32,
            longest,
            negative,
        });
        self.items.extend_from_slice(lower);
        self.items.extend_from_slice(free);
    }

    /// The largest number of free items of an edge.
    pub fn most_free(&self) -> usize {
        self.edges.iter().map(|edge| edge.free as usize).max().unwrap_or(0)
    }

    /// Takes `item` out of β, if it is not in α.
    pub fn narrow(&mut self, edge: usize, item: Local) -> bool {
        let edge = &mut self.edges[edge];
        let free = &mut self.items[edge.free_items()];
        match free.iter().position(|&other| other == item) {
            Some(at) => {
                let last = free.len() - 1;
                free.swap(at, last);
                edge.free -= 1;
                true
            }
            None => false,
        }
    }
}

impl CoverEdge {
    /// α within the items of the cover.
    pub fn lower_items(&self) -> Range<usize> {
        self.start..self.start + self.lower as usize
    }

    /// β without α within the items of the cover.
    pub fn free_items(&self) -> Range<usize> {
        let start = self.start + self.lower as usize;
        start..start + self.free as usize
    }

    pub fn all_items(&self) -> Range<usize> {
        self.start..self.start + (self.lower + self.free) as usize
    }

    /// How many free items an itemset may have besides α.
    pub fn room(&self) -> usize {
        (self.longest - self.lower.min(self.longest)) as usize
    }

    pub fn free(&self) -> usize {
        self.free as usize
    }
}
