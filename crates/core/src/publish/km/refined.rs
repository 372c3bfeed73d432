//! `aa-refined`: `aa`, then every generalization is undone that later ones made unnecessary.
//!
//! AA never takes a generalization back, but a later, higher one often mends what an earlier one was made for. From AA's cut,
//! the inner node whose opening gains most is replaced by its children if the cut stays k^m-anonymous; then the next, the
//! newly met children among them, until none can be opened: the cut is minimal (Section 3.4), and never worse than AA's.
//!
//! A node that cannot be opened now cannot be opened later, so one attempt each is enough. The attempts are not made on the
//! data: what AA found violated decides most of them, the cut that comes out is checked, and only if it is not anonymous
//! is everything repeated with what the check found. By monotonicity the result is that of attempts on the data.
//!
//! Cost. That of AA, and a check or a few on transactions that are as short as AA left them.

use super::apriori::apriori;
use super::check::ProblemCheck;
use super::covering::{Closed, Covering};
use super::loss::Loss;
use super::problem::Problem;
use super::search::CutSearch;
use super::{KmParameters, MENDED, REFINEMENT, RELEASE, SEARCH};
use crate::lab::{Metric, Workbench};
use crate::release::Cut;

pub struct AprioriRefined;

const UNDONE: Metric = Metric::fact("undone", "nodes", "nodes whose generalization was undone");

impl CutSearch for AprioriRefined {
    type Parameters = KmParameters;
    const NAME: &'static str = "aa-refined";
    const SUMMARY: &'static str =
        "Apriori-based anonymization, then every generalization undone that later ones made unnecessary";
    const COUNTERS: &'static [Metric] = &[MENDED, UNDONE];
    const PHASES: &'static [&'static str] = &[SEARCH, REFINEMENT, RELEASE];

    fn cut(problem: &Problem, _: &KmParameters, bench: &mut Workbench) -> Cut {
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        let (apriori, demands) = bench.phase(SEARCH, |_| {
            let found = apriori(problem, &loss);
            (found.cut.closed(), found.demands)
        });
        bench.count(MENDED.name, demands.len() as f64);
        let closed = bench.phase(REFINEMENT, |_| {
            let mut covering = Covering::new(problem.hierarchy, &loss);
            covering.add(demands);
            refine(&mut ProblemCheck::new(problem), &mut covering, &apriori)
        });
        bench.count(UNDONE.name, (apriori.nodes().count() - closed.nodes().count()) as f64);
        closed.cut(problem.hierarchy)
    }
}

/// Opens what can be opened of an anonymous cut.
pub(super) fn refine(check: &mut ProblemCheck, covering: &mut Covering, anonymous: &Closed) -> Closed {
    let settled = check.settle(covering, |covering| Some(covering.without_superfluous(anonymous.clone())));
    settled.expect("there is always a proposal: at worst, nothing is opened")
}
