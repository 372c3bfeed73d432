//! The border method (Sections 4 to 6): scores are counted from the borders of moles and nuggets.
//!
//! Cost. That of the mole border ([`super::moles`]), of the maximal nuggets, and of the two covers made of them
//! ([`super::union`]); each round then touches only the edges with the suppressed item ([`super::counts`]).

use super::counts::ItemsetCounts;
use super::cover::Cover;
use super::family::Family;
use super::greedy::{Families, suppress_greedily};
use super::instance::{Instance, Local};
use super::moles::MoleBorder;
use super::subsets::bits_of_union;
use super::union::cover_union;
use super::{BORDERS, CohesionParameters, MATERIALIZED, RELEASE, ROUNDS, SUPPRESSION, about};
use crate::data::Dataset;
use crate::lab::{LabError, Metric, Workbench};
use crate::mining::mine_maximal;
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};
use num_bigint::BigUint;

pub struct Cohesion;

const MINIMAL_MOLES: Metric = Metric::fact("minimal_moles", "itemsets", "upper bound of the mole border");
const MAXIMAL_TRANSACTIONS: Metric = Metric::fact("maximal_transactions", "itemsets", "lower bound of the mole border");
const MAXIMAL_NUGGETS: Metric = Metric::fact("maximal_nuggets", "itemsets", "lower bound of the nugget border");
const MOLE_EDGES: Metric = Metric::lower("mole_border_edges", "edges", "edges that count each mole exactly once");
const NUGGET_EDGES: Metric = Metric::lower("nugget_border_edges", "edges", "edges that count each nugget exactly once");

const ENCLOSED: Metric = Metric::fact(
    "enclosed_itemsets",
    "itemsets",
    "moles and nuggets that the borders stand for: what enumeration would hold in memory",
);

impl Publisher for Cohesion {
    type Parameters = CohesionParameters;
    const NAME: &'static str = "cohesion";
    const ABOUT: About = about(
        "Suppresses items greedily by moles removed for each nugget lost, counted from borders",
        &[
            ROUNDS,
            MATERIALIZED,
            ENCLOSED,
            MINIMAL_MOLES,
            MAXIMAL_TRANSACTIONS,
            MAXIMAL_NUGGETS,
            MOLE_EDGES,
            NUGGET_EDGES,
        ],
        &[BORDERS, SUPPRESSION, RELEASE],
    );

    fn guarantee(parameters: &CohesionParameters) -> Guarantee {
        parameters.guarantee()
    }

    fn publish(dataset: &Dataset, parameters: &CohesionParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let instance = parameters.instance(dataset.baskets()?)?;
        let mut borders = bench.phase(BORDERS, |bench| {
            let (border, moles) = mole_counts(&instance);
            let (maximal, nuggets) = nugget_counts(&instance, parameters);
            let held = border.upper.len() + border.lower.len() + maximal + 2 * (moles.edges() + nuggets.edges());
            bench.count(MATERIALIZED.name, held as f64);
            bench.count(ENCLOSED.name, nearest(&(moles.total() + nuggets.total())));
            bench.count(MINIMAL_MOLES.name, border.upper.len() as f64);
            bench.count(MAXIMAL_TRANSACTIONS.name, border.lower.len() as f64);
            bench.count(MAXIMAL_NUGGETS.name, maximal as f64);
            bench.count(MOLE_EDGES.name, moles.edges() as f64);
            bench.count(NUGGET_EDGES.name, nuggets.edges() as f64);
            Families { moles, lost: nuggets }
        });
        let chosen = bench.phase(SUPPRESSION, |_| suppress_greedily(&instance, &mut borders));
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}

/// The nearest finite number.
fn nearest(count: &BigUint) -> f64 {
    count.to_string().parse::<f64>().map_or(f64::MAX, |count| count.min(f64::MAX))
}

/// The mole border, and the items the border method suppresses.
pub(super) fn greedy_by_borders(instance: &Instance, parameters: &CohesionParameters) -> (MoleBorder, Vec<Local>) {
    let (border, moles) = mole_counts(instance);
    let (_, nuggets) = nugget_counts(instance, parameters);
    (border, suppress_greedily(instance, &mut Families { moles, lost: nuggets }))
}

/// The mole border and |M(v)| for each item.
pub(super) fn mole_counts(instance: &Instance) -> (MoleBorder, ItemsetCounts) {
    let (border, cover) = MoleBorder::with_cover(instance);
    let bits = bits_of_union(border.lower.iter().map(<[_]>::len), instance.p);
    (border, ItemsetCounts::new(cover, instance.items.len(), bits))
}

/// The number of maximal nuggets, and |N(v)| for each item.
fn nugget_counts(instance: &Instance, parameters: &CohesionParameters) -> (usize, ItemsetCounts) {
    let (maximal, cover) = nugget_cover(instance, parameters);
    let longest = parameters.nuggets.p_prime.unwrap_or(usize::MAX);
    let bits = bits_of_union(maximal.iter().map(<[_]>::len), longest);
    (maximal.len(), ItemsetCounts::new(cover, instance.items.len(), bits))
}

/// The lower bound of the nugget border, the maximal itemsets of a support of at least k', and the cover of the nuggets.
pub(super) fn nugget_cover(instance: &Instance, parameters: &CohesionParameters) -> (Family, Cover) {
    let mut maximal = Family::default();
    let least = u32::try_from(parameters.nuggets.k_prime).unwrap_or(u32::MAX);
    for (nugget, _) in mine_maximal(&instance.transactions(), least, None) {
        maximal.push(&nugget);
    }
    let mut cover = Cover::default();
    cover_union(&mut cover, &maximal, parameters.nuggets.p_prime.unwrap_or(usize::MAX));
    (maximal, cover)
}
