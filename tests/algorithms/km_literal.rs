//! Algorithms 1 to 4 of "Privacy-preserving Anonymization of Set-valued Data" as they are printed, on a count-tree that is
//! built. What the paper leaves open is read as `src/publish/km/` says; here it is written in the plainest way.

use anonlab::data::{Hierarchy, NodeId, Transactions};
use anonlab::release::Cut;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A node of the count-tree: the support of its path, and the nodes below by the rank of their item.
#[derive(Default)]
pub struct CountTree {
    pub support: usize,
    pub below: BTreeMap<usize, CountTree>,
}

impl CountTree {
    fn insert(&mut self, path: &[usize]) {
        match path.split_first() {
            Some((first, rest)) => self.below.entry(*first).or_default().insert(rest),
            None => self.support += 1,
        }
    }

    /// The nodes below the root.
    pub fn nodes(&self) -> usize {
        self.below.values().map(|node| 1 + node.nodes()).sum()
    }
}

pub struct Literal<'a> {
    pub transactions: &'a Transactions,
    pub hierarchy: &'a Hierarchy,
    pub k: usize,
    pub m: usize,
    /// Rank to node: the order of Section 4.1.
    pub order: Vec<NodeId>,
}

impl<'a> Literal<'a> {
    pub fn new(transactions: &'a Transactions, hierarchy: &'a Hierarchy, k: usize, m: usize) -> Self {
        let mut literal = Self { transactions, hierarchy, k, m, order: Vec::new() };
        let mut order: Vec<NodeId> = (0..hierarchy.root()).collect();
        order.sort_by_cached_key(|&node| {
            let depth = hierarchy.path_to_root(node).count();
            (Reverse(literal.support(&[node])), Reverse(hierarchy.leaves_under(node)), depth, node)
        });
        literal.order = order;
        literal
    }

    /// How many transactions have something below each of the nodes.
    pub fn support(&self, nodes: &[NodeId]) -> usize {
        let holds = |row: &[u32], node| row.iter().any(|&item| self.hierarchy.covers(node, item));
        self.transactions.rows().filter(|row| nodes.iter().all(|&node| holds(row, node))).count()
    }

    /// The information loss of a cut times |I| and the number of occurrences: a whole number.
    pub fn loss(&self, cut: &Cut) -> u64 {
        self.transactions
            .rows()
            .flatten()
            .map(|&item| match self.hierarchy.leaves_under(cut.node_of(item)) {
                1 => 0,
                leaves => leaves as u64,
            })
            .sum()
    }

    /// Whether `node` lies strictly below the cut.
    fn is_generalized(&self, cut: &Cut, node: NodeId) -> bool {
        let published = cut.node_of(self.hierarchy.leaves_of(node)[0]);
        published != node && self.hierarchy.covers(published, node)
    }

    /// Figure 6: the ranks of the transaction's items and of all their generalizations but the root.
    pub fn expanded(&self, row: &[u32]) -> Vec<usize> {
        (0..self.order.len()).filter(|&r| row.iter().any(|&i| self.hierarchy.covers(self.order[r], i))).collect()
    }

    /// Algorithm 1 (`sizes` is 1..=m), or line 6 of Algorithm 4 (`sizes` is i alone), without items generalized in `cut`.
    pub fn count_tree(&self, sizes: std::ops::RangeInclusive<usize>, cut: &Cut) -> CountTree {
        let mut tree = CountTree::default();
        for row in self.transactions.rows() {
            let mut expanded = self.expanded(row);
            expanded.retain(|&rank| !self.is_generalized(cut, self.order[rank]));
            self.insert_combinations(&mut tree, &sizes, &expanded, &mut Vec::new());
        }
        tree
    }

    fn insert_combinations(
        &self,
        tree: &mut CountTree,
        sizes: &std::ops::RangeInclusive<usize>,
        rest: &[usize],
        path: &mut Vec<usize>,
    ) {
        if sizes.contains(&path.len()) && !path.is_empty() {
            tree.insert(path);
        }
        if path.len() == *sizes.end() {
            return;
        }
        for (i, &rank) in rest.iter().enumerate() {
            let node = self.order[rank];
            let related = |&other: &usize| {
                self.hierarchy.covers(self.order[other], node) || self.hierarchy.covers(node, self.order[other])
            };
            if !path.iter().any(related) {
                path.push(rank);
                self.insert_combinations(tree, sizes, &rest[i + 1..], path);
                path.pop();
            }
        }
    }

    /// Algorithm 2.
    pub fn oa(&self) -> Cut {
        let tree = self.count_tree(1..=self.m, &Cut::bottom(self.hierarchy));
        let mut best: Option<(u64, Cut)> = None;
        let mut queue = VecDeque::from([Cut::bottom(self.hierarchy)]);
        let mut seen = BTreeSet::from([Cut::bottom(self.hierarchy)]);
        let mut marked = BTreeSet::new();
        while let Some(cut) = queue.pop_front() {
            let ancestors = cut.immediate_ancestors(self.hierarchy);
            if !self.provides(&tree, &cut) {
                for ancestor in ancestors {
                    if !marked.contains(&ancestor) && seen.insert(ancestor.clone()) {
                        queue.push_back(ancestor);
                    }
                }
            } else {
                for ancestor in ancestors {
                    queue.retain(|waiting| *waiting != ancestor);
                    marked.insert(ancestor);
                }
                let loss = self.loss(&cut);
                if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                    best = Some((loss, cut));
                }
            }
        }
        best.expect("the cut of the root alone is anonymous").1
    }

    /// Whether no path of the tree whose items are all in the cut has a support below k.
    pub fn provides(&self, tree: &CountTree, cut: &Cut) -> bool {
        let nodes = cut.nodes();
        tree.below.iter().all(|(&rank, node)| {
            nodes.binary_search(&self.order[rank]).is_err() || (node.support >= self.k && self.provides(node, cut))
        })
    }

    /// Algorithm 3.
    pub fn da(&self) -> Cut {
        let mut cut = Cut::bottom(self.hierarchy);
        let tree = self.count_tree(1..=self.m, &cut);
        self.direct(&tree, &mut Vec::new(), &mut cut);
        cut
    }

    /// Lines 3 to 10 of Algorithm 3.
    fn direct(&self, tree: &CountTree, path: &mut Vec<NodeId>, cut: &mut Cut) {
        for (&rank, node) in &tree.below {
            if path.iter().any(|&item| self.is_generalized(cut, item)) {
                return;
            }
            if self.is_generalized(cut, self.order[rank]) {
                continue;
            }
            path.push(self.order[rank]);
            if !node.below.is_empty() {
                self.direct(node, path, cut);
            } else if node.support < self.k {
                *cut = self.mended(cut, path);
            }
            path.pop();
        }
    }

    /// Line 8 of Algorithm 3: of all cuts that generalize items of the violated itemset so that its support reaches k,
    /// the one of least loss; then of the fewest nodes climbed; then of the smallest climbs of the first items.
    fn mended(&self, cut: &Cut, violated: &[NodeId]) -> Cut {
        let h = self.hierarchy;
        let paths: Vec<Vec<NodeId>> = violated.iter().map(|&node| h.path_to_root(node).collect()).collect();
        let mut climbs = vec![0; violated.len()];
        let mut best: Option<(u64, usize, Vec<usize>, Cut)> = None;
        while let Some(i) = (0..climbs.len()).rev().find(|&i| climbs[i] + 1 < paths[i].len()) {
            climbs[i] += 1;
            climbs[i + 1..].fill(0);
            let images: Vec<NodeId> = climbs.iter().zip(&paths).map(|(&climb, path)| path[climb]).collect();
            // A rule moves everything below it: an item under another's image has that image too.
            if images.iter().any(|&above| images.iter().any(|&below| above != below && h.covers(above, below))) {
                continue;
            }
            if self.support(&images) < self.k {
                continue;
            }
            let mut solution = cut.clone();
            let mut climbed = BTreeSet::<NodeId>::new();
            for (path, &climb) in paths.iter().zip(&climbs).filter(|(_, climb)| **climb > 0) {
                solution.generalize_to(h, path[climb]);
                climbed.extend(&path[1..=climb]);
            }
            let candidate = (self.loss(&solution), climbed.len(), climbs.clone(), solution);
            if best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        best.expect("the root covers at least k transactions").3
    }

    /// Algorithm 4; beside the cut, the nodes of the largest of its count-trees.
    pub fn aa(&self) -> (Cut, usize) {
        let mut cut = Cut::bottom(self.hierarchy);
        let mut most_nodes = 0;
        for i in 1..=self.m {
            let tree = self.count_tree(i..=i, &cut);
            most_nodes = most_nodes.max(tree.nodes());
            self.direct(&tree, &mut Vec::new(), &mut cut);
        }
        (cut, most_nodes)
    }
}
