//! Compatible rows where a star is a wildcard: two rows are compatible when in every column one of them has a star or both
//! cover the same. Compatibility is not transitive, so there are no classes; each row has its own set.
//!
//! Cost. Classes with stars in the same columns (a *mask*) are taken together: for each pair of masks, one hash lookup a
//! class over the columns where neither has a star.

use super::{Classes, Group};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Groups like `groups`, which are those of `classes`, each with all the rows compatible with it. `suppressed` rows, where
/// they count, are stars throughout and thus compatible with every row; they get a group of their own, too.
pub(super) fn compatible(classes: &Classes, groups: &[Group], suppressed: Option<Group>) -> Vec<Group> {
    let columns = classes.covers.len();
    let mut of_mask: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for class in 0..classes.len() {
        let mask: Vec<bool> = (0..columns).map(|i| classes.is_star(class, i)).collect();
        of_mask.entry(mask).or_default().push(class);
    }
    let mut found: Vec<Tally> = groups.iter().map(|_| Tally::default()).collect();
    for (mask, members) in &of_mask {
        for (other_mask, others) in &of_mask {
            let compared: Vec<usize> = (0..columns).filter(|&i| !mask[i] && !other_mask[i]).collect();
            let key = |class: usize| -> Vec<u32> { compared.iter().map(|&i| classes.cells[class][i]).collect() };
            let mut tallies: FxHashMap<Vec<u32>, Tally> = FxHashMap::default();
            for &other in others {
                tallies.entry(key(other)).or_default().add(&groups[other]);
            }
            for &member in members {
                if let Some(tally) = tallies.get(&key(member)) {
                    found[member].join(tally);
                }
            }
        }
    }
    let mut all: Vec<Group> = found
        .into_iter()
        .zip(groups)
        .map(|(mut tally, group)| {
            suppressed.iter().for_each(|suppressed| tally.add(suppressed));
            tally.group(group.first_row)
        })
        .collect();
    if let Some(suppressed) = &suppressed {
        let mut everybody = Tally::default();
        groups.iter().chain([suppressed]).for_each(|group| everybody.add(group));
        all.push(everybody.group(suppressed.first_row));
    }
    all
}

/// Rows and values summed up.
#[derive(Debug, Clone, Default)]
struct Tally {
    rows: u32,
    values: BTreeMap<u32, u32>,
}

impl Tally {
    fn add(&mut self, group: &Group) {
        self.rows += group.rows;
        for &(value, count) in &group.values {
            *self.values.entry(value).or_default() += count;
        }
    }

    fn join(&mut self, other: &Self) {
        self.rows += other.rows;
        for (&value, &count) in &other.values {
            *self.values.entry(value).or_default() += count;
        }
    }

    fn group(self, first_row: u32) -> Group {
        Group { rows: self.rows, values: self.values.into_iter().collect(), first_row }
    }
}
