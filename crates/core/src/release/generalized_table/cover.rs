/// The codes a cell covers, as runs `(first, last)`, ascending and apart from each other, so that equal sets are equal covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cover(Vec<(u32, u32)>);

impl Cover {
    /// Of codes in ascending order; one may occur twice.
    pub fn of(codes: impl IntoIterator<Item = u32>) -> Self {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for code in codes {
            match runs.last_mut() {
                Some((_, last)) if code <= last.saturating_add(1) => *last = code.max(*last),
                _ => runs.push((code, code)),
            }
        }
        Self(runs)
    }

    /// Every code below `values`.
    pub fn all(values: usize) -> Self {
        if values == 0 { Self(Vec::new()) } else { Self(vec![(0, values as u32 - 1)]) }
    }

    /// Whether it covers the value of that code.
    pub fn contains(&self, code: u32) -> bool {
        let run = self.0.partition_point(|&(_, last)| last < code);
        self.0.get(run).is_some_and(|&(first, _)| first <= code)
    }

    /// How many codes there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|&(first, last)| (last - first + 1) as usize).sum()
    }

    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first and the last code; 0 twice where there is none.
    pub fn range(&self) -> (u32, u32) {
        match (self.0.first(), self.0.last()) {
            (Some(&(first, _)), Some(&(_, last))) => (first, last),
            _ => (0, 0),
        }
    }

    /// The codes, ascending.
    pub fn codes(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Whether it has every code of `other`.
    pub fn includes(&self, other: &Self) -> bool {
        other.0.iter().all(|&(first, last)| {
            let run = self.0.partition_point(|&(_, end)| end < first);
            self.0.get(run).is_some_and(|&(start, end)| start <= first && last <= end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// A cover answers as the plain set of its codes does.
        #[test]
        fn covers_are_sets(a in prop::collection::btree_set(0u32..20, 0..12), b in prop::collection::btree_set(0u32..20, 0..5)) {
            let (cover, other) = (Cover::of(a.iter().copied()), Cover::of(b.iter().copied()));
            prop_assert_eq!(cover.codes().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(cover.len(), a.len());
            let ends = (a.first().copied().unwrap_or_default(), a.last().copied().unwrap_or_default());
            prop_assert_eq!(cover.range(), ends);
            prop_assert!((0..25).all(|code| cover.contains(code) == a.contains(&code)));
            prop_assert_eq!(cover.includes(&other), b.is_subset(&a));
            prop_assert_eq!(cover == other, a == b);
        }
    }
}
