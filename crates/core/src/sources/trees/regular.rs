//! Hierarchies of a given degree or height over leaves in some order.

use super::leaves::Leaves;
use crate::data::Hierarchy;
use crate::sources::definition::Order;

pub(super) fn by_degree(leaves: Leaves, degree: usize, order: Order) -> Result<Hierarchy, String> {
    let mut sequence: Vec<u32> = (0..leaves.labels.len() as u32).collect();
    match order {
        Order::Id => {}
        Order::Appearance => {
            let mut seen = vec![false; sequence.len()];
            sequence = leaves.occurrences.filter(|&leaf| !std::mem::replace(&mut seen[leaf as usize], true)).collect();
        }
        Order::Frequency => {
            let mut counts = vec![0u64; sequence.len()];
            for leaf in leaves.occurrences {
                counts[leaf as usize] += 1;
            }
            sequence.sort_by_key(|&leaf| std::cmp::Reverse(counts[leaf as usize]));
        }
        Order::Random => sequence = (leaves.shuffled)(),
    }
    Hierarchy::by_degree(leaves.labels, &sequence, degree).map_err(|error| error.to_string())
}

/// The smallest degree with which `leaves` need no more than `height` levels, if it needs no fewer either.
pub(super) fn degree_of_height(leaves: usize, height: usize) -> Result<usize, String> {
    let levels = |degree: usize| {
        let (mut nodes, mut levels) = (leaves.div_ceil(degree), 2);
        while nodes > 1 {
            nodes = nodes.div_ceil(degree);
            levels += 1;
        }
        levels
    };
    let degree = (2..=leaves.max(2)).find(|&degree| levels(degree) <= height);
    match degree {
        Some(degree) if levels(degree) == height => Ok(degree),
        _ => Err(format!(
            "no degree gives {leaves} values a hierarchy of height {height}; they have at most {}",
            levels(2)
        )),
    }
}
