//! Compatible rows where a star is a wildcard: two rows are compatible when in every column one of them has a star or both
//! cover the same. Compatibility is not transitive, so there are no classes; each row has its own set.
//!
//! Cost. Classes with stars in the same columns (a *mask*) are taken together: for each pair of masks, the classes of both by the
//! columns where neither has a star.

use super::{ClassGroup, Classes};
use crate::data::DistinctRows;
use std::collections::BTreeMap;

/// Groups like `groups`, which are those of `classes`, each with all the rows compatible with it. `suppressed` rows, where
/// they count, are stars throughout and thus compatible with every row; they get a group of their own, too.
pub(super) fn compatible(classes: &Classes, groups: &[ClassGroup], suppressed: Option<ClassGroup>) -> Vec<ClassGroup> {
    let mut found: Vec<Tally> = groups.iter().map(|_| Tally::default()).collect();
    for_each_pair_of_masks(classes, |pair| {
        let mut tallies = vec![Tally::default(); pair.alike];
        pair.others().for_each(|(other, number)| tallies[number].add(&groups[other]));
        pair.members().for_each(|(member, number)| found[member].join(&tallies[number]));
    });
    let mut all: Vec<ClassGroup> = found
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

impl Classes {
    /// The fewest rows that a row is compatible with, suppressed rows aside; None where all are suppressed.
    pub fn smallest_compatible_set(&self) -> Option<u32> {
        let mut found = vec![0; self.len()];
        for_each_pair_of_masks(self, |pair| {
            let mut rows = vec![0; pair.alike];
            pair.others().for_each(|(other, number)| rows[number] += self.sizes[other]);
            pair.members().for_each(|(member, number)| found[member] += rows[number]);
        });
        found.into_iter().min()
    }
}

/// The classes of two masks; those that are compatible have one number.
struct PairOfMasks<'a> {
    members: &'a [usize],
    others: &'a [usize],
    /// Of the members, then of the others.
    numbers: &'a [u32],
    /// How many numbers there are.
    alike: usize,
}

impl PairOfMasks<'_> {
    fn members(&self) -> impl Iterator<Item = (usize, usize)> {
        self.members.iter().zip(self.numbers).map(|(&class, &number)| (class, number as usize))
    }

    fn others(&self) -> impl Iterator<Item = (usize, usize)> {
        let numbers = &self.numbers[self.members.len()..];
        self.others.iter().zip(numbers).map(|(&class, &number)| (class, number as usize))
    }
}

fn for_each_pair_of_masks(classes: &Classes, mut visit: impl FnMut(PairOfMasks<'_>)) {
    let columns = classes.covers.len();
    let mut of_mask: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for class in 0..classes.len() {
        let mask: Vec<bool> = (0..columns).map(|i| classes.is_star(class, i)).collect();
        of_mask.entry(mask).or_default().push(class);
    }
    for (mask, members) in &of_mask {
        for (other_mask, others) in &of_mask {
            let both = || members.iter().chain(others);
            let compared = (0..columns).filter(|&i| !mask[i] && !other_mask[i]);
            let column = |i: usize| (both().map(move |&class| classes.cells(class)[i]), classes.covers[i].len());
            let distinct = DistinctRows::new(members.len() + others.len(), compared.map(column));
            visit(PairOfMasks { members, others, numbers: &distinct.of_row, alike: distinct.len() });
        }
    }
}

/// Rows and values summed up.
#[derive(Debug, Clone, Default)]
struct Tally {
    rows: u32,
    values: BTreeMap<u32, u32>,
}

impl Tally {
    fn add(&mut self, group: &ClassGroup) {
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

    fn group(self, first_row: u32) -> ClassGroup {
        ClassGroup { rows: self.rows, values: self.values.into_iter().collect(), first_row }
    }
}
