//! Hierarchies as definitions describe them, over the values or items a dataset has.
//!
//! A tree may have values that the data lacks: they drop out, and so does an inner node that is left with a single node
//! below it, since it would say no more than that node; its label becomes another name of that node. Where the levels count
//! (distances within a hierarchy), such nodes stay. A value of the data that the tree lacks is an error.

mod built_in;
mod fault;
mod file;
mod intervals;
mod leaves;
mod pruned;
mod regular;
#[cfg(test)]
mod tests;

pub(super) use built_in::built_in;
pub use built_in::built_in_hierarchies;
pub(super) use fault::TreeFault;
pub(super) use file::parse;
pub(super) use leaves::Leaves;

use super::definition::HierarchyDefinition;
use crate::data::Hierarchy;
use intervals::by_intervals;
use pruned::from_tree;
use regular::{by_degree, degree_of_height};

/// A deeper tree tells nothing apart that a shallower one would not, and whoever walks it needs a stack as deep.
pub(super) const MOST_LEVELS: usize = 1000;

/// The hierarchy over `leaves`. `definition` is none that names another place: those are read before.
pub(super) fn build(definition: &HierarchyDefinition, leaves: Leaves) -> Result<Hierarchy, TreeFault> {
    if leaves.labels.is_empty() {
        return Err("there is nothing to put a hierarchy over: the data is empty".into());
    }
    match definition {
        HierarchyDefinition::BuiltIn(name) => Err(format!("`{name}` was not read").into()),
        HierarchyDefinition::File(file) => Err(format!("{} was not read", file.file).into()),
        HierarchyDefinition::Tree(tree) => from_tree(&tree.tree, leaves.labels, leaves.keep_levels),
        HierarchyDefinition::Intervals(intervals) => by_intervals(intervals, &leaves),
        HierarchyDefinition::Degree(by) => Ok(by_degree(leaves, by.degree, by.order)?),
        HierarchyDefinition::Height(by) => {
            let degree = degree_of_height(leaves.labels.len(), by.height)?;
            Ok(by_degree(leaves, degree, by.order)?)
        }
    }
}
