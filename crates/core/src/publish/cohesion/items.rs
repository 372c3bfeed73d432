//! The individual-item utility that the paper contrasts itself with (Section 2, its reference [5]): the same moles, but an
//! item is worth its occurrences, whatever itemsets they make. Score(v) = |M(v)| / Sup(v).
//!
//! Readings. Nuggets are unknown here, so there is no k', and only items that are moles by themselves are deleted first.
//! Moles are counted from their border as in `cohesion`.

use super::border::mole_counts;
use super::counts::Counts;
use super::greedy::{Scores, suppress_greedily};
use super::instance::{Instance, Local, Privacy};
use super::{BORDERS, PAPER, RELEASE, ROUNDS, SUPPRESSION};
use crate::data::{Dataset, InputKind};
use crate::lab::{LabError, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release, ReleaseKind};
use num_bigint::BigUint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct CohesionItems;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CohesionItemsParameters {
    /// The largest share of the transactions with a known itemset that may have one private item.
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0.0))]
    pub h: f64,
    /// In how many transactions, at least, every known itemset must be.
    #[schemars(range(min = 2))]
    pub k: usize,
    /// How many public items of a transaction an adversary may know, at most.
    #[schemars(range(min = 1))]
    pub p: usize,
}

impl Default for CohesionItemsParameters {
    fn default() -> Self {
        let Privacy { h, k, p } = Privacy::default();
        Self { h, k, p }
    }
}

impl CohesionItemsParameters {
    pub(super) fn privacy(&self) -> Privacy {
        Privacy { h: self.h, k: self.k, p: self.p }
    }
}

impl Publisher for CohesionItems {
    type Parameters = CohesionItemsParameters;
    const NAME: &'static str = "cohesion-items";
    const ABOUT: About = About {
        summary: "Suppresses items greedily by moles removed for each occurrence lost",
        paper: PAPER,
        input: InputKind::Transactions,
        release: ReleaseKind::SuppressedTransactions,
        counters: &[ROUNDS],
        phases: &[BORDERS, SUPPRESSION, RELEASE],
        randomized: false,
    };

    fn guarantee(parameters: &CohesionItemsParameters) -> Guarantee {
        parameters.privacy().guarantee()
    }

    fn publish(
        dataset: &Dataset,
        parameters: &CohesionItemsParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        let baskets = dataset.baskets()?;
        let instance = Instance::new(baskets, parameters.privacy(), parameters.k)?;
        let (_, moles) = bench.phase(BORDERS, |_| mole_counts(&instance));
        let supports = baskets.transactions.supports();
        let supports = instance.items.iter().map(|&item| supports[item as usize]).collect();
        let mut scores = Occurrences { moles, supports };
        let chosen = bench.phase(SUPPRESSION, |_| suppress_greedily(&instance, &mut scores));
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}

struct Occurrences {
    moles: Counts,
    supports: Vec<u32>,
}

impl Scores for Occurrences {
    fn moles(&self, item: Local) -> BigUint {
        self.moles.of(item)
    }

    fn cost(&self, item: Local) -> BigUint {
        self.supports[item as usize].into()
    }

    fn suppress(&mut self, item: Local) {
        self.moles.suppress(item);
    }
}
