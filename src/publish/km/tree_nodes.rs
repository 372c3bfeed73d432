//! How many nodes the count-tree would have: the paper's measure of memory.

use super::expanded::{Expanded, Rank};
use super::walk::{Sizes, Visitor, walk};

pub(super) fn count_tree_nodes(expanded: &Expanded, sizes: Sizes) -> u64 {
    let mut counter = Counter { sizes, nodes: 0 };
    walk(expanded, sizes, &mut counter);
    counter.nodes
}

struct Counter {
    sizes: Sizes,
    nodes: u64,
}

impl Visitor for Counter {
    fn enough(&self) -> u32 {
        u32::MAX
    }

    fn leaf(&mut self, path: &[Rank], _: u32) {
        // A childless node short of full size is counted when it is left, as every inner node is.
        let (Sizes::UpTo(size) | Sizes::Exactly(size)) = self.sizes;
        self.nodes += u64::from(path.len() == size);
    }

    fn leave(&mut self, complete: bool) {
        self.nodes += u64::from(complete || matches!(self.sizes, Sizes::UpTo(_)));
    }
}
