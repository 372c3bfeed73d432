//! Intervals over numbers, level by level.

use super::fault::{TreeFault, not_in_hierarchy};
use super::leaves::Leaves;
use crate::data::{Hierarchy, HierarchyBuilder, NodeId, is_missing};
use crate::sources::definition::ByIntervals;

pub(super) fn by_intervals(intervals: &ByIntervals, leaves: &Leaves) -> Result<Hierarchy, TreeFault> {
    if !leaves.numeric {
        let is_number = |label: &&String| label.parse::<f64>().is_ok_and(f64::is_finite) || is_missing(label);
        let value = leaves.labels.iter().find(|label| !is_number(label)).cloned();
        let named = value.as_ref().map(|value| format!(", and `{value}` is none")).unwrap_or_default();
        return Err(TreeFault { message: format!("intervals are for numbers{named}"), value });
    }
    let ByIntervals { intervals: widths, from } = intervals;
    let mut level: Vec<(f64, NodeId)> = Vec::with_capacity(leaves.labels.len());
    for (label, code) in leaves.labels.iter().zip(0..) {
        let number: f64 = label.parse().map_err(|_| not_in_hierarchy(&[label]))?;
        level.push((number, code));
    }
    let whole = |number: &f64| number.fract() == 0.0;
    let all_whole = level.iter().map(|(number, _)| number).chain(widths).chain([from]).all(whole);
    let mut builder = HierarchyBuilder::new(leaves.labels.to_vec());
    for &width in widths {
        let interval = |number: f64| ((number - from) / width).floor();
        let mut above: Vec<(f64, NodeId)> = Vec::new();
        for run in level.chunk_by(|(a, _), (b, _)| interval(*a) == interval(*b)) {
            if run.len() == level.len() {
                break;
            }
            let node = match run {
                [(_, only)] => *only,
                several => {
                    let low = from + interval(several[0].0) * width;
                    let label = if all_whole {
                        format!("{low}-{}", low + width - 1.0)
                    } else {
                        format!("[{low}, {})", low + width)
                    };
                    builder.group(label, &several.iter().map(|&(_, node)| node).collect::<Vec<_>>())
                }
            };
            above.push((run[0].0, node));
        }
        // One interval over everything would be a second root.
        if above.is_empty() {
            break;
        }
        level = above;
    }
    builder.group("*", &level.iter().map(|&(_, node)| node).collect::<Vec<_>>());
    builder.finish().map_err(|error| error.to_string().into())
}
