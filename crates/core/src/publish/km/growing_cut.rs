//! A cut that only ever becomes more general, as c_out does in Algorithms 3 and 4.

use super::covering::{Closed, Covering};
use super::loss::Loss;
use crate::data::{Hierarchy, NodeId};

pub(super) struct GrowingCut<'a> {
    pub hierarchy: &'a Hierarchy,
    loss: &'a Loss,
    /// Node to whether it lies strictly below the cut.
    generalized: Vec<bool>,
    /// Node at or above the cut to the loss of the cut below it.
    loss_below: Vec<u64>,
}

impl<'a> GrowingCut<'a> {
    /// No generalization yet.
    pub fn bottom(hierarchy: &'a Hierarchy, loss: &'a Loss) -> Self {
        let nodes = hierarchy.nodes();
        Self { hierarchy, loss, generalized: vec![false; nodes], loss_below: vec![0; nodes] }
    }

    /// The cut of these closed nodes.
    pub fn closing(covering: &Covering<'a>, closed: &Closed) -> Self {
        let mut cut = Self::bottom(covering.hierarchy, covering.loss);
        closed.tops(covering.hierarchy).for_each(|node| cut.generalize_to(node));
        cut
    }

    /// The inner nodes at or below the cut.
    pub fn closed(&self) -> Closed {
        let mut closed = Closed::none(self.hierarchy);
        for item in 0..self.hierarchy.leaves() as NodeId {
            closed.close(self.hierarchy, self.published(item));
        }
        closed
    }

    /// Whether `node` is published as one of its ancestors.
    pub fn is_generalized(&self, node: NodeId) -> bool {
        self.generalized[node as usize]
    }

    /// The node that `node` is published as, where it is at or below the cut; else `node` itself.
    pub fn published(&self, node: NodeId) -> NodeId {
        let mut node = node;
        while self.generalized[node as usize] {
            node = self.hierarchy.parent(node).expect("the root is never below the cut");
        }
        node
    }

    /// What [`GrowingCut::generalize_to`] would add to the loss; `node` is at or above the cut.
    pub fn added_loss(&self, node: NodeId) -> u64 {
        self.loss.of(node) - self.loss_below[node as usize]
    }

    /// Publishes everything below `node`, which is at or above the cut, as `node`.
    pub fn generalize_to(&mut self, node: NodeId) {
        let added = self.added_loss(node);
        for ancestor in self.hierarchy.path_to_root(node) {
            self.loss_below[ancestor as usize] += added;
        }
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for &child in self.hierarchy.children(node) {
                if !std::mem::replace(&mut self.generalized[child as usize], true) {
                    open.push(child);
                }
            }
        }
    }
}
