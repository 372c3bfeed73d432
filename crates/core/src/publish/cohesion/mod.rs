//! (h,k,p)-cohesion: Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei, "Publishing Sensitive Transactions for Itemset
//! Utility", ICDM 2008.
//!
//! Whoever knows at most p public items of a transaction finds at least k transactions with them, and no private item in
//! more than the share h of these. Public itemsets that break this are *moles*; frequent itemsets are *nuggets*. Public
//! items are suppressed, each everywhere, until no mole is left, at the loss of few nuggets. `cohesion` is the paper's
//! border method, `cohesion-printed` the same with Computeδ as printed, `cohesion-enumerate` what it argues against,
//! `cohesion-optimal` the optimum of Definition 3 on small data, `cohesion-items` and `cohesion-minimal-moles` choices by
//! the items alone.
//!
//! Readings common to all.
//! - A mole has a support of at least 1: itemsets that never occur cannot be known (Example 3 counts three moles with ag;
//!   with support 0, aeg would be a fourth).
//! - `BPr > h` is strict and exact: h is the decimal the user wrote (g of Figure 1 has exactly h and is no mole).
//! - The empty itemset is checked once, first: if it is a mole, no cohesion exists, and the error says why.
//! - Nuggets are public, private and mixed itemsets.
//! - Step 1 (Observation 2: public items of a support below max(k, k')) comes before the scores.
//! - Only items in a mole are candidates. The largest score wins, compared as exact fractions; of equal scores the one
//!   with fewer nuggets, then the item with the smaller number.
//! - An empty transaction, or one of private items alone, counts among the transactions and stays in the release.
//!
//! Slip in the paper: Example 2 says that ae is covered by ⟨ae, abef⟩ and ⟨af, abef⟩; aef is.

mod border;
mod counts;
mod cover;
mod enumerate;
mod family;
mod greedy;
mod instance;
mod items;
mod minimal_moles;
mod moles;
mod optimal;
mod printed;
mod subsets;
mod trie;
mod union;

pub use border::Cohesion;
pub use enumerate::CohesionEnumerate;
pub use items::CohesionItems;
pub use minimal_moles::CohesionMinimalMoles;
pub use optimal::CohesionOptimal;
pub use printed::CohesionPrinted;

use super::About;
use crate::data::{Baskets, InputKind};
use crate::lab::{LabError, Metric, with_defaults};
use crate::release::{Guarantee, ReleaseKind};
use instance::{CohesionPrivacy, Instance};

const PAPER: &str = "Y. Xu, B. C. M. Fung, K. Wang, A. W. C. Fu, J. Pei: Publishing Sensitive Transactions for Itemset \
                     Utility, ICDM 2008";

with_defaults! {
    pub struct CohesionParameters {
        #[serde(flatten)]
        pub privacy: CohesionPrivacy,
        #[serde(flatten)]
        pub nuggets: NuggetParameters,
    }
}

with_defaults! {
    /// What an analyst wants to keep. Beside the privacy in the parameters of a publisher, never below another flattened struct:
    /// serde does not see fields two levels down as known.
    #[derive(Copy)]
    pub struct NuggetParameters {
        /// k': in how many transactions, at least, a nugget is.
        #[schemars(range(min = 1))]
        pub k_prime: usize = 100,
        /// p': how many items a nugget has, at most; null for any number.
        #[schemars(range(min = 1))]
        pub p_prime: Option<usize> = None,
    }
}

impl CohesionParameters {
    fn guarantee(&self) -> Guarantee {
        self.privacy.guarantee()
    }

    fn instance<'a>(&self, baskets: &'a Baskets) -> Result<Instance<'a>, LabError> {
        if self.nuggets.k_prime < 1 {
            return Err(LabError::input("k' must be at least 1, not 0: a nugget is in a transaction"));
        }
        if self.nuggets.p_prime == Some(0) {
            return Err(LabError::input(
                "p' must be at least 1, not 0, or left out for nuggets of any number of items",
            ));
        }
        Instance::new(baskets, self.privacy, self.least_support())
    }

    /// Observation 2: the least support of an item that is neither a mole by itself nor outside of all nuggets.
    fn least_support(&self) -> usize {
        self.privacy.k.max(self.nuggets.k_prime)
    }
}

const ROUNDS: Metric = Metric::fact("rounds", "rounds", "items suppressed one after the other");
const MATERIALIZED: Metric = Metric::lower(
    "materialized_itemsets",
    "itemsets",
    "itemsets held in memory: moles and nuggets, or the borders and both ends of the edges that stand for them",
);

/// What the publishers of this family have in common.
const fn about(summary: &'static str, counters: &'static [Metric], phases: &'static [&'static str]) -> About {
    About {
        summary,
        paper: PAPER,
        input: InputKind::Transactions,
        release: ReleaseKind::SuppressedTransactions,
        counters,
        phases,
        randomized: false,
    }
}

const BORDERS: &str = "borders";
const SUPPRESSION: &str = "suppression";
const RELEASE: &str = "release";

/// Figure 3, with its private items first, and the parameters of its example.
#[cfg(test)]
fn figure_3() -> (crate::data::Dataset, CohesionParameters) {
    let rows = ["abef1", "cefg2", "abg3", "abfg2", "abdg2", "efg1", "befg3"];
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.chars().map(String::from).collect()).collect();
    let dataset =
        crate::data::Dataset::of_transactions(crate::data::Transactions::from_labels(&rows), None, &[0, 1, 2]);
    let privacy = CohesionPrivacy { h: 0.5, k: 3, p: 3 };
    (dataset, CohesionParameters { privacy, nuggets: NuggetParameters { k_prime: 4, p_prime: None } })
}
