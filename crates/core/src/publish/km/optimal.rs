//! `optimal`: the cut of least loss, proven, on domains of thousands of items.
//!
//! The paper's OA goes through the lattice of cuts and stops at 60 items. Here the cheapest cut is sought that meets the
//! demands of the violated itemsets known so far ([`super::covering`]); if it is not anonymous, what is violated at or
//! above it joins the demands, and the search is repeated; if it is, no cut is cheaper, for it was the cheapest under
//! fewer demands. Itemsets are checked in the order of their size, so most nodes are forced by one or two items, long
//! before larger sets are looked at.
//!
//! Of several optimal cuts, one that is minimal is published. With a time limit, what is proven by then is reported: the
//! cheapest cut under the demands known is a lower bound of the loss, and `aa-refined` gives the cut.
//!
//! Cost. On the real sets a few rounds, each about a round of `aa` on ever shorter transactions; the search itself takes
//! microseconds.

use super::apriori::apriori;
use super::branch_and_bound::solve;
use super::check::ProblemCheck;
use super::covering::{Closed, Covering};
use super::loss::Loss;
use super::problem::Problem;
use super::refined::refine;
use super::search::CutSearch;
use super::{KmParameters, RELEASE, SEARCH};
use crate::lab::{Metric, Workbench, with_defaults};
use crate::release::Cut;
use std::time::{Duration, Instant};

pub struct Optimal;

with_defaults! {
    pub struct OptimalParameters {
        #[serde(flatten)]
        pub km: KmParameters,
        /// Seconds after which the search ends without proof; none by default, for what a search gets done in a given time
        /// differs from machine to machine.
        #[schemars(range(min = 0.0))]
        pub time_limit: Option<f64>,
    }
}

impl AsRef<KmParameters> for OptimalParameters {
    fn as_ref(&self) -> &KmParameters {
        &self.km
    }
}

const LOWER_BOUND: Metric = Metric::higher("lower_bound", "", "no k^m-anonymous cut has a smaller NCP");
const GAP: Metric =
    Metric::lower("gap", "", "how far the published cut's NCP may be above the least, as a share of it");
const PROVEN: Metric = Metric::higher("proven", "", "1 if the published cut is proven optimal, else 0");
const DEMANDS: Metric = Metric::fact("demands", "itemsets", "violated itemsets that the last search had to meet");
const STEPS: Metric = Metric::fact("search_steps", "steps", "nodes of all search trees");

impl CutSearch for Optimal {
    type Parameters = OptimalParameters;
    const NAME: &'static str = "optimal";
    const SUMMARY: &'static str =
        "The cut of least information loss, proven by covering violated itemsets as they are found";
    const COUNTERS: &'static [Metric] = &[LOWER_BOUND, GAP, PROVEN, DEMANDS, STEPS];
    const PHASES: &'static [&'static str] = &[SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &OptimalParameters, bench: &mut Workbench) -> Cut {
        // A limit too long for the clock is no limit.
        let limit = parameters.time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        let mut covering = Covering::new(problem.hierarchy, &loss);
        let found = bench.phase(SEARCH, |_| search(problem, &mut covering, deadline));
        let cost = covering.cost(&found.closed);
        bench.count(LOWER_BOUND.name, found.lower_bound as f64 / problem.total_loss());
        bench.count(GAP.name, (cost - found.lower_bound) as f64 / cost.max(1) as f64);
        bench.count(PROVEN.name, if cost == found.lower_bound { 1.0 } else { 0.0 });
        bench.count(DEMANDS.name, covering.demands.len() as f64);
        bench.count(STEPS.name, found.steps as f64);
        found.closed.cut(problem.hierarchy)
    }
}

struct BoundedCut {
    closed: Closed,
    /// In the units of [`Loss`].
    lower_bound: u64,
    steps: u64,
}

fn search(problem: &Problem, covering: &mut Covering, deadline: Option<Instant>) -> BoundedCut {
    let mut check = ProblemCheck::new(problem);
    let (mut lower_bound, mut steps) = (0, 0);
    let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let settled = check.settle(covering, |covering| {
        let answer = solve(covering, deadline);
        steps += answer.steps;
        lower_bound = lower_bound.max(answer.lower_bound);
        (answer.is_proven() && !is_over()).then(|| covering.without_superfluous(answer.closed))
    });
    let closed = settled.unwrap_or_else(|| {
        let found = apriori(problem, covering.loss);
        let anonymous = found.cut.closed();
        covering.add(found.demands);
        refine(&mut check, covering, &anonymous)
    });
    BoundedCut { closed, lower_bound, steps }
}
