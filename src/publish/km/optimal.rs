//! `optimal`: the cut of least loss, proven, on domains of thousands of items.

use super::branch_and_bound::solve;
use super::covering::{Covering, Demand, close, demand};
use super::expanded::{Expanded, Rank};
use super::growing_cut::GrowingCut;
use super::loss::Loss;
use super::problem::Problem;
use super::rows::Rows;
use super::walk::{Sizes, Visitor, walk};
use super::*;
use crate::data::{Dataset, InputKind, NodeId};
use crate::lab::{LabError, Workbench};
use crate::publish::{About, Publisher};
use crate::release::{Guarantee, Release, ReleaseKind};

pub struct Optimal;

impl Publisher for Optimal {
    type Parameters = KmParameters;
    const NAME: &'static str = "optimal";
    const ABOUT: About = About {
        summary: "",
        paper: PAPER,
        input: InputKind::Transactions,
        release: ReleaseKind::GeneralizedTransactions,
        counters: &[],
        phases: &[SEARCH, RELEASE],
        randomized: false,
    };

    fn guarantee(parameters: &KmParameters) -> Guarantee {
        Guarantee::KmAnonymity { k: parameters.k, m: parameters.m }
    }

    fn publish(dataset: &Dataset, parameters: &KmParameters, bench: &mut Workbench) -> Result<Release, LabError> {
        let problem = Problem::new(dataset, parameters.k, parameters.m)?;
        let h = problem.hierarchy;
        let loss = Loss::new(h, problem.transactions);
        let rows = Rows::of(problem.transactions);
        let mut covering = Covering::new(h, &loss);
        loop {
            let t = std::time::Instant::now();
            let answer = solve(&covering, None);
            let ts = t.elapsed();
            let mut closed: Vec<bool> = (0..h.nodes()).map(|node| covering.is_forced(node as NodeId)).collect();
            answer.closed.iter().for_each(|&node| close(h, &mut closed, node));
            let mut cut = GrowingCut::bottom(h, &loss);
            for node in h.leaves()..h.nodes() {
                let node = node as NodeId;
                if closed[node as usize] && h.parent(node).is_none_or(|p| !closed[p as usize]) {
                    cut.generalize_to(node);
                }
            }
            let t = std::time::Instant::now();
            let rows = rows.mapped(|node| cut.published(node));
            let expanded = Expanded::new(h, &rows);
            let mut found = 0;
            let total: u64 = (h.leaves()..h.nodes()).filter(|&n| closed[n]).map(|n| covering.weight(n as NodeId)).sum();
            let mut at = 0;
            for size in 1..=problem.m {
                let mut v = Violations { cut: &mut cut, expanded: &expanded, k: problem.k, forced: vec![], demands: vec![] };
                walk(&expanded, Sizes::Exactly(size), &mut v);
                found = v.demands.len() + v.forced.len();
                let (forced, demands) = (v.forced, v.demands);
                if found > 0 {
                    at = size;
                    forced.into_iter().for_each(|f| covering.force(f));
                    covering.add(demands);
                    break;
                }
            }
            eprintln!("solve {:.1?} steps {} cost {} root+ {} | check {:.1?} size {at} found {found} rows {} domain {} | demands {} free {}", ts, answer.steps, total as f64 / h.leaves() as f64 / problem.transactions.occurrences() as f64, answer.lower_bound, t.elapsed(), rows.len(), expanded.domain(), covering.demands.len(), (h.leaves()..h.nodes()).filter(|&n| !covering.is_forced(n as NodeId)).count());
            if found == 0 {
                return Ok(bench.phase(RELEASE, |_| problem.release(&cut.cut())));
            }
        }
    }
}

struct Violations<'a, 'c> {
    cut: &'a mut GrowingCut<'c>,
    expanded: &'a Expanded,
    k: u32,
    forced: Vec<NodeId>,
    demands: Vec<Demand>,
}

impl Visitor for Violations<'_, '_> {
    fn passes_over(&self, item: Rank) -> bool {
        self.cut.is_generalized(self.expanded.order[item as usize])
    }

    fn enough(&self) -> u32 {
        self.k
    }

    fn leaf(&mut self, path: &[Rank]) {
        let demand = demand(self.cut.hierarchy, path.iter().map(|&item| self.expanded.order[item as usize]));
        if let [node] = demand[..] {
            self.forced.push(node);
            self.cut.generalize_to(node);
        } else {
            self.demands.push(demand);
        }
    }
}
