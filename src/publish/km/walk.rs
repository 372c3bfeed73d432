//! The nodes of the count-tree (Section 4.1) in preorder, without the tree.
//!
//! A node is a set of items of the expanded transactions, none of which generalizes another; its children add an item of
//! higher rank. All that is needed to visit a node's children are the rows that hold the node, each with the place of its
//! last item. Every row waits in the bucket of its next item; when that item's turn is over, it moves on to the bucket
//! of the one after. So a level needs memory linear in its rows, and the last level only counts.
//!
//! Cost: one step for each node in each distinct row that holds it.

use super::expanded::{END, Expanded, Place, Rank};

/// Which sets the tree holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// All of at most this size (Algorithm 1).
    UpTo(usize),
    /// Those of this size, and the prefixes on the way to them (Algorithm 4).
    Exactly(usize),
}

impl Sizes {
    fn largest(self) -> usize {
        match self {
            Self::UpTo(size) | Self::Exactly(size) => size,
        }
    }
}

pub(super) trait Visitor {
    /// Whether the nodes of this item and all below them are passed over. An answer may change from no to yes in `leaf`;
    /// the traversal then goes back to the longest prefix that is not passed over.
    fn passes_over(&self, _item: Rank) -> bool {
        false
    }

    /// Supports from here on are of no interest at the leaves.
    fn enough(&self) -> u32;

    /// An inner node; the answer says whether to visit what is below it.
    fn enter(&mut self, _path: &[Rank], _support: u32) -> bool {
        true
    }

    /// A node without children whose support is not `enough`.
    fn leaf(&mut self, path: &[Rank], support: u32);

    /// The end of an inner node's visit; `complete` says whether a set of full size was below it.
    fn leave(&mut self, _complete: bool) {}
}

pub(super) fn walk(expanded: &Expanded, sizes: Sizes, visitor: &mut impl Visitor) {
    let domain = expanded.domain();
    let levels = sizes.largest() - 1;
    let mut walk = Walk {
        expanded,
        sizes,
        visitor,
        path: Vec::with_capacity(sizes.largest()),
        blocked: vec![false; domain],
        buckets: vec![vec![Vec::new(); domain]; levels],
        counts: vec![0; domain],
    };
    walk.children(&expanded.rows);
}

struct Walk<'a, V> {
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

/// What was below a node.
struct Below {
    any: bool,
    complete: bool,
}

impl<V: Visitor> Walk<'_, V> {
    /// Visits the children of `path`; `places` are the rows that hold it.
    fn children(&mut self, places: &[Place]) -> Below {
        let level = self.path.len();
        if level + 1 == self.sizes.largest() {
            return self.last_level(places);
        }
        let mut buckets = std::mem::take(&mut self.buckets[level]);
        for &place in places {
            self.wait_for_next(&mut buckets, place);
        }
        let mut below = Below { any: false, complete: false };
        for item in self.first_child()..buckets.len() {
            if buckets[item].is_empty() {
                continue;
            }
            let holding = std::mem::take(&mut buckets[item]);
            for &place in &holding {
                self.wait_for_next(&mut buckets, place);
            }
            below.any = true;
            if self.visitor.passes_over(item as Rank) {
                continue;
            }
            below.complete |= self.node(item as Rank, &holding);
            if self.broken_off() {
                buckets.iter_mut().for_each(Vec::clear);
                break;
            }
        }
        self.buckets[level] = buckets;
        below
    }

    /// Visits the child `item` of `path` and what is below it; says whether a set of full size is.
    fn node(&mut self, item: Rank, holding: &[Place]) -> bool {
        self.path.push(item);
        let support = holding.iter().map(|place| place.weight).sum();
        let mut complete = false;
        if self.visitor.enter(&self.path, support) {
            self.block(item, true);
            let below = self.children(holding);
            self.block(item, false);
            complete = below.complete;
            if !below.any && matches!(self.sizes, Sizes::UpTo(_)) && support < self.visitor.enough() {
                self.visitor.leaf(&self.path, support);
            }
            self.visitor.leave(complete);
        }
        self.path.pop();
        complete
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
        let mut below = Below { any: false, complete: false };
        let mut broken_off = false;
        for (item, count) in counts.iter_mut().enumerate().skip(first) {
            let support = std::mem::take(count);
            if support == 0 || broken_off || self.blocked[item] {
                continue;
            }
            below = Below { any: true, complete: true };
            if support < self.visitor.enough() && !self.visitor.passes_over(item as Rank) {
                self.path.push(item as Rank);
                self.visitor.leaf(&self.path, support);
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
