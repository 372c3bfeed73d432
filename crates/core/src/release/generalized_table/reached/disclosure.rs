//! δ-disclosure privacy: J. Brickell, V. Shmatikov, "The Cost of Privacy: Destruction of Data-Mining Utility in Anonymized
//! Data Publishing", KDD 2008, Definition 4.

use super::super::{ClassGroup, Overall};
use super::{known_rows, telling};
use crate::lab::math::ln;

/// The δ that every class stays below or at: the largest |ln(q / p)|. A value of the whole table that a class lacks makes it
/// infinite. The condition is strict, so a table has δ-disclosure privacy for every δ above this one.
pub fn delta(groups: &[ClassGroup], overall: &Overall<'_>) -> Option<f64> {
    telling(groups).map(|group| delta_of(group, overall)).max_by(f64::total_cmp)
}

pub fn delta_of(group: &ClassGroup, overall: &Overall<'_>) -> f64 {
    let present = overall.counts.iter().filter(|&&total| total > 0).count();
    if group.values.len() < present {
        return f64::INFINITY;
    }
    let rows = known_rows(group) as f64;
    let ratio = |&(value, count): &(u32, u32)| {
        let expected = overall.counts[value as usize] as f64 * rows;
        // ln of an exact 1 is an exact 0.
        ln(f64::from(count) * overall.rows as f64 / expected).abs()
    };
    group.values.iter().map(ratio).max_by(f64::total_cmp).unwrap_or(0.0)
}
