//! The nodes of the count-tree (Section 4.1) in preorder, without the tree.
//!
//! A node is a set of items of the expanded transactions, none of which generalizes another; its children add an item of
//! higher rank. All that is needed to visit a node's children are the rows that hold the node. There are two ways to
//! keep them, for sparse rows (most sets of the tree are in few rows) and for dense ones (most are in many).

use super::expanded::{Expanded, Rank};
use super::walk_dense::{DenseWalk, Table};
use super::walk_sparse::SparseWalk;

/// Which sets the tree holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// All of at most this size (Algorithm 1).
    UpTo(usize),
    /// Those of this size, and the prefixes on the way to them (Algorithm 4).
    Exactly(usize),
}

impl Sizes {
    pub fn largest(self) -> usize {
        match self {
            Self::UpTo(size) | Self::Exactly(size) => size,
        }
    }
}

/// What a traversal found below a node, as far as it was not passed over.
#[derive(Clone, Copy, Default)]
pub(super) struct Below {
    /// Whether the node has children at all, even such as are passed over.
    pub any: bool,
    /// Whether a set of full size is below it.
    pub complete: bool,
    /// The children of full size.
    pub leaves: u64,
}

pub(super) trait Visitor {
    /// Whether the nodes of this item and all below them are passed over. An answer may change from no to yes in `leaf`;
    /// the traversal then goes back to the longest prefix that is not passed over.
    fn passes_over(&self, _item: Rank) -> bool {
        false
    }

    /// Leaves of this support or more are of no interest; at least 1.
    fn enough(&self) -> u32;

    /// A node without children whose support is not `enough`.
    fn leaf(&mut self, path: &[Rank]);

    /// The end of an inner node's visit, the root's among them.
    fn leave(&mut self, _path: &[Rank], _below: Below) {}
}

/// From this share of ones in the table of rows and items on, the dense way is faster (measured: by a factor of 5 to 10 at a
/// share of 0.15 to 0.4, and about even here), and its table is no larger than the rows themselves.
const DENSE: f64 = 1.0 / 32.0;

/// Expanded transactions whose count-trees, of whatever sizes, can be walked.
pub(super) struct Walker {
    pub expanded: Expanded,
    /// Where the rows are dense.
    table: Option<Table>,
}

impl Walker {
    pub fn new(expanded: Expanded) -> Self {
        let table = (expanded.density() >= DENSE).then(|| Table::new(&expanded));
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
}
