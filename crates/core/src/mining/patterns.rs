//! The distinct quasi-identifier combinations of a table (*profiles*), and a walk over the patterns that occur in them.
//!
//! A pattern fixes the values of some quasi-identifiers. The walk visits every pattern at most once, after all its
//! sub-patterns, with the profiles that match it, and goes deeper only where the visitor wants: nothing is kept but the
//! path to the pattern at hand (BUC of Beyer and Ramakrishnan, SIGMOD 1999, from the last attribute to the first).
//!
//! It differs from the miner of itemsets in what it hands out (the matching profiles, not a count), in its order, and in
//! that the visitor prunes.
//!
//! Cost. Profiles: a lookup a row, and a sort of the profiles. Walk: a pattern costs the number of its profiles times the attributes
//! behind its last.

use crate::data::{DistinctRows, Microdata};

/// A quasi-identifier's position and the code of its value, ascending by position.
pub type Pattern = [(u32, u32)];

/// The distinct combinations of quasi-identifier values in a table, in the order of their codes.
#[derive(Debug, Clone)]
pub struct Profiles {
    /// Attribute by attribute, the code of each profile.
    codes: Vec<Vec<u32>>,
    cardinalities: Vec<usize>,
    /// Row of the table to its profile.
    of_row: Vec<u32>,
    /// Profile to its number of rows.
    sizes: Vec<u32>,
}

/// `items` by their code, which is below `codes`; those of one code in the order they have.
fn sorted_by(items: &[u32], codes: usize, code: impl Fn(&u32) -> u32) -> Vec<u32> {
    let mut next = vec![0u32; codes + 1];
    items.iter().for_each(|item| next[code(item) as usize + 1] += 1);
    for code in 1..next.len() {
        next[code] += next[code - 1];
    }
    let mut sorted = vec![0; items.len()];
    for item in items {
        let next = &mut next[code(item) as usize];
        sorted[*next as usize] = *item;
        *next += 1;
    }
    sorted
}

impl Profiles {
    /// Merges rows with the same quasi-identifiers.
    pub fn new(microdata: &Microdata) -> Self {
        let columns: Vec<_> = microdata.quasi_identifiers.iter().map(|&i| &microdata.table.columns[i]).collect();
        let coded = columns.iter().map(|column| (column.codes.iter().copied(), column.cardinality()));
        let distinct = DistinctRows::new(microdata.rows(), coded);
        // By the last attribute first: each later pass keeps the order of those before among what it does not tell apart. A comparison of
        // two would fetch their codes from all over the table.
        let mut in_order: Vec<u32> = (0..distinct.len() as u32).collect();
        for column in columns.iter().rev() {
            let code = |number: &u32| column.codes[distinct.first_row[*number as usize] as usize];
            in_order = sorted_by(&in_order, column.cardinality(), code);
        }
        let mut profile_of = vec![0; distinct.len()];
        in_order.iter().zip(0..).for_each(|(&number, profile)| profile_of[number as usize] = profile);
        let of_row: Vec<u32> = distinct.of_row.iter().map(|&number| profile_of[number as usize]).collect();
        let mut sizes = vec![0; distinct.len()];
        of_row.iter().for_each(|&profile| sizes[profile as usize] += 1);
        let first_row = || in_order.iter().map(|&number| distinct.first_row[number as usize] as usize);
        Self {
            codes: columns.iter().map(|column| first_row().map(|row| column.codes[row]).collect()).collect(),
            cardinalities: columns.iter().map(|column| column.cardinality()).collect(),
            of_row,
            sizes,
        }
    }

    /// Number of different profiles.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether the table has no row.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Number of quasi-identifiers.
    pub fn attributes(&self) -> usize {
        self.codes.len()
    }

    /// Row by row, its profile.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// The number of rows of each profile.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The code of a profile in one attribute.
    pub fn code(&self, attribute: usize, profile: usize) -> u32 {
        self.codes[attribute][profile]
    }

    /// The number of rows of `members` together.
    pub fn rows_of(&self, members: &[u32]) -> u64 {
        members.iter().map(|&profile| u64::from(self.sizes[profile as usize])).sum()
    }

    /// Visits the patterns that occur, the empty one left out, each with its profiles, ascending, until `visit` answers that
    /// it wants no longer patterns behind this one. Longer patterns are behind the one they extend at its end, so a pattern
    /// is reached when all its beginnings said yes.
    pub fn walk(&self, mut visit: impl FnMut(&Pattern, &[u32]) -> bool) {
        let everybody: Vec<u32> = (0..self.len() as u32).collect();
        let mut runs = vec![Runs::default(); self.attributes()];
        self.descend(&everybody, 0, &mut Vec::new(), &mut runs, &mut visit);
    }

    fn descend(
        &self,
        members: &[u32],
        first: usize,
        pattern: &mut Vec<(u32, u32)>,
        runs: &mut [Runs],
        visit: &mut impl FnMut(&Pattern, &[u32]) -> bool,
    ) {
        let Some((own, deeper)) = runs.split_first_mut() else { return };
        // From the last attribute to the first: so a pattern comes after all its sub-patterns.
        for attribute in (first..self.attributes()).rev() {
            let codes = &self.codes[attribute];
            own.split(members, codes, self.cardinalities[attribute]);
            let mut rest = own.members.as_slice();
            while let Some(&member) = rest.first() {
                let code = codes[member as usize];
                let length = rest.iter().take_while(|&&member| codes[member as usize] == code).count();
                let (run, behind) = rest.split_at(length);
                pattern.push((attribute as u32, code));
                if visit(pattern, run) {
                    self.descend(run, attribute + 1, pattern, deeper, visit);
                }
                pattern.pop();
                rest = behind;
            }
        }
    }
}

/// Profiles in runs of one attribute's code, each run ascending. One per level of the walk, to be used again.
#[derive(Debug, Clone, Default)]
struct Runs {
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Runs {
    /// Splits ascending `members` by their code; by counting where that pays.
    fn split(&mut self, members: &[u32], codes: &[u32], cardinality: usize) {
        self.members.clear();
        self.members.extend_from_slice(members);
        if members.len() <= 16 || members.len() * 4 < cardinality {
            self.members.sort_by_key(|&member| codes[member as usize]);
            return;
        }
        self.starts.clear();
        self.starts.resize(cardinality + 1, 0);
        for &member in members {
            self.starts[codes[member as usize] as usize + 1] += 1;
        }
        for code in 0..cardinality {
            self.starts[code + 1] += self.starts[code];
        }
        for &member in members {
            let place = &mut self.starts[codes[member as usize] as usize];
            self.members[*place as usize] = member;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn profiles(rows: &[Vec<u8>]) -> Profiles {
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|v| format!("v{v}")).collect()).collect();
        let cells: Vec<Vec<&str>> = cells.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["a", "b", "c", "s"], &cells), &["a", "b", "c"], "s");
        Profiles::new(dataset.unwrap().microdata().unwrap())
    }

    proptest! {
        /// Every pattern that occurs is visited once, after its sub-patterns, with exactly the profiles that match it.
        #[test]
        fn the_walk_visits_each_pattern_after_its_sub_patterns(
            rows in prop::collection::vec(prop::collection::vec(0u8..3, 4), 1..40)
        ) {
            let profiles = profiles(&rows);
            let mut expected: BTreeMap<Vec<(u32, u32)>, BTreeSet<u32>> = BTreeMap::new();
            for profile in 0..profiles.len() {
                for mask in 1u32..8 {
                    let pattern: Vec<(u32, u32)> = (0..3)
                        .filter(|attribute| mask >> attribute & 1 == 1)
                        .map(|attribute| (attribute, profiles.code(attribute as usize, profile)))
                        .collect();
                    expected.entry(pattern).or_default().insert(profile as u32);
                }
            }
            let mut seen: BTreeMap<Vec<(u32, u32)>, BTreeSet<u32>> = BTreeMap::new();
            profiles.walk(|pattern, members| {
                for left_out in 0..pattern.len() {
                    let mut sub = pattern.to_vec();
                    sub.remove(left_out);
                    assert!(sub.is_empty() || seen.contains_key(&sub), "{sub:?} comes before {pattern:?}");
                }
                assert!(members.is_sorted());
                assert!(seen.insert(pattern.to_vec(), members.iter().copied().collect()).is_none());
                true
            });
            prop_assert_eq!(seen, expected);
            prop_assert_eq!(profiles.sizes().iter().sum::<u32>() as usize, rows.len());
        }
    }

    #[test]
    fn profiles_are_ordered_by_their_codes_and_rows_know_theirs() {
        let profiles = profiles(&[vec![1, 0, 0, 9], vec![0, 2, 1, 9], vec![1, 0, 0, 8]]);
        assert_eq!((profiles.of_row(), profiles.sizes()), (&[1, 0, 1][..], &[1, 2][..]));
    }
}
