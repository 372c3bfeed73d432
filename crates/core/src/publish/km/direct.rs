//! `da`: direct anonymization (Section 4.3, Algorithm 3).
//!
//! The count-tree of all sets of at most m items, generalized ones included, is traversed in preorder; each leaf of
//! support below k is mended by generalizing some of its items, and what has been generalized is passed over from then on.
//!
//! Readings. A leaf is a node without children, at whatever depth: a transaction of fewer than m items has no m-itemset,
//! and its smaller ones are to be checked too (the paper's remark that those of size m are enough overlooks it).
//!
//! Cost. One step for each set of the tree in each distinct transaction, as far as it is not passed over.

use super::covering::{Demand, demand};
use super::expanded::{Expanded, Rank};
use super::growing_cut::GrowingCut;
use super::loss::Loss;
use super::mend::mend;
use super::problem::Problem;
use super::rows::Rows;
use super::search::CutSearch;
use super::supports::SupportIndex;
use super::tree_nodes::count_tree_nodes;
use super::visitor::{Sizes, Visitor};
use super::walk::Walker;
use super::{COUNTING, CountTreeParameters, MENDED, RELEASE, SEARCH, TREE_NODES};
use crate::data::NodeId;
use crate::lab::{Metric, Workbench};
use crate::release::Cut;

pub struct Direct;

impl CutSearch for Direct {
    type Parameters = CountTreeParameters;
    const NAME: &'static str = "da";
    const SUMMARY: &'static str =
        "Direct anonymization: mends the violated itemsets of the whole count-tree one by one";
    const COUNTERS: &'static [Metric] = &[MENDED, TREE_NODES];
    const PHASES: &'static [&'static str] = &[COUNTING, SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &CountTreeParameters, bench: &mut Workbench) -> Cut {
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        let sizes = Sizes::UpTo(problem.m);
        let (rows, walker) = bench.phase(SEARCH, |_| {
            let rows = Rows::of(problem.transactions);
            let walker = Walker::new(Expanded::new(problem.hierarchy, &rows));
            (rows, walker)
        });
        if parameters.count_tree_nodes {
            let nodes = bench.aside(COUNTING, || count_tree_nodes(&walker, sizes));
            bench.count(TREE_NODES.name, nodes as f64);
        }
        let mut cut = GrowingCut::bottom(problem.hierarchy, &loss);
        let demands = bench.phase(SEARCH, |_| mend_all(&mut cut, &walker, &rows, problem.k, sizes));
        bench.count(MENDED.name, demands.len() as f64);
        cut.closed().cut(problem.hierarchy)
    }
}

/// Lines 3 to 10 of Algorithm 3 on the count-tree of `sizes`; what the sets that were mended asked for.
pub(super) fn mend_all(cut: &mut GrowingCut, walker: &Walker, rows: &Rows, k: u32, sizes: Sizes) -> Vec<Demand> {
    let expanded = &walker.expanded;
    let supports = SupportIndex::new(expanded, rows);
    let mut mending = Mending { cut, expanded, supports, k, demands: Vec::new() };
    walker.walk(sizes, &mut mending);
    mending.demands
}

struct Mending<'a, 'c> {
    cut: &'a mut GrowingCut<'c>,
    expanded: &'a Expanded,
    supports: SupportIndex<'a>,
    k: u32,
    demands: Vec<Demand>,
}

impl Visitor for Mending<'_, '_> {
    fn passes_over(&self, item: Rank) -> bool {
        self.cut.is_generalized(self.expanded.order[item as usize])
    }

    fn enough(&self) -> u32 {
        self.k
    }

    fn leaf(&mut self, path: &[Rank]) {
        let violated: Vec<NodeId> = path.iter().map(|&item| self.expanded.order[item as usize]).collect();
        mend(self.cut, self.expanded, &mut self.supports, self.k, &violated);
        self.demands.push(demand(self.cut.hierarchy, violated.into_iter()));
    }
}
