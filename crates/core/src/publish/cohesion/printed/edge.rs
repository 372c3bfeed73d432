//! Edges of a border and the operations on them (Section 5): intersection, difference, and how many itemsets one covers.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// A set of items as bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    pub fn of(domain: usize, items: impl IntoIterator<Item = u32>) -> Self {
        let mut bits = Self(vec![0; domain.div_ceil(64)].into());
        items.into_iter().for_each(|item| bits.insert(item));
        bits
    }

    pub fn insert(&mut self, item: u32) {
        self.0[item as usize / 64] |= 1 << (item % 64);
    }

    pub fn remove(&mut self, item: u32) {
        self.0[item as usize / 64] &= !(1 << (item % 64));
    }

    pub fn contains(&self, item: u32) -> bool {
        self.0[item as usize / 64] >> (item % 64) & 1 == 1
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn combined(&self, other: &Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(&a, &b)| operation(a, b)).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|&item| self.contains(item))
    }
}

/// ⟨α, β⟩: stands for the itemsets between α and β.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub lower: Bits,
    pub upper: Bits,
}

impl Edge {
    /// Theorem 2, (1) and (2).
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let both = Self {
            lower: self.lower.combined(&other.lower, |a, b| a | b),
            upper: self.upper.combined(&other.upper, |a, b| a & b),
        };
        both.lower.is_subset(&both.upper).then_some(both)
    }

    /// Theorem 3, for edges that overlap. The edges of the difference may overlap each other.
    pub fn difference(&self, other: &Self) -> Vec<Self> {
        let x = other.lower.combined(&self.lower, |theirs, own| theirs & !own);
        let y = self.upper.combined(&other.upper, |own, theirs| own & !theirs);
        let without = x.iter().map(|item| {
            let mut edge = self.clone();
            edge.upper.remove(item);
            edge
        });
        let with = y.iter().map(|item| {
            let mut edge = self.clone();
            edge.lower.insert(item);
            edge
        });
        without.chain(with).collect()
    }
}

/// W for one edge: sums of binomial coefficients, each computed once.
#[derive(Debug, Default)]
pub(super) struct Counting {
    sums: FxHashMap<(usize, usize), BigUint>,
}

impl Counting {
    /// How many subsets of `free` items have at most `most` of them.
    fn subsets(&mut self, free: usize, most: usize) -> &BigUint {
        self.sums.entry((free, most.min(free))).or_insert_with(|| {
            let mut coefficient = BigUint::from(1u32);
            let mut sum = coefficient.clone();
            for i in 0..most.min(free) {
                coefficient = coefficient * (free - i) / (i + 1);
                sum += &coefficient;
            }
            sum
        })
    }

    /// For each item v', how many itemsets of at most `longest` items the edge covers with v' and, if given, `with`. Calls
    /// `found` with each v' that is in one of them, `with` aside.
    pub fn each_item(&mut self, edge: &Edge, with: Option<u32>, longest: usize, mut found: impl FnMut(u32, &BigUint)) {
        let mut lower = edge.lower.clone();
        if let Some(item) = with {
            if !edge.upper.contains(item) {
                return;
            }
            lower.insert(item);
        }
        let Some(room) = longest.checked_sub(lower.len()) else { return };
        let free = edge.upper.combined(&lower, |upper, lower| upper & !lower);
        let size = free.len();
        let count = self.subsets(size, room).clone();
        lower.iter().filter(|&item| Some(item) != with).for_each(|item| found(item, &count));
        if room > 0 && size > 0 {
            let count = self.subsets(size - 1, room - 1).clone();
            free.iter().for_each(|item| found(item, &count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn set(names: &str) -> Bits {
        Bits::of(26, names.bytes().map(|name| u32::from(name - b'a')))
    }

    #[test]
    fn example_4_edge_difference() {
        let edge = |lower, upper| Edge { lower: set(lower), upper: set(upper) };
        let difference = edge("ae", "adefg").difference(&edge("ae", "ade"));
        assert_eq!(difference, [edge("aef", "adefg"), edge("aeg", "adefg")]);
    }

    fn covers(edge: &Edge, itemset: u32) -> bool {
        let bits = Bits(vec![u64::from(itemset)].into());
        edge.lower.is_subset(&bits) && bits.is_subset(&edge.upper)
    }

    proptest! {
        /// Theorems 2 and 3, and W: as by enumeration.
        #[test]
        fn edges_stand_for_what_they_cover(a in (0u64..64, 0u64..64), b in (0u64..64, 0u64..64), x in 0u32..6, longest in 0usize..7) {
            let [a, b] = [a, b].map(|(l, u)| Edge { lower: Bits(vec![l & u].into()), upper: Bits(vec![u].into()) });
            let both = a.intersection(&b);
            for set in 0..64 {
                let in_both = both.as_ref().is_some_and(|edge| covers(edge, set));
                prop_assert_eq!(covers(&a, set) && covers(&b, set), in_both);
            }
            if both.is_some() {
                let difference = a.difference(&b);
                for set in 0..64 {
                    let in_difference = difference.iter().any(|edge| covers(edge, set));
                    prop_assert_eq!(covers(&a, set) && !covers(&b, set), in_difference);
                }
            }
            for with in [None, Some(x)] {
                let mut found = [0u32; 6];
                Counting::default().each_item(&a, with, longest, |item, count| {
                    found[item as usize] = count.try_into().unwrap();
                });
                for item in (0..6).filter(|&item| Some(item) != with) {
                    let counted = |set: &u32| {
                        set.count_ones() as usize <= longest && set >> item & 1 == 1
                            && with.is_none_or(|x| set >> x & 1 == 1) && covers(&a, *set)
                    };
                    prop_assert_eq!(found[item as usize], (0..64).filter(counted).count() as u32);
                }
            }
        }
    }
}
