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

/// How many itemsets of a family are left with each item, kept up to date while items are suppressed.
pub(super) trait Counts {
    fn of(&self, item: Local) -> BigUint;

    /// Takes all itemsets with `item` from the counts of the other items.
    fn suppress(&mut self, item: Local);
}

/// What suppression of an item loses by itself, whatever else is suppressed.
impl Counts for Vec<u32> {
    fn of(&self, item: Local) -> BigUint {
        self[item as usize].into()
    }

    fn suppress(&mut self, _: Local) {}
}

/// Moles, and what is lost with them: in the paper nuggets, Score(v) = |M(v)| / |N(v)|. Each item left is a nugget by itself (Observation 2), so |N(v)| is never 0.
pub(super) struct Families<M, L> {
    pub moles: M,
    pub lost: L,
}

impl<M: Counts, L: Counts> Scores for Families<M, L> {
    fn moles(&self, item: Local) -> BigUint {
        self.moles.of(item)
    }

    fn cost(&self, item: Local) -> BigUint {
        self.lost.of(item)
    }

    fn suppress(&mut self, item: Local) {
        self.moles.suppress(item);
        self.lost.suppress(item);
    }
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
