//! Whether a cut is k^m-anonymous; if not, what its violated itemsets ask for.

use super::covering::{Closed, Covering, Demand, demand};
use super::expanded::{Expanded, Rank};
use super::growing_cut::GrowingCut;
use super::problem::Problem;
use super::rows::Rows;
use super::visitor::{Sizes, Visitor};
use super::walk::Walker;
use crate::data::Hierarchy;

pub(super) struct ProblemCheck<'a> {
    problem: &'a Problem<'a>,
    /// The transactions as a cut leaves them that generalizes nothing but what every solution does…
    rows: Rows,
    /// …expanded; the same for all checks until much more is known to be forced.
    walker: Option<Walker>,
    /// Size of itemsets, less one, to the cuts whose violated itemsets of that size, at or above them, are all named.
    searched: Vec<Vec<Closed>>,
}

impl<'a> ProblemCheck<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        Self { problem, rows: Rows::of(problem.transactions), walker: None, searched: vec![Vec::new(); problem.m] }
    }

    /// The demands of the violated itemsets at or above the cut, of the smallest size that has some; none if the cut is
    /// anonymous. What one demand alone forces is passed over from then on, so nothing below it is named again.
    pub fn demands(&mut self, covering: &Covering, closed: &Closed) -> Vec<Demand> {
        let mut cut = GrowingCut::closing(covering, closed);
        let known = self.walker.take().filter(|walker| !halves(covering, walker)).unwrap_or_else(|| {
            let forced = GrowingCut::closing(covering, &covering.forced);
            self.rows = self.rows.mapped(|node| forced.published(node));
            Walker::new(Expanded::new(self.problem.hierarchy, &self.rows))
        });
        let walker = if known.is_dense() {
            self.walker.insert(known)
        } else {
            self.walker = Some(known);
            let rows = self.rows.mapped(|node| cut.published(node));
            &mut Walker::new(Expanded::new(self.problem.hierarchy, &rows))
        };
        for size in 1..=self.problem.m {
            let expanded = &walker.expanded;
            let searched = &mut self.searched[size - 1];
            let news = news(self.problem.hierarchy, expanded, closed, searched);
            let mut violated = DemandCollector { cut: &mut cut, expanded, k: self.problem.k, demands: Vec::new() };
            match news {
                None => walker.walk(Sizes::Exactly(size), &mut violated),
                Some(news) => walker.walk_news(&news, Sizes::Exactly(size), &mut violated),
            }
            searched.push(closed.clone());
            if !violated.demands.is_empty() {
                return violated.demands;
            }
        }
        Vec::new()
    }

    /// Lets `propose` propose until what it proposes is anonymous, telling it each time what was violated. None if it gives
    /// up.
    pub fn settle(
        &mut self,
        covering: &mut Covering,
        mut propose: impl FnMut(&Covering) -> Option<Closed>,
    ) -> Option<Closed> {
        loop {
            let closed = propose(covering)?;
            let demands = self.demands(covering, &closed);
            if demands.is_empty() {
                return Some(closed);
            }
            covering.add(demands);
        }
    }
}

/// Whether at most half of the items are left when what is forced is generalized.
fn halves(covering: &Covering, walker: &Walker) -> bool {
    let items = &walker.expanded.order;
    let forced = GrowingCut::closing(covering, &covering.forced);
    2 * items.iter().filter(|&&node| !forced.is_generalized(node)).count() <= items.len()
}

/// The items that are at or above the cut and were not for a cut searched before: every violated itemset without one of them
/// is known. Of these cuts the one is taken that leaves the fewest; none if there is no such cut.
fn news(hierarchy: &Hierarchy, expanded: &Expanded, closed: &Closed, searched: &[Closed]) -> Option<Vec<bool>> {
    let is_open = |closed: &Closed, node| hierarchy.parent(node).is_none_or(|parent| !closed.contains(parent));
    let since = |before: &Closed| -> Vec<bool> {
        expanded.order.iter().map(|&node| is_open(closed, node) && !is_open(before, node)).collect()
    };
    searched.iter().map(since).min_by_key(|news| news.iter().filter(|&&is_news| is_news).count())
}

struct DemandCollector<'a, 'c> {
    cut: &'a mut GrowingCut<'c>,
    expanded: &'a Expanded,
    k: u32,
    demands: Vec<Demand>,
}

impl Visitor for DemandCollector<'_, '_> {
    fn passes_over(&self, item: Rank) -> bool {
        self.cut.is_generalized(self.expanded.order[item as usize])
    }

    fn enough(&self) -> u32 {
        self.k
    }

    fn leaf(&mut self, path: &[Rank]) {
        let nodes = path.iter().map(|&item| self.expanded.order[item as usize]);
        let demand = demand(self.cut.hierarchy, nodes);
        if let [node] = demand[..] {
            self.cut.generalize_to(node);
        }
        self.demands.push(demand);
    }
}
