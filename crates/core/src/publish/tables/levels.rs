//! The levels of generalization of one attribute.
//!
//! At level j a value is published as its highest ancestor whose own longest way down has at most j steps. So a leaf of an uneven
//! hierarchy stays itself until the levels of its siblings are used up, and the top level is the root. An attribute without
//! a hierarchy has two levels: itself and `*`.

use crate::data::{Microdata, NodeId};
use crate::release::generalized_table::{Domain, GeneralizedCell};

/// An attribute's levels: which values are one at each.
pub(super) struct Levels {
    /// Level by level, 0 first.
    pub levels: Vec<Level>,
}

pub(super) struct Level {
    /// The place of the next lower level (the code at level 0) to the place here.
    pub of_lower: Vec<u32>,
    /// Code to its place.
    pub of_code: Vec<u32>,
    /// Place to its cell.
    pub cells: Vec<GeneralizedCell>,
    /// Place to the normalized certainty penalty of its cell.
    pub penalties: Vec<f64>,
}

impl Levels {
    pub fn new(microdata: &Microdata, i: usize) -> Self {
        let domain = Domain::new(microdata, i);
        let values = domain.values() as NodeId;
        let mut node_of: Vec<Vec<NodeId>> = vec![(0..values).collect()];
        match domain.hierarchy {
            Some(tree) => {
                let mut heights = vec![0; tree.nodes()];
                for leaf in 0..values {
                    for (height, node) in tree.path_to_root(leaf).enumerate() {
                        heights[node as usize] = heights[node as usize].max(height);
                    }
                }
                for level in 1..=heights[tree.root() as usize] {
                    let above =
                        |leaf| tree.path_to_root(leaf).take_while(|&node| heights[node as usize] <= level).last();
                    node_of.push((0..values).map(|leaf| above(leaf).unwrap_or(leaf)).collect());
                }
            }
            None => node_of.push(vec![values; values as usize]),
        }
        let cell = |node: NodeId| match (node < values, domain.hierarchy) {
            (true, _) => GeneralizedCell::Value(node),
            (false, Some(_)) => GeneralizedCell::Node(node),
            (false, None) => GeneralizedCell::Any,
        };
        let mut levels: Vec<Level> = Vec::with_capacity(node_of.len());
        for nodes in node_of {
            let mut distinct = nodes.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let of_code: Vec<u32> =
                nodes.iter().map(|node| distinct.partition_point(|other| other < node) as u32).collect();
            let of_lower = match levels.last() {
                None => of_code.clone(),
                Some(lower) => {
                    let mut of_lower = vec![0; lower.cells.len()];
                    for (&below, &here) in lower.of_code.iter().zip(&of_code) {
                        of_lower[below as usize] = here;
                    }
                    of_lower
                }
            };
            let cells: Vec<GeneralizedCell> = distinct.into_iter().map(cell).collect();
            let penalties = cells.iter().map(|cell| penalty(&domain, cell)).collect();
            levels.push(Level { of_lower, of_code, cells, penalties });
        }
        Self { levels }
    }

    pub fn top(&self) -> usize {
        self.levels.len() - 1
    }
}

/// What a cell loses: of numbers the width by that of all, of categories the values by all values; nothing for one value.
fn penalty(domain: &Domain<'_>, cell: &GeneralizedCell) -> f64 {
    let cover = domain.cover(cell);
    if cover.len() <= 1 {
        return 0.0;
    }
    let number = |code: Option<u32>| code.and_then(|code| domain.number(code));
    match (domain.range(), number(cover.codes().next()), number(cover.codes().next_back())) {
        // One number may be written in several ways.
        (Some((low, high)), Some(from), Some(to)) if high > low => (to - from) / (high - low),
        _ => cover.len() as f64 / domain.values() as f64,
    }
}
