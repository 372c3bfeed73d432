//! `cohesion-minimal-moles`: the greedy choice of Y. Xu, K. Wang, A. W. C. Fu, P. S. Yu, "Anonymizing Transaction Databases
//! for Publication", KDD 2008, which the paper compares itself with (its reference [5]).
//!
//! Score(v) = MM(v) / IL(v): the minimal moles with v, for each occurrence of v that is lost.
//!
//! Readings. An item's information loss IL is its support. There are no nuggets, so only the items that are moles by
//! themselves are deleted first. Ties as in `cohesion`: the item of less loss, then the smaller number.
//!
//! Cost. That of the search for minimal moles: no maximal itemsets, and no cover; each mole is met once for each of its items.

use super::greedy::{Scores, suppress_greedily};
use super::instance::{CohesionPrivacy, Instance, Local};
use super::moles::minimal_moles;
use super::{BORDERS, MATERIALIZED, RELEASE, ROUNDS, SUPPRESSION, about};
use crate::data::Dataset;
use crate::lab::{LabError, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};
use num_bigint::BigUint;

pub struct CohesionMinimalMoles;

impl Publisher for CohesionMinimalMoles {
    type Parameters = CohesionPrivacy;
    const NAME: &'static str = "cohesion-minimal-moles";
    const ABOUT: About = About {
        paper: "Y. Xu, K. Wang, A. W. C. Fu, P. S. Yu: Anonymizing Transaction Databases for Publication, KDD 2008",
        ..about(
            "Suppresses items greedily by minimal moles removed for each occurrence lost",
            &[ROUNDS, MATERIALIZED],
            &[BORDERS, SUPPRESSION, RELEASE],
        )
    };

    fn guarantee(parameters: &CohesionPrivacy) -> Guarantee {
        parameters.guarantee()
    }

    fn publish(dataset: &Dataset, parameters: &CohesionPrivacy, bench: &mut Workbench) -> Result<Release, LabError> {
        let baskets = dataset.baskets()?;
        let instance = Instance::new(baskets, *parameters, parameters.k)?;
        let moles = bench.phase(BORDERS, |_| minimal_moles(&instance));
        bench.count(MATERIALIZED.name, moles.len() as f64);
        let supports = baskets.transactions.supports();
        let mut scores = MinimalMoles {
            moles: moles.iter().map(<[_]>::to_vec).collect(),
            with: vec![Vec::new(); instance.items.len()],
            left: vec![0; instance.items.len()],
            supports: instance.items.iter().map(|&item| supports[item as usize]).collect(),
        };
        for (number, mole) in scores.moles.iter().enumerate() {
            for &item in mole {
                scores.with[item as usize].push(number as u32);
                scores.left[item as usize] += 1;
            }
        }
        let chosen = bench.phase(SUPPRESSION, |_| suppress_greedily(&instance, &mut scores));
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}

struct MinimalMoles {
    /// Empty once it is eliminated.
    moles: Vec<Vec<Local>>,
    /// Item to the moles with it.
    with: Vec<Vec<u32>>,
    /// MM: item to how many of those are left.
    left: Vec<u32>,
    supports: Vec<u32>,
}

impl Scores for MinimalMoles {
    fn moles(&self, item: Local) -> BigUint {
        self.left[item as usize].into()
    }

    fn cost(&self, item: Local) -> BigUint {
        self.supports[item as usize].into()
    }

    fn suppress(&mut self, item: Local) {
        for mole in std::mem::take(&mut self.with[item as usize]) {
            for other in std::mem::take(&mut self.moles[mole as usize]) {
                self.left[other as usize] -= 1;
            }
        }
    }
}
