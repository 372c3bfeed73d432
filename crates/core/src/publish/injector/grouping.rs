use super::classes::TupleClasses;
use super::counts::CompactCounts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Which of several equally good tuples lines 3 and 13 of Figure 2 take, where the paper says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// The one with the smaller value, then with the smaller set of values it cannot take, then the first row.
    Values,
    /// The first row: the algorithm "scans the data".
    Rows,
}

/// How seeds and further members of a group are chosen (lines 3 and 13 of Figure 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// As printed: the seed is a tuple with the most incompatible tuples, a member leaves the group with the fewest.
    AsPrinted(Ties),
    /// Only among tuples of the value that is furthest behind the pace at which all values are used up together.
    EvenPace,
}

/// A tuple, and its class beside it: looking it up by row would jump about in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) row: u32,
    pub(super) class: u32,
}

/// What lines 2 to 17 of Figure 2 leave behind.
pub(super) struct Grouping {
    pub(super) groups: Vec<Vec<Member>>,
    /// T_r: the tuples of each class that are in no group, ascending by row.
    pub(super) residue: Vec<Vec<Member>>,
}

/// Forms groups of ℓ mutually compatible tuples. Of equal ones the first is taken, by class and row.
pub(super) fn form_groups(classes: &TupleClasses<'_>, l: usize, choice: Choice) -> Grouping {
    let mut counts = CompactCounts::new(classes);
    // The rows of a class leave T in their order; `taken` of them have.
    let mut taken = vec![0usize; classes.classes.len()];
    let mut residue: Vec<Vec<Member>> = vec![Vec::new(); classes.classes.len()];
    let mut groups = Vec::new();
    let mut members = Vec::with_capacity(l);
    while counts.tuples >= l {
        counts.start_group();
        members.clear();
        let first_row = |class: usize| classes.classes[class].rows[taken[class]];
        let Some(seed) = seed(&counts, choice, &first_row) else { break };
        counts.join(seed);
        members.push(seed);
        while members.len() < l && counts.compatible() > 0 {
            let Some(member) = member(&counts, choice, &first_row) else { break };
            counts.join(member);
            members.push(member);
        }
        if members.len() < l {
            // Lines 8 to 11: the seed is left over, the others go back.
            for &class in &members[1..] {
                counts.put(class, 1);
            }
            members.truncate(1);
        }
        let tuples = members.iter().map(|&class| {
            taken[class] += 1;
            Member { row: classes.classes[class].rows[taken[class] - 1], class: class as u32 }
        });
        if members.len() < l {
            residue[members[0]].extend(tuples);
        } else {
            groups.push(tuples.collect());
        }
    }
    for (class, tuples) in residue.iter_mut().enumerate() {
        let left = classes.classes[class].rows[taken[class]..].iter();
        tuples.extend(left.map(|&row| Member { row, class: class as u32 }));
    }
    Grouping { groups, residue }
}

/// Line 3: a tuple with the most incompatible tuples.
fn seed(counts: &CompactCounts<'_>, choice: Choice, first_row: &impl Fn(usize) -> u32) -> Option<usize> {
    let classes = match choice {
        Choice::AsPrinted(_) => 0..counts.left.len(),
        Choice::EvenPace => counts.classes_of(furthest_behind(counts)?),
    };
    let candidates = classes.filter(|&class| counts.is_candidate(class));
    match choice {
        Choice::AsPrinted(Ties::Rows) => {
            candidates.min_by_key(|&class| (counts.compatible_after(class), first_row(class)))
        }
        _ => candidates.min_by_key(|&class| counts.compatible_after(class)),
    }
}

/// Lines 12 and 13: the next member.
fn member(counts: &CompactCounts<'_>, choice: Choice, first_row: &impl Fn(usize) -> u32) -> Option<usize> {
    match choice {
        Choice::AsPrinted(Ties::Rows) => {
            let values = (0..counts.left_of_value.len()).filter(|&value| counts.candidates_of(value) > 0);
            let candidates =
                values.flat_map(|value| counts.classes_of(value)).filter(|&class| counts.is_candidate(class));
            candidates.min_by_key(|&class| (Reverse(counts.compatible_after(class)), first_row(class)))
        }
        Choice::AsPrinted(Ties::Values) => {
            let values = (0..counts.left_of_value.len()).filter(|&value| counts.candidates_of(value) > 0);
            values.fold(None, |best, value| better_of_value(counts, value, best)).map(|(_, class)| class)
        }
        Choice::EvenPace => {
            let candidates = counts.classes_of(furthest_behind(counts)?).filter(|&class| counts.is_candidate(class));
            // Of tuples that are equally little in the way, those that refuse most will be hardest to place later.
            candidates.min_by_key(|&class| {
                let refused = counts.classes.classes[class].refused.len();
                (Reverse(counts.compatible_after(class)), Reverse(refused))
            })
        }
    }
}

/// Of the values of candidates the one of which the largest part is left. Half a tuple is taken off (Webster's method of
/// apportionment), so that a value of which there is one tuple comes up half way and not at once.
fn furthest_behind(counts: &CompactCounts<'_>) -> Option<usize> {
    let values = (0..counts.left_of_value.len()).filter(|&value| counts.candidates_of(value) > 0);
    values.reduce(|best, value| {
        let left = |value: usize| 2 * u64::from(counts.left_of_value[value]) - 1;
        let of = |value: usize| u64::from(counts.tuples_of_value[value]);
        if left(value) * of(best) > left(best) * of(value) { value } else { best }
    })
}

/// `best` (compatible tuples after it, class), or a class of `value` that leaves more.
fn better_of_value(counts: &CompactCounts<'_>, value: usize, mut best: Option<(u32, usize)>) -> Option<(u32, usize)> {
    let most = counts.most_compatible_after(value);
    for class in counts.classes_of(value) {
        // Later classes of the value leave no more than `most`, so that what has it already stays the best.
        if best.is_some_and(|(compatible, _)| compatible >= most) {
            break;
        }
        if counts.is_candidate(class) {
            let compatible = counts.compatible_after(class);
            if best.is_none_or(|(so_far, _)| compatible > so_far) {
                best = Some((compatible, class));
            }
        }
    }
    best
}
