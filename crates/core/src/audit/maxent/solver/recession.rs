//! Multipliers that run to infinity, and the probabilities they force to 0.
//!
//! Where several rows together leave a value no record, the dual has no minimum: it falls for ever along a direction d of
//! the multipliers, and Newton's steps follow it at the pace of one unit each. Such a direction is a proof. If every slot
//! but those in a set Z has the same slope under d as the other slots of its class, slots in Z have a smaller one, and the
//! bounds' part of the dual balances the slopes, then Σ over Z of weight · p · (gap in slope) is 0 for every solution, so
//! all of Z has probability 0. The step at hand is almost such a direction; a least-squares correction makes it one, up to
//! rounding, or shows that it is none.
//!
//! Cost. One more matrix of second derivatives and one factor, when Newton's steps show the sign.

use super::cholesky::Cholesky;
use super::curvature::{Blocks, Curvature, UNDAMPED};
use super::dual::{Dual, DualPoint};

/// A slot belongs to Z when a full step lowers the logarithm of its probability by more than this…
const FALLS: f64 = 0.5;

/// …and its probability is already below this.
const SMALL: f64 = 0.05;

/// The multiplier of an inequality has a part in the proof when a full step raises it by more than this.
const RUNS: f64 = 0.1;

/// A gap in slope below this is too small to divide by.
const LEAST_GAP: f64 = 0.01;

/// How often Z is corrected by what the levelled direction says of it, as long as this part of it stays.
const ROUNDS: usize = 4;
const MOSTLY_RIGHT: f64 = 0.95;

/// How much mass rounding may leave to Z, as a share of all records.
const ROUNDING: f64 = 1e-11;

/// Slots that are proved to have probability 0.
#[derive(Debug)]
pub struct Face {
    pub zero: Vec<usize>,
    /// No solution gives them more, as a share of all records.
    pub mass: f64,
}

/// What the direction `step` of all rows proves, if anything.
pub fn proved_zero(dual: &Dual, blocks: &Blocks, point: &DualPoint, working: &[u32], step: &[f64]) -> Option<Face> {
    let runs = |row: usize| dual.bounds[row].is_equality() || step[row] * point.multipliers[row].signum() > RUNS;
    let step: Vec<f64> = step.iter().enumerate().map(|(row, &d)| if runs(row) { d } else { 0.0 }).collect();
    let working: Vec<u32> = working.iter().copied().filter(|&row| runs(row as usize)).collect();
    let slope = dual.spread(&step);
    let mut falling = relative(dual, &point.probabilities, &slope);
    let is_small = |slot: usize| point.probabilities[slot] < SMALL && point.probabilities[slot] > 0.0;
    let mut zero: Vec<usize> = (0..dual.slots()).filter(|&slot| falling[slot] < -FALLS && is_small(slot)).collect();
    for _ in 0..ROUNDS {
        if zero.is_empty() {
            return None;
        }
        let mut without = point.clone();
        without.forbid(dual, &zero);
        let direction = levelled(dual, blocks, &without, &working, &step, &slope);
        let level = dual.spread(&direction);
        falling = relative(dual, &without.probabilities, &level);
        if let Some(mass) = mass_bound(dual, &without, &zero, &direction, &level, &falling) {
            return Some(Face { zero, mass });
        }
        let better: Vec<usize> =
            (0..dual.slots()).filter(|&slot| falling[slot] < -LEAST_GAP && is_small(slot)).collect();
        let kept = zero.iter().filter(|slot| better.binary_search(slot).is_ok()).count();
        if (kept as f64) < MOSTLY_RIGHT * zero.len().max(better.len()) as f64 || better == zero {
            return None;
        }
        zero = better;
    }
    None
}

/// The direction nearest to `step` in which the slots that stay have level slopes, by least squares.
fn levelled(
    dual: &Dual,
    blocks: &Blocks,
    without: &DualPoint,
    working: &[u32],
    step: &[f64],
    slope: &[f64],
) -> Vec<f64> {
    let uneven = relative(dual, &without.probabilities, slope);
    let masses: Vec<f64> = dual
        .slots_by_class()
        .flat_map(|(slots, weight)| slots.map(move |slot| (slot, weight)))
        .map(|(slot, weight)| weight * without.probabilities[slot] * uneven[slot])
        .collect();
    let gradient = dual.sums(&masses);
    let mut curvature = Curvature::new(dual, blocks, without, working, &gradient, UNDAMPED);
    let mut correction: Vec<f64> = curvature.gradient.iter().map(|g| -g).collect();
    Cholesky::new(std::mem::take(&mut curvature.matrix), &curvature.scale).solve(&mut correction);
    let correction = curvature.expand(dual, blocks, working, &correction);
    step.iter().zip(&correction).map(|(step, correction)| step + correction).collect()
}

/// The most mass any solution can give to `zero`, if the direction proves that it is next to nothing.
fn mass_bound(
    dual: &Dual,
    without: &DualPoint,
    zero: &[usize],
    direction: &[f64],
    level: &[f64],
    falling: &[f64],
) -> Option<f64> {
    let least_gap = zero.iter().map(|&slot| -falling[slot]).fold(f64::INFINITY, f64::min);
    if least_gap < LEAST_GAP {
        return None;
    }
    let (mut level_sum, mut unevenness) = (0.0, 0.0);
    for (slots, weight) in dual.slots_by_class() {
        let of_class: f64 = slots.clone().map(|slot| without.probabilities[slot] * level[slot]).sum();
        level_sum += weight * of_class;
        let kept = slots.filter(|&slot| without.probabilities[slot] > 0.0);
        unevenness += weight * kept.map(|slot| falling[slot].abs()).fold(0.0, f64::max);
    }
    let bounds: f64 = dual.bounds.iter().zip(direction).map(|(bounds, &d)| bounds.target(d) * d).sum();
    let mass = ((bounds - level_sum).abs() + unevenness) / least_gap;
    (mass <= ROUNDING).then_some(mass)
}

/// The slope of each slot, less the mean of its class.
fn relative(dual: &Dual, probabilities: &[f64], slope: &[f64]) -> Vec<f64> {
    let mut relative = slope.to_vec();
    for (slots, _) in dual.slots_by_class() {
        let mean: f64 = slots.clone().map(|slot| probabilities[slot] * slope[slot]).sum();
        relative[slots].iter_mut().for_each(|slope| *slope -= mean);
    }
    relative
}
