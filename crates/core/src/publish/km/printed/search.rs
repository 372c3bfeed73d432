//! Algorithms 2 to 4 on a count-tree that is built.

use super::count_tree::{CountTree, ROOT, Rank};
use super::items::Items;
use crate::data::NodeId;
use crate::publish::km::loss::Loss;
use crate::release::Cut;
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};

/// What an algorithm came to.
pub(super) struct PrintedCut {
    pub cut: Cut,
    /// Nodes of each count-tree it built, one after the other.
    pub tree_nodes: Vec<usize>,
    /// Cuts taken from OA's queue, or itemsets that DA or AA mended.
    pub steps: usize,
}

/// Algorithm 2. A cut marked as not minimal while it waits in the queue is passed over when its turn comes, which is to
/// delete it from the queue.
pub(super) fn oa(items: &mut Items, loss: &Loss) -> PrintedCut {
    let hierarchy = items.problem.hierarchy;
    let bottom = Cut::bottom(hierarchy);
    let tree = items.count_tree(1..=items.problem.m, &bottom);
    let mut best: Option<(u64, Cut)> = None;
    let mut seen = FxHashSet::from_iter([bottom.clone()]);
    let mut marked = FxHashSet::default();
    let mut queue = VecDeque::from([bottom]);
    let mut cuts = 0;
    while let Some(cut) = queue.pop_front() {
        if marked.contains(&cut) {
            continue;
        }
        cuts += 1;
        let ancestors = cut.immediate_ancestors(hierarchy);
        if !provides_anonymity(items, &tree, &cut) {
            for ancestor in ancestors {
                if !marked.contains(&ancestor) && seen.insert(ancestor.clone()) {
                    queue.push_back(ancestor);
                }
            }
        } else {
            marked.extend(ancestors);
            let cost = cut.nodes().into_iter().map(|node| loss.of(node)).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, cut));
            }
        }
    }
    let (_, cut) = best.expect("the cut of the root alone is anonymous, for there are at least k transactions");
    PrintedCut { cut, tree_nodes: vec![tree.nodes()], steps: cuts }
}

/// Whether no path of the tree whose items are all in the cut has a support below k.
fn provides_anonymity(items: &Items, tree: &CountTree, cut: &Cut) -> bool {
    fn provides(items: &Items, tree: &CountTree, in_cut: &[bool], node: u32) -> bool {
        tree.children(node).iter().all(|&(rank, child)| {
            !in_cut[rank as usize] || (tree.support(child) >= items.problem.k && provides(items, tree, in_cut, child))
        })
    }
    let mut in_cut = vec![false; items.order.len()];
    for node in cut.nodes().into_iter().filter(|&node| node != items.problem.hierarchy.root()) {
        in_cut[items.rank(node) as usize] = true;
    }
    provides(items, tree, &in_cut, ROOT)
}

/// Algorithm 3.
pub(super) fn da(items: &mut Items, loss: &Loss) -> PrintedCut {
    let bottom = Cut::bottom(items.problem.hierarchy);
    let tree = items.count_tree(1..=items.problem.m, &bottom);
    let mut direct = DirectSearch::new(items, loss);
    direct.traverse(&tree, 1, ROOT, &mut Vec::new());
    PrintedCut { tree_nodes: vec![tree.nodes()], steps: direct.mended, cut: direct.cut }
}

/// Algorithm 4.
pub(super) fn aa(items: &mut Items, loss: &Loss) -> PrintedCut {
    let mut found = PrintedCut { cut: Cut::bottom(items.problem.hierarchy), tree_nodes: Vec::new(), steps: 0 };
    for size in 1..=items.problem.m {
        let tree = items.count_tree(size..=size, &found.cut);
        found.tree_nodes.push(tree.nodes());
        let mut direct = DirectSearch { cut: found.cut, ..DirectSearch::new(items, loss) };
        direct.traverse(&tree, size, ROOT, &mut Vec::new());
        found.steps += direct.mended;
        found.cut = direct.cut;
    }
    found
}

/// Lines 2 to 10 of Algorithm 3.
struct DirectSearch<'a> {
    items: &'a Items<'a>,
    loss: &'a Loss,
    cut: Cut,
    mended: usize,
}

impl<'a> DirectSearch<'a> {
    fn new(items: &'a Items<'a>, loss: &'a Loss) -> Self {
        Self { items, loss, cut: Cut::bottom(items.problem.hierarchy), mended: 0 }
    }

    /// The nodes below `node`, which `path` leads to, in preorder. The tree holds the itemsets of `smallest` items and more.
    fn traverse(&mut self, tree: &CountTree, smallest: usize, node: u32, path: &mut Vec<NodeId>) {
        for &(rank, child) in tree.children(node) {
            if path.iter().any(|&item| self.items.is_generalized(&self.cut, item)) {
                return;
            }
            let item = self.items.order[rank as usize];
            if self.items.is_generalized(&self.cut, item) {
                continue;
            }
            path.push(item);
            if !tree.is_leaf(child) {
                self.traverse(tree, smallest, child, path);
            } else if tree.support(child) < self.items.problem.k {
                self.mend(tree, smallest, path);
            }
            path.pop();
        }
    }

    /// Lines 7 to 9: of all generalizations of the violated itemset's items that bring its support to k, the one of
    /// least loss; then of the fewest nodes climbed; then of the smallest climbs of the first items.
    fn mend(&mut self, tree: &CountTree, smallest: usize, violated: &[NodeId]) {
        let hierarchy = self.items.problem.hierarchy;
        let paths: Vec<Vec<NodeId>> = violated.iter().map(|&node| hierarchy.path_to_root(node).collect()).collect();
        let mut climbs = vec![0; violated.len()];
        let mut best: Option<(u64, usize, Vec<usize>, BTreeSet<NodeId>)> = None;
        while let Some(i) = (0..climbs.len()).rev().find(|&i| climbs[i] + 1 < paths[i].len()) {
            climbs[i] += 1;
            climbs[i + 1..].fill(0);
            let images: Vec<NodeId> = climbs.iter().zip(&paths).map(|(&climb, path)| path[climb]).collect();
            if !self.reaches_k(tree, smallest, &images) {
                continue;
            }
            let moving = || climbs.iter().zip(&paths).filter(|(climb, _)| **climb > 0);
            let moved: BTreeSet<NodeId> = moving().map(|(&climb, path)| path[climb]).collect();
            let climbed: BTreeSet<NodeId> =
                moving().flat_map(|(&climb, path)| path[1..=climb].iter().copied()).collect();
            let added = moved.iter().map(|&node| self.added_loss(node)).sum();
            let candidate = (added, climbed.len(), climbs.clone(), moved);
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        let (.., moved) = best.expect("the root is in every transaction, and there are at least k of them");
        for node in moved {
            self.cut.generalize_to(hierarchy, node);
        }
        self.mended += 1;
    }

    /// Whether a violated itemset has a support of at least k once its items are published as `images`. A rule moves everything
    /// below it, so an item under another's image has that image too; other choices are none.
    fn reaches_k(&self, tree: &CountTree, smallest: usize, images: &[NodeId]) -> bool {
        let below_another =
            |&node: &NodeId| images.iter().any(|&above| above != node && self.items.covers(above, node));
        if images.iter().any(below_another) {
            return false;
        }
        if images[0] == self.items.problem.hierarchy.root() {
            return true;
        }
        let mut ranks: Vec<Rank> = images.iter().map(|&node| self.items.rank(node)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        // AA's tree does not hold smaller itemsets. It need not: the rounds before have seen to it that they are in k
        // transactions, and this one occurs.
        ranks.len() < smallest || tree.support_of(&ranks) >= self.items.problem.k
    }

    /// What publishing everything below `node` as `node` adds to the loss.
    fn added_loss(&self, node: NodeId) -> u64 {
        let mut published: Vec<NodeId> =
            self.items.problem.hierarchy.leaves_of(node).into_iter().map(|item| self.cut.node_of(item)).collect();
        published.sort_unstable();
        published.dedup();
        let now: u64 = published.iter().map(|&node| self.loss.of(node)).sum();
        self.loss.of(node) - now
    }
}
