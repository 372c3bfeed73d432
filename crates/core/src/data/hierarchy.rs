//! Trees over the values of an attribute or over items.

use crate::lab::LabError;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// A node of a hierarchy. Leaves come first and have the code of their value or item; the root is the last node.
pub type NodeId = u32;

/// A rooted tree whose leaves are the values `0..leaves()`. A hierarchy of one value is one leaf under a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    parents: Vec<NodeId>,
    children: Vec<Vec<NodeId>>,
    labels: Vec<String>,
    leaves: usize,
    leaves_under: Vec<u32>,
    /// Further labels of nodes: of those that were left out since they said no more.
    other_names: Vec<(String, NodeId)>,
}

impl Hierarchy {
    /// Consecutive runs of `degree` nodes under a parent, level by level to one root; `order` lists the leaves as they
    /// stand side by side (the loss depends on it).
    pub fn by_degree(labels: &[String], order: &[u32], degree: usize) -> Result<Self, LabError> {
        if degree < 2 {
            return Err(LabError::input(format!("a hierarchy's degree must be at least 2, not {degree}")));
        }
        if labels.is_empty() {
            return Err(LabError::input("a hierarchy needs at least one value"));
        }
        let mut builder = HierarchyBuilder::new(labels.to_vec());
        let mut level: Vec<NodeId> = order.to_vec();
        let mut height = 0;
        while level.len() > 1 || height == 0 {
            height += 1;
            let above = level.len().div_ceil(degree);
            level = level
                .chunks(degree)
                .enumerate()
                .map(|(i, run)| {
                    let label = if above == 1 { "*".to_string() } else { format!("L{height}.{i}") };
                    builder.group(label, run)
                })
                .collect();
        }
        builder.finish()
    }

    /// The root is the last node.
    pub fn root(&self) -> NodeId {
        self.parents.len() as NodeId - 1
    }

    /// Number of leaves; these are the nodes from 0 on.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// Number of nodes, the root among them.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// Whether a node is a value of the data.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        (node as usize) < self.leaves
    }

    /// The node above; None for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != self.root()).then(|| self.parents[node as usize])
    }

    /// The nodes directly below, in order.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node as usize]
    }

    /// The name of a node.
    pub fn label(&self, node: NodeId) -> &str {
        &self.labels[node as usize]
    }

    /// The labels of nodes that were left out, each with the node that has the same leaves.
    pub fn other_names(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.other_names.iter().map(|(name, node)| (name.as_str(), *node))
    }

    /// A name for each node that no other has: its label, for all but the first of several nodes with `#2`, `#3` behind it.
    pub fn unique_names(&self) -> Vec<Cow<'_, str>> {
        let taken: FxHashSet<&str> = self.labels.iter().map(String::as_str).collect();
        let mut last: FxHashMap<&str, usize> = FxHashMap::default();
        let name = |label| {
            let number = last.entry(label).or_insert(0);
            *number += 1;
            if *number == 1 {
                return Cow::Borrowed(label);
            }
            let mut name = format!("{label}#{number}");
            while taken.contains(name.as_str()) {
                *number += 1;
                name = format!("{label}#{number}");
            }
            Cow::Owned(name)
        };
        self.labels.iter().map(String::as_str).map(name).collect()
    }

    /// How many leaves are below `node` (1 for a leaf).
    pub fn leaves_under(&self, node: NodeId) -> usize {
        self.leaves_under[node as usize] as usize
    }

    /// `node`, its parent, and so on up to the root.
    pub fn path_to_root(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&node| self.parent(node))
    }

    /// Whether `above` is `node` or one of its ancestors.
    pub fn covers(&self, above: NodeId, node: NodeId) -> bool {
        self.path_to_root(node).any(|ancestor| ancestor == above)
    }

    /// The leaves below `node`, ascending.
    pub fn leaves_of(&self, node: NodeId) -> Vec<u32> {
        let mut found = Vec::with_capacity(self.leaves_under(node));
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match self.children(node) {
                [] => found.push(node),
                children => open.extend(children),
            }
        }
        found.sort_unstable();
        found
    }

    /// The tree over some of its leaves, numbered anew in their order. Nodes that have no leaf left are gone; the others keep
    /// their places, so that no level is lost.
    pub fn of_leaves(&self, is_kept: &[bool]) -> Result<Self, LabError> {
        let kept = (0..self.leaves).filter(|&leaf| is_kept[leaf]);
        let mut new_node: Vec<Option<NodeId>> = vec![None; self.nodes()];
        let mut labels = Vec::new();
        for leaf in kept {
            new_node[leaf] = Some(labels.len() as NodeId);
            labels.push(self.labels[leaf].clone());
        }
        let mut builder = HierarchyBuilder::new(labels);
        for node in self.leaves..self.nodes() {
            let below: Vec<NodeId> = self.children[node].iter().filter_map(|&child| new_node[child as usize]).collect();
            new_node[node] = (!below.is_empty()).then(|| builder.group(self.labels[node].clone(), &below));
        }
        for (name, node) in &self.other_names {
            if let Some(node) = new_node[*node as usize] {
                builder.also_called(node, name.clone());
            }
        }
        builder.finish()
    }

    /// The number of levels: 1 plus the longest path from the root to a leaf.
    pub fn height(&self) -> usize {
        (0..self.leaves as NodeId).map(|leaf| self.path_to_root(leaf).count()).max().unwrap_or(0)
    }
}

/// Puts a hierarchy together from the leaves up, and checks that it is a tree.
#[derive(Debug, Clone)]
pub struct HierarchyBuilder {
    leaves: usize,
    labels: Vec<String>,
    children: Vec<Vec<NodeId>>,
    other_names: Vec<(String, NodeId)>,
}

impl HierarchyBuilder {
    /// `labels` are the leaves, in the order of their codes.
    pub fn new(labels: Vec<String>) -> Self {
        Self { leaves: labels.len(), children: vec![Vec::new(); labels.len()], labels, other_names: Vec::new() }
    }

    /// Adds an inner node above `children`.
    pub fn group(&mut self, label: impl Into<String>, children: &[NodeId]) -> NodeId {
        self.labels.push(label.into());
        self.children.push(children.to_vec());
        self.labels.len() as NodeId - 1
    }

    /// Gives a node a further name, beside its label.
    pub fn also_called(&mut self, node: NodeId, name: impl Into<String>) {
        self.other_names.push((name.into(), node));
    }

    /// Checks that every node but the last has exactly one parent and that inner nodes have children.
    pub fn finish(self) -> Result<Hierarchy, LabError> {
        let Self { leaves, labels, children, other_names } = self;
        let nodes = labels.len();
        if leaves == 0 {
            return Err(LabError::input("a hierarchy needs at least one value"));
        }
        let mut parents = vec![NodeId::MAX; nodes];
        for (node, below) in children.iter().enumerate().skip(leaves) {
            if below.is_empty() {
                return Err(LabError::input(format!("`{}` has nothing below it", labels[node])));
            }
            for &child in below {
                // Children are made before their parents, so there is no cycle to look for.
                if child as usize >= node {
                    return Err(LabError::input(format!("`{}` is not made before its parent", labels[node])));
                }
                if parents[child as usize] != NodeId::MAX {
                    let other = parents[child as usize] as usize;
                    return Err(LabError::input(format!(
                        "`{}` is under both `{}` and `{}`: not a tree",
                        labels[child as usize], labels[other], labels[node]
                    )));
                }
                parents[child as usize] = node as NodeId;
            }
        }
        if let Some(orphan) = (0..nodes - 1).find(|&node| parents[node] == NodeId::MAX) {
            return Err(LabError::input(format!("`{}` is under no other node: not one tree", labels[orphan])));
        }
        if nodes == leaves {
            return Err(LabError::input("a hierarchy needs a root above its values"));
        }
        let mut leaves_under = vec![1u32; nodes];
        for node in leaves..nodes {
            leaves_under[node] = children[node].iter().map(|&child| leaves_under[child as usize]).sum();
        }
        Ok(Hierarchy { parents, children, labels, leaves, leaves_under, other_names })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(n: usize) -> Vec<String> {
        (0..n).map(|i| i.to_string()).collect()
    }

    fn by_degree(n: usize, degree: usize) -> Hierarchy {
        Hierarchy::by_degree(&labels(n), &(0..n as u32).collect::<Vec<_>>(), degree).unwrap()
    }

    #[test]
    fn levels_by_degree_are_those_of_the_papers() {
        for (items, degree, height) in [(497, 5, 5), (1657, 5, 6), (3340, 5, 7), (40, 4, 4), (1, 5, 2)] {
            assert_eq!(by_degree(items, degree).height(), height, "{items} items");
        }
    }

    #[test]
    fn nodes_know_what_is_below_and_above() {
        let tree = by_degree(7, 3);
        assert_eq!(tree.leaves_under(tree.root()), 7);
        assert_eq!(tree.leaves_of(tree.parent(4).unwrap()), [3, 4, 5]);
        assert_eq!(tree.path_to_root(6).last(), Some(tree.root()));
        assert!(tree.covers(tree.root(), 2) && !tree.covers(2, tree.root()));
    }

    #[test]
    fn a_tree_over_some_leaves_keeps_its_levels() {
        let tree = by_degree(7, 3).of_leaves(&[true, false, true, false, false, false, true]).unwrap();
        assert_eq!((tree.leaves(), tree.height(), tree.label(2)), (3, 3, "6"));
        assert_eq!(tree.leaves_of(tree.parent(0).unwrap()), [0, 1]);
        assert!(by_degree(2, 2).of_leaves(&[false, false]).is_err());
    }

    #[test]
    fn nodes_of_one_label_have_names_of_their_own() {
        let mut tree = HierarchyBuilder::new(["a", "b", "c", "x#2"].map(String::from).to_vec());
        let low = tree.group("x", &[0, 1]);
        let high = tree.group("x", &[low, 2]);
        tree.group("a", &[high, 3]);
        let tree = tree.finish().unwrap();
        assert_eq!(tree.unique_names(), ["a", "b", "c", "x#2", "x", "x#3", "a#2"]);
    }

    #[test]
    fn what_is_not_a_tree_is_refused() {
        let mut twice = HierarchyBuilder::new(labels(2));
        let a = twice.group("a", &[0, 1]);
        twice.group("b", &[a, 1]);
        assert_eq!(twice.finish().unwrap_err().to_string(), "`1` is under both `a` and `b`: not a tree");
        let mut orphan = HierarchyBuilder::new(labels(2));
        orphan.group("a", &[0]);
        assert_eq!(orphan.finish().unwrap_err().to_string(), "`1` is under no other node: not one tree");
    }
}
