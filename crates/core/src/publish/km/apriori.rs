//! `aa`: apriori-based anonymization (Section 4.4, Algorithm 4).
//!
//! Direct anonymization for sets of one item, then of two, and so on to m; each round works on the transactions as the
//! rounds before have left them.
//!
//! Readings. The order of the count-tree is that of Section 4.1 in every round: the support of a (generalized) item does
//! not depend on the cut. A round's tree holds the sets of its size alone (line 6), so its leaves are just these.
//!
//! Cost. Round i takes one step for each i-set of the expanded transactions in each distinct transaction. After the
//! second round little is left of the domain (63 of the 3,340 items of BMS-WebView-2 at k = 5), and so of the distinct
//! transactions. Memory is linear in the data.

use super::covering::Demand;
use super::direct::mend_all;
use super::expanded::Expanded;
use super::growing_cut::GrowingCut;
use super::loss::Loss;
use super::problem::Problem;
use super::rows::Rows;
use super::search::CutSearch;
use super::tree_nodes::count_tree_nodes;
use super::visitor::Sizes;
use super::walk::Walker;
use super::{COUNTING, CountTreeParameters, MENDED, RELEASE, SEARCH, TREE_NODES};
use crate::lab::{Metric, Workbench};
use crate::release::Cut;

pub struct Apriori;

impl CutSearch for Apriori {
    type Parameters = CountTreeParameters;
    const NAME: &'static str = "aa";
    const SUMMARY: &'static str =
        "Apriori-based anonymization: direct anonymization for one known item, then two, up to m";
    const COUNTERS: &'static [Metric] = &[MENDED, TREE_NODES];
    const PHASES: &'static [&'static str] = &[COUNTING, SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &CountTreeParameters, bench: &mut Workbench) -> Cut {
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        let mut rounds = bench.phase(SEARCH, |_| Rounds::new(problem, &loss));
        let mut most_nodes = 0;
        for size in 1..=problem.m {
            let walker = bench.phase(SEARCH, |_| rounds.next());
            if parameters.count_tree_nodes {
                let nodes = bench.aside(COUNTING, || count_tree_nodes(&walker, Sizes::Exactly(size)));
                most_nodes = most_nodes.max(nodes);
            }
            bench.phase(SEARCH, |_| rounds.mend(&walker, size));
        }
        let found = rounds.found;
        bench.count(MENDED.name, found.demands.len() as f64);
        if parameters.count_tree_nodes {
            bench.count(TREE_NODES.name, most_nodes as f64);
        }
        found.cut.closed().cut(problem.hierarchy)
    }
}

/// What AA comes to.
pub(super) struct AprioriCut<'a> {
    pub cut: GrowingCut<'a>,
    /// Those of the itemsets that were mended.
    pub demands: Vec<Demand>,
}

/// AA for other publishers to start from.
pub(super) fn apriori<'a>(problem: &'a Problem, loss: &'a Loss) -> AprioriCut<'a> {
    let mut rounds = Rounds::new(problem, loss);
    for size in 1..=problem.m {
        let walker = rounds.next();
        rounds.mend(&walker, size);
    }
    rounds.found
}

struct Rounds<'a> {
    problem: &'a Problem<'a>,
    rows: Rows,
    found: AprioriCut<'a>,
}

impl<'a> Rounds<'a> {
    fn new(problem: &'a Problem, loss: &'a Loss) -> Self {
        let cut = GrowingCut::bottom(problem.hierarchy, loss);
        Self { problem, rows: Rows::of(problem.transactions), found: AprioriCut { cut, demands: Vec::new() } }
    }

    /// Lines 4 and 5 of Algorithm 4: the transactions as the rounds so far have left them, expanded.
    fn next(&mut self) -> Walker {
        self.rows = self.rows.mapped(|node| self.found.cut.published(node));
        Walker::new(Expanded::new(self.problem.hierarchy, &self.rows))
    }

    /// Line 7.
    fn mend(&mut self, walker: &Walker, size: usize) {
        let AprioriCut { cut, demands } = &mut self.found;
        demands.extend(mend_all(cut, walker, &self.rows, self.problem.k, Sizes::Exactly(size)));
    }
}
