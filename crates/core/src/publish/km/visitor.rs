//! What walks over the count-tree report, and to whom.

use super::expanded::Rank;

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
