//! Cuts of an item hierarchy (Section 3.2 of "Privacy-preserving Anonymization of Set-valued Data", VLDB 2008): the
//! possible generalizations, and their partial order.

use crate::data::{Hierarchy, Item, NodeId};
use crate::lab::LabError;

/// A set of nodes such that every item is under exactly one of them, or is one of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// Item to the node it is published as.
    node_of: Vec<NodeId>,
}

impl Cut {
    /// No generalization: every item is published as itself.
    pub fn bottom(hierarchy: &Hierarchy) -> Self {
        Self { node_of: (0..hierarchy.leaves() as NodeId).collect() }
    }

    /// The cut of these nodes, if each item is under exactly one of them.
    pub fn new(hierarchy: &Hierarchy, nodes: &[NodeId]) -> Result<Self, LabError> {
        const NONE: NodeId = NodeId::MAX;
        let mut node_of = vec![NONE; hierarchy.leaves()];
        for &node in nodes {
            if node as usize >= hierarchy.nodes() {
                let nodes = hierarchy.nodes();
                return Err(LabError::input(format!("the cut has node {node}; the hierarchy has {nodes} nodes")));
            }
            for item in hierarchy.leaves_of(node) {
                let other = std::mem::replace(&mut node_of[item as usize], node);
                if other != NONE {
                    return Err(LabError::input(format!(
                        "item `{}` is under two nodes of the cut, `{}` and `{}`",
                        hierarchy.label(item),
                        hierarchy.label(other),
                        hierarchy.label(node)
                    )));
                }
            }
        }
        match node_of.iter().position(|&node| node == NONE) {
            Some(item) => {
                let label = hierarchy.label(item as NodeId);
                Err(LabError::input(format!("item `{label}` is under no node of the cut")))
            }
            None => Ok(Self { node_of }),
        }
    }

    /// What `item` is published as.
    pub fn node_of(&self, item: Item) -> NodeId {
        self.node_of[item as usize]
    }

    /// The nodes of the cut, ascending.
    pub fn nodes(&self) -> Vec<NodeId> {
        let mut nodes = self.node_of.clone();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Publishes everything below `node` as `node`; elsewhere the cut stays as it is.
    pub fn generalize_to(&mut self, hierarchy: &Hierarchy, node: NodeId) {
        for item in hierarchy.leaves_of(node) {
            self.node_of[item as usize] = node;
        }
    }

    /// The cuts one step up: the children of one node, all in this cut, are replaced by that node. In the order of
    /// those nodes.
    pub fn immediate_ancestors(&self, hierarchy: &Hierarchy) -> Vec<Self> {
        let mut in_cut = vec![false; hierarchy.nodes()];
        for &node in &self.node_of {
            in_cut[node as usize] = true;
        }
        (hierarchy.leaves() as NodeId..=hierarchy.root())
            .filter(|&node| hierarchy.children(node).iter().all(|&child| in_cut[child as usize]))
            .map(|node| {
                let mut above = self.clone();
                above.generalize_to(hierarchy, node);
                above
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::HierarchyBuilder;

    /// Figure 1: a1 a2 under A, b1 b2 under B, both under ALL.
    fn figure_1() -> Hierarchy {
        let mut builder = HierarchyBuilder::new(["a1", "a2", "b1", "b2"].map(String::from).to_vec());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        builder.finish().unwrap()
    }

    fn cut(nodes: &[NodeId]) -> Result<Cut, String> {
        Cut::new(&figure_1(), nodes).map_err(|error| error.to_string())
    }

    #[test]
    fn figure_4_is_the_lattice_of_cuts() {
        let h = figure_1();
        let above = |cut: &Cut| cut.immediate_ancestors(&h).iter().map(Cut::nodes).collect::<Vec<_>>();
        let bottom = Cut::bottom(&h);
        assert_eq!(above(&bottom), [vec![2, 3, 4], vec![0, 1, 5]]);
        assert_eq!(above(&cut(&[4, 2, 3]).unwrap()), [[4, 5]]);
        assert_eq!(above(&cut(&[4, 5]).unwrap()), [[6]]);
        assert!(above(&cut(&[6]).unwrap()).is_empty());
    }

    #[test]
    fn each_item_is_under_exactly_one_node() {
        assert_eq!(cut(&[4, 2]).unwrap_err(), "item `b2` is under no node of the cut");
        assert_eq!(cut(&[4, 5, 0]).unwrap_err(), "item `a1` is under two nodes of the cut, `A` and `a1`");
        assert_eq!(cut(&[9]).unwrap_err(), "the cut has node 9; the hierarchy has 7 nodes");
    }
}
