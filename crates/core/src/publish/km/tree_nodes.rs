//! How many nodes the count-tree would have: the paper's measure of memory.

use super::expanded::Rank;
use super::visitor::{Below, Sizes, Visitor};
use super::walk::Walker;

pub(super) fn count_tree_nodes(walker: &Walker, sizes: Sizes) -> u64 {
    let mut counter = Counter { sizes, nodes: 0 };
    walker.walk(sizes, &mut counter);
    counter.nodes
}

struct Counter {
    sizes: Sizes,
    nodes: u64,
}

impl Visitor for Counter {
    fn enough(&self) -> u32 {
        1
    }

    fn leaf(&mut self, _: &[Rank]) {}

    fn leave(&mut self, path: &[Rank], below: Below) {
        let is_node = !path.is_empty() && (below.complete || matches!(self.sizes, Sizes::UpTo(_)));
        self.nodes += below.leaves + u64::from(is_node);
    }
}
