//! Rows of several kinds lie in groups, each group has a multiset of values, and of each kind it is known how many rows have
//! which value. Can every row be given a value so that all three agree?
//!
//! It asks for a three-way table of counts with given two-way margins. With two groups it is a flow; with more it is hard in
//! general (NP-complete), so that the answer may be that it was not decided. Four steps, each cheaper than the next:
//!
//! 1. each group alone: a flow between its rows and its values, with Hall's condition where it fails;
//! 2. what is forced ([`State::settle`]): bounds on single counts, until nothing moves any more;
//! 3. what is left falls apart into parts that share no kind and no group; a small one is searched completely, within a limit
//!    ([`searched`]);
//! 4. in a large one, values are swapped within groups until the kinds have theirs ([`repaired`]), which finds a way or says
//!    nothing.
//!
//! The same input always gives the same answer.

mod problem;
mod repair;
mod search;
mod state;

use super::flow::{Flow, shortage};
use problem::count_of;
pub use problem::{CountContradiction, Counted, CountedGroup, Decision, Margin, ThreeWay, ValueShare};
use repair::repaired;
use search::{Searched, searched};
use state::State;

impl ThreeWay {
    /// Looks for a way to give every row a value. `steps` bounds the complete searches of all parts together.
    pub fn decide(&self, steps: u64) -> Decision {
        if let Some(contradiction) = (0..).zip(&self.groups).find_map(|(number, group)| self.hall(number, group)) {
            return Decision::Impossible(contradiction);
        }
        let mut state = State::new(self);
        if let Err(contradiction) = state.settle() {
            return Decision::Impossible(contradiction);
        }
        let mut open = 0;
        let mut steps = steps;
        for part in state.parts() {
            match searched(&part.problem, &mut steps) {
                Searched::Found(found) => state.take_over(&part, &found),
                Searched::Nothing { steps } => {
                    let groups = part.groups.clone();
                    return Decision::Impossible(CountContradiction::Exhausted { groups, steps });
                }
                Searched::TooLong => match repaired(&part.problem) {
                    Some(found) => state.take_over(&part, &found),
                    None => open += part.groups.len(),
                },
            }
        }
        if open > 0 { Decision::Open { groups: open } } else { Decision::Possible(state.shares) }
    }

    /// Kinds of a group whose rows are more than all of its values that any of them has.
    fn hall(&self, number: u32, group: &CountedGroup) -> Option<CountContradiction> {
        // Values on the left, so that a shortage is one of values.
        let left: Vec<u64> = group.values.iter().map(|&(_, count)| count.into()).collect();
        let right: Vec<u64> = group.rows.iter().map(|&(_, count)| count.into()).collect();
        let edges: Vec<Vec<u32>> = (group.values.iter())
            .map(|&(value, _)| {
                let takes = |&(_, &(kind, _)): &(u32, &Counted)| count_of(&self.kinds[kind as usize], value) > 0;
                (0..).zip(&group.rows).filter(takes).map(|(place, _)| place).collect()
            })
            .collect();
        let flow = Flow::maximum(&left, &right, &edges);
        let open = flow.open.iter().position(|&open| open > 0)?;
        let (rights, lefts) = shortage(&flow, open)?;
        Some(CountContradiction::Group {
            group: number,
            kinds: rights.iter().map(|&place| group.rows[place as usize].0).collect(),
            rows: rights.iter().map(|&place| right[place as usize]).sum(),
            values: lefts.iter().map(|&place| group.values[place as usize]).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counted(items: impl IntoIterator<Item = u32>) -> Vec<Counted> {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        items.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
        counts.into_iter().collect()
    }

    /// Of rows (kind, group, value).
    fn of_rows(rows: &[(u32, u32, u32)]) -> ThreeWay {
        let most = |part: fn(&(u32, u32, u32)) -> u32| rows.iter().map(part).max().map_or(0, |last| last + 1);
        let group = |group| CountedGroup {
            rows: counted(rows.iter().filter(|row| row.1 == group).map(|row| row.0)),
            values: counted(rows.iter().filter(|row| row.1 == group).map(|row| row.2)),
        };
        let kind = |kind| counted(rows.iter().filter(|row| row.0 == kind).map(|row| row.2));
        ThreeWay {
            groups: (0..most(|row| row.1)).map(group).collect(),
            kinds: (0..most(|row| row.0)).map(kind).collect(),
        }
    }

    fn agrees(problem: &ThreeWay, shares: &[ValueShare]) -> bool {
        let rows: Vec<(u32, u32, u32)> =
            shares.iter().flat_map(|share| vec![(share.kind, share.group, share.value); share.rows as usize]).collect();
        of_rows(&rows) == *problem
    }

    /// Whether any of all ways agrees: every order of every group's values.
    fn by_trying(problem: &ThreeWay) -> bool {
        fn unit(list: &[Counted]) -> Vec<u32> {
            list.iter().flat_map(|&(what, count)| vec![what; count as usize]).collect()
        }
        fn go(slots: &[(u32, usize)], values: &mut [Vec<u32>], kinds: &mut [BTreeMap<u32, u32>]) -> bool {
            let Some((&(kind, group), rest)) = slots.split_first() else { return true };
            for place in 0..values[group].len() {
                let value = values[group][place];
                let Some(left) = kinds[kind as usize].get_mut(&value).filter(|left| **left > 0) else { continue };
                *left -= 1;
                values[group].remove(place);
                let found = go(rest, values, kinds);
                values[group].insert(place, value);
                *kinds[kind as usize].entry(value).or_default() += 1;
                if found {
                    return true;
                }
            }
            false
        }
        let slots: Vec<(u32, usize)> = (problem.groups.iter().enumerate())
            .flat_map(|(number, group)| unit(&group.rows).into_iter().map(move |kind| (kind, number)))
            .collect();
        let mut values: Vec<Vec<u32>> = problem.groups.iter().map(|group| unit(&group.values)).collect();
        let mut kinds: Vec<BTreeMap<u32, u32>> =
            problem.kinds.iter().map(|kind| kind.iter().copied().collect()).collect();
        go(&slots, &mut values, &mut kinds)
    }

    proptest! {
        /// Margins of a table, with values of two rows exchanged here and there: possible or not, the answer is right.
        #[test]
        fn it_is_decided_as_by_trying_everything(
            rows in prop::collection::vec((0u32..4, 0u32..3, 0u32..3), 1..9),
            others in prop::collection::vec(0u32..3, 9),
        ) {
            let mut problem = of_rows(&rows);
            // Other values for the kinds, with the same sums: the values of all rows turned around.
            let turn = others[0] as usize;
            let turned: Vec<(u32, u32, u32)> =
                rows.iter().enumerate().map(|(i, row)| (row.0, row.1, rows[(i + turn) % rows.len()].2)).collect();
            problem.kinds = of_rows(&turned).kinds;
            match problem.decide(100_000) {
                Decision::Possible(shares) => prop_assert!(agrees(&problem, &shares), "{:?} {:?}", problem, shares),
                Decision::Impossible(why) => prop_assert!(!by_trying(&problem), "{:?} {:?}", problem, why),
                Decision::Open { .. } => prop_assert!(false, "{:?}", problem),
            }
        }

        #[test]
        fn what_was_made_of_rows_is_found_again(
            rows in prop::collection::vec((0u32..12, 0u32..30, 0u32..5), 1..150),
        ) {
            let problem = of_rows(&rows);
            match problem.decide(100_000) {
                Decision::Possible(shares) => prop_assert!(agrees(&problem, &shares)),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }

    #[test]
    fn contradictions_say_what_can_be_counted_by_hand() {
        // Two rows of kind 0, which has value 0 alone, in a group with one 0.
        let problem = ThreeWay {
            groups: vec![
                CountedGroup { rows: vec![(0, 2)], values: vec![(0, 1), (1, 1)] },
                CountedGroup { rows: vec![(1, 1)], values: vec![(0, 1)] },
            ],
            kinds: vec![vec![(0, 2)], vec![(1, 1)]],
        };
        let why = CountContradiction::Group { group: 0, kinds: vec![0], rows: 2, values: vec![(0, 1)] };
        assert_eq!(problem.decide(1000), Decision::Impossible(why));
        // Kind 0 has value 0 twice, and its two rows are in groups of which only one has a 0.
        let problem = ThreeWay {
            groups: vec![
                CountedGroup { rows: vec![(0, 1), (1, 1)], values: vec![(0, 1), (1, 1)] },
                CountedGroup { rows: vec![(0, 1), (1, 1)], values: vec![(1, 1), (2, 1)] },
                CountedGroup { rows: vec![(1, 1)], values: vec![(0, 1)] },
            ],
            kinds: vec![vec![(0, 2)], vec![(1, 2), (2, 1)]],
        };
        let Decision::Impossible(CountContradiction::Group { group, .. }) = problem.decide(1000) else {
            panic!("{:?}", problem.decide(1000))
        };
        assert_eq!(group, 1);
    }
}
