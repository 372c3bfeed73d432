//! Items and generalized items in the order of the count-tree, and the itemsets of expanded transactions.

use super::count_tree::{CountTree, ROOT, Rank};
use crate::data::{Hierarchy, Item, NodeId};
use crate::publish::km::problem::Problem;
use crate::release::Cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// The order of items and generalized items in the count-tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeOrder {
    /// By decreasing support.
    #[default]
    Support,
    /// By the number of items below, which needs no scan.
    Leaves,
}

/// The items of a problem. Whoever goes through all transactions says so in `scans`.
pub(super) struct Items<'a> {
    pub problem: &'a Problem<'a>,
    /// Rank to node, the root left out.
    pub order: Vec<NodeId>,
    rank_of: Vec<Rank>,
    /// The first leaf below each node.
    first_leaf: Vec<Item>,
    /// The nodes at and below a node are those whose `entered` lies between its own and its `left`.
    entered: Vec<u32>,
    left: Vec<u32>,
    /// How often all transactions were gone through.
    pub scans: u32,
}

impl<'a> Items<'a> {
    pub fn new(problem: &'a Problem<'a>, tree_order: TreeOrder) -> Self {
        let hierarchy = problem.hierarchy;
        let nodes = hierarchy.nodes();
        let (mut entered, mut left, mut first_leaf) = (vec![0; nodes], vec![0; nodes], vec![0; nodes]);
        number(hierarchy, hierarchy.root(), &mut 0, &mut entered, &mut left);
        for node in 0..nodes as NodeId {
            // Children are numbered before their parents.
            first_leaf[node as usize] =
                hierarchy.children(node).first().map_or(node, |&child| first_leaf[child as usize]);
        }
        let mut items = Self { problem, order: Vec::new(), rank_of: Vec::new(), first_leaf, entered, left, scans: 0 };
        let supports = match tree_order {
            TreeOrder::Support => items.supports(),
            TreeOrder::Leaves => vec![0; nodes],
        };
        let mut order: Vec<NodeId> = (0..hierarchy.root()).collect();
        order.sort_by_cached_key(|&node| {
            let depth = hierarchy.path_to_root(node).count();
            (Reverse(supports[node as usize]), Reverse(hierarchy.leaves_under(node)), depth, node)
        });
        items.rank_of = vec![Rank::MAX; nodes];
        for (rank, &node) in order.iter().enumerate() {
            items.rank_of[node as usize] = rank as Rank;
        }
        items.order = order;
        items
    }

    /// In how many transactions something at or below each node is.
    fn supports(&mut self) -> Vec<u32> {
        self.scans += 1;
        let hierarchy = self.problem.hierarchy;
        let mut supports = vec![0u32; hierarchy.nodes()];
        let mut nodes = Vec::new();
        for row in self.problem.transactions.rows() {
            nodes.clear();
            nodes.extend(row.iter().flat_map(|&item| hierarchy.path_to_root(item)));
            nodes.sort_unstable();
            nodes.dedup();
            nodes.iter().for_each(|&node| supports[node as usize] += 1);
        }
        supports
    }

    pub fn rank(&self, node: NodeId) -> Rank {
        self.rank_of[node as usize]
    }

    pub fn covers(&self, above: NodeId, node: NodeId) -> bool {
        let entered = self.entered[node as usize];
        self.entered[above as usize] <= entered && entered < self.left[above as usize]
    }

    /// Whether one of the two generalizes the other.
    fn are_related(&self, a: NodeId, b: NodeId) -> bool {
        self.covers(a, b) || self.covers(b, a)
    }

    /// Whether `node` lies strictly below the cut.
    pub fn is_generalized(&self, cut: &Cut, node: NodeId) -> bool {
        let published = cut.node_of(self.first_leaf[node as usize]);
        published != node && self.covers(published, node)
    }

    /// Figure 6: the ranks of a transaction's items and of all their generalizations but the root, less those that are
    /// generalized in `cut`.
    pub fn expanded(&self, row: &[Item], cut: &Cut) -> Vec<Rank> {
        let hierarchy = self.problem.hierarchy;
        let nodes = row.iter().flat_map(|&item| hierarchy.path_to_root(item)).filter(|&node| node != hierarchy.root());
        let kept = nodes.filter(|&node| !self.is_generalized(cut, node));
        let mut ranks: Vec<Rank> = kept.map(|node| self.rank(node)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Algorithm 1 (`sizes` is 1..=m), or lines 3 to 6 of Algorithm 4 (`sizes` is i alone).
    pub fn count_tree(&mut self, sizes: RangeInclusive<usize>, cut: &Cut) -> CountTree {
        self.scans += 1;
        let mut tree = CountTree::new();
        for row in self.problem.transactions.rows() {
            let expanded = self.expanded(row, cut);
            self.insert_itemsets(&mut tree, &sizes, &expanded, &mut Vec::new());
        }
        tree
    }

    /// Inserts the itemsets that begin with `path` and go on in `rest`. The path's nodes are created with the first
    /// itemset that needs them.
    fn insert_itemsets(
        &self,
        tree: &mut CountTree,
        sizes: &RangeInclusive<usize>,
        rest: &[Rank],
        path: &mut Vec<(Rank, Option<u32>)>,
    ) {
        if sizes.contains(&path.len()) {
            let mut node = ROOT;
            for (rank, known) in path.iter_mut() {
                node = *known.get_or_insert_with(|| tree.child_or_new(node, *rank));
            }
            tree.count(node);
        }
        if path.len() == *sizes.end() {
            return;
        }
        for (i, &rank) in rest.iter().enumerate() {
            let node = self.order[rank as usize];
            if !path.iter().any(|&(other, _)| self.are_related(self.order[other as usize], node)) {
                path.push((rank, None));
                self.insert_itemsets(tree, sizes, &rest[i + 1..], path);
                path.pop();
            }
        }
    }
}

/// Numbers the nodes of a subtree in preorder.
fn number(hierarchy: &Hierarchy, node: NodeId, next: &mut u32, entered: &mut [u32], left: &mut [u32]) {
    entered[node as usize] = *next;
    *next += 1;
    for &child in hierarchy.children(node) {
        number(hierarchy, child, next, entered, left);
    }
    left[node as usize] = *next;
}

#[cfg(test)]
mod tests {
    use super::super::running_example;
    use super::*;
    use crate::publish::km::KmParameters;

    fn labels(items: &Items, ranks: &[Rank]) -> Vec<String> {
        ranks.iter().map(|&rank| items.problem.hierarchy.label(items.order[rank as usize]).to_string()).collect()
    }

    #[test]
    fn figure_6_is_the_expanded_database() {
        let dataset = running_example();
        let problem = Problem::new(&dataset, KmParameters { k: 2, m: 2 }).unwrap();
        let items = Items::new(&problem, TreeOrder::Support);
        assert_eq!(labels(&items, &[0, 1, 2, 3, 4, 5]), ["A", "B", "a2", "b1", "b2", "a1"]);
        let bottom = Cut::bottom(problem.hierarchy);
        let rows = problem.transactions.rows();
        let expanded: Vec<_> = rows.map(|row| labels(&items, &items.expanded(row, &bottom))).collect();
        assert_eq!(
            expanded,
            [
                &["A", "B", "b1", "b2", "a1"][..],
                &["A", "B", "a2", "b1"],
                &["A", "B", "a2", "b1", "b2"],
                &["A", "B", "a2", "b2", "a1"],
            ]
        );
    }

    #[test]
    fn figure_5_is_the_count_tree() {
        fn paths(items: &Items, tree: &CountTree, node: u32, prefix: &str, found: &mut Vec<String>) {
            for &(rank, child) in tree.children(node) {
                let path = format!("{prefix}{}", labels(items, &[rank])[0]);
                found.push(format!("{path} {}", tree.support(child)));
                paths(items, tree, child, &format!("{path}-"), found);
            }
        }
        let dataset = running_example();
        let problem = Problem::new(&dataset, KmParameters { k: 2, m: 2 }).unwrap();
        let mut items = Items::new(&problem, TreeOrder::Support);
        let tree = items.count_tree(1..=2, &Cut::bottom(problem.hierarchy));
        let mut found = Vec::new();
        paths(&items, &tree, ROOT, "", &mut found);
        assert_eq!(
            found,
            [
                "A 4", "A-B 4", "A-b1 3", "A-b2 3", "B 4", "B-a2 3", "B-a1 2", "a2 3", "a2-b1 2", "a2-b2 2", "a2-a1 1",
                "b1 3", "b1-b2 2", "b1-a1 1", "b2 3", "b2-a1 2", "a1 2",
            ]
        );
        assert_eq!(tree.nodes(), 17);
    }
}
