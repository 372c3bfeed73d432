//! Probabilities that the rows force to 0 or 1, fixed before the solver starts: their multipliers would run to infinity.
//!
//! A row whose sum can only just reach its lower bound forces its value on all members; one whose sum cannot fall below
//! its upper bound takes its value from all members that could have another. So does the difference of two equalities,
//! one over a part of the other's units (rules of confidence 1 are the simplest case; a rule with as many records as one
//! that extends it is another). What several rows force only together is left to the solver, which follows multipliers
//! to infinity.
//!
//! Cost. A round is linear in the members of all rows; a round follows only when something was forced.

use super::fingerprint::Fingerprint;
use super::model::{Model, ModelRow};
use super::problem::{Reach, rounding};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The rows leave some unit no value, or ask for more or fewer records than there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Impossible;

/// Fixes what is forced, and leaves a model whose rows all say something about classes with a choice.
pub fn fix_forced(model: &mut Model) -> Result<(), Impossible> {
    for row in &mut model.rows {
        let slack = rounding(row.upper);
        settle(row, slack);
    }
    loop {
        // Rows over classes that can have every value are as simple as the problem left them.
        if model.possible.iter().any(|possible| possible.len() < model.values) {
            simplify(model)?;
        }
        let removals = forced_removals(model);
        if removals.is_empty() {
            return Ok(());
        }
        remove(model, &removals)?;
    }
}

/// Takes values from classes.
pub fn remove(model: &mut Model, removals: &[(u32, u32)]) -> Result<(), Impossible> {
    for &(class, value) in removals {
        Arc::make_mut(&mut model.possible[class as usize]).retain(|&other| other != value);
        if model.possible[class as usize].is_empty() {
            return Err(Impossible);
        }
    }
    Ok(())
}

/// Takes classes whose value is known out of the rows, drops rows that say nothing more, and merges what has become equal.
fn simplify(model: &mut Model) -> Result<(), Impossible> {
    let rows_before = model.rows.len();
    let mut members_left = false;
    let mut kept: Vec<ModelRow> = Vec::with_capacity(rows_before);
    let mut row_of: FxHashMap<(u32, Fingerprint), usize> = FxHashMap::default();
    let marks: Vec<Fingerprint> = (0..model.weights.len() as u32).map(Fingerprint::of).collect();
    for mut row in std::mem::take(&mut model.rows) {
        let (mut known, mut weight, mut key) = (0.0, 0.0, Fingerprint::default());
        let members_before = row.members.len();
        row.members.retain(|&class| {
            let class = class as usize;
            let possible = &model.possible[class];
            let stays = possible.len() > 1 && possible.binary_search(&row.value).is_ok();
            if stays {
                weight += model.weights[class];
                key += marks[class];
            } else if possible[0] == row.value {
                known += model.weights[class];
            }
            stays
        });
        members_left |= row.members.len() < members_before;
        (row.lower, row.upper) = (row.lower - known, row.upper - known);
        let slack = rounding(weight + known);
        if row.lower > weight + slack || row.upper < -slack || row.lower > row.upper + slack {
            return Err(Impossible);
        }
        if row.lower <= slack && row.upper >= weight - slack {
            continue;
        }
        settle(&mut row, slack);
        match row_of.get(&(row.value, key)) {
            None => {
                row_of.insert((row.value, key), kept.len());
                kept.push(row);
            }
            Some(&same) => {
                let same = &mut kept[same];
                same.lower = same.lower.max(row.lower);
                same.upper = same.upper.min(row.upper);
                if same.lower > same.upper + slack {
                    return Err(Impossible);
                }
                same.multiplier += row.multiplier;
                settle(same, slack);
                if row.reach != Reach::Everywhere {
                    same.reach = row.reach;
                }
            }
        }
    }
    model.rows = kept;
    if members_left || model.rows.len() < rows_before {
        model.merge_classes();
    }
    Ok(())
}

/// Bounds that differ by rounding alone are an equality.
fn settle(row: &mut ModelRow, slack: f64) {
    if row.upper - row.lower <= slack {
        let middle = (row.lower + row.upper) / 2.0;
        (row.lower, row.upper) = (middle, middle);
    }
}

/// (class, value) pairs that have probability 0 in every solution, as far as single rows and differences tell.
fn forced_removals(model: &Model) -> Vec<(u32, u32)> {
    let others = |class: u32, value: u32| {
        let possible = model.possible[class as usize].iter().copied();
        possible.filter(move |&other| other != value).map(move |other| (class, other))
    };
    let mut removals = Vec::new();
    for row in &model.rows {
        // All members have a choice, so the sum can be anything from 0 to their weight.
        let weight = model.weight(&row.members);
        if row.upper <= rounding(weight) {
            removals.extend(row.members.iter().map(|&class| (class, row.value)));
        } else if row.lower >= weight - rounding(weight) {
            removals.extend(row.members.iter().flat_map(|&class| others(class, row.value)));
        }
    }
    for (small, large) in nested_equalities(model, |_, bound| bound) {
        removals.extend(difference(large, small).map(|class| (class, large.value)));
    }
    for (small, large) in nested_equalities(model, |weight, bound| weight - bound) {
        removals.extend(difference(large, small).flat_map(|class| others(class, large.value)));
    }
    removals.sort_unstable();
    removals.dedup();
    removals
}

/// Pairs of equalities for one value, the units of the first among those of the second, with equal `key`: between such
/// rows the value has no record to spare (key: the bound) or the other values have none (key: the rest).
fn nested_equalities(model: &Model, key: impl Fn(f64, f64) -> f64) -> Vec<(&ModelRow, &ModelRow)> {
    let mut rows_of: FxHashMap<(u32, u64), Vec<&ModelRow>> = FxHashMap::default();
    let mut keys = Vec::new();
    // Rows of a block have no other row of their value inside.
    for row in model.rows.iter().filter(|row| row.is_equality() && row.reach == Reach::Everywhere) {
        let key = (row.value, key(model.weight(&row.members), row.lower).to_bits());
        let rows = rows_of.entry(key).or_default();
        if rows.is_empty() {
            keys.push(key);
        }
        rows.push(row);
    }
    let mut nested = Vec::new();
    for key in keys {
        let rows = &rows_of[&key];
        for small in rows {
            for large in rows.iter().filter(|large| large.members.len() > small.members.len()) {
                if is_subset(&small.members, &large.members) {
                    nested.push((*small, *large));
                }
            }
        }
    }
    nested
}

fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut large = large.iter();
    small.iter().all(|class| large.by_ref().any(|other| other == class))
}

/// The members of `large` that are none of `small`.
fn difference<'a>(large: &'a ModelRow, small: &'a ModelRow) -> impl Iterator<Item = u32> + 'a {
    large.members.iter().copied().filter(|class| small.members.binary_search(class).is_err())
}
