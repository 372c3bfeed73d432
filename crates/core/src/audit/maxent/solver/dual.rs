//! The dual of the maximum-entropy problem, with the normalization of each class eliminated.
//!
//! With a multiplier λ per row, P(x | class) is proportional to exp(Σ λ of the rows that hold the class for x). The dual
//!
//! > F(λ) = Σ weight · ln Z(class) − Σ (lower · λ where λ > 0, upper · λ where λ < 0)
//!
//! is convex, its smooth part has the rows' sums as gradient, and every λ bounds the entropy of every solution from above.
//! Weights are shares of all records here.

use super::super::lists::Lists;
use super::super::model::Model;
use super::super::problem::Reach;
use crate::lab::math::{exp, ln};
use std::ops::Range;

/// Bounds of one row, as shares of all records.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub lower: f64,
    pub upper: f64,
}

impl Bounds {
    pub fn is_equality(self) -> bool {
        self.lower == self.upper
    }

    /// The bound a multiplier of this sign pulls to.
    pub fn target(self, multiplier: f64) -> f64 {
        if multiplier > 0.0 { self.lower } else { self.upper }
    }
}

/// How much a sum over all rows may be off, as a part of the sum of its terms' sizes.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A slot is one possible value of one class.
#[derive(Debug)]
pub struct Dual {
    /// Class of the dual to class of the model; classes that no row holds are not here.
    pub classes: Vec<u32>,
    pub weights: Vec<f64>,
    /// Class to its first slot; one entry more than classes.
    pub slot_starts: Vec<usize>,
    /// The slots a row holds, ascending.
    pub slots_of_row: Lists,
    pub bounds: Vec<Bounds>,
    /// Row to its block, where it has one.
    pub block_of_row: Vec<Option<u32>>,
    /// Slot to the row of a block that holds it, where there is one.
    pub block_row_of_slot: Vec<Option<u32>>,
    /// Class to the block whose rows hold it.
    pub block_of_class: Vec<Option<u32>>,
}

impl Dual {
    pub fn new(model: &Model) -> Self {
        let total: f64 = model.weights.iter().sum();
        let mut held = vec![false; model.weights.len()];
        for row in &model.rows {
            row.members.iter().for_each(|&class| held[class as usize] = true);
        }
        let classes: Vec<u32> = (0..held.len() as u32).filter(|&class| held[class as usize]).collect();
        let mut slot_starts = vec![0];
        let mut first_slot = vec![0; held.len()];
        for &class in &classes {
            let first = slot_starts[slot_starts.len() - 1];
            first_slot[class as usize] = first;
            slot_starts.push(first + model.possible[class as usize].len());
        }
        let slot = |class: u32, value: u32| -> u32 {
            let possible = &model.possible[class as usize];
            let place = possible.binary_search(&value).expect("rows hold only classes that can have their value");
            (first_slot[class as usize] + place) as u32
        };
        let slots_of_row: Lists =
            model.rows.iter().map(|row| row.members.iter().map(move |&class| slot(class, row.value))).collect();
        let block_of_row: Vec<Option<u32>> = model
            .rows
            .iter()
            .map(|row| match row.reach {
                Reach::Block(block) if row.is_equality() => Some(block),
                _ => None,
            })
            .collect();
        let mut block_row_of_slot = vec![None; slot_starts[classes.len()]];
        for row in (0..model.rows.len()).filter(|&row| block_of_row[row].is_some()) {
            slots_of_row.get(row).iter().for_each(|&slot| block_row_of_slot[slot as usize] = Some(row as u32));
        }
        let block_of_class = slot_starts
            .windows(2)
            .map(|ends| block_row_of_slot[ends[0]..ends[1]].iter().flatten().next())
            .map(|row| row.and_then(|&row| block_of_row[row as usize]))
            .collect();
        Self {
            weights: classes.iter().map(|&class| model.weights[class as usize] / total).collect(),
            bounds: model
                .rows
                .iter()
                .map(|row| Bounds { lower: row.lower / total, upper: row.upper / total })
                .collect(),
            classes,
            slot_starts,
            slots_of_row,
            block_of_row,
            block_row_of_slot,
            block_of_class,
        }
    }

    pub fn rows(&self) -> usize {
        self.bounds.len()
    }

    pub fn slots(&self) -> usize {
        self.block_row_of_slot.len()
    }

    pub fn slots_of_class(&self, class: usize) -> Range<usize> {
        self.slot_starts[class]..self.slot_starts[class + 1]
    }

    /// The class of the model a slot belongs to, and the value it stands for.
    pub fn class_and_value(&self, model: &Model, slot: usize) -> (u32, u32) {
        let class = self.slot_starts.partition_point(|&start| start <= slot) - 1;
        let model_class = self.classes[class];
        (model_class, model.possible[model_class as usize][slot - self.slot_starts[class]])
    }

    /// The number of blocks, those without rows included.
    pub fn blocks(&self) -> usize {
        self.block_of_row.iter().flatten().max().map_or(0, |&last| last as usize + 1)
    }

    /// The weight of the classes each block's rows hold.
    pub fn block_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.blocks()];
        for (block, weight) in self.block_of_class.iter().zip(&self.weights) {
            if let Some(block) = block {
                weights[*block as usize] += weight;
            }
        }
        weights
    }

    /// The share of all records in the classes that each row holds.
    pub fn held(&self) -> impl Iterator<Item = f64> + '_ {
        let mut weights = Vec::with_capacity(self.slots());
        self.slots_by_class().for_each(|(slots, weight)| weights.extend(slots.map(|_| weight)));
        (0..self.rows()).map(move |row| sum_at(&weights, self.slots_of_row.get(row)))
    }

    /// The slots of each class with its weight.
    pub fn slots_by_class(&self) -> impl Iterator<Item = (Range<usize>, f64)> + '_ {
        self.slot_starts.windows(2).map(|ends| ends[0]..ends[1]).zip(self.weights.iter().copied())
    }

    /// Σ of the rows' entries of `vector` in each slot.
    pub fn spread(&self, vector: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.slots()];
        for (row, &entry) in vector.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            self.slots_of_row.get(row).iter().for_each(|&slot| sums[slot as usize] += entry);
        }
        sums
    }

    /// The rows' sums of the `masses` of their slots.
    pub fn sums(&self, masses: &[f64]) -> Vec<f64> {
        (0..self.rows()).map(|row| sum_at(masses, self.slots_of_row.get(row))).collect()
    }
}

/// The sum of some entries, in four lanes that do not wait for each other.
fn sum_at(entries: &[f64], places: &[u32]) -> f64 {
    let mut lanes = [0.0f64; 4];
    let fours = places.chunks_exact(4);
    let rest: f64 = fours.remainder().iter().map(|&place| entries[place as usize]).sum();
    for four in fours {
        for (lane, &place) in lanes.iter_mut().zip(four) {
            *lane += entries[place as usize];
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

/// Where the solver is: multipliers and what follows from them.
#[derive(Debug, Clone)]
pub struct DualPoint {
    pub multipliers: Vec<f64>,
    /// Σ λ of each slot.
    pub exponents: Vec<f64>,
    /// P(value | class) of each slot.
    pub probabilities: Vec<f64>,
    /// The rows' sums.
    pub sums: Vec<f64>,
}

impl DualPoint {
    pub fn new(dual: &Dual, multipliers: Vec<f64>) -> Self {
        let mut point = Self {
            exponents: dual.spread(&multipliers),
            probabilities: vec![0.0; dual.slots()],
            sums: Vec::new(),
            multipliers,
        };
        point.evaluate(dual);
        point
    }

    /// Goes `step` along `direction`, whose sums in the slots are `slope`.
    pub fn advance(&mut self, dual: &Dual, direction: &[f64], slope: &[f64], step: f64) {
        self.multipliers.iter_mut().zip(direction).for_each(|(multiplier, d)| *multiplier += step * d);
        self.exponents.iter_mut().zip(slope).for_each(|(exponent, d)| *exponent += step * d);
        self.evaluate(dual);
    }

    /// Gives slots probability 0 for good.
    pub fn forbid(&mut self, dual: &Dual, slots: &[usize]) {
        slots.iter().for_each(|&slot| self.exponents[slot] = f64::NEG_INFINITY);
        self.evaluate(dual);
    }

    fn evaluate(&mut self, dual: &Dual) {
        let mut masses = vec![0.0; dual.slots()];
        for (slots, weight) in dual.slots_by_class() {
            let exponents = &self.exponents[slots.clone()];
            let highest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let probabilities = &mut self.probabilities[slots.clone()];
            let mut total = 0.0;
            for (p, exponent) in probabilities.iter_mut().zip(exponents) {
                *p = exp(exponent - highest);
                total += *p;
            }
            for (p, mass) in probabilities.iter_mut().zip(&mut masses[slots]) {
                *p /= total;
                *mass = weight * *p;
            }
        }
        self.sums = dual.sums(&masses);
    }

    /// F: no solution has more entropy (over the classes of the dual) than this.
    pub fn value(&self, dual: &Dual) -> f64 {
        let log_partition = |(slots, weight): (Range<usize>, f64)| {
            let exponents = &self.exponents[slots];
            let highest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = exponents.iter().map(|exponent| exp(exponent - highest)).sum();
            weight * (highest + ln(total))
        };
        let bounds = dual.bounds.iter().zip(&self.multipliers);
        let bounds: f64 = bounds.map(|(bounds, &multiplier)| bounds.target(multiplier) * multiplier).sum();
        dual.slots_by_class().map(log_partition).sum::<f64>() - bounds
    }

    /// How much of the value may be rounding: it is a difference of sums that grow with the multipliers.
    pub fn rounding(&self, dual: &Dual) -> f64 {
        let of_row = |(bounds, multiplier): (&Bounds, &f64)| (bounds.target(*multiplier) * multiplier).abs();
        let of_rows: f64 = dual.bounds.iter().zip(&self.multipliers).map(of_row).sum();
        ROUNDING * of_rows
    }

    /// By how much a row misses what its multiplier wants of it (its bound, or to stay within both).
    pub fn miss(&self, dual: &Dual, row: usize) -> f64 {
        let (bounds, sum, multiplier) = (dual.bounds[row], self.sums[row], self.multipliers[row]);
        if multiplier != 0.0 { sum - bounds.target(multiplier) } else { self.violation(bounds, sum) }
    }

    fn violation(&self, bounds: Bounds, sum: f64) -> f64 {
        if sum < bounds.lower { sum - bounds.lower } else { (sum - bounds.upper).max(0.0) }
    }
}
