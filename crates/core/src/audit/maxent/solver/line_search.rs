//! How far to go along a Newton step.
//!
//! The dual is convex along a line, so it is enough to look at its derivative. A full step is taken where it is about the
//! minimum; where a probability is forced to 0 and a multiplier runs to infinity, full steps shrink the derivative by a
//! constant factor only, and the search goes on beyond.
//!
//! Cost. An exponential per slot and trial.

use super::dual::{Dual, DualPoint};
use crate::lab::math::exp;

/// A derivative this much smaller than at the start is small enough.
const GOOD: f64 = 0.1;

/// How far beyond a full step to go at most.
const LONGEST: f64 = 1024.0;

const MOST_TRIALS: usize = 60;

/// A direction from a point.
pub struct Line<'a> {
    pub dual: &'a Dual,
    pub point: &'a DualPoint,
    /// The sums of the direction in the slots.
    pub slope: &'a [f64],
    /// The derivative of the dual at the start…
    pub derivative: f64,
    /// …and after a full step.
    pub after_full_step: f64,
    /// What the pull on the multipliers adds to the derivative by a full step.
    pub pull: f64,
    /// How much of these may be rounding.
    pub rounding: f64,
    /// Beyond this some multiplier has the wrong sign.
    pub longest: f64,
}

impl Line<'_> {
    /// How many steps to go.
    pub fn search(&self) -> f64 {
        if self.derivative > -self.rounding {
            return 1.0;
        }
        let longest = self.longest.min(LONGEST);
        let good = -GOOD * self.derivative;
        let (mut low, mut step, mut high) = (0.0, 1.0f64, f64::INFINITY);
        let mut derivative = self.after_full_step;
        for _ in 0..MOST_TRIALS {
            if derivative.abs() <= good {
                return step;
            }
            if derivative < 0.0 {
                low = step;
                if step >= longest {
                    return longest;
                }
            } else {
                high = step;
            }
            step = if high.is_finite() { (low + high) / 2.0 } else { (2.0 * step).min(longest) };
            derivative = self.derivative_at(step);
        }
        if low > 0.0 { low } else { step }
    }

    fn derivative_at(&self, step: f64) -> f64 {
        let mut change = 0.0;
        let mut raised = Vec::new();
        for (slots, weight) in self.dual.slots_by_class() {
            let slope = &self.slope[slots.clone()];
            if slope.iter().all(|&d| d == 0.0) {
                continue;
            }
            raised.clear();
            raised
                .extend(self.point.exponents[slots.clone()].iter().zip(slope).map(|(exponent, d)| exponent + step * d));
            let highest = raised.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            raised.iter_mut().for_each(|exponent| *exponent = exp(*exponent - highest));
            let total: f64 = raised.iter().sum();
            let before = &self.point.probabilities[slots];
            let moved = raised.iter().zip(before).zip(slope).map(|((now, before), d)| (now / total - before) * d);
            change += weight * moved.sum::<f64>();
        }
        self.derivative + change + step * self.pull
    }
}
