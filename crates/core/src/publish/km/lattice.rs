//! `oa`: optimal anonymization (Section 4.2, Algorithm 2).
//!
//! The lattice of cuts is searched breadth first from no generalization up. A cut that is not k^m-anonymous sends its
//! immediate ancestors to the queue; one that is has its own marked as not minimal. Exponential in the domain, as printed:
//! 60 items of degree 4 have 44,218 cuts. For larger domains there is `optimal`.
//!
//! Readings. The queue holds a cut once, however many cuts lead to it. Immediate ancestors are taken in the order of the
//! nodes that replace their children. Of several optimal cuts, the first in the queue is published.
//!
//! Cost. One step for each cut reached. A cut is first held against what is known to be violated ([`super::covering`]), which
//! takes no look at the data; only a cut that passes is checked in full, and teaches what it violates.

use super::check::ProblemCheck;
use super::covering::{Closed, Covering};
use super::expanded::Expanded;
use super::loss::Loss;
use super::problem::Problem;
use super::rows::Rows;
use super::search::CutSearch;
use super::tree_nodes::count_tree_nodes;
use super::visitor::Sizes;
use super::walk::Walker;
use super::{COUNTING, CUTS, CountTreeParameters, RELEASE, SEARCH, TREE_NODES};
use crate::data::{Hierarchy, NodeId};
use crate::lab::{Metric, Workbench};
use crate::release::Cut;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

pub struct OptimalAnonymization;

impl CutSearch for OptimalAnonymization {
    type Parameters = CountTreeParameters;
    const NAME: &'static str = "oa";
    const SUMMARY: &'static str =
        "Optimal anonymization: a breadth-first search of all cuts, exponential in the domain";
    const COUNTERS: &'static [Metric] = &[CUTS, TREE_NODES];
    const PHASES: &'static [&'static str] = &[COUNTING, SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &CountTreeParameters, bench: &mut Workbench) -> Cut {
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        if parameters.count_tree_nodes {
            let nodes = bench.aside(COUNTING, || {
                let expanded = Expanded::new(problem.hierarchy, &Rows::of(problem.transactions));
                count_tree_nodes(&Walker::new(expanded), Sizes::UpTo(problem.m))
            });
            bench.count(TREE_NODES.name, nodes as f64);
        }
        let found = bench.phase(SEARCH, |_| search(problem, &loss));
        bench.count(CUTS.name, found.cuts as f64);
        found.best.closed(problem.hierarchy).cut(problem.hierarchy)
    }
}

/// A cut as the bits of its closed inner nodes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Bits(Box<[u64]>);

impl Bits {
    fn none(hierarchy: &Hierarchy) -> Self {
        let inner = hierarchy.nodes() - hierarchy.leaves();
        Self(vec![0; inner.div_ceil(64)].into())
    }

    /// Leaves count as closed: what is below them, nothing, is published at them.
    fn contains(&self, hierarchy: &Hierarchy, node: NodeId) -> bool {
        hierarchy.is_leaf(node) || {
            let inner = node as usize - hierarchy.leaves();
            self.0[inner / 64] >> (inner % 64) & 1 == 1
        }
    }

    fn with(&self, hierarchy: &Hierarchy, node: NodeId) -> Self {
        let inner = node as usize - hierarchy.leaves();
        let mut bits = self.clone();
        bits.0[inner / 64] |= 1 << (inner % 64);
        bits
    }

    /// The nodes that are not closed, but whose children are: each makes an immediate ancestor.
    fn steps<'a>(&'a self, hierarchy: &'a Hierarchy) -> impl Iterator<Item = NodeId> + 'a {
        let closed = |node| self.contains(hierarchy, node);
        (hierarchy.leaves() as NodeId..=hierarchy.root())
            .filter(move |&node| !closed(node) && hierarchy.children(node).iter().all(|&child| closed(child)))
    }

    fn closed(&self, hierarchy: &Hierarchy) -> Closed {
        let mut closed = Closed::none(hierarchy);
        for node in hierarchy.leaves() as NodeId..=hierarchy.root() {
            if self.contains(hierarchy, node) {
                closed.close(hierarchy, node);
            }
        }
        closed
    }
}

struct LatticeOptimum {
    best: Bits,
    cuts: u64,
}

fn search(problem: &Problem, loss: &Loss) -> LatticeOptimum {
    let hierarchy = problem.hierarchy;
    let mut oracle = Oracle { check: ProblemCheck::new(problem), covering: Covering::new(hierarchy, loss) };
    let bottom = Bits::none(hierarchy);
    let mut seen = FxHashSet::from_iter([bottom.clone()]);
    let mut marked = FxHashSet::default();
    let mut queue = VecDeque::from([(bottom, 0)]);
    let mut best: Option<(u64, Bits)> = None;
    let mut cuts = 0;
    while let Some((cut, cost)) = queue.pop_front() {
        // Marked while it waited: as good as deleted from the queue then.
        if marked.contains(&cut) {
            continue;
        }
        cuts += 1;
        if oracle.is_anonymous(&cut) {
            marked.extend(cut.steps(hierarchy).map(|node| cut.with(hierarchy, node)));
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, cut));
            }
        } else {
            for node in cut.steps(hierarchy) {
                let ancestor = cut.with(hierarchy, node);
                if !marked.contains(&ancestor) && seen.insert(ancestor.clone()) {
                    queue.push_back((ancestor, cost + oracle.covering.weight(node)));
                }
            }
        }
    }
    let (_, best) = best.expect("the cut of the root alone is anonymous, for there are at least k transactions");
    LatticeOptimum { best, cuts }
}

struct Oracle<'a> {
    check: ProblemCheck<'a>,
    covering: Covering<'a>,
}

impl Oracle<'_> {
    fn is_anonymous(&mut self, cut: &Bits) -> bool {
        let hierarchy = self.covering.hierarchy;
        let is_met = |demand: &Vec<NodeId>| demand.iter().any(|&node| cut.contains(hierarchy, node));
        if !self.covering.forced.nodes().all(|node| cut.contains(hierarchy, node))
            || !self.covering.demands.iter().all(is_met)
        {
            return false;
        }
        let demands = self.check.demands(&self.covering, &cut.closed(hierarchy));
        let anonymous = demands.is_empty();
        self.covering.add(demands);
        anonymous
    }
}
