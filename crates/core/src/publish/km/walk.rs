//! The nodes of the count-tree (Section 4.1) in preorder, without the tree.
//!
//! A node is a set of items of the expanded transactions, none of which generalizes another; its children add an item of
//! higher rank. All that is needed to visit a node's children are the rows that hold the node. There are two ways to
//! keep them, for sparse rows (most sets of the tree are in few rows) and for dense ones (most are in many).

use super::expanded::Expanded;
use super::visitor::{Sizes, Visitor};
use super::walk_dense::{DenseWalk, ItemBits};
use super::walk_sparse::SparseWalk;

/// From this share of ones in the table of rows and items on, the dense way is faster (measured: by a factor of 5 to 10 at a
/// share of 0.15 to 0.4, and about even here), and its table is no larger than the rows themselves.
const DENSE: f64 = 1.0 / 32.0;

/// Expanded transactions whose count-trees, of whatever sizes, can be walked.
pub(super) struct Walker {
    pub expanded: Expanded,
    /// Where the rows are dense.
    table: Option<ItemBits>,
}

impl Walker {
    pub fn new(expanded: Expanded) -> Self {
        let table = (expanded.density() >= DENSE).then(|| ItemBits::new(&expanded));
        Self { expanded, table }
    }

    /// Whether passing over items costs nothing.
    pub fn is_dense(&self) -> bool {
        self.table.is_some()
    }

    pub fn walk(&self, sizes: Sizes, visitor: &mut impl Visitor) {
        match &self.table {
            Some(table) => DenseWalk::new(&self.expanded, table, sizes, visitor).run(),
            None => SparseWalk::new(&self.expanded, sizes, visitor).run(),
        }
    }

    /// Only the sets with an item of `news`, where leaving out the others saves time; their items in any order.
    pub fn walk_news(&self, news: &[bool], sizes: Sizes, visitor: &mut impl Visitor) {
        match &self.table {
            Some(table) => DenseWalk::new(&self.expanded, table, sizes, visitor).run_news(news),
            None => self.walk(sizes, visitor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expanded::Rank;
    use super::super::rows::Rows;
    use super::super::visitor::Below;
    use super::*;
    use crate::data::{Hierarchy, Transactions};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Notes the leaves it is shown; passes over some of their items from then on, as mending does.
    struct Notes {
        enough: u32,
        passed_over: Vec<bool>,
        leaves: Vec<Vec<Rank>>,
        nodes: u64,
    }

    impl Visitor for Notes {
        fn passes_over(&self, item: Rank) -> bool {
            self.passed_over[item as usize]
        }

        fn enough(&self) -> u32 {
            self.enough
        }

        fn leaf(&mut self, path: &[Rank]) {
            self.leaves.push(path.to_vec());
            let item = path[self.leaves.len() % path.len()];
            if self.leaves.len().is_multiple_of(3) && self.enough > 1 {
                self.passed_over[item as usize] = true;
            }
        }

        fn leave(&mut self, _: &[Rank], below: Below) {
            self.nodes += below.leaves + u64::from(below.complete);
        }
    }

    fn expanded(rows: &[BTreeSet<u32>], degree: usize) -> Expanded {
        let mut transactions = Transactions::with_labels((0..12).map(|item| item.to_string()).collect());
        rows.iter().for_each(|row| transactions.push(row.iter().copied()));
        let order: Vec<u32> = (0..12).collect();
        let hierarchy = Hierarchy::by_degree(&transactions.labels, &order, degree).unwrap();
        Expanded::new(&hierarchy, &Rows::of(&transactions))
    }

    proptest! {
        #[test]
        fn sparse_and_dense_walks_are_the_same(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..12, 1..6), 1..90),
            degree in 2usize..5,
            size in 1usize..5,
            up_to in any::<bool>(),
            enough in 1u32..5,
        ) {
            let expanded = expanded(&rows, degree);
            let sizes = if up_to { Sizes::UpTo(size) } else { Sizes::Exactly(size) };
            let passed_over = vec![false; expanded.domain()];
            let mut sparse = Notes { enough, passed_over, leaves: Vec::new(), nodes: 0 };
            let mut dense = Notes { passed_over: sparse.passed_over.clone(), leaves: Vec::new(), ..sparse };
            SparseWalk::new(&expanded, sizes, &mut sparse).run();
            DenseWalk::new(&expanded, &ItemBits::new(&expanded), sizes, &mut dense).run();
            prop_assert_eq!(&sparse.leaves, &dense.leaves);
            if !sparse.passed_over.contains(&true) {
                prop_assert_eq!(sparse.nodes, dense.nodes);
            }
        }

        #[test]
        fn a_walk_of_news_shows_the_leaves_with_news(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..12, 1..6), 1..90),
            degree in 2usize..5,
            size in 1usize..5,
            news in prop::collection::vec(any::<bool>(), 30),
        ) {
            struct Leaves(Vec<Vec<Rank>>);
            impl Visitor for Leaves {
                fn enough(&self) -> u32 {
                    3
                }
                fn leaf(&mut self, path: &[Rank]) {
                    let mut leaf = path.to_vec();
                    leaf.sort_unstable();
                    self.0.push(leaf);
                }
            }
            let expanded = expanded(&rows, degree);
            let table = ItemBits::new(&expanded);
            let (mut all, mut with_news) = (Leaves(Vec::new()), Leaves(Vec::new()));
            DenseWalk::new(&expanded, &table, Sizes::Exactly(size), &mut all).run();
            DenseWalk::new(&expanded, &table, Sizes::Exactly(size), &mut with_news).run_news(&news[..expanded.domain()]);
            all.0.retain(|leaf| leaf.iter().any(|&item| news[item as usize]));
            all.0.sort_unstable();
            with_news.0.sort_unstable();
            prop_assert_eq!(all.0, with_news.0);
        }
    }
}
