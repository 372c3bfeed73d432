//! t-closeness: N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and ℓ-Diversity", ICDE 2007,
//! Section 4, with its three ground distances. Exact: all of them are sums of whole numbers over one denominator.

use super::super::{ClassGroup, Distance, Fraction, Overall};
use super::{known_rows, telling};
use crate::data::{Hierarchy, NodeId};
use crate::lab::LabError;

/// The smallest t: the distance of the class that is farthest from the whole table.
pub fn closeness(
    groups: &[ClassGroup],
    overall: &Overall<'_>,
    distance: Distance,
) -> Result<Option<Fraction>, LabError> {
    let mut largest = None;
    for group in telling(groups) {
        largest = largest.max(Some(closeness_of(group, overall, distance)?));
    }
    Ok(largest)
}

pub fn closeness_of(group: &ClassGroup, overall: &Overall<'_>, distance: Distance) -> Result<Fraction, LabError> {
    // q − p = (count·N − total·n) / (n·N) for n rows of the class and N of the table.
    let rows = i128::from(known_rows(group));
    let mut excess: Vec<i128> = overall.counts.iter().map(|&total| -i128::from(total) * rows).collect();
    for &(value, count) in &group.values {
        excess[value as usize] += i128::from(count) * i128::from(overall.rows);
    }
    let unit = rows.unsigned_abs() * u128::from(overall.rows);
    Ok(match distance {
        Distance::Equal => Fraction::new(excess.iter().map(|excess| excess.unsigned_abs()).sum(), 2 * unit),
        Distance::Ordered => {
            let mut carried = 0i128;
            let mut work = 0;
            for excess in &excess {
                carried += excess;
                work += carried.unsigned_abs();
            }
            let steps = overall.counts.len().saturating_sub(1).max(1);
            Fraction::new(work, unit * steps as u128)
        }
        Distance::Hierarchical => {
            let tree = overall.hierarchy.ok_or_else(|| {
                LabError::input(
                    "the hierarchical distance needs a hierarchy of the sensitive attribute: give one under `hierarchies`",
                )
            })?;
            let (work, height) = hierarchical(tree, excess);
            Fraction::new(work, unit * height.max(1))
        }
    })
}

/// Σ height(N)·min(surplus, shortage of N's children) over the inner nodes N, and the height of the root. The height of a
/// node is the longest way down from it.
fn hierarchical(tree: &Hierarchy, mut excess: Vec<i128>) -> (u128, u128) {
    let leaves = tree.leaves();
    let mut heights = vec![0u128; tree.nodes()];
    let mut work = 0;
    excess.resize(tree.nodes(), 0);
    // Children are made before their parents.
    for node in leaves..tree.nodes() {
        let (mut surplus, mut shortage) = (0i128, 0i128);
        for &child in tree.children(node as NodeId) {
            let child = child as usize;
            heights[node] = heights[node].max(heights[child] + 1);
            if excess[child] > 0 {
                surplus += excess[child];
            } else {
                shortage -= excess[child];
            }
        }
        excess[node] = surplus - shortage;
        work += heights[node] * surplus.min(shortage).unsigned_abs();
    }
    (work, heights.last().copied().unwrap_or(0))
}
