//! The method the border replaces: all moles and nuggets in memory, each mole and nugget struck out when one of its items
//! is suppressed (Section 4). The same answer as the border method, as far as memory and time allow.
//!
//! Cost. Time and memory in proportion to the number of moles and nuggets, which is exponential in p and in the length of
//! the transactions (Proposition 1).

use super::greedy::{Counts, Families, suppress_greedily};
use super::instance::{Instance, Local};
use super::{CohesionParameters, MATERIALIZED, RELEASE, ROUNDS, SUPPRESSION, about};
use crate::data::Dataset;
use crate::lab::{LabError, Workbench};
use crate::mining::mine;
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};
use indexmap::IndexSet;
use num_bigint::BigUint;
use rustc_hash::FxBuildHasher;

pub struct CohesionEnumerate;

const ENUMERATION: &str = "enumeration";

impl Publisher for CohesionEnumerate {
    type Parameters = CohesionParameters;
    const NAME: &'static str = "cohesion-enumerate";
    const ABOUT: About = about(
        "The answer of cohesion with all moles and nuggets in memory",
        &[ROUNDS, MATERIALIZED],
        &[ENUMERATION, SUPPRESSION, RELEASE],
    );

    fn guarantee(parameters: &CohesionParameters) -> Guarantee {
        parameters.guarantee()
    }

    fn publish(dataset: &Dataset, parameters: &CohesionParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let instance = parameters.instance(dataset.baskets()?)?;
        let mut enumerated = bench.phase(ENUMERATION, |_| Families {
            moles: Kept::new(all_moles(&instance), instance.items.len()),
            lost: Kept::new(all_nuggets(&instance, parameters), instance.items.len()),
        });
        bench.count(MATERIALIZED.name, (enumerated.moles.sets.len() + enumerated.lost.sets.len()) as f64);
        let chosen = bench.phase(SUPPRESSION, |_| suppress_greedily(&instance, &mut enumerated));
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}

type Itemset = Box<[Local]>;

/// Itemsets, and for each item how many of those that are left have it.
struct Kept {
    sets: Vec<Itemset>,
    with_item: Vec<Vec<usize>>,
    is_left: Vec<bool>,
    counts: Vec<u64>,
}

impl Kept {
    fn new(sets: Vec<Itemset>, items: usize) -> Self {
        let mut with_item = vec![Vec::new(); items];
        for (number, set) in sets.iter().enumerate() {
            set.iter().for_each(|&item| with_item[item as usize].push(number));
        }
        let counts = with_item.iter().map(|sets| sets.len() as u64).collect();
        let is_left = vec![true; sets.len()];
        Self { sets, with_item, is_left, counts }
    }
}

impl Counts for Kept {
    fn of(&self, item: Local) -> BigUint {
        self.counts[item as usize].into()
    }

    fn suppress(&mut self, item: Local) {
        for &number in &self.with_item[item as usize] {
            if std::mem::take(&mut self.is_left[number]) {
                self.sets[number].iter().for_each(|&other| self.counts[other as usize] -= 1);
            }
        }
    }
}

fn all_nuggets(instance: &Instance, parameters: &CohesionParameters) -> Vec<Itemset> {
    let least = u32::try_from(parameters.nuggets.k_prime).unwrap_or(u32::MAX);
    let mut nuggets = Vec::new();
    mine(&instance.transactions(), least, parameters.nuggets.p_prime, &mut |nugget, _| nuggets.push(nugget.into()));
    nuggets
}

/// M(D): every public itemset of at most p items that occurs and is a mole.
fn all_moles(instance: &Instance) -> Vec<Itemset> {
    let mut search = MoleSearch { instance, itemset: Vec::new(), moles: IndexSet::default() };
    let everywhere: Vec<Occurrence> = (0..instance.rows.len()).map(|row| (row, 0)).collect();
    search.extend(&everywhere, false);
    search.moles.into_iter().collect()
}

/// A row with an itemset, and the place in it behind the itemset.
type Occurrence = (usize, usize);

struct MoleSearch<'a> {
    instance: &'a Instance<'a>,
    itemset: Vec<Local>,
    moles: IndexSet<Itemset, FxBuildHasher>,
}

impl MoleSearch<'_> {
    /// Later items first: then every part of an itemset has been looked at before it.
    fn extend(&mut self, occurrences: &[Occurrence], is_mole: bool) {
        if self.itemset.len() == self.instance.p {
            return;
        }
        let mut with_item: Vec<Vec<Occurrence>> = vec![Vec::new(); self.instance.public];
        for &(row, from) in occurrences {
            for (behind, &item) in self.instance.rows[row].public.iter().enumerate().skip(from) {
                with_item[item as usize].push((row, behind + 1));
            }
        }
        for (item, occurrences) in with_item.into_iter().enumerate().rev().filter(|(_, with)| !with.is_empty()) {
            self.itemset.push(item as Local);
            let is_mole = is_mole || self.breaks_k_or_h(&occurrences) || self.has_mole();
            if is_mole {
                self.moles.insert(self.itemset.clone().into());
            }
            self.extend(&occurrences, is_mole);
            self.itemset.pop();
        }
    }

    fn breaks_k_or_h(&self, occurrences: &[Occurrence]) -> bool {
        let rows = occurrences.iter().map(|&(row, _)| &self.instance.rows[row]);
        let support: u32 = rows.clone().map(|row| row.count).sum();
        let within_h = self.instance.within_h[support as usize];
        let mut with_private = vec![0; self.instance.items.len()];
        for row in rows {
            row.private.iter().for_each(|&item| with_private[item as usize] += row.count);
        }
        support < self.instance.k || with_private.iter().any(|&count| count > within_h)
    }

    /// Whether a part with one item less, and with the last one, is a mole.
    fn has_mole(&self) -> bool {
        (0..self.itemset.len() - 1).any(|i| {
            let mut part = self.itemset.clone();
            part.remove(i);
            self.moles.contains(&*part)
        })
    }
}
