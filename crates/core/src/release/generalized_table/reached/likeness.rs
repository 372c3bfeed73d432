//! β-likeness: J. Cao, P. Karras, "Publishing Microdata with a Robust Privacy Guarantee", PVLDB 5(11), 2012, Definitions 2
//! and 3. Only values that a class has more often than the whole table tell anything new.

use super::super::{ClassGroup, Fraction, Overall};
use super::{known_rows, telling};
use crate::lab::math::ln;

/// The smallest β of basic β-likeness: the largest (q − p) / p.
pub fn basic_beta(groups: &[ClassGroup], overall: &Overall<'_>) -> Option<Fraction> {
    telling(groups).map(|group| beta_of(group, overall)).max()
}

pub fn beta_of(group: &ClassGroup, overall: &Overall<'_>) -> Fraction {
    gains(group, overall).map(|(_, gain)| gain).max().unwrap_or(Fraction::new(0, 1))
}

/// The smallest β of enhanced β-likeness; infinite when a gain is above its −ln p, which no β mends.
pub fn enhanced_beta(groups: &[ClassGroup], overall: &Overall<'_>) -> Option<f64> {
    telling(groups).map(|group| enhanced_beta_of(group, overall)).max_by(f64::total_cmp)
}

pub fn enhanced_beta_of(group: &ClassGroup, overall: &Overall<'_>) -> f64 {
    // 1 + gain = −ln p + 1 has no rational solution but p = 1, where both sides are 0: floating point decides rightly
    // but for counts beyond its digits.
    let bounded = gains(group, overall).all(|(total, gain)| gain.as_f64() <= -ln(total as f64 / overall.rows as f64));
    if bounded { beta_of(group, overall).as_f64() } else { f64::INFINITY }
}

/// (q − p) / p of the values with q > p, each with the rows that have it in the whole table.
fn gains(group: &ClassGroup, overall: &Overall<'_>) -> impl Iterator<Item = (u64, Fraction)> {
    let rows = u128::from(known_rows(group));
    group.values.iter().filter_map(move |&(value, count)| {
        let total = overall.counts[value as usize];
        let (more, expected) = (u128::from(count) * u128::from(overall.rows), u128::from(total) * rows);
        (more > expected).then(|| (total, Fraction::new(more - expected, expected)))
    })
}
