//! Which sensitive values each tuple of a group can have, for somebody who sees the group's tuples and its multiset of
//! values and knows which values each tuple cannot take: T. Li, N. Li, "Injector", ICDE 2008, Section V-B.
//!
//! A value is *valid* for a tuple when the tuple can take it and the other tuples can take the other values, one each
//! (Definition 1). The paper's Figure 1 matches anew for each pair, and as printed forgets that the tuple itself must be
//! able to take the value. Here one matching serves all pairs: with an assignment in hand, another one gives value s to
//! tuple t exactly when the first one does or t and s are on a common cycle of its residual graph, that is, in one
//! strongly connected component (Berge).
//!
//! Tuples that cannot take the same values are interchangeable, and so are equal values: the matching is a flow between
//! kinds of tuples and values.
//!
//! Cost. With k kinds and v different values, O(k·v) per augmentation, and O(k·v) for the components.

#![forbid(unsafe_code)]

use crate::mining::ValueSet;
use std::collections::VecDeque;
use std::ops::Range;

/// Interchangeable tuples of a group.
#[derive(Debug, Clone, Copy)]
pub struct TupleKind<'a> {
    /// The values that these tuples cannot have.
    pub cannot_take: &'a ValueSet,
    /// How many tuples are alike in that.
    pub tuples: u32,
}

/// The valid values of each kind of tuple in a group that has `values` (codes with their counts, as many as there are
/// tuples). None when the tuples cannot take the values at all, whatever the assignment.
pub fn valid_values(domain: usize, kinds: &[TupleKind<'_>], values: &[(u32, u32)]) -> Option<Vec<ValueSet>> {
    if everything_goes(kinds, values) {
        return Some(kinds.iter().map(|_| ValueSet::of(domain, values.iter().map(|&(value, _)| value))).collect());
    }
    let assignment = Assignment::complete(kinds, values)?;
    let component = assignment.components();
    Some(
        (0..kinds.len())
            .map(|kind| {
                let valid = (0..values.len()).filter(|&value| {
                    assignment.can_take(kind, value)
                        && (assignment.assigned(kind, value) > 0 || component[kind] == component[kinds.len() + value])
                });
                ValueSet::of(domain, valid.map(|value| values[value].0))
            })
            .collect(),
    )
}

/// Whether every tuple can take every value and there are as many: any two tuples can change values then.
fn everything_goes(kinds: &[TupleKind<'_>], values: &[(u32, u32)]) -> bool {
    let tuples: u32 = kinds.iter().map(|kind| kind.tuples).sum();
    let places: u32 = values.iter().map(|&(_, count)| count).sum();
    let can_take = |kind: &TupleKind<'_>| values.iter().all(|&(value, _)| !kind.cannot_take.contains(value));
    tuples == places && values.iter().all(|&(_, count)| count > 0) && kinds.iter().all(can_take)
}

/// How many tuples of each kind are given each value.
struct Assignment<'a> {
    kinds: &'a [TupleKind<'a>],
    values: &'a [(u32, u32)],
    /// Row by row, one row a kind.
    flow: Vec<u32>,
}

impl<'a> Assignment<'a> {
    /// An assignment of every tuple, if there is one: a greedy one, mended along shortest augmenting paths.
    fn complete(kinds: &'a [TupleKind<'a>], values: &'a [(u32, u32)]) -> Option<Self> {
        let mut assignment = Self { kinds, values, flow: vec![0; kinds.len() * values.len()] };
        let mut tuples: Vec<u32> = kinds.iter().map(|kind| kind.tuples).collect();
        let mut left: Vec<u32> = values.iter().map(|&(_, count)| count).collect();
        for (kind, open) in tuples.iter_mut().enumerate() {
            for (value, left) in left.iter_mut().enumerate() {
                if assignment.can_take(kind, value) {
                    let given = (*open).min(*left);
                    assignment.flow[kind * values.len() + value] = given;
                    *open -= given;
                    *left -= given;
                }
            }
        }
        for (kind, open) in tuples.iter_mut().enumerate() {
            while *open > 0 {
                assignment.augment(kind, open, &mut left)?;
            }
        }
        Some(assignment)
    }

    fn can_take(&self, kind: usize, value: usize) -> bool {
        !self.kinds[kind].cannot_take.contains(self.values[value].0)
    }

    fn assigned(&self, kind: usize, value: usize) -> u32 {
        self.flow[kind * self.values.len() + value]
    }

    /// Gives values to some of the `open` tuples of `from`, moving other tuples to other values on the way.
    fn augment(&mut self, from: usize, open: &mut u32, left: &mut [u32]) -> Option<()> {
        let mut reached_from: Vec<Option<usize>> = vec![None; self.values.len()];
        let mut moved_from: Vec<Option<usize>> = vec![None; self.kinds.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(kind) = queue.pop_front() {
            for value in 0..self.values.len() {
                if reached_from[value].is_some() || !self.can_take(kind, value) {
                    continue;
                }
                reached_from[value] = Some(kind);
                if left[value] > 0 {
                    self.shift(from, value, &reached_from, &moved_from, open, &mut left[value]);
                    return Some(());
                }
                for (other, moved_from) in moved_from.iter_mut().enumerate() {
                    if other != from && moved_from.is_none() && self.assigned(other, value) > 0 {
                        *moved_from = Some(value);
                        queue.push_back(other);
                    }
                }
            }
        }
        None
    }

    /// Moves as many tuples as possible along the path that ends in `last`.
    fn shift(
        &mut self,
        from: usize,
        last: usize,
        reached_from: &[Option<usize>],
        moved_from: &[Option<usize>],
        open: &mut u32,
        left: &mut u32,
    ) {
        // Steps of the path from its end: a kind gets `value` and, unless it is the first, gives up the one before.
        let mut steps = Vec::new();
        let mut value = last;
        while let Some(kind) = reached_from[value] {
            let before = if kind == from { None } else { moved_from[kind] };
            steps.push((kind, value, before));
            match before {
                Some(before) => value = before,
                None => break,
            }
        }
        let freed = steps.iter().filter_map(|&(kind, _, before)| before.map(|before| self.assigned(kind, before)));
        let amount = freed.chain([*open, *left]).min().unwrap_or(0);
        let width = self.values.len();
        for (kind, value, before) in steps {
            self.flow[kind * width + value] += amount;
            if let Some(before) = before {
                self.flow[kind * width + before] -= amount;
            }
        }
        *open -= amount;
        *left -= amount;
    }

    /// The strongly connected component of each kind, then of each value, in the residual graph: a kind leads to the values
    /// it can take, a value to the kinds that have it (Kosaraju).
    fn components(&self) -> Vec<usize> {
        let (kinds, nodes) = (self.kinds.len(), self.kinds.len() + self.values.len());
        let leads = |from: usize, to: usize| match (from < kinds, to < kinds) {
            (true, false) => self.can_take(from, to - kinds),
            (false, true) => self.assigned(to, from - kinds) > 0,
            _ => false,
        };
        // Edges run between the two sides, so a node's neighbours are among the nodes of the other one.
        let other_side = |node: usize| if node < kinds { kinds..nodes } else { 0..kinds };
        let mut finished = Vec::with_capacity(nodes);
        let mut seen = vec![false; nodes];
        for root in 0..nodes {
            depth_first(root, &mut seen, other_side, leads, |node| finished.push(node));
        }
        let mut component = vec![0; nodes];
        seen.fill(false);
        for &root in finished.iter().rev() {
            depth_first(root, &mut seen, other_side, |from, to| leads(to, from), |node| component[node] = root);
        }
        component
    }
}

/// Visits what is reachable from `root` and not yet seen, each node after everything found from it.
fn depth_first(
    root: usize,
    seen: &mut [bool],
    neighbours: impl Fn(usize) -> Range<usize>,
    leads: impl Fn(usize, usize) -> bool,
    mut finish: impl FnMut(usize),
) {
    if seen[root] {
        return;
    }
    seen[root] = true;
    let mut path = vec![(root, neighbours(root))];
    while let Some((node, left)) = path.last_mut() {
        match left.find(|&to| !seen[to] && leads(*node, to)) {
            Some(to) => {
                seen[to] = true;
                path.push((to, neighbours(to)));
            }
            None => {
                finish(*node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The valid values of each tuple, by trying every assignment.
    fn by_brute_force(domain: usize, cannot: &[ValueSet], values: &[u32]) -> Vec<ValueSet> {
        fn assign(
            tuple: usize,
            cannot: &[ValueSet],
            left: &mut Vec<u32>,
            given: &mut Vec<u32>,
            valid: &mut [ValueSet],
        ) {
            if tuple == cannot.len() {
                for (set, &value) in valid.iter_mut().zip(given.iter()) {
                    set.insert(value);
                }
                return;
            }
            for i in 0..left.len() {
                if !cannot[tuple].contains(left[i]) {
                    let value = left.remove(i);
                    given.push(value);
                    assign(tuple + 1, cannot, left, given, valid);
                    given.pop();
                    left.insert(i, value);
                }
            }
        }
        let mut valid = vec![ValueSet::empty(domain); cannot.len()];
        assign(0, cannot, &mut values.to_vec(), &mut Vec::new(), &mut valid);
        valid
    }

    /// Tuples with the values they cannot take, and the group's values; as kinds and as single tuples it is the same.
    fn valid(domain: usize, cannot: &[ValueSet], values: &[u32]) -> Option<Vec<ValueSet>> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let counted: Vec<(u32, u32)> = sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        let mut sets = cannot.to_vec();
        sets.sort_unstable();
        let kinds: Vec<TupleKind<'_>> = sets
            .chunk_by(|a, b| a == b)
            .map(|run| TupleKind { cannot_take: &run[0], tuples: run.len() as u32 })
            .collect();
        let by_kind = valid_values(domain, &kinds, &counted)?;
        let kind_of = |set: &ValueSet| kinds.iter().position(|kind| kind.cannot_take == set);
        cannot.iter().map(|set| kind_of(set).map(|kind| by_kind[kind].clone())).collect()
    }

    #[test]
    fn the_only_female_has_the_ovarian_cancer() {
        // Values 1 to 4 are common; value 0 is ovarian cancer, which the four males cannot have.
        let (male, female) = (ValueSet::of(5, [0]), ValueSet::empty(5));
        let cannot = [vec![female], vec![male; 4]].concat();
        let valid = valid(5, &cannot, &[0, 1, 2, 3, 4]).unwrap();
        assert_eq!(valid[0], ValueSet::of(5, [0]), "she can take all five, and one is valid");
        assert_eq!(valid[1], ValueSet::of(5, [1, 2, 3, 4]));
    }

    #[test]
    fn tuples_that_cannot_take_the_values_have_no_assignment() {
        assert!(valid(2, &[ValueSet::of(2, [0]), ValueSet::of(2, [0])], &[0, 1]).is_none());
    }

    #[test]
    fn large_groups_cost_their_kinds() {
        let (male, female) = (ValueSet::of(3, [0]), ValueSet::empty(3));
        let kinds =
            [TupleKind { cannot_take: &male, tuples: 4_000_000 }, TupleKind { cannot_take: &female, tuples: 10 }];
        let valid = valid_values(3, &kinds, &[(0, 5), (1, 2_000_000), (2, 2_000_005)]).unwrap();
        assert_eq!(valid, [ValueSet::of(3, [1, 2]), ValueSet::of(3, [0, 1, 2])]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        /// One matching and its components give what all assignments give, for groups of up to 8.
        #[test]
        fn valid_values_are_those_of_some_assignment(
            group in prop::collection::vec((0u32..6, prop::collection::btree_set(0u32..6, 0..5)), 1..=8),
            truthful in any::<bool>(),
        ) {
            let values: Vec<u32> = group.iter().map(|(value, _)| *value).collect();
            let cannot: Vec<ValueSet> = group
                .iter()
                .map(|(own, cannot)| ValueSet::of(6, cannot.iter().copied().filter(|value| !truthful || value != own)))
                .collect();
            let expected = by_brute_force(6, &cannot, &values);
            match valid(6, &cannot, &values) {
                Some(valid) => prop_assert_eq!(valid, expected),
                None => prop_assert!(expected.iter().all(ValueSet::is_empty)),
            }
        }
    }
}
