//! How many itemsets of a collection contain each item, kept up to date while items are suppressed (Section 6).
//!
//! Cost. The first counts take one step for each item of each edge. Suppressing v takes one for each item of each edge
//! with v; an edge is met once for each of its items at most.

use super::cover::Cover;
use super::greedy::Counts;
use super::instance::Local;
use super::subsets::{Subsets, add, subtract, to_number};
use num_bigint::BigUint;

#[derive(Debug)]
pub(super) struct ItemsetCounts {
    cover: Cover,
    subsets: Subsets,
    /// For each item the number of itemsets with it, in words.
    sums: Vec<u64>,
    /// The edges with each item: `edges[starts[item]..starts[item + 1]]`.
    starts: Vec<usize>,
    edges: Vec<u32>,
    /// Edges with a suppressed item in α.
    dropped: Vec<bool>,
}

impl ItemsetCounts {
    /// For items below `items`; `bits` is how many bits a count can have.
    pub fn new(cover: Cover, items: usize, bits: usize) -> Self {
        let most_room = cover.edges.iter().map(|edge| edge.room()).max().unwrap_or(0);
        let subsets = Subsets::new(cover.most_free(), most_room, bits);
        let mut sums = vec![0; items * subsets.words];
        let mut starts = vec![0; items + 1];
        for edge in &cover.edges {
            let (free, room) = (edge.free(), edge.room());
            let mut account = |items: &[Local], count: &[u64]| {
                for &item in items {
                    starts[item as usize + 1] += 1;
                    let sum = &mut sums[item as usize * count.len()..][..count.len()];
                    if edge.negative { subtract(sum, count) } else { add(sum, count) }
                }
            };
            account(&cover.items[edge.lower_items()], subsets.of(free, room));
            if free > 0 {
                account(&cover.items[edge.free_items()], subsets.of(free - 1, room - 1));
            }
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[items]];
        for (number, edge) in cover.edges.iter().enumerate() {
            for &item in &cover.items[edge.all_items()] {
                edges[next[item as usize]] = number as u32;
                next[item as usize] += 1;
            }
        }
        let dropped = vec![false; cover.edges.len()];
        Self { cover, subsets, sums, starts, edges, dropped }
    }

    /// How many itemsets there are, before anything is suppressed.
    pub fn total(&self) -> BigUint {
        let words = self.subsets.words;
        let mut sum = vec![0; words];
        let mut one = vec![0; words];
        one[0] = 1;
        for edge in &self.cover.edges {
            let count = self.subsets.of(edge.free(), edge.room());
            // The empty itemset is between the ends of an edge with an empty α, but is neither mole nor nugget.
            let empty = edge.lower_items().is_empty();
            if edge.negative {
                subtract(&mut sum, count);
                if empty {
                    add(&mut sum, &one);
                }
            } else {
                add(&mut sum, count);
                if empty {
                    subtract(&mut sum, &one);
                }
            }
        }
        to_number(&sum)
    }

    pub fn edges(&self) -> usize {
        self.cover.edges.len()
    }
}

impl Counts for ItemsetCounts {
    fn of(&self, item: Local) -> BigUint {
        let words = self.subsets.words;
        to_number(&self.sums[item as usize * words..][..words])
    }

    fn suppress(&mut self, item: Local) {
        for at in self.starts[item as usize]..self.starts[item as usize + 1] {
            let number = self.edges[at] as usize;
            if self.dropped[number] {
                continue;
            }
            // W for X = {item, other}: what both are in, of the itemsets the edge covers.
            let (lower, free_with) = if self.cover.narrow(number, item) {
                let edge = &self.cover.edges[number];
                let (free, room) = (edge.free(), edge.room());
                let with_two = (free > 0 && room >= 2).then(|| self.subsets.of(free - 1, room - 2));
                (self.subsets.of(free, room - 1), with_two)
            } else {
                self.dropped[number] = true;
                let edge = &self.cover.edges[number];
                let (free, room) = (edge.free(), edge.room());
                (self.subsets.of(free, room), (free > 0).then(|| self.subsets.of(free - 1, room - 1)))
            };
            let edge = &self.cover.edges[number];
            let sums = &mut self.sums;
            let mut account = |items: &[Local], count: &[u64]| {
                for &other in items {
                    let sum = &mut sums[other as usize * count.len()..][..count.len()];
                    if edge.negative { add(sum, count) } else { subtract(sum, count) }
                }
            };
            account(&self.cover.items[edge.lower_items()], lower);
            if let Some(count) = free_with {
                account(&self.cover.items[edge.free_items()], count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::cohesion::family::Family;
    use crate::publish::cohesion::subsets::bits_of_union;
    use crate::publish::cohesion::union::cover_union;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn counts(sets: &[Vec<Local>], longest: usize, items: usize) -> ItemsetCounts {
        let mut family = Family::default();
        sets.iter().for_each(|set| family.push(set));
        let maximal = family.maximal();
        let mut cover = Cover::default();
        cover_union(&mut cover, &maximal, longest);
        ItemsetCounts::new(cover, items, bits_of_union(maximal.iter().map(<[_]>::len), longest))
    }

    #[test]
    fn counts_of_a_long_itemset_are_exact() {
        // Two maximal sets that share 163 of their 164 items.
        let sets = [(0..164).collect(), (0..163).chain([164]).collect()];
        let mut counts = counts(&sets, usize::MAX, 165);
        let two = |power: u32| BigUint::from(1u32) << power;
        assert_eq!(counts.of(163), two(163));
        assert_eq!(counts.of(0), two(162) * 3u32);
        counts.suppress(163);
        assert_eq!((counts.of(0), counts.of(164)), (two(163), two(163)));
        for item in 1..163 {
            counts.suppress(item);
        }
        assert_eq!((counts.of(0), counts.of(164)), (2u32.into(), 2u32.into()));
    }

    proptest! {
        /// After any suppressions the counts are those of the itemsets without the suppressed items.
        #[test]
        fn suppression_keeps_counts_right(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..8, 1..8), 1..16),
            longest in 1usize..9,
            order in Just((0u32..8).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let lists: Vec<Vec<Local>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
            let mut counts = counts(&lists, longest, 8);
            let covered = |bits: &u32| {
                bits.count_ones() as usize <= longest
                    && sets.iter().any(|whole| (0..8).all(|item| bits >> item & 1 == 0 || whole.contains(&item)))
            };
            prop_assert_eq!(counts.total(), BigUint::from((1u32..256).filter(covered).count()));
            for done in 0..order.len() {
                for &item in &order[done..] {
                    let has = |bits: &u32| {
                        let set: BTreeSet<u32> = (0..8).filter(|item| bits >> item & 1 == 1).collect();
                        set.contains(&item)
                            && set.len() <= longest
                            && !order[..done].iter().any(|gone| set.contains(gone))
                            && sets.iter().any(|whole| set.is_subset(whole))
                    };
                    prop_assert_eq!(counts.of(item), BigUint::from((0u32..256).filter(has).count()));
                }
                counts.suppress(order[done]);
            }
        }
    }
}
