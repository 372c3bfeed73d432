//! Injector to the letter: Figures 1 and 2 of T. Li, N. Li, "Injector", ICDE 2008, tuple by tuple, with the readings and
//! tie-breaks of the fast version.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A tuple: its sensitive value, and IVS, the values it cannot take.
#[derive(Debug, Clone)]
pub struct Tuple {
    pub value: u32,
    pub cannot_take: BTreeSet<u32>,
}

/// How lines 3 and 13 choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    AsPrinted,
    /// Ties of line 3 and 13 go to the first row.
    AsPrintedByRow,
    EvenPace,
}

/// The groups of Figure 2, as indexes of tuples.
pub fn bucketize(tuples: &[Tuple], l: usize, choice: Choice) -> Vec<Vec<usize>> {
    let mut open: BTreeSet<usize> = (0..tuples.len()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut residue: Vec<usize> = Vec::new();
    // Lines 2 to 17.
    while open.len() >= l {
        let Some(seed) = seed(tuples, &open, choice) else { break };
        let mut group = vec![seed];
        open.remove(&seed);
        while group.len() < l {
            let Some(member) = member(tuples, &open, &group, choice) else { break };
            group.push(member);
            open.remove(&member);
        }
        if group.len() < l {
            open.extend(&group[1..]);
            residue.push(seed);
        } else {
            groups.push(group);
        }
    }
    residue.extend(open);
    residue.sort_by_key(|&t| order(tuples, t));
    // Lines 18 to 23.
    let mut groups: Vec<Option<Vec<usize>>> = groups.into_iter().map(Some).collect();
    for (i, &t) in residue.iter().enumerate() {
        let nearest = (0..groups.len()).filter(|&g| groups[g].is_some()).min_by_key(|&g| {
            let members = groups[g].as_ref().unwrap();
            let incompatible = members.iter().filter(|&&other| !compatible(&tuples[t], &tuples[other])).count();
            (incompatible, members.len(), g)
        });
        let Some(g) = nearest else { return vec![residue] };
        let mut group = groups[g].take().unwrap();
        group.push(t);
        while valid_values(tuples, &group, group.iter().position(|&member| member == t).unwrap()).len() < l {
            let own = values(tuples, &group);
            let other = (0..groups.len()).filter(|&other| groups[other].is_some()).min_by_key(|&other| {
                let members = groups[other].as_ref().unwrap();
                (Reverse(values(tuples, members).difference(&own).count()), members.len(), other)
            });
            match other {
                Some(other) => group.extend(groups[other].take().unwrap()),
                None => {
                    group.extend(&residue[i + 1..]);
                    return vec![group];
                }
            }
        }
        groups[g] = Some(group);
    }
    groups.into_iter().flatten().collect()
}

/// Ties: value, then the set as a binary number, then the row.
fn order(tuples: &[Tuple], t: usize) -> (u32, Vec<u32>, usize) {
    (tuples[t].value, tuples[t].cannot_take.iter().rev().copied().collect(), t)
}

/// Definition 2.
fn compatible(a: &Tuple, b: &Tuple) -> bool {
    a.value != b.value && !a.cannot_take.contains(&b.value) && !b.cannot_take.contains(&a.value)
}

fn values(tuples: &[Tuple], group: &[usize]) -> BTreeSet<u32> {
    group.iter().map(|&t| tuples[t].value).collect()
}

/// NIT: the tuples of T that are incompatible with some tuple of the group.
fn nit(tuples: &[Tuple], open: &BTreeSet<usize>, group: &[usize]) -> usize {
    open.iter().filter(|&&t| group.iter().any(|&member| !compatible(&tuples[t], &tuples[member]))).count()
}

fn seed(tuples: &[Tuple], open: &BTreeSet<usize>, choice: Choice) -> Option<usize> {
    let candidates: Vec<usize> = open.iter().copied().collect();
    let candidates = match choice {
        Choice::AsPrinted | Choice::AsPrintedByRow => candidates,
        Choice::EvenPace => furthest_behind(tuples, open, candidates),
    };
    if choice == Choice::AsPrintedByRow {
        return candidates.into_iter().min_by_key(|&t| (Reverse(nit(tuples, open, &[t])), t));
    }
    candidates.into_iter().min_by_key(|&t| (Reverse(nit(tuples, open, &[t])), order(tuples, t)))
}

fn member(tuples: &[Tuple], open: &BTreeSet<usize>, group: &[usize], choice: Choice) -> Option<usize> {
    let compatible_with_all = |&t: &usize| group.iter().all(|&member| compatible(&tuples[t], &tuples[member]));
    let candidates: Vec<usize> = open.iter().copied().filter(compatible_with_all).collect();
    let nit_with = |t: usize| nit(tuples, open, &[group, &[t]].concat());
    match choice {
        Choice::AsPrinted => candidates.into_iter().min_by_key(|&t| (nit_with(t), order(tuples, t))),
        Choice::AsPrintedByRow => candidates.into_iter().min_by_key(|&t| (nit_with(t), t)),
        Choice::EvenPace => furthest_behind(tuples, open, candidates)
            .into_iter()
            .min_by_key(|&t| (nit_with(t), Reverse(tuples[t].cannot_take.len()), order(tuples, t))),
    }
}

/// The candidates whose value has the largest part (left − ½) / all, the smallest such value.
fn furthest_behind(tuples: &[Tuple], open: &BTreeSet<usize>, candidates: Vec<usize>) -> Vec<usize> {
    let left = |value: u32| 2 * open.iter().filter(|&&t| tuples[t].value == value).count() as i64 - 1;
    let all = |value: u32| tuples.iter().filter(|tuple| tuple.value == value).count() as i64;
    let furthest = values(tuples, &candidates)
        .into_iter()
        .min_by(|&a, &b| (left(b) * all(a)).cmp(&(left(a) * all(b))).then(a.cmp(&b)));
    candidates.into_iter().filter(|&t| Some(tuples[t].value) == furthest).collect()
}

/// Figure 1 with the test it forgets: the values the `i`-th tuple of the group can have while the others have the others.
pub fn valid_values(tuples: &[Tuple], group: &[usize], i: usize) -> BTreeSet<u32> {
    let others: Vec<usize> = group.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &t)| t).collect();
    (0..group.len())
        .filter(|&j| {
            let value = tuples[group[j]].value;
            let left: Vec<u32> =
                group.iter().enumerate().filter(|&(k, _)| k != j).map(|(_, &t)| tuples[t].value).collect();
            !tuples[group[i]].cannot_take.contains(&value) && maximum_matching(tuples, &others, &left) == others.len()
        })
        .map(|j| tuples[group[j]].value)
        .collect()
}

/// MBM of the paper, by augmenting paths.
fn maximum_matching(tuples: &[Tuple], group: &[usize], values: &[u32]) -> usize {
    fn augment(
        tuples: &[Tuple],
        group: &[usize],
        values: &[u32],
        i: usize,
        seen: &mut [bool],
        has: &mut [Option<usize>],
    ) -> bool {
        (0..values.len()).any(|v| {
            if seen[v] || tuples[group[i]].cannot_take.contains(&values[v]) {
                return false;
            }
            seen[v] = true;
            let free = has[v].is_none_or(|other| augment(tuples, group, values, other, seen, has));
            if free {
                has[v] = Some(i);
            }
            free
        })
    }
    let mut has = vec![None; values.len()];
    (0..group.len()).filter(|&i| augment(tuples, group, values, i, &mut vec![false; values.len()], &mut has)).count()
}
