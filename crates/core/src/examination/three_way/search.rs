//! A complete search: the row with the fewest possible values is given each of them in turn, and what that forces is decided.

use super::problem::{ThreeWay, ValueShare};
use super::state::State;

pub enum Searched {
    Found(Vec<ValueShare>),
    /// There is no way; every one was tried, in so many steps.
    Nothing {
        steps: u64,
    },
    TooLong,
}

/// Parts with more rows than this are not searched: a step looks at all of them.
const MOST_ROWS: u64 = 300;

/// Tries every way, for at most `steps` steps, which are taken off.
pub fn searched(problem: &ThreeWay, steps: &mut u64) -> Searched {
    let rows: u64 = problem.groups.iter().flat_map(|group| &group.rows).map(|&(_, rows)| u64::from(rows)).sum();
    if rows > MOST_ROWS {
        return Searched::TooLong;
    }
    let before = *steps;
    // What is to be tried yet, the next one last.
    let mut ahead = vec![State::new(problem)];
    while let Some(mut state) = ahead.pop() {
        let Some(left) = steps.checked_sub(1) else { return Searched::TooLong };
        *steps = left;
        if state.settle().is_err() {
            continue;
        }
        let Some(choices) = state.narrowest() else { return Searched::Found(state.shares) };
        for &share in choices.iter().rev() {
            let mut next = state.clone();
            next.take(share);
            ahead.push(next);
        }
    }
    Searched::Nothing { steps: before - *steps }
}
