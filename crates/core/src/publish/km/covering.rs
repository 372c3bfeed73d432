//! The least loss as a covering problem on the inner nodes of the hierarchy.
//!
//! An inner node is *closed* when everything below it is published at it or above; a cut is a set of closed nodes that
//! has, with a node, all inner nodes below it. Closing a node whose inner children are closed adds its weight to the loss.
//! A violated itemset, at or above whatever cut it was met, asks that the parent of one of its members be closed. If some
//! parents lie on one path, closing the upper one closes the lower one too, so only the lowest counts; a demand of one
//! node is no choice at all.

use super::loss::Loss;
use crate::data::{Hierarchy, NodeId};
use crate::release::Cut;
use std::collections::BinaryHeap;

/// Inner nodes, ascending and unrelated, one of which must be closed.
pub(super) type Demand = Vec<NodeId>;

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

/// A set of inner nodes that has, with a node, the inner nodes below it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Closed {
    /// By node; leaves are never in it.
    is_in: Vec<bool>,
}

impl Closed {
    pub fn none(hierarchy: &Hierarchy) -> Self {
        Self { is_in: vec![false; hierarchy.nodes()] }
    }

    pub fn contains(&self, node: NodeId) -> bool {
        self.is_in[node as usize]
    }

    /// Closes `node` and all below it.
    pub fn close(&mut self, hierarchy: &Hierarchy, node: NodeId) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if !hierarchy.is_leaf(node) && !std::mem::replace(&mut self.is_in[node as usize], true) {
                open.extend(hierarchy.children(node));
            }
        }
    }

    pub fn cut(&self, hierarchy: &Hierarchy) -> Cut {
        let mut cut = Cut::bottom(hierarchy);
        self.tops(hierarchy).for_each(|node| cut.generalize_to(hierarchy, node));
        cut
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.is_in.len() as NodeId).filter(|&node| self.contains(node))
    }

    /// The closed nodes that nothing closed is above: the inner nodes of the cut.
    pub fn tops<'a>(&'a self, hierarchy: &'a Hierarchy) -> impl Iterator<Item = NodeId> + 'a {
        self.nodes().filter(|&node| hierarchy.parent(node).is_none_or(|parent| !self.contains(parent)))
    }
}

pub(super) struct Covering<'a> {
    pub hierarchy: &'a Hierarchy,
    pub loss: &'a Loss,
    /// What every solution closes.
    pub forced: Closed,
    /// Those that forced nodes do not meet.
    pub demands: Vec<Demand>,
}

impl<'a> Covering<'a> {
    pub fn new(hierarchy: &'a Hierarchy, loss: &'a Loss) -> Self {
        Self { hierarchy, loss, forced: Closed::none(hierarchy), demands: Vec::new() }
    }

    /// What closing `node` adds when everything below it is closed. Never negative: it has at least the leaves of each
    /// child.
    pub fn weight(&self, node: NodeId) -> u64 {
        let below: u64 = self.hierarchy.children(node).iter().map(|&child| self.loss.of(child)).sum();
        self.loss.of(node) - below
    }

    pub fn cost(&self, closed: &Closed) -> u64 {
        closed.tops(self.hierarchy).map(|node| self.loss.of(node)).sum()
    }

    /// Adds demands, but for those that another one of them implies: if one step up from one of its nodes leads to
    /// another demand, whoever meets that one meets it too.
    pub fn add(&mut self, mut demands: Vec<Demand>) {
        demands.sort_unstable();
        demands.dedup();
        for demand in &demands {
            if let [node] = demand[..] {
                self.forced.close(self.hierarchy, node);
            }
        }
        let is_implied = |demand: &Demand| {
            demand.iter().any(|&node| {
                let others = demand.iter().copied().filter(|&other| other != node);
                let stepped = |above| lowest(self.hierarchy, others.chain([above]).collect());
                self.hierarchy.parent(node).map(stepped).is_some_and(|step| demands.binary_search(&step).is_ok())
            })
        };
        let strongest: Vec<Demand> = demands.iter().filter(|demand| !is_implied(demand)).cloned().collect();
        let forced = &self.forced;
        self.demands.extend(strongest);
        self.demands.retain(|demand| !demand.iter().any(|&node| forced.contains(node)));
        self.demands.sort_unstable();
        self.demands.dedup();
    }

    /// Opens what no demand needs closed, the dearest first; what is below an opened node may be opened after it.
    pub fn without_superfluous(&self, mut closed: Closed) -> Closed {
        let mut demands_of = vec![Vec::new(); self.hierarchy.nodes()];
        for (i, demand) in self.demands.iter().enumerate() {
            demand.iter().for_each(|&node| demands_of[node as usize].push(i));
        }
        let is_closed = |closed: &Closed, demand: &Demand| demand.iter().filter(|&&node| closed.contains(node)).count();
        let mut times_met: Vec<usize> = self.demands.iter().map(|demand| is_closed(&closed, demand)).collect();
        let mut waiting: BinaryHeap<(u64, NodeId)> =
            closed.tops(self.hierarchy).map(|node| (self.weight(node), node)).collect();
        while let Some((_, node)) = waiting.pop() {
            let needed = demands_of[node as usize].iter().any(|&demand| times_met[demand] == 1);
            if needed || self.forced.contains(node) {
                continue;
            }
            closed.is_in[node as usize] = false;
            demands_of[node as usize].iter().for_each(|&demand| times_met[demand] -= 1);
            let inner = self.hierarchy.children(node).iter().filter(|&&child| !self.hierarchy.is_leaf(child));
            waiting.extend(inner.map(|&child| (self.weight(child), child)));
        }
        closed
    }
}
