//! The least loss as a covering problem on the inner nodes of the hierarchy.
//!
//! An inner node is *closed* when everything below it is published at it or above; a cut is a set of closed nodes that
//! has, with a node, all inner nodes below it. Closing a node whose inner children are closed adds its weight to the loss.
//! A violated itemset asks that the parent of one of its members be closed. If some parents lie on one path, closing the
//! upper one closes the lower one too, so only the lowest counts; a demand of one node is no choice at all.

use super::loss::Loss;
use crate::data::{Hierarchy, NodeId};

/// Inner nodes, ascending and unrelated, one of which must be closed.
pub(super) type Demand = Vec<NodeId>;

pub(super) struct Covering<'a> {
    pub hierarchy: &'a Hierarchy,
    loss: &'a Loss,
    /// Node to whether every solution closes it.
    forced: Vec<bool>,
    /// Those that forced nodes do not meet.
    pub demands: Vec<Demand>,
}

impl<'a> Covering<'a> {
    pub fn new(hierarchy: &'a Hierarchy, loss: &'a Loss) -> Self {
        Self { hierarchy, loss, forced: vec![false; hierarchy.nodes()], demands: Vec::new() }
    }

    /// What closing `node` adds when everything below it is closed. Never negative: its leaves outnumber each child's.
    pub fn weight(&self, node: NodeId) -> u64 {
        let below: u64 = self.hierarchy.children(node).iter().map(|&child| self.loss.of(child)).sum();
        self.loss.of(node) - below
    }

    pub fn is_forced(&self, node: NodeId) -> bool {
        self.forced[node as usize]
    }

    pub fn force(&mut self, node: NodeId) {
        close(self.hierarchy, &mut self.forced, node);
    }

    /// Adds what violated itemsets ask for. `demands` are all those of the violated itemsets at or above some cut, of one
    /// size, so a demand is implied by another if a single step up leads to one that is there.
    pub fn add(&mut self, mut demands: Vec<Demand>) {
        demands.sort_unstable();
        demands.dedup();
        let implied = |demand: &Demand| {
            demand.iter().any(|&node| {
                let stepped = |above| {
                    let others = demand.iter().copied().filter(|&other| other != node);
                    lowest(self.hierarchy, others.chain([above]).collect())
                };
                self.hierarchy.parent(node).map(stepped).is_some_and(|step| demands.binary_search(&step).is_ok())
            })
        };
        let strongest: Vec<Demand> = demands.iter().filter(|demand| !implied(demand)).cloned().collect();
        self.demands.extend(strongest);
        let Self { forced, demands, .. } = self;
        demands.retain(|demand| !demand.iter().any(|&node| forced[node as usize]));
        demands.sort_unstable();
        demands.dedup();
    }
}

/// Marks `node` and the inner nodes below it.
pub(super) fn close(hierarchy: &Hierarchy, closed: &mut [bool], node: NodeId) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if !hierarchy.is_leaf(node) && !std::mem::replace(&mut closed[node as usize], true) {
            open.extend(hierarchy.children(node));
        }
    }
}

/// What a violated itemset asks for.
pub(super) fn demand(hierarchy: &Hierarchy, violated: impl Iterator<Item = NodeId>) -> Demand {
    let parents = violated.map(|node| hierarchy.parent(node).expect("the root is in every transaction")).collect();
    lowest(hierarchy, parents)
}

/// Without the nodes that others are below; ascending.
fn lowest(hierarchy: &Hierarchy, mut nodes: Vec<NodeId>) -> Demand {
    nodes.sort_unstable();
    nodes.dedup();
    let all = nodes.clone();
    nodes.retain(|&above| !all.iter().any(|&node| node != above && hierarchy.covers(above, node)));
    nodes
}
