//! Figure 2: items are suppressed one after the other, the best score first, until no mole is left.
//!
//! Cost. Each round compares the candidates by cross multiplication of whole numbers.

use super::instance::{Instance, Local};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// What the score of an item is made of, kept up to date while items are suppressed.
pub(super) trait Scores {
    /// |M(v)|: the moles left with this item.
    fn moles(&self, item: Local) -> BigUint;

    /// What suppressing the item costs; never zero. |N(v)| for the paper's score.
    fn cost(&self, item: Local) -> BigUint;

    fn suppress(&mut self, item: Local);
}

/// The suppressed items in the order of their suppression.
pub(super) fn suppress_greedily(instance: &Instance, scores: &mut impl Scores) -> Vec<Local> {
    let mut left: Vec<Local> = (0..instance.public as Local).collect();
    let mut suppressed = Vec::new();
    loop {
        // Suppression creates no mole, so an item without one never gets one again.
        let mut best: Option<Candidate> = None;
        left.retain(|&local| {
            let moles = scores.moles(local);
            if moles == BigUint::ZERO {
                return false;
            }
            let item = instance.items[local as usize];
            let candidate = Candidate { local, item, moles, cost: scores.cost(local) };
            if best.as_ref().is_none_or(|best| candidate.beats(best)) {
                best = Some(candidate);
            }
            true
        });
        let Some(best) = best else {
            return suppressed;
        };
        scores.suppress(best.local);
        left.retain(|&item| item != best.local);
        suppressed.push(best.local);
    }
}

struct Candidate {
    local: Local,
    item: crate::data::Item,
    moles: BigUint,
    cost: BigUint,
}

impl Candidate {
    fn beats(&self, other: &Self) -> bool {
        let score = (&self.moles * &other.cost).cmp(&(&other.moles * &self.cost));
        let cheaper = || other.cost.cmp(&self.cost);
        let first = || other.item.cmp(&self.item);
        score.then_with(cheaper).then_with(first) == Ordering::Greater
    }
}
