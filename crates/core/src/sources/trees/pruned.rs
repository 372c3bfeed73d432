//! A tree without the values that the data lacks.

use super::fault::{TreeFault, not_in_hierarchy};
use crate::data::{Hierarchy, HierarchyBuilder, NodeId};
use crate::sources::definition::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// A tree without what the data lacks.
struct Pruned<'a> {
    /// The labels of the nodes above that said no more than this one.
    other_names: Vec<&'a str>,
    node: PrunedNode<'a>,
}

enum PrunedNode<'a> {
    Leaf(u32),
    Inner(&'a str, Vec<Pruned<'a>>),
}

pub(super) fn from_tree(root: &Node, labels: &[String], keep_levels: bool) -> Result<Hierarchy, TreeFault> {
    let Node::Inner(name, children) = root else {
        return Err("a tree needs a root above its values".into());
    };
    let codes = labels.iter().map(String::as_str).zip(0..).collect();
    let mut pruning = Pruning { codes, keep_levels, seen: FxHashSet::default() };
    let mut below = pruning.all(children)?;
    let absent: Vec<&String> = labels.iter().filter(|label| !pruning.seen.contains(label.as_str())).collect();
    if !absent.is_empty() {
        return Err(not_in_hierarchy(&absent));
    }
    // What remains of the tree may hang on one branch; the root keeps its name.
    let mut other_names = Vec::new();
    while let ([Pruned { node: PrunedNode::Inner(..), .. }], false) = (below.as_slice(), keep_levels) {
        if let Some(Pruned { other_names: names, node: PrunedNode::Inner(label, children) }) = below.pop() {
            other_names.push(label);
            other_names.extend(names);
            below = children;
        }
    }
    let mut builder = HierarchyBuilder::new(labels.to_vec());
    emit(&Pruned { other_names, node: PrunedNode::Inner(&name.0, below) }, &mut builder);
    builder.finish().map_err(|error| error.to_string().into())
}

struct Pruning<'a> {
    /// The values of the data.
    codes: FxHashMap<&'a str, u32>,
    keep_levels: bool,
    /// The values of the tree so far.
    seen: FxHashSet<&'a str>,
}

impl<'a> Pruning<'a> {
    fn all(&mut self, nodes: &'a [Node]) -> Result<Vec<Pruned<'a>>, String> {
        let mut kept = Vec::new();
        for node in nodes {
            kept.extend(self.one(node)?);
        }
        Ok(kept)
    }

    fn one(&mut self, node: &'a Node) -> Result<Option<Pruned<'a>>, String> {
        let pruned = |node| Pruned { other_names: Vec::new(), node };
        match node {
            Node::Leaf(label) => {
                if !self.seen.insert(&label.0) {
                    return Err(format!("`{}` stands twice in the hierarchy", label.0));
                }
                Ok(self.codes.get(label.0.as_str()).map(|&code| pruned(PrunedNode::Leaf(code))))
            }
            Node::Inner(label, children) => {
                let mut below = self.all(children)?;
                if below.len() > 1 || (self.keep_levels && !below.is_empty()) {
                    return Ok(Some(pruned(PrunedNode::Inner(&label.0, below))));
                }
                let mut only = below.pop();
                if let Some(only) = &mut only {
                    only.other_names.push(&label.0);
                }
                Ok(only)
            }
        }
    }
}

fn emit(pruned: &Pruned<'_>, builder: &mut HierarchyBuilder) -> NodeId {
    let node = match &pruned.node {
        PrunedNode::Leaf(code) => *code,
        PrunedNode::Inner(label, children) => {
            let children: Vec<NodeId> = children.iter().map(|child| emit(child, builder)).collect();
            builder.group(*label, &children)
        }
    };
    pruned.other_names.iter().for_each(|name| builder.also_called(node, *name));
    node
}
