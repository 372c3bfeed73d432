//! The optimal cohesion (Definition 3) on small data: of all sets of public items that leave no mole, one that loses the
//! fewest nuggets.
//!
//! A set leaves no mole if it has an item of each minimal mole. Branch and bound: of the minimal moles that are whole, the
//! one with the fewest open items is taken; each branch suppresses one of them and keeps those before it. A node hands its
//! whole moles down by their open items alone. One that has both open items of an earlier one is left out: it is never taken,
//! since the earlier one has no more open items in any branch and goes no later. The bound takes moles that share no open
//! item: each loses the nuggets that have one of its items and none of the other moles' open ones, and no nugget is lost twice
//! that way. The first answer is the greedy one, so the optimum is never worse, and it stays when nothing beats it.
//!
//! Cost. Exponential in the items that are in moles (Theorem 1); each node costs a pass over the moles that its parent has
//! left, and over the edges of the nuggets. `max_nodes` ends the search with an error.

use super::border::{greedy_by_borders, nugget_cover};
use super::cover::Cover;
use super::family::Family;
use super::instance::{CohesionPrivacy, Instance, Local};
use super::subsets::{Subsets, add, bits_of_union, subtract, to_number};
use super::{CohesionParameters, NuggetParameters, RELEASE, about};
use crate::data::Dataset;
use crate::lab::{LabError, Metric, Workbench, with_defaults};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release};
use num_bigint::BigUint;

pub struct CohesionOptimal;

with_defaults! {
    pub struct CohesionOptimalParameters {
        #[serde(flatten)]
        pub privacy: CohesionPrivacy,
        #[serde(flatten)]
        pub nuggets: NuggetParameters,
        /// How many nodes of the search to visit before giving up.
        #[schemars(range(min = 1))]
        pub max_nodes: u64 = 10_000_000,
    }
}

const NODES: Metric = Metric::lower("search_nodes", "nodes", "nodes of the search");
const GREEDY: &str = "greedy";
const SEARCH: &str = "search";

impl Publisher for CohesionOptimal {
    type Parameters = CohesionOptimalParameters;
    const NAME: &'static str = "cohesion-optimal";
    const ABOUT: About = about(
        "The cohesion that keeps the most nuggets, by branch and bound on small data",
        &[NODES],
        &[GREEDY, SEARCH, RELEASE],
    );

    fn guarantee(parameters: &CohesionOptimalParameters) -> Guarantee {
        parameters.privacy.guarantee()
    }

    fn publish(
        dataset: &Dataset,
        parameters: &CohesionOptimalParameters,
        bench: &mut Workbench,
    ) -> Result<Release, LabError> {
        let cohesion = &CohesionParameters { privacy: parameters.privacy, nuggets: parameters.nuggets };
        let instance = cohesion.instance(dataset.baskets()?)?;
        let (border, greedy) = bench.phase(GREEDY, |_| greedy_by_borders(&instance, cohesion));
        let (best, nodes) = bench.phase(SEARCH, |_| {
            let mut search = SuppressionSearch::new(&instance, cohesion, greedy, parameters.max_nodes);
            search.run(&border.upper).map(|()| (search.best, search.nodes))
        })?;
        bench.count(NODES.name, nodes as f64);
        Ok(bench.phase(RELEASE, |_| instance.release(&best)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Open,
    Kept,
    Suppressed,
}

struct SuppressionSearch {
    nuggets: Cover,
    subsets: Subsets,
    choices: Vec<Choice>,
    /// Whether two items are the open ones of a whole mole; all false between uses.
    pairs: Pairs,
    /// Items in the order of their choice.
    trail: Vec<Local>,
    best: Vec<Local>,
    most_nuggets: BigUint,
    nodes: u64,
    max_nodes: u64,
}

impl SuppressionSearch {
    fn new(instance: &Instance, parameters: &CohesionParameters, greedy: Vec<Local>, max_nodes: u64) -> Self {
        let (maximal, nuggets) = nugget_cover(instance, parameters);
        let longest = parameters.nuggets.p_prime.unwrap_or(usize::MAX);
        let bits = bits_of_union(maximal.iter().map(<[_]>::len), longest);
        let subsets = Subsets::new(nuggets.most_free(), longest, bits);
        let choices = vec![Choice::Open; instance.items.len()];
        let most_nuggets = BigUint::ZERO;
        let mut search = Self {
            nuggets,
            subsets,
            choices,
            pairs: Pairs::new(instance.public),
            trail: Vec::new(),
            best: greedy,
            most_nuggets,
            nodes: 0,
            max_nodes,
        };
        for item in search.best.clone() {
            search.choose(item, Choice::Suppressed);
        }
        search.most_nuggets = search.nuggets_left();
        search.undo(0);
        search
    }

    /// Searches below a node; `moles` has the open items of all moles that were whole at its parent.
    fn run(&mut self, moles: &Family) -> Result<(), LabError> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(LabError::no_answer(format!(
                "no optimum within {} nodes; the best cohesion so far keeps {} nuggets; allow more (`max_nodes`) or take \
                 less data",
                self.max_nodes, self.most_nuggets
            )));
        }
        let mark = self.trail.len();
        if let Some(whole) = self.suppress_the_forced(moles) {
            let left = self.nuggets_left();
            if left > self.most_nuggets {
                match whole.iter().min_by_key(|mole| mole.len()) {
                    None => {
                        self.best = self.suppressed();
                        self.most_nuggets = left;
                    }
                    Some(mole) if left > &self.most_nuggets + self.least_loss(&whole) => self.branch(mole, &whole)?,
                    Some(_) => {}
                }
            }
        }
        self.undo(mark);
        Ok(())
    }

    fn branch(&mut self, mole: &[Local], whole: &Family) -> Result<(), LabError> {
        let mark = self.trail.len();
        for &item in mole {
            let kept = self.trail.len();
            self.choose(item, Choice::Suppressed);
            self.run(whole)?;
            self.undo(kept);
            self.choose(item, Choice::Kept);
        }
        self.undo(mark);
        Ok(())
    }

    fn choose(&mut self, item: Local, choice: Choice) {
        self.choices[item as usize] = choice;
        self.trail.push(item);
    }

    fn undo(&mut self, mark: usize) {
        for item in self.trail.drain(mark..) {
            self.choices[item as usize] = Choice::Open;
        }
    }

    /// Suppresses items that are the only open ones of a whole mole. Gives the open items of the moles that are whole then;
    /// None if one has no open item.
    fn suppress_the_forced(&mut self, moles: &Family) -> Option<Family> {
        let mut whole = self.whole_of(moles);
        loop {
            let mut forced = Vec::new();
            for open in whole.iter() {
                match *open {
                    [] => return None,
                    [item] => forced.push(item),
                    _ => {}
                }
            }
            if forced.is_empty() {
                return Some(self.without_dominated(&whole));
            }
            forced.sort_unstable();
            forced.dedup();
            forced.into_iter().for_each(|item| self.choose(item, Choice::Suppressed));
            whole = self.whole_of(&whole);
        }
    }

    /// The open items of those moles that have no suppressed one.
    fn whole_of(&self, moles: &Family) -> Family {
        let mut whole = Family::default();
        for mole in moles.iter() {
            let choice = |item: &Local| self.choices[*item as usize];
            if !mole.iter().any(|item| choice(item) == Choice::Suppressed) {
                whole.push_some(mole, |item| choice(&item) == Choice::Open);
            }
        }
        whole
    }

    /// Leaves out the moles that have both open items of an earlier one.
    fn without_dominated(&mut self, whole: &Family) -> Family {
        let mut left = Family::default();
        for mole in whole.iter() {
            if !self.pairs.has_part_of(mole) {
                left.push(mole);
                self.pairs.set(mole, true);
            }
        }
        left.iter().for_each(|mole| self.pairs.set(mole, false));
        left
    }

    fn suppressed(&self) -> Vec<Local> {
        (0..).zip(&self.choices).filter(|(_, choice)| **choice == Choice::Suppressed).map(|(item, _)| item).collect()
    }

    fn nuggets_left(&self) -> BigUint {
        let is_suppressed = |item: &&Local| self.choices[**item as usize] == Choice::Suppressed;
        let mut sum = vec![0; self.subsets.words];
        for edge in &self.nuggets.edges {
            if self.nuggets.items[edge.lower_items()].iter().find(is_suppressed).is_none() {
                let lost = self.nuggets.items[edge.free_items()].iter().filter(is_suppressed).count();
                let count = self.subsets.of(edge.free() - lost, edge.room());
                if edge.negative { subtract(&mut sum, count) } else { add(&mut sum, count) }
            }
        }
        to_number(&sum)
    }

    /// At least how many of the nuggets left go with the open items of these moles.
    fn least_loss(&self, whole: &Family) -> BigUint {
        let mut is_packed = vec![false; self.choices.len()];
        let mut shortest_first: Vec<&[Local]> = whole.iter().collect();
        shortest_first.sort_by_key(|mole| mole.len());
        let mut packed: Vec<&[Local]> = Vec::new();
        for mole in shortest_first {
            if !mole.iter().any(|&item| is_packed[item as usize]) {
                mole.iter().for_each(|&item| is_packed[item as usize] = true);
                packed.push(mole);
            }
        }
        let alone = self.nuggets_alone(&is_packed);
        let words = self.subsets.words;
        let loss = |item: Local| to_number(&alone[item as usize * words..][..words]);
        packed.into_iter().filter_map(|mole| mole.iter().map(|&item| loss(item)).min()).sum()
    }

    /// For each packed item the nuggets left with it and with no other packed item, in words.
    fn nuggets_alone(&self, is_packed: &[bool]) -> Vec<u64> {
        let words = self.subsets.words;
        let mut sums = vec![0; is_packed.len() * words];
        for edge in &self.nuggets.edges {
            let (lower, free) = (&self.nuggets.items[edge.lower_items()], &self.nuggets.items[edge.free_items()]);
            if lower.iter().any(|&item| self.choices[item as usize] == Choice::Suppressed) {
                continue;
            }
            let is_other =
                |&&item: &&Local| !is_packed[item as usize] && self.choices[item as usize] != Choice::Suppressed;
            let others = free.iter().filter(is_other).count();
            let mut account = |item: Local, room: usize| {
                let sum = &mut sums[item as usize * words..][..words];
                let count = self.subsets.of(others, room);
                if edge.negative { subtract(sum, count) } else { add(sum, count) }
            };
            let mut fixed = lower.iter().filter(|&&item| is_packed[item as usize]);
            match (fixed.next(), fixed.next()) {
                (None, _) => {
                    let packed = free.iter().filter(|&&item| is_packed[item as usize]);
                    packed.for_each(|&item| account(item, edge.room() - 1));
                }
                (Some(&item), None) => account(item, edge.room()),
                (Some(_), Some(_)) => {}
            }
        }
        sums
    }
}

/// A set of pairs of items, as a table.
struct Pairs {
    items: usize,
    is_in: Vec<bool>,
}

impl Pairs {
    fn new(items: usize) -> Self {
        Self { items, is_in: vec![false; items * items] }
    }

    fn place(&self, a: Local, b: Local) -> usize {
        a as usize * self.items + b as usize
    }

    /// Does nothing unless the mole has two items.
    fn set(&mut self, mole: &[Local], is_in: bool) {
        if let [a, b] = *mole {
            let place = self.place(a, b);
            self.is_in[place] = is_in;
        }
    }

    /// Whether two of these ascending items are a pair of the set.
    fn has_part_of(&self, mole: &[Local]) -> bool {
        (1..mole.len()).any(|later| mole[..later].iter().any(|&a| self.is_in[self.place(a, mole[later])]))
    }
}
