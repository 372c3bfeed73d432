//! The count-tree's preorder over sparse rows.
//!
//! Every row waits in the bucket of its next item; when that item's turn is over, it moves on to the bucket of the one
//! after. So a level needs memory linear in its rows, and the last level only counts.
//!
//! Cost: one step for each node in each distinct row that holds it.

use super::expanded::{END, Expanded, Place, Rank};
use super::walk::{Below, Sizes, Visitor};

pub(super) struct SparseWalk<'a, V> {
    expanded: &'a Expanded,
    sizes: Sizes,
    visitor: &'a mut V,
    path: Vec<Rank>,
    /// Whether an item of the path generalizes this one.
    blocked: Vec<bool>,
    /// Per level, per item, the rows that wait for it.
    buckets: Vec<Vec<Vec<Place>>>,
    counts: Vec<u32>,
}

impl<'a, V: Visitor> SparseWalk<'a, V> {
    pub fn new(expanded: &'a Expanded, sizes: Sizes, visitor: &'a mut V) -> Self {
        let domain = expanded.domain();
        Self {
            expanded,
            sizes,
            visitor,
            path: Vec::with_capacity(sizes.largest()),
            blocked: vec![false; domain],
            buckets: vec![vec![Vec::new(); domain]; sizes.largest() - 1],
            counts: vec![0; domain],
        }
    }

    pub fn run(&mut self) {
        self.children(&self.expanded.rows);
    }

    /// Visits the children of `path`; `places` are the rows that hold it.
    fn children(&mut self, places: &[Place]) -> Below {
        let level = self.path.len();
        let below = if level + 1 == self.sizes.largest() {
            self.last_level(places)
        } else {
            let mut buckets = std::mem::take(&mut self.buckets[level]);
            let below = self.inner_level(places, &mut buckets);
            self.buckets[level] = buckets;
            below
        };
        self.visitor.leave(&self.path, below);
        below
    }

    fn inner_level(&mut self, places: &[Place], buckets: &mut [Vec<Place>]) -> Below {
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
                below.complete |= self.node(item as Rank, &holding);
                if self.broken_off() {
                    buckets.iter_mut().for_each(Vec::clear);
                    break;
                }
            }
        }
        below
    }

    /// Visits the child `item` of `path` and what is below it; says whether a set of full size is.
    fn node(&mut self, item: Rank, holding: &[Place]) -> bool {
        self.path.push(item);
        self.block(item, true);
        let below = self.children(holding);
        self.block(item, false);
        if !below.any && matches!(self.sizes, Sizes::UpTo(_)) {
            let support: u32 = holding.iter().map(|place| place.weight).sum();
            if support < self.visitor.enough() {
                self.visitor.leaf(&self.path);
            }
        }
        self.path.pop();
        below.complete
    }

    /// The children of a path one short of full size need no rows, only their supports.
    fn last_level(&mut self, places: &[Place]) -> Below {
        let items = &self.expanded.items;
        for place in places {
            let mut at = place.at as usize + 1;
            while items[at] != END {
                self.counts[items[at] as usize] += place.weight;
                at += 1;
            }
        }
        let first = self.first_child();
        let mut counts = std::mem::take(&mut self.counts);
        let mut below = Below::default();
        let mut broken_off = false;
        for (item, count) in counts.iter_mut().enumerate().skip(first) {
            let support = std::mem::take(count);
            if support == 0 || broken_off || self.blocked[item] {
                continue;
            }
            below = Below { any: true, complete: true, leaves: below.leaves + 1 };
            if support < self.visitor.enough() && !self.visitor.passes_over(item as Rank) {
                self.path.push(item as Rank);
                self.visitor.leaf(&self.path);
                self.path.pop();
                broken_off = self.broken_off();
            }
        }
        self.counts = counts;
        below
    }

    /// Moves a row on to the bucket of its next item that the path does not generalize.
    fn wait_for_next(&self, buckets: &mut [Vec<Place>], place: Place) {
        let mut at = place.at + 1;
        loop {
            let item = self.expanded.items[at as usize];
            if item == END {
                return;
            }
            if !self.blocked[item as usize] {
                buckets[item as usize].push(Place { at, weight: place.weight });
                return;
            }
            at += 1;
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
