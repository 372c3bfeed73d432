//! Which constraints contradict one another.
//!
//! The multipliers that prove a problem infeasible weigh its rows into a contradiction; rows that it holds without are
//! dropped one after the other, until each that is left is needed.
//!
//! Cost. A small solve per row that has a multiplier; only errors pay it.

use super::model::Model;
use super::problem::{ConstraintSource, Problem};
use super::solver::{Aim, SolverOutcome, solve};

/// A multiplier smaller than this part of the largest has no part in the proof.
const NEGLIGIBLE: f64 = 1e-6;

/// Beyond so many rows a shorter list is not looked for.
const MOST_ROWS: usize = 200;

/// A set of statements that cannot all be true, as small as dropping single ones can make it. None when there is no proof
/// that they cannot.
pub fn explain(problem: &Problem) -> Option<Vec<ConstraintSource>> {
    let all: Vec<usize> = (0..problem.rows.len()).collect();
    let mut needed = proof(problem, &all)?;
    if needed.len() <= MOST_ROWS {
        let mut next = 0;
        while next < needed.len() {
            let mut without = needed.clone();
            without.remove(next);
            match proof(problem, &without) {
                Some(fewer) => (needed, next) = (fewer, 0),
                None => next += 1,
            }
        }
    }
    let mut statements: Vec<ConstraintSource> = needed
        .iter()
        .flat_map(|&row| {
            let (lower, upper) = problem.statements(&problem.rows[row]);
            lower.into_iter().chain(upper).cloned()
        })
        .collect();
    statements.sort();
    statements.dedup();
    Some(statements)
}

/// The rows among `rows` that prove these infeasible; None when they are not.
fn proof(problem: &Problem, rows: &[usize]) -> Option<Vec<usize>> {
    let model = Model::of_rows(problem, rows);
    let SolverOutcome::Infeasible { multipliers } = solve(&model, Aim::Proof) else { return None };
    let largest = multipliers.iter().fold(0.0f64, |largest, multiplier| largest.max(multiplier.abs()));
    let used = model.rows.iter().zip(&multipliers).filter(|(_, m)| m.abs() > NEGLIGIBLE * largest);
    Some(used.map(|(row, _)| row.origin).collect())
}
