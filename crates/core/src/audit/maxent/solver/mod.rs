//! Maximum entropy under linear equalities and inequalities, by Newton's method on the dual.
//!
//! Each step takes the rows that matter (equalities, rows with a multiplier, the most violated of the others), minimizes
//! the quadratic model of the dual over them with the signs kept, and searches along the step. Rows that nobody violates
//! are never looked at more closely, so the matrices stay as small as the set of rows that hold in the end.
//!
//! An answer is no more than a point; its certificate says how good it is.

mod cholesky;
mod curvature;
mod dual;
mod line_search;
mod quadratic;
mod recession;

use super::model::Model;
use crate::lab::math::ln;
use cholesky::Cholesky;
use curvature::{Blocks, Curvature, UNDAMPED};
use dual::{Dual, DualPoint};
use line_search::Line;
use quadratic::{Quadratic, Sign};
use recession::{Face, proved_zero};

/// A row that misses its bound by less, as a share of all records, is met.
pub const MET: f64 = 1e-13;

/// When steps no longer help, this is close enough.
const CLOSE: f64 = 1e-10;

/// Progress is a worst miss below this part of the least so far.
const PROGRESS: f64 = 0.5;

/// Steps without progress after which rounding is all that is left to fight.
const PATIENCE: usize = 1;

/// The same while the answer is not close.
const MUCH_PATIENCE: usize = 20;

const MOST_STEPS: usize = 300;

/// Newton's steps that leave more than this part of the worst miss are looked at for multipliers that run to infinity.
const SLOW: f64 = 0.2;

/// The entropy of any solution is at least 0, so a dual value below is proof that there is none.
const INFEASIBLE: f64 = -1e-9;

/// A step that goes along so small a part of its direction is lost: some second derivative is next to nothing, and the
/// direction is rounding times infinity. It is taken again with more and more damping, until it goes somewhere.
const LOST: f64 = 1e-6;
const DAMPINGS: [f64; 4] = [1e-8, 1e-6, 1e-4, 1e-2];

/// That is looked for every so many steps: most problems are solved before.
const LOOK_AT_VALUE: usize = 8;

/// Multipliers may be as long as they like.
pub const UNPULLED: f64 = 0.0;

/// What the solver is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// The distribution of maximum entropy, with every multiplier pulled back to 0 by `pull` times its length times what its row holds.
    Answer { pull: f64 },
    /// Multipliers that prove that there is none.
    Proof,
}

#[derive(Debug)]
pub enum SolverOutcome {
    /// The best answer that was found, good or not.
    Solved(Solution),
    /// No distribution satisfies the rows; the multipliers weigh them into a contradiction.
    Infeasible { multipliers: Vec<f64> },
    /// Every solution gives these values of these classes probability 0, but for `mass`. Go on without them from here.
    Zero { removals: Vec<(u32, u32)>, mass: f64, multipliers: Vec<f64>, steps: usize },
}

/// Probabilities, and how good they are.
#[derive(Debug)]
pub struct Solution {
    /// Row of the model to its multiplier.
    pub multipliers: Vec<f64>,
    /// Class of the model to the probabilities of its possible values.
    pub probabilities: Vec<Vec<f64>>,
    /// An upper bound of the entropy any solution can have, in nats per record.
    pub dual_value: f64,
    /// The most mass that values which left the model on the way can have in any solution.
    pub face_mass: f64,
    /// Newton steps taken.
    pub steps: usize,
}

pub fn solve(model: &Model, aim: Aim) -> SolverOutcome {
    let dual = Dual::new(model);
    let newton = Newton::new(&dual, aim);
    let mut point = DualPoint::new(&dual, start(model, &dual));
    let mut misses = vec![0.0; dual.rows()];
    let (mut best, mut least_worst) = (point.clone(), f64::INFINITY);
    let (mut last_worst, mut without_progress, mut steps) = (f64::INFINITY, 0, 0);
    let (mut next_look, mut pause) = (0, 1);
    loop {
        if steps % LOOK_AT_VALUE == LOOK_AT_VALUE - 1 && proves_infeasible(&dual, &point) {
            return SolverOutcome::Infeasible { multipliers: point.multipliers };
        }
        misses
            .iter_mut()
            .enumerate()
            .for_each(|(row, miss)| *miss = point.miss(&dual, row) + newton.pull_at(&point, row));
        let worst = misses.iter().fold(0.0f64, |worst, miss| worst.max(miss.abs()));
        without_progress = if worst < PROGRESS * least_worst { 0 } else { without_progress + 1 };
        if worst < least_worst {
            least_worst = worst;
            best.clone_from(&point);
        }
        let patience = if least_worst < CLOSE { PATIENCE } else { MUCH_PATIENCE };
        if worst <= MET || without_progress > patience || steps == MOST_STEPS {
            if proves_infeasible(&dual, &point) {
                return SolverOutcome::Infeasible { multipliers: point.multipliers };
            }
            return SolverOutcome::Solved(solution(model, &dual, best, steps));
        }
        let is_slow = steps > 1 && worst > SLOW * last_worst && worst > CLOSE;
        let look_for_face = aim != Aim::Proof && is_slow && steps >= next_look;
        let face = newton.step(&mut point, &misses, look_for_face);
        steps += 1;
        if look_for_face {
            // Each look that finds nothing doubles the time to the next: looks cost more than steps.
            (next_look, pause) = (steps + pause, 2 * pause);
        }
        if let Some(Face { zero, mass }) = face {
            let removals = zero.iter().map(|&slot| dual.class_and_value(model, slot)).collect();
            return SolverOutcome::Zero { removals, mass, multipliers: point.multipliers, steps };
        }
        last_worst = worst;
    }
}

/// Whether a point bounds the entropy of all solutions by less than 0, rounding left aside: there are none.
fn proves_infeasible(dual: &Dual, point: &DualPoint) -> bool {
    point.value(dual) < INFEASIBLE - point.rounding(dual)
}

/// Where to start: where the model says; and in blocks at the shares of the block, which is already the answer where
/// nothing else is known.
fn start(model: &Model, dual: &Dual) -> Vec<f64> {
    let mut rest_of_block = dual.block_weights();
    for (row, block) in dual.block_of_row.iter().enumerate().filter_map(|(row, block)| Some((row, (*block)?))) {
        rest_of_block[block as usize] -= dual.bounds[row].lower;
    }
    let fresh = model.rows.iter().all(|row| row.multiplier == 0.0);
    let of_row = |row: usize| match dual.block_of_row[row] {
        Some(block) if fresh => start_of_block(dual.bounds[row].lower, rest_of_block[block as usize]),
        _ => model.rows[row].multiplier,
    };
    (0..dual.rows()).map(of_row).collect()
}

/// The multiplier of a row of a block that asks for `lower`, where `rest` is what the rows of the block leave.
pub fn start_of_block(lower: f64, rest: f64) -> f64 {
    let odds = lower / rest;
    if odds > 0.0 && odds.is_finite() { ln(odds) } else { 0.0 }
}

/// What stays the same from step to step.
struct Newton<'a> {
    dual: &'a Dual,
    blocks: Blocks,
    aim: Aim,
    /// Equalities that others imply: they need no multiplier.
    is_implied: Vec<bool>,
    pull: f64,
    /// How strongly each multiplier is pulled back to 0; empty where none is.
    pulls: Vec<f64>,
}

/// A direction, and what part of it to go.
struct DualStep {
    /// Row to the change of its multiplier.
    direction: Vec<f64>,
    /// The sums of the direction in the slots.
    slope: Vec<f64>,
    length: f64,
    /// Where a full step leads.
    full: DualPoint,
}

impl<'a> Newton<'a> {
    fn new(dual: &'a Dual, aim: Aim) -> Self {
        let blocks = Blocks::new(dual);
        let pull = match aim {
            Aim::Answer { pull } => pull,
            Aim::Proof => UNPULLED,
        };
        let pulls = if pull > UNPULLED { dual.held().map(|held| pull * held).collect() } else { Vec::new() };
        let equalities: Vec<u32> = (0..dual.rows() as u32)
            .filter(|&row| dual.bounds[row as usize].is_equality() && dual.block_of_row[row as usize].is_none())
            // Equalities that contradict one another depend on one another; a proof needs them all.
            .filter(|_| aim != Aim::Proof)
            .collect();
        let mut is_implied = vec![false; dual.rows()];
        if equalities.is_empty() {
            return Self { dual, blocks, aim, is_implied, pull, pulls };
        }
        let nowhere = vec![0.0; dual.rows()];
        let uniform = DualPoint::new(dual, nowhere.clone());
        let curvature = Curvature::new(dual, &blocks, &uniform, &equalities, &nowhere, UNDAMPED);
        let factor = Cholesky::new(curvature.matrix, &curvature.scale);
        for (i, &row) in equalities.iter().enumerate() {
            is_implied[row as usize] = factor.is_dependent(i);
        }
        Self { dual, blocks, aim, is_implied, pull, pulls }
    }

    /// What the pull on a row's multiplier adds to the gradient.
    fn pull_at(&self, point: &DualPoint, row: usize) -> f64 {
        self.pulls.get(row).map_or(0.0, |pull| pull * point.multipliers[row])
    }

    /// One step of Newton's method. Looks on the way for probabilities that are forced to 0, if asked.
    fn step(&self, point: &mut DualPoint, misses: &[f64], look_for_face: bool) -> Option<Face> {
        let Self { dual, blocks, .. } = self;
        let working = self.working_rows(point, misses);
        // A pull is a second derivative, too.
        let mut taken = self.search(point, misses, &working, self.pull);
        for damping in DAMPINGS {
            if taken.length >= LOST {
                break;
            }
            taken = self.search(point, misses, &working, damping);
        }
        let DualStep { direction, slope, length, full } = taken;
        let face = look_for_face.then(|| proved_zero(dual, blocks, point, &working, &direction)).flatten();
        if length == 1.0 {
            *point = full;
        } else {
            point.advance(dual, &direction, &slope, length);
        }
        face
    }

    /// The minimum of the quadratic model, and how far to go there.
    fn search(&self, point: &DualPoint, misses: &[f64], working: &[u32], damping: f64) -> DualStep {
        let Self { dual, blocks, .. } = self;
        let curvature = Curvature::new(dual, blocks, point, working, misses, damping);
        let multipliers: Vec<f64> = working.iter().map(|&row| point.multipliers[row as usize]).collect();
        let signs: Vec<Sign> = working.iter().map(|&row| self.sign(point, misses, row as usize)).collect();
        let quadratic = Quadratic {
            curvature: &curvature.matrix,
            scale: &curvature.scale,
            gradient: &curvature.gradient,
            multipliers: &multipliers,
            signs: &signs,
            damp_free: self.aim == Aim::Proof,
        };
        let short = quadratic.minimize();
        let direction = curvature.expand(dual, blocks, working, &short);
        let slope = dual.spread(&direction);
        let longest = short
            .iter()
            .zip(&multipliers)
            .zip(&signs)
            .filter(|((d, multiplier), sign)| **sign != Sign::Free && *d * *multiplier < 0.0)
            .map(|((d, multiplier), _)| -multiplier / d)
            .fold(f64::INFINITY, f64::min);
        let derivative = direction.iter().zip(misses).map(|(d, miss)| d * miss).sum();
        let pull: f64 = direction.iter().zip(&self.pulls).map(|(d, pull)| d * pull * d).sum();
        let mut full = point.clone();
        full.advance(dual, &direction, &slope, 1.0);
        let moved = full.sums.iter().zip(&point.sums).map(|(after, before)| after - before);
        let line = Line {
            dual,
            point,
            slope: &slope,
            derivative,
            after_full_step: derivative + direction.iter().zip(moved).map(|(d, moved)| d * moved).sum::<f64>() + pull,
            pull,
            rounding: f64::EPSILON * direction.iter().map(|d| d.abs()).sum::<f64>(),
            longest: longest.max(1.0),
        };
        let length = line.search();
        DualStep { direction, slope, length, full }
    }

    fn sign(&self, point: &DualPoint, misses: &[f64], row: usize) -> Sign {
        if self.dual.bounds[row].is_equality() {
            Sign::Free
        } else if point.multipliers[row] > 0.0 || point.multipliers[row] == 0.0 && misses[row] < 0.0 {
            Sign::Plus
        } else {
            Sign::Minus
        }
    }

    /// The rows a step works on: equalities and rows with a multiplier, and of the violated ones those that miss most.
    fn working_rows(&self, point: &DualPoint, misses: &[f64]) -> Vec<u32> {
        let mut working = Vec::new();
        let mut violated = Vec::new();
        for row in (0..self.dual.rows()).filter(|&row| self.dual.block_of_row[row].is_none() && !self.is_implied[row]) {
            if self.dual.bounds[row].is_equality() || point.multipliers[row] != 0.0 {
                working.push(row as u32);
            } else if misses[row].abs() > MET {
                violated.push(row as u32);
            }
        }
        let most = (working.len() / 2).max(64);
        violated.sort_by(|&a, &b| misses[b as usize].abs().total_cmp(&misses[a as usize].abs()));
        violated.truncate(most);
        working.extend(violated);
        working.sort_unstable();
        working
    }
}

fn solution(model: &Model, dual: &Dual, point: DualPoint, steps: usize) -> Solution {
    let mut probabilities: Vec<Vec<f64>> =
        model.possible.iter().map(|values| vec![1.0 / values.len() as f64; values.len()]).collect();
    let mut in_dual = vec![false; model.weights.len()];
    for (&class, slots) in dual.classes.iter().zip(dual.slot_starts.windows(2)) {
        probabilities[class as usize] = point.probabilities[slots[0]..slots[1]].to_vec();
        in_dual[class as usize] = true;
    }
    let total: f64 = model.weights.iter().sum();
    let outside: f64 = (0..model.weights.len())
        .filter(|&class| !in_dual[class])
        .map(|class| model.weights[class] / total * ln(model.possible[class].len() as f64))
        .sum();
    let dual_value = point.value(dual) + outside;
    Solution { dual_value, face_mass: 0.0, multipliers: point.multipliers, probabilities, steps }
}
