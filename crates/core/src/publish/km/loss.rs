//! Information loss (Section 3.3) in whole numbers.

use crate::data::{Hierarchy, NodeId, Transactions};

/// What publishing everything below a node as that node adds to NCP times |I| and the number of item occurrences: the
/// occurrences below the node times its leaves, and nothing for a node of one leaf.
pub(super) struct Loss {
    of: Vec<u64>,
}

impl Loss {
    pub fn new(hierarchy: &Hierarchy, transactions: &Transactions) -> Self {
        let mut occurrences: Vec<u64> = transactions.supports().into_iter().map(u64::from).collect();
        occurrences.resize(hierarchy.nodes(), 0);
        // Children are numbered before their parents.
        for node in hierarchy.leaves()..hierarchy.nodes() {
            let below = hierarchy.children(node as NodeId);
            occurrences[node] = below.iter().map(|&child| occurrences[child as usize]).sum();
        }
        let of = occurrences
            .into_iter()
            .enumerate()
            .map(|(node, occurrences)| match hierarchy.leaves_under(node as NodeId) {
                1 => 0,
                leaves => occurrences * leaves as u64,
            })
            .collect();
        Self { of }
    }

    pub fn of(&self, node: NodeId) -> u64 {
        self.of[node as usize]
    }
}
