//! NIT, the number of tuples incompatible with a group, by compact counts (Section V-C of the paper).
//!
//! The paper sums N[s][S'] anew for each candidate. Here the sums are kept while the group grows, as the number of tuples
//! *compatible* with it: |T| − NIT, so that the least NIT is the most compatible tuples. A candidate's own is then
//! corrected by the few values it cannot take.

use super::classes::TupleClasses;
use crate::mining::ValueSet;
use rustc_hash::FxHashMap;

/// Which values can stand beside which, in a layout that never changes; the counts over it do.
struct Layout {
    /// Per value, the classes that have it (a range, since classes are ordered by value).
    classes_of: Vec<std::ops::Range<usize>>,
    /// Per value, the classes whose tuples cannot take it.
    refusing: Vec<Vec<u32>>,
    /// Per class, for each value it refuses: the pair (its value, the refused value).
    own_pairs: Vec<Vec<u32>>,
    /// Per class, for each value it refuses: the pair (the refused value, its value), if some class has it.
    reverse_pairs: Vec<Vec<Option<u32>>>,
    /// Per value s, the pairs (s, u) with their u.
    pairs_of: Vec<Vec<(u32, u32)>>,
    pairs: usize,
}

/// Sums over N[s][S'] restricted to tuples none of whose refused values is in the group.
#[derive(Clone, Default)]
struct Sums {
    /// By value s.
    by_value: Vec<u32>,
    /// By pair (s, u): those of value s that cannot take u.
    by_pair: Vec<u32>,
    /// By u: those with a value the group admits that cannot take u.
    refusing: Vec<u32>,
    /// Those with a value the group admits: the tuples compatible with the group.
    compatible: u32,
}

/// T and the group that is being formed from it.
pub(super) struct CompactCounts<'a> {
    pub(super) classes: &'a TupleClasses<'a>,
    layout: Layout,
    /// N[s][S']: the tuples of each class still in T.
    pub(super) left: Vec<u32>,
    /// N[s][O]: the tuples of each value still in T.
    pub(super) left_of_value: Vec<u32>,
    /// |T|.
    pub(super) tuples: usize,
    /// The tuples of each value in the table.
    pub(super) tuples_of_value: Vec<u32>,
    /// For an empty group; always up to date with T.
    base: Sums,
    /// For the group.
    sums: Sums,
    /// IS[g] of the paper: the values no further member may have.
    excluded: ValueSet,
    /// Classes that cannot take a value of the group, marked by the number of the group.
    closed_in: Vec<u32>,
    group: u32,
}

impl<'a> CompactCounts<'a> {
    pub(super) fn new(classes: &'a TupleClasses<'a>) -> Self {
        let mut counts = Self {
            classes,
            layout: Layout::new(classes),
            left: vec![0; classes.classes.len()],
            left_of_value: vec![0; classes.domain],
            tuples: 0,
            tuples_of_value: Vec::new(),
            base: Sums::default(),
            sums: Sums::default(),
            excluded: ValueSet::empty(classes.domain),
            closed_in: vec![0; classes.classes.len()],
            group: 0,
        };
        counts.base.by_value = vec![0; classes.domain];
        counts.base.by_pair = vec![0; counts.layout.pairs];
        counts.base.refusing = vec![0; classes.domain];
        for (class, tuples) in classes.classes.iter().enumerate() {
            counts.put(class, tuples.rows.len() as u32);
        }
        counts.tuples_of_value = counts.left_of_value.clone();
        counts
    }

    /// Puts tuples of a class into T.
    pub(super) fn put(&mut self, class: usize, tuples: u32) {
        let ValueAndRefused { value, refused } = self.class(class);
        self.left[class] += tuples;
        self.left_of_value[value] += tuples;
        self.tuples += tuples as usize;
        self.base.compatible += tuples;
        self.base.by_value[value] += tuples;
        for (&pair, &u) in self.layout.own_pairs[class].iter().zip(refused) {
            self.base.by_pair[pair as usize] += tuples;
            self.base.refusing[u as usize] += tuples;
        }
    }

    /// Takes one tuple of a class out of T.
    pub(super) fn take(&mut self, class: usize) {
        let ValueAndRefused { value, refused } = self.class(class);
        self.left[class] -= 1;
        self.left_of_value[value] -= 1;
        self.tuples -= 1;
        self.base.compatible -= 1;
        self.base.by_value[value] -= 1;
        for (&pair, &u) in self.layout.own_pairs[class].iter().zip(refused) {
            self.base.by_pair[pair as usize] -= 1;
            self.base.refusing[u as usize] -= 1;
        }
    }

    /// Starts a group without members.
    pub(super) fn start_group(&mut self) {
        self.group += 1;
        self.excluded.clear();
        self.sums.clone_from(&self.base);
    }

    /// Adds a tuple, which must be compatible with the group and still in T, to the group.
    pub(super) fn join(&mut self, class: usize) {
        let ValueAndRefused { value, refused } = self.class(class);
        self.exclude(value);
        for &value in refused {
            self.exclude(value as usize);
        }
        for i in 0..self.layout.refusing[value].len() {
            self.close(self.layout.refusing[value][i] as usize);
        }
        // The tuple's value is excluded by now, so that the sums of the group need no correction for it.
        self.take(class);
    }

    /// The tuples of T compatible with the group.
    pub(super) fn compatible(&self) -> u32 {
        self.sums.compatible
    }

    /// Whether tuples of a class that are in T are compatible with the group.
    pub(super) fn is_candidate(&self, class: usize) -> bool {
        self.left[class] > 0 && self.closed_in[class] != self.group
    }

    /// The tuples of T with this value that are compatible with the group.
    pub(super) fn candidates_of(&self, value: usize) -> u32 {
        if self.admits(value) { self.sums.by_value[value] } else { 0 }
    }

    fn admits(&self, value: usize) -> bool {
        !self.excluded.contains(value as u32)
    }

    pub(super) fn classes_of(&self, value: usize) -> std::ops::Range<usize> {
        self.layout.classes_of[value].clone()
    }

    /// The tuples that would be compatible with the group and a further tuple of an admitted value that can take anything.
    pub(super) fn most_compatible_after(&self, value: usize) -> u32 {
        self.sums.compatible - self.sums.by_value[value] - self.sums.refusing[value]
    }

    /// The tuples that would be compatible with the group and a further tuple of a candidate class.
    pub(super) fn compatible_after(&self, class: usize) -> u32 {
        let ValueAndRefused { value, refused } = self.class(class);
        let mut compatible = self.most_compatible_after(value);
        for (&u, &pair) in refused.iter().zip(&self.layout.reverse_pairs[class]) {
            if self.admits(u as usize) {
                let counted_already = pair.map_or(0, |pair| self.sums.by_pair[pair as usize]);
                compatible -= self.sums.by_value[u as usize] - counted_already;
            }
        }
        compatible
    }

    fn class(&self, class: usize) -> ValueAndRefused<'a> {
        let class = &self.classes.classes[class];
        ValueAndRefused { value: class.value as usize, refused: &class.refused }
    }

    fn exclude(&mut self, value: usize) {
        if !self.admits(value) {
            return;
        }
        self.excluded.insert(value as u32);
        self.sums.compatible -= self.sums.by_value[value];
        for &(pair, u) in &self.layout.pairs_of[value] {
            self.sums.refusing[u as usize] -= self.sums.by_pair[pair as usize];
        }
    }

    /// Takes the tuples of a class, which cannot take a value of the group, out of the group's sums.
    fn close(&mut self, class: usize) {
        if self.closed_in[class] == self.group {
            return;
        }
        self.closed_in[class] = self.group;
        let tuples = self.left[class];
        let ValueAndRefused { value, refused } = self.class(class);
        let is_counted = self.admits(value);
        self.sums.by_value[value] -= tuples;
        if is_counted {
            self.sums.compatible -= tuples;
        }
        for (&pair, &u) in self.layout.own_pairs[class].iter().zip(refused) {
            self.sums.by_pair[pair as usize] -= tuples;
            if is_counted {
                self.sums.refusing[u as usize] -= tuples;
            }
        }
    }
}

/// A class as indexes want it.
struct ValueAndRefused<'a> {
    value: usize,
    refused: &'a [u32],
}

impl Layout {
    fn new(classes: &TupleClasses<'_>) -> Self {
        let mut classes_of = vec![0..0; classes.domain];
        let mut refusing = vec![Vec::new(); classes.domain];
        let mut pairs_of = vec![Vec::new(); classes.domain];
        let mut pair_of: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (index, class) in classes.classes.iter().enumerate() {
            let range = &mut classes_of[class.value as usize];
            *range = if range.end == 0 { index..index + 1 } else { range.start..index + 1 };
            for &u in &class.refused {
                refusing[u as usize].push(index as u32);
                let next = pair_of.len() as u32;
                pair_of.entry((class.value, u)).or_insert_with(|| {
                    pairs_of[class.value as usize].push((next, u));
                    next
                });
            }
        }
        let pairs = |class: &super::classes::TupleClass<'_>, reverse: bool| -> Vec<Option<u32>> {
            let key = |u| if reverse { (u, class.value) } else { (class.value, u) };
            class.refused.iter().map(|&u| pair_of.get(&key(u)).copied()).collect()
        };
        Self {
            classes_of,
            refusing,
            own_pairs: classes
                .classes
                .iter()
                .map(|class| pairs(class, false).into_iter().flatten().collect())
                .collect(),
            reverse_pairs: classes.classes.iter().map(|class| pairs(class, true)).collect(),
            pairs_of,
            pairs: pair_of.len(),
        }
    }
}
