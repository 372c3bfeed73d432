//! Families of itemsets in one array, and their maximal ones.

use super::instance::Local;

/// Itemsets with ascending items.
#[derive(Debug, Default, Clone)]
pub(super) struct Family {
    items: Vec<Local>,
    ends: Vec<usize>,
}

impl Family {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, i: usize) -> &[Local] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.items[start..self.ends[i]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[Local]> {
        (0..self.len()).map(|i| self.get(i))
    }

    pub fn push(&mut self, set: &[Local]) {
        self.items.extend_from_slice(set);
        self.ends.push(self.items.len());
    }

    /// Adds the items of a set that pass.
    pub fn push_some(&mut self, set: &[Local], passes: impl Fn(Local) -> bool) {
        self.items.extend(set.iter().copied().filter(|&item| passes(item)));
        self.ends.push(self.items.len());
    }

    /// Adds the items that two ascending sets share.
    pub fn push_intersection(&mut self, a: &[Local], b: &[Local]) {
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            if x == y {
                self.items.push(x);
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        self.ends.push(self.items.len());
    }

    /// All items of all sets, ascending.
    pub fn union(&self) -> Vec<Local> {
        let mut items = self.items.clone();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// The sets that are part of no other, the longest first, then in lexicographic order.
    pub fn maximal(&self) -> Self {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (self.get(a), self.get(b));
            b.len().cmp(&a.len()).then_with(|| a.cmp(b))
        });
        let mut index = if self.len() > SCANNED { Index::inverted(self.union()) } else { Index::Scan(Vec::new()) };
        let mut maximal = Self::default();
        for i in order {
            let set = self.get(i);
            if !index.has_superset(&maximal, set) {
                index.insert(set, maximal.len() as u32);
                maximal.push(set);
            }
        }
        maximal
    }
}

/// Up to this many sets are compared one by one.
const SCANNED: usize = 64;

/// Finds supersets among the sets kept so far.
enum Index {
    /// A signature of each set: one bit for the items with the same remainder by 64.
    Scan(Vec<u64>),
    /// For each of `items`, the sets that have it, and the signature of each set: most candidates are no supersets by that
    /// alone, and their items need not be fetched. Sets without items come last and are never kept beside others.
    Inverted { items: Vec<Local>, holders: Vec<Vec<u32>>, signatures: Vec<u64> },
}

impl Index {
    fn inverted(items: Vec<Local>) -> Self {
        let holders = vec![Vec::new(); items.len()];
        Self::Inverted { items, holders, signatures: Vec::new() }
    }

    fn has_superset(&self, kept: &Family, set: &[Local]) -> bool {
        match self {
            Self::Scan(signatures) => {
                let signature = signature(set);
                let candidates = signatures.iter().enumerate().filter(|&(_, other)| signature & !other == 0);
                candidates.into_iter().any(|(i, _)| is_subset(set, kept.get(i)))
            }
            Self::Inverted { items, holders, signatures } => {
                let signature = signature(set);
                let of = |item: &Local| items.binary_search(item).map_or(&[][..], |at| &holders[at]);
                match set.iter().map(of).min_by_key(|holders| holders.len()) {
                    Some(fewest) => {
                        let mut candidates =
                            fewest.iter().map(|&i| i as usize).filter(|&i| signature & !signatures[i] == 0);
                        candidates.any(|i| is_subset(set, kept.get(i)))
                    }
                    None => kept.len() > 0,
                }
            }
        }
    }

    fn insert(&mut self, set: &[Local], number: u32) {
        match self {
            Self::Scan(signatures) => signatures.push(signature(set)),
            Self::Inverted { items, holders, signatures } => {
                signatures.push(signature(set));
                for item in set {
                    if let Ok(at) = items.binary_search(item) {
                        holders[at].push(number);
                    }
                }
            }
        }
    }
}

fn signature(set: &[Local]) -> u64 {
    set.iter().fold(0, |bits, item| bits | 1 << (item % 64))
}

fn is_subset(part: &[Local], whole: &[Local]) -> bool {
    let mut whole = whole.iter();
    part.len() <= whole.len() && part.iter().all(|item| whole.by_ref().find(|other| *other >= item) == Some(item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// With many sets and with few, the maximal ones are those without a proper superset.
        #[test]
        fn maximal_sets_are_parts_of_no_other(sets in prop::collection::vec(prop::collection::btree_set(0u32..9, 0..6), 0..120)) {
            let mut family = Family::default();
            for set in &sets {
                family.push(&set.iter().copied().collect::<Vec<_>>());
            }
            let found: Vec<BTreeSet<u32>> = family.maximal().iter().map(|set| set.iter().copied().collect()).collect();
            let distinct: BTreeSet<_> = sets.iter().cloned().collect();
            let expected: BTreeSet<_> =
                distinct.iter().filter(|set| !distinct.iter().any(|other| other != *set && set.is_subset(other))).cloned().collect();
            prop_assert!(found.windows(2).all(|pair| pair[0].len() >= pair[1].len()));
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }
}
