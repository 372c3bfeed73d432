//! The count-tree's preorder over sparse rows.
//!
//! Every row waits in the bucket of its next item; when that item's turn is over, it moves on to the bucket of the one
//! after. So a level needs memory linear in its rows. The last two levels need no rows, only supports: these are counted
//! in a table of pairs, as many items at a time as fit into the cache.
//!
//! Cost: one step for each node in each distinct row that holds it, most of them increments in passes over the rows.

use super::expanded::{END, Expanded, Rank, RowPosition};
use super::visitor::{Below, Sizes, Visitor};

/// Counters of pairs at a time, 4 bytes each; few in tests, so that small inputs take several runs.
const COUNTERS: usize = if cfg!(test) { 1 << 6 } else { 1 << 20 };

pub(super) struct SparseWalk<'a, V> {
    expanded: &'a Expanded,
    sizes: Sizes,
    visitor: &'a mut V,
    path: Vec<Rank>,
    /// Whether an item of the path generalizes this one.
    blocked: Vec<bool>,
    /// Per level, per item, the rows that wait for it.
    buckets: Vec<Vec<Vec<RowPosition>>>,
    /// Supports of the path with one item more, for a run of items, and for each of these with one item more again.
    supports: Vec<u32>,
    pairs: Vec<u32>,
}

impl<'a, V: Visitor> SparseWalk<'a, V> {
    pub fn new(expanded: &'a Expanded, sizes: Sizes, visitor: &'a mut V) -> Self {
        let domain = expanded.domain();
        let run = if sizes.largest() > 1 { (COUNTERS / domain.max(1)).clamp(1, domain.max(1)) } else { domain };
        Self {
            expanded,
            sizes,
            visitor,
            path: Vec::with_capacity(sizes.largest()),
            blocked: vec![false; domain],
            buckets: vec![vec![Vec::new(); domain]; sizes.largest().saturating_sub(2)],
            supports: vec![0; run],
            pairs: if sizes.largest() > 1 { vec![0; run * domain] } else { Vec::new() },
        }
    }

    pub fn run(&mut self) {
        self.children(&self.expanded.rows);
    }

    /// Visits the children of `path`; `places` are the rows that hold it.
    fn children(&mut self, places: &[RowPosition]) -> Below {
        let level = self.path.len();
        let below = match self.sizes.largest() - level {
            1 => self.single_items(places),
            2 => self.last_levels(places),
            _ => {
                let mut buckets = std::mem::take(&mut self.buckets[level]);
                let below = self.inner_level(places, &mut buckets);
                self.buckets[level] = buckets;
                below
            }
        };
        self.visitor.leave(&self.path, below);
        below
    }

    fn inner_level(&mut self, places: &[RowPosition], buckets: &mut [Vec<RowPosition>]) -> Below {
        for &place in places {
            self.wait_for_next(buckets, place);
        }
        let mut below = Below::default();
        for item in self.first_child()..buckets.len() {
            if buckets[item].is_empty() {
                continue;
            }
            let holding = std::mem::take(&mut buckets[item]);
            for &place in &holding {
                self.wait_for_next(buckets, place);
            }
            below.any = true;
            if !self.visitor.passes_over(item as Rank) {
                self.path.push(item as Rank);
                self.block(item as Rank, true);
                let below_item = self.children(&holding);
                self.block(item as Rank, false);
                self.if_childless(below_item, || holding.iter().map(|place| place.weight).sum());
                self.path.pop();
                below.complete |= below_item.complete;
                if self.broken_off() {
                    buckets.iter_mut().for_each(Vec::clear);
                    break;
                }
            }
        }
        below
    }

    /// Moves a row on to the bucket of its next item that the path does not generalize.
    fn wait_for_next(&self, buckets: &mut [Vec<RowPosition>], place: RowPosition) {
        let mut at = place.at + 1;
        loop {
            let item = self.expanded.items[at as usize];
            if item == END {
                return;
            }
            if !self.blocked[item as usize] {
                buckets[item as usize].push(RowPosition { at, weight: place.weight });
                return;
            }
            at += 1;
        }
    }

    /// The children and grandchildren of a path two short of full size.
    fn last_levels(&mut self, places: &[RowPosition]) -> Below {
        let domain = self.expanded.domain();
        let run = self.supports.len();
        let mut below = Below::default();
        let mut places = places.to_vec();
        places.iter_mut().for_each(|place| place.at += 1);
        let mut broken_off = false;
        for first in (self.first_child()..domain).step_by(run) {
            let end = (first + run).min(domain);
            self.count_pairs(&mut places, first, end);
            for item in first..end {
                let support = std::mem::take(&mut self.supports[item - first]);
                if support == 0 {
                    continue;
                }
                let counts = (item - first) * domain + item + 1..(item - first + 1) * domain;
                if broken_off || self.blocked[item] || self.visitor.passes_over(item as Rank) {
                    below.any |= !self.blocked[item];
                    self.pairs[counts].fill(0);
                    continue;
                }
                below.any = true;
                self.path.push(item as Rank);
                self.block(item as Rank, true);
                let below_item = self.leaves(counts, item + 1);
                self.block(item as Rank, false);
                self.visitor.leave(&self.path, below_item);
                self.if_childless(below_item, || support);
                self.path.pop();
                below.complete |= below_item.complete;
                broken_off = self.broken_off();
            }
            if broken_off {
                break;
            }
        }
        below
    }

    /// Counts, for items from `first` up to `end`, each with those after it. Places move on to the first item not counted.
    fn count_pairs(&mut self, places: &mut [RowPosition], first: usize, end: usize) {
        let items = &self.expanded.items[..];
        let domain = self.expanded.domain();
        for place in places {
            while (items[place.at as usize] as usize) < first {
                place.at += 1;
            }
            while (items[place.at as usize] as usize) < end {
                let row = items[place.at as usize] as usize - first;
                place.at += 1;
                self.supports[row] += place.weight;
                let counts = &mut self.pairs[row * domain..][..domain];
                for &item in items[place.at as usize..].iter().take_while(|&&item| item != END) {
                    counts[item as usize] += place.weight;
                }
            }
        }
    }

    /// The children of a path one short of full size; `counts` has their supports, that of item `first` first, and is
    /// left empty.
    fn leaves(&mut self, counts: std::ops::Range<usize>, first: usize) -> Below {
        let mut below = Below::default();
        let mut broken_off = false;
        for (item, at) in (first..).zip(counts) {
            let support = std::mem::take(&mut self.pairs[at]);
            if support == 0 || broken_off || self.blocked[item] {
                continue;
            }
            below = Below { any: true, complete: true, leaves: below.leaves + 1 };
            broken_off = self.leaf(item as Rank, support);
        }
        below
    }

    /// The whole tree where the full size is one item.
    fn single_items(&mut self, places: &[RowPosition]) -> Below {
        for &place in places {
            for item in self.expanded.after(place) {
                self.supports[item as usize] += place.weight;
            }
        }
        let mut below = Below::default();
        for item in 0..self.supports.len() {
            below = Below { any: true, complete: true, leaves: below.leaves + 1 };
            self.leaf(item as Rank, self.supports[item]);
        }
        below
    }

    /// Says whether something on the path is passed over now.
    fn leaf(&mut self, item: Rank, support: u32) -> bool {
        if support >= self.visitor.enough() || self.visitor.passes_over(item) {
            return false;
        }
        self.path.push(item);
        self.visitor.leaf(&self.path);
        self.path.pop();
        self.broken_off()
    }

    /// A path with nothing below it is a leaf where smaller sets are in the tree too.
    fn if_childless(&mut self, below: Below, support: impl FnOnce() -> u32) {
        if !below.any && matches!(self.sizes, Sizes::UpTo(_)) && support() < self.visitor.enough() {
            self.visitor.leaf(&self.path);
        }
    }

    fn first_child(&self) -> usize {
        self.path.last().map_or(0, |&item| item as usize + 1)
    }

    /// Whether something on the path has come to be passed over.
    fn broken_off(&self) -> bool {
        self.path.iter().any(|&item| self.visitor.passes_over(item))
    }

    /// Items of the path are unrelated, so what one of them generalizes no other does.
    fn block(&mut self, item: Rank, blocked: bool) {
        for &below in self.expanded.below(item) {
            self.blocked[below as usize] = blocked;
        }
    }
}
