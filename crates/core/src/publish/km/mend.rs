//! Line 8 of Algorithm 3: the generalization of a violated itemset's items that brings its support to k at least loss.
//!
//! A solution publishes some items of the set as ancestors of theirs. Readings: rules are made for the items that move
//! and for no others, so an item above the cut that stays where it is commits nothing. Of several solutions of least
//! loss, the one that climbs the fewest nodes is taken (the lowest in the paper's level-wise order), then the one whose
//! first items, in the order of the tree, climb least.
//!
//! Cost. Solutions are tried in that very order, best first, so only those better than the answer are looked at: a step
//! up never lowers the loss and always climbs one node more.

use super::expanded::{Expanded, Rank};
use super::growing_cut::GrowingCut;
use super::supports::SupportIndex;
use crate::data::{Hierarchy, NodeId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Where each item of a violated set would be published. Ordered as solutions are tried.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Solution {
    added_loss: u64,
    /// Steps of one node up.
    climbed: usize,
    /// Per item, the levels it rises.
    climbs: Vec<usize>,
    images: Vec<NodeId>,
}

impl Solution {
    /// Moves the `i`-th image, and whatever else is below its parent, to that parent.
    fn with_step(&self, i: usize, cut: &GrowingCut) -> Option<Self> {
        let hierarchy = cut.hierarchy;
        let parent = hierarchy.parent(self.images[i])?;
        let mut next = self.clone();
        next.climbed += 1;
        for (image, climb) in next.images.iter_mut().zip(&mut next.climbs) {
            if let Some(levels) = levels_between(hierarchy, *image, parent) {
                *image = parent;
                *climb += levels;
            }
        }
        next.added_loss = next.moved().into_iter().map(|node| cut.added_loss(node)).sum();
        Some(next)
    }

    /// The nodes that items move to, each once.
    fn moved(&self) -> BTreeSet<NodeId> {
        self.images.iter().zip(&self.climbs).filter(|(_, climb)| **climb > 0).map(|(image, _)| *image).collect()
    }
}

fn levels_between(hierarchy: &Hierarchy, below: NodeId, above: NodeId) -> Option<usize> {
    hierarchy.path_to_root(below).position(|node| node == above)
}

/// Generalizes `cut` so that `violated` is in at least k transactions.
pub(super) fn mend(
    cut: &mut GrowingCut,
    expanded: &Expanded,
    supports: &mut SupportIndex,
    k: u32,
    violated: &[NodeId],
) {
    let start = Solution { added_loss: 0, climbed: 0, climbs: vec![0; violated.len()], images: violated.to_vec() };
    let mut met = BTreeSet::new();
    let mut waiting = BinaryHeap::from([Reverse(start)]);
    while let Some(Reverse(solution)) = waiting.pop() {
        if solution.climbed > 0 && reaches(expanded, supports, k, &solution.images) {
            for node in solution.moved() {
                cut.generalize_to(node);
            }
            return;
        }
        for next in (0..violated.len()).filter_map(|i| solution.with_step(i, cut)) {
            if met.insert(next.images.clone()) {
                waiting.push(Reverse(next));
            }
        }
    }
    unreachable!("the root is in every transaction, and there are at least k of them");
}

fn reaches(expanded: &Expanded, supports: &mut SupportIndex, k: u32, images: &[NodeId]) -> bool {
    let mut set: Vec<Rank> = Vec::with_capacity(images.len());
    for &node in images {
        match expanded.rank(node) {
            Some(rank) if set.contains(&rank) => {}
            Some(rank) => set.push(rank),
            // The root: all the others have moved there too.
            None => return true,
        }
    }
    supports.at_least(k, &set)
}
