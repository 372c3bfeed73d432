//! The individual-item utility that the paper contrasts itself with (Section 2, its reference [5]): the same moles, but an
//! item is worth its occurrences, whatever itemsets they make. Score(v) = |M(v)| / Sup(v).
//!
//! Readings. Nuggets are unknown here, so there is no k', and only items that are moles by themselves are deleted first.
//! Moles are counted from their border as in `cohesion`.

use super::border::mole_counts;
use super::greedy::{Families, suppress_greedily};
use super::instance::{CohesionPrivacy, Instance};
use super::{BORDERS, RELEASE, ROUNDS, SUPPRESSION, about};
use crate::data::Dataset;
use crate::lab::{LabError, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};

pub struct CohesionItems;

impl Publisher for CohesionItems {
    type Parameters = CohesionPrivacy;
    const NAME: &'static str = "cohesion-items";
    const ABOUT: About = about(
        "Suppresses items greedily by moles removed for each occurrence lost",
        &[ROUNDS],
        &[BORDERS, SUPPRESSION, RELEASE],
    );

    fn guarantee(parameters: &CohesionPrivacy) -> Guarantee {
        parameters.guarantee()
    }

    fn publish(dataset: &Dataset, parameters: &CohesionPrivacy, bench: &mut Workbench) -> Result<Release, LabError> {
        let baskets = dataset.baskets()?;
        let instance = Instance::new(baskets, *parameters, parameters.k)?;
        let (_, moles) = bench.phase(BORDERS, |_| mole_counts(&instance));
        let supports = baskets.transactions.supports();
        let lost: Vec<u32> = instance.items.iter().map(|&item| supports[item as usize]).collect();
        let mut scores = Families { moles, lost };
        let chosen = bench.phase(SUPPRESSION, |_| suppress_greedily(&instance, &mut scores));
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}
