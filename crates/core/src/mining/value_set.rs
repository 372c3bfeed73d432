use std::cmp::Ordering;

/// A set of sensitive codes. Sets of one domain have the same number of words, so that they compare and combine word by
/// word; there is no limit on the domain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ValueSet {
    words: Box<[u64]>,
}

impl ValueSet {
    /// No value, of a domain of that many.
    pub fn empty(domain: usize) -> Self {
        Self { words: vec![0; domain.div_ceil(64).max(1)].into_boxed_slice() }
    }

    /// The set of `values`, all below `domain`.
    pub fn of(domain: usize, values: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::empty(domain);
        for value in values {
            set.insert(value);
        }
        set
    }

    /// Adds a value.
    pub fn insert(&mut self, value: u32) {
        self.words[value as usize / 64] |= 1 << (value % 64);
    }

    /// Takes a value away.
    pub fn remove(&mut self, value: u32) {
        self.words[value as usize / 64] &= !(1 << (value % 64));
    }

    /// Takes every value away.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether a value is in it.
    pub fn contains(&self, value: u32) -> bool {
        self.words[value as usize / 64] >> (value % 64) & 1 == 1
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it has no value.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many values of this set are not in `other`.
    pub fn len_without(&self, other: &Self) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & !b).count_ones() as usize).sum()
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| i as u32 * 64 + rest.trailing_zeros())
        })
    }
}

/// As binary numbers with value 0 the lowest digit, so that a subset never comes after its superset.
impl Ord for ValueSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words.iter().rev().cmp(other.words.iter().rev())
    }
}

impl PartialOrd for ValueSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Sets behave as sets, on both sides of the word's edge.
        #[test]
        fn they_behave_as_sets(
            a in prop::collection::btree_set(0u32..130, 0..12),
            b in prop::collection::btree_set(0u32..130, 0..12),
        ) {
            let (x, y) = (ValueSet::of(130, a.iter().copied()), ValueSet::of(130, b.iter().copied()));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!((x.len(), x.is_empty()), (a.len(), a.is_empty()));
            prop_assert_eq!(x.len_without(&y), a.difference(&b).count());
            prop_assert_eq!(x.cmp(&y), a.iter().rev().cmp(b.iter().rev()));
        }
    }
}
