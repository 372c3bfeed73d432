//! `cohesion-printed`: the border method with Computeδ as the paper prints it (Sections 5 and 6).
//!
//! A border is the set of all edges ⟨α, β⟩ between its upper and its lower bound. Edges overlap, so Computeδ counts the
//! itemsets of an edge that no edge before it covers, by three cases and a recursion. `cohesion` gives the same answer by
//! another algorithm: it first makes edges that do not overlap.
//!
//! Readings. The first counts, which the paper takes for given, are those of Computeδ over all edges without a suppressed
//! item. Case 3 picks the oldest edge of the overlapping ones.
//!
//! Cost. As many edges as pairs of the two bounds that contain each other; each meets all those before it, and the recursion
//! is exponential in how many of them overlap at once.

mod edge;

use super::border::nugget_cover;
use super::greedy::{Counts, Families, suppress_greedily};
use super::instance::{Instance, Local};
use super::moles::MoleBorder;
use super::{BORDERS, CohesionParameters, MATERIALIZED, RELEASE, ROUNDS, SUPPRESSION, about};
use crate::data::Dataset;
use crate::lab::{LabError, Metric, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};
use edge::{Bits, Counting, Edge};
use num_bigint::BigUint;

pub struct CohesionPrinted;

const EDGES: Metric = Metric::fact("border_edges", "edges", "edges of the mole border and the nugget border");
const MOLE_EDGES: Metric = Metric::fact("mole_edges", "edges", "edges of the mole border");

impl Publisher for CohesionPrinted {
    type Parameters = CohesionParameters;
    const NAME: &'static str = "cohesion-printed";
    const ABOUT: About = about(
        "The border method with Computeδ as printed: overlapping edges, counted by recursion",
        &[ROUNDS, MATERIALIZED, EDGES, MOLE_EDGES],
        &[BORDERS, SUPPRESSION, RELEASE],
    );

    fn guarantee(parameters: &CohesionParameters) -> Guarantee {
        parameters.guarantee()
    }

    fn publish(dataset: &Dataset, parameters: &CohesionParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let instance = parameters.instance(dataset.baskets()?)?;
        let (moles, nuggets) = bench.phase(BORDERS, |_| (mole_border(&instance), nugget_border(&instance, parameters)));
        let edges = moles.edges.len() + nuggets.edges.len();
        bench.count(EDGES.name, edges as f64);
        bench.count(MOLE_EDGES.name, moles.edges.len() as f64);
        bench.count(MATERIALIZED.name, (moles.members + nuggets.members + 2 * edges) as f64);
        let chosen = bench.phase(SUPPRESSION, |_| {
            suppress_greedily(&instance, &mut Families { moles: moles.counted(), lost: nuggets.counted() })
        });
        bench.count(ROUNDS.name, chosen.len() as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&chosen)))
    }
}

/// B_M: the minimal moles and the maximal itemsets of a support of at least 1.
fn mole_border(instance: &Instance) -> Border {
    let border = MoleBorder::alone(instance);
    Border::new(instance, border.upper.iter(), border.lower.iter(), instance.p)
}

/// B_N: the items that are nuggets and the maximal itemsets of a support of at least k'.
fn nugget_border(instance: &Instance, parameters: &CohesionParameters) -> Border {
    let (maximal, _) = nugget_cover(instance, parameters);
    let items: Vec<[Local; 1]> = maximal.union().into_iter().map(|item| [item]).collect();
    let longest = parameters.nuggets.p_prime.unwrap_or(usize::MAX);
    Border::new(instance, items.iter().map(|item| &item[..]), maximal.iter(), longest)
}

/// A border as its edges.
struct Border {
    edges: Vec<Edge>,
    /// How long the counted itemsets may be.
    longest: usize,
    /// Itemsets of both bounds.
    members: usize,
    items: usize,
}

impl Border {
    fn new<'a>(
        instance: &Instance,
        upper: impl Iterator<Item = &'a [Local]>,
        lower: impl Iterator<Item = &'a [Local]>,
        longest: usize,
    ) -> Self {
        let items = instance.items.len();
        let bits = |set: &[Local]| Bits::of(items, set.iter().copied());
        let (upper, lower): (Vec<Bits>, Vec<Bits>) = (upper.map(bits).collect(), lower.map(bits).collect());
        let pairs = upper.iter().flat_map(|u| lower.iter().filter(|l| u.is_subset(l)).map(move |l| (u, l)));
        let edges = pairs.map(|(u, l)| Edge { lower: u.clone(), upper: l.clone() }).collect();
        Self { edges, longest, members: upper.len() + lower.len(), items }
    }

    fn counted(self) -> Counted {
        let mut counted =
            Counted { edges: self.edges, longest: self.longest, counts: Vec::new(), counting: Counting::default() };
        counted.counts = counted.compute_delta(None, self.items);
        counted
    }
}

/// |M(v)| or |N(v)| for each item, kept up to date by Computeδ.
struct Counted {
    edges: Vec<Edge>,
    longest: usize,
    counts: Vec<BigUint>,
    counting: Counting,
}

impl Counted {
    /// For each item v', how many itemsets with it, and with the suppressed item if there is one, the edges cover.
    fn compute_delta(&mut self, suppressed: Option<Local>, items: usize) -> Vec<BigUint> {
        let is_of = |edge: &&Edge| suppressed.is_none_or(|item| edge.upper.contains(item));
        let unexamined: Vec<Edge> = self.edges.iter().filter(is_of).cloned().collect();
        let mut delta =
            Delta { of: vec![BigUint::ZERO; items], suppressed, longest: self.longest, counting: &mut self.counting };
        delta.compute(&unexamined, Vec::new());
        delta.of
    }
}

impl Counts for Counted {
    fn of(&self, item: Local) -> BigUint {
        self.counts[item as usize].clone()
    }

    /// Takes the losers from the counts; drops the edges with the item in α and takes it from every β.
    fn suppress(&mut self, item: Local) {
        let losers = self.compute_delta(Some(item), self.counts.len());
        self.counts.iter_mut().zip(losers).for_each(|(count, lost)| *count -= lost);
        self.edges.retain(|edge| !edge.lower.contains(item));
        self.edges.iter_mut().for_each(|edge| edge.upper.remove(item));
    }
}

/// Computeδ.
struct Delta<'a> {
    of: Vec<BigUint>,
    suppressed: Option<Local>,
    longest: usize,
    counting: &'a mut Counting,
}

impl Delta<'_> {
    /// Adds the itemsets that `unexamined` edges cover and no `examined` one does.
    fn compute(&mut self, unexamined: &[Edge], mut examined: Vec<Edge>) {
        for edge in unexamined {
            let overlapping: Vec<Edge> =
                examined.iter().filter(|other| edge.intersection(other).is_some()).cloned().collect();
            match &overlapping[..] {
                [] => self.add(edge),
                [one] => {
                    self.add(edge);
                    if let Some(both) = edge.intersection(one) {
                        self.subtract(&both);
                    }
                }
                [one, others @ ..] => self.compute(&edge.difference(one), others.to_vec()),
            }
            examined.push(edge.clone());
        }
    }

    fn add(&mut self, edge: &Edge) {
        self.counting.each_item(edge, self.suppressed, self.longest, |item, count| self.of[item as usize] += count);
    }

    fn subtract(&mut self, edge: &Edge) {
        self.counting.each_item(edge, self.suppressed, self.longest, |item, count| self.of[item as usize] -= count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::cohesion::figure_3;

    #[test]
    fn figure_3_and_example_3() {
        let (dataset, parameters) = figure_3();
        let labels = &dataset.baskets().unwrap().transactions.labels;
        let instance = parameters.instance(dataset.baskets().unwrap()).unwrap();
        let border = mole_border(&instance);
        let name = |set: &Bits| {
            let mut names: Vec<&str> =
                set.iter().map(|local| &*labels[instance.items[local as usize] as usize]).collect();
            names.sort_unstable();
            names.concat()
        };
        let mut edges: Vec<String> =
            border.edges.iter().map(|edge| format!("{} {}", name(&edge.lower), name(&edge.upper))).collect();
        edges.sort();
        assert_eq!(edges, ["ae abef", "af abef", "af abfg", "ag abfg", "be abef", "be befg", "bfg abfg", "bfg befg"]);
        assert_eq!(border.members, 5 + 3);
        // W for X = ag: ag, abg and afg.
        let local = |name: &str| (0..).find(|&local| labels[instance.items[local as usize] as usize] == name).unwrap();
        let mut moles = border.counted();
        assert_eq!(moles.compute_delta(Some(local("a")), instance.items.len())[local("g") as usize], 3u32.into());
        // Example 2, aef for the printed ae: covered twice, counted once. Moles with e: ae be abe aef beg bef.
        assert_eq!(moles.counts[local("e") as usize], 6u32.into());
    }
}
