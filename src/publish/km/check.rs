//! Whether a cut is k^m-anonymous; if not, what its violated itemsets ask for.

use super::covering::{Closed, Covering, Demand, demand};
use super::expanded::{Expanded, Rank};
use super::growing_cut::GrowingCut;
use super::problem::Problem;
use super::rows::Rows;
use super::walk::{Sizes, Visitor, walk};

pub(super) struct Check<'a> {
    problem: &'a Problem<'a>,
    rows: Rows,
}

impl<'a> Check<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        Self { problem, rows: Rows::of(problem.transactions) }
    }

    /// The demands of the violated itemsets at or above the cut, of the smallest size that has some; none if the cut is
    /// anonymous. What one demand alone forces is passed over from then on, so nothing below it is named again.
    pub fn demands(&self, covering: &Covering, closed: &Closed) -> Vec<Demand> {
        let mut cut = GrowingCut::closing(covering, closed);
        let rows = self.rows.mapped(|node| cut.published(node));
        let expanded = Expanded::new(self.problem.hierarchy, &rows);
        for size in 1..=self.problem.m {
            let mut violated =
                Violated { cut: &mut cut, expanded: &expanded, k: self.problem.k, demands: Vec::new() };
            walk(&expanded, Sizes::Exactly(size), &mut violated);
            if !violated.demands.is_empty() {
                return violated.demands;
            }
        }
        Vec::new()
    }

    /// Lets `propose` propose until what it proposes is anonymous, telling it each time what was violated. None if it gives
    /// up.
    pub fn settle(
        &self,
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

struct Violated<'a, 'c> {
    cut: &'a mut GrowingCut<'c>,
    expanded: &'a Expanded,
    k: u32,
    demands: Vec<Demand>,
}

impl Visitor for Violated<'_, '_> {
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
