//! From constraints to P*(X | Q), with a certificate of how good it is.

use super::contradiction::explain;
use super::forced::{Impossible, fix_forced, remove};
use super::model::Model;
use super::posteriors::Posteriors;
use super::problem::{ConstraintSource, Problem};
use super::solver::{Aim, Solution, SolverOutcome, UNPULLED, solve};
use crate::lab::math::ln;

/// How far an answer can be from the true one. Shares of all records, and nats per record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// By how much the worst constraint is missed.
    pub residual: f64,
    /// How much more entropy another distribution could have.
    pub duality_gap: f64,
    /// The largest product of a multiplier and the distance of its row from its bound.
    pub complementarity: f64,
}

impl Certificate {
    /// Whether every number is one, and none is above the tolerance.
    pub(super) fn holds(&self) -> bool {
        [self.residual, self.duality_gap, self.complementarity].iter().all(|&miss| miss <= TOLERANCE)
    }
}

/// A certificate worse than this is no answer.
pub const TOLERANCE: f64 = 1e-7;

/// How strongly multipliers are held back, attempt by attempt, where the answer without is not good enough; that is rare. Where rows
/// depend on one another but for values that are next to impossible, multipliers can grow without end and next to no gain, one
/// against the other, until rounding times a multiplier is no small number any more. A pull keeps them short, and costs a part of
/// the certificate that grows with those that must be long.
const PULLS: [f64; 6] = [1e-14, 1e-12, 1e-13, 3e-13, 1e-15, 1e-16];

/// What the adversary believes.
#[derive(Debug)]
pub struct Inference {
    /// P*(x | class).
    pub of_classes: Posteriors,
    /// The number of sensitive values.
    pub values: usize,
    /// Unit to its class: units of one class look the same to the adversary.
    pub class_of: Vec<u32>,
    /// H*, in nats per record.
    pub entropy: f64,
    /// How far the result can be from the optimum, at most.
    pub certificate: Certificate,
    /// The size of what was solved in the end.
    pub classes: usize,
    /// Constraints that were left after presolving.
    pub rows: usize,
    /// Iterations over all components.
    pub steps: usize,
}

impl Inference {
    /// P*(x | unit) of all units: entry `unit * values + x`.
    pub fn posterior(&self) -> Vec<f64> {
        let mut posterior = vec![0.0; self.class_of.len() * self.values];
        for (of_unit, &class) in posterior.chunks_exact_mut(self.values).zip(&self.class_of) {
            self.of_classes.of(class as usize).for_each(|(value, p)| of_unit[value as usize] = p);
        }
        posterior
    }
}

/// Why there is no distribution.
#[derive(Debug)]
pub enum InferenceFailure {
    /// These statements cannot all be true.
    Contradictory(Vec<ConstraintSource>),
    /// The solver came no closer than this.
    Inexact(Certificate),
}

/// The distribution of largest entropy that meets every constraint of `problem`.
pub fn infer(problem: &Problem) -> Result<Inference, InferenceFailure> {
    let unpulled = attempt(problem, UNPULLED)?;
    if unpulled.certificate.holds() {
        return Ok(unpulled);
    }
    for pull in PULLS {
        let pulled = attempt(problem, pull)?;
        if pulled.certificate.holds() {
            return Ok(pulled);
        }
    }
    Err(explain(problem).map_or(InferenceFailure::Inexact(unpulled.certificate), InferenceFailure::Contradictory))
}

/// The best answer that the solver finds, good or not.
fn attempt(problem: &Problem, pull: f64) -> Result<Inference, InferenceFailure> {
    let mut model = Model::new(problem);
    let solution = maximize_entropy(&mut model, pull).map_err(|Impossible| contradictory(problem))?;
    let by_class = posteriors(&model, &solution);
    let entropy = entropy(&model.weights, &by_class);
    let certificate = Certificate {
        residual: residual(problem, &model, &by_class),
        duality_gap: (solution.dual_value + entropy_of_mass(solution.face_mass, problem.values) - entropy).abs(),
        complementarity: complementarity(&model, &solution, &by_class),
    };
    Ok(Inference {
        of_classes: by_class,
        values: problem.values,
        entropy,
        certificate,
        classes: model.weights.len(),
        rows: model.rows.len(),
        steps: solution.steps,
        class_of: model.class_of,
    })
}

/// The statements at fault; all of them when no fewer can be told.
fn contradictory(problem: &Problem) -> InferenceFailure {
    let all = || problem.rows.iter().flat_map(|row| [problem.statements(row).0, problem.statements(row).1]);
    InferenceFailure::Contradictory(explain(problem).unwrap_or_else(|| all().flatten().cloned().collect()))
}

/// Solves a model, and again without the probabilities that turn out to be forced to 0, which leave it.
pub fn maximize_entropy(model: &mut Model, pull: f64) -> Result<Solution, Impossible> {
    let (mut face_mass, mut steps_before) = (0.0, 0);
    loop {
        fix_forced(model)?;
        match solve(model, Aim::Answer { pull }) {
            SolverOutcome::Solved(solution) => {
                return Ok(Solution { steps: steps_before + solution.steps, face_mass, ..solution });
            }
            SolverOutcome::Infeasible { .. } => return Err(Impossible),
            SolverOutcome::Zero { removals, mass, multipliers, steps } => {
                face_mass += mass;
                steps_before += steps;
                model.rows.iter_mut().zip(multipliers).for_each(|(row, multiplier)| row.multiplier = multiplier);
                remove(model, &removals)?;
            }
        }
    }
}

/// At most this much entropy comes with a mass that may be spread over all values.
fn entropy_of_mass(mass: f64, values: usize) -> f64 {
    if mass > 0.0 { mass * (1.0 + ln(values as f64 / mass)) } else { 0.0 }
}

fn posteriors(model: &Model, solution: &Solution) -> Posteriors {
    let values = model.possible.iter().map(|possible| possible.len()).sum();
    let mut posteriors = Posteriors::with_capacity(model.possible.len(), values);
    for (possible, probabilities) in model.possible.iter().zip(&solution.probabilities) {
        posteriors.push(possible.iter().copied().zip(probabilities.iter().copied()));
    }
    posteriors
}

/// In nats per record, of classes with these weights.
pub(super) fn entropy(weights: &[f64], by_class: &Posteriors) -> f64 {
    let total: f64 = weights.iter().sum();
    let of_class = |class| -> f64 { by_class.of(class).filter(|&(_, p)| p > 0.0).map(|(_, p)| -p * ln(p)).sum() };
    weights.iter().enumerate().map(|(class, weight)| weight / total * of_class(class)).sum()
}

/// Over the constraints as they were stated, before anything was merged, fixed or dropped.
fn residual(problem: &Problem, model: &Model, by_class: &Posteriors) -> f64 {
    let misses = problem.rows.iter().map(|row| {
        let of_unit = |&unit: &u32| {
            let class = model.class_of[unit as usize] as usize;
            problem.weights[unit as usize] * by_class.get(class, row.value)
        };
        let sum: f64 = problem.members(row).iter().map(of_unit).sum();
        (row.lower - sum).max(sum - row.upper)
    });
    misses.fold(0.0, largest) / problem.records()
}

fn complementarity(model: &Model, solution: &Solution, by_class: &Posteriors) -> f64 {
    let total: f64 = model.weights.iter().sum();
    let products = model.rows.iter().zip(&solution.multipliers).map(|(row, &multiplier)| {
        let sum: f64 = row
            .members
            .iter()
            .map(|&class| model.weights[class as usize] * by_class.get(class as usize, row.value))
            .sum();
        let bound = if multiplier > 0.0 { row.lower } else { row.upper };
        (multiplier * (sum - bound) / total).abs()
    });
    products.fold(0.0, largest)
}

/// The larger one; not a number when either is not.
pub(super) fn largest(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
