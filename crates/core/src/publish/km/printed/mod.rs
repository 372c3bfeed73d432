//! `oa-printed`, `da-printed`, `aa-printed`: Algorithms 1 to 4 as the paper prints them, on a count-tree that is built.
//!
//! `oa`, `da` and `aa` publish the same cuts without the tree; what the paper says of time and memory it says of these.
//! Readings are those of the publishers beside them, but for two that concern the tree alone.
//! - Its order is by support, for which the data must be scanned once more, or by the number of items below ("if we want
//!   to avoid the scan", Section 4.1). DA and AA may publish different cuts under different orders.
//! - The support of a generalized itemset is looked up in the tree, and no loss needs the data: both as Sections 3.3 and 4.1
//!   ask. Counts of items come with the first scan.
//!
//! Cost. O(|D| · (τ over m)) steps and as many nodes, at worst, for transactions of τ items, generalized ones included.

mod count_tree;
mod items;
mod search;

use super::loss::Loss;
use super::problem::Problem;
use super::search::CutSearch;
use super::{CUTS, KmParameters, MENDED, RELEASE, SEARCH, TREE_NODES};
use crate::lab::{Metric, Workbench, with_defaults};
use crate::release::Cut;
use items::{Items, TreeOrder};
use search::PrintedCut;

pub struct PrintedOptimal;
pub struct PrintedDirect;
pub struct PrintedApriori;

with_defaults! {
    pub struct PrintedParameters {
        #[serde(flatten)]
        pub km: KmParameters,
        /// The order of items in the count-tree: by support, or by the number of items below.
        pub tree_order: TreeOrder,
    }
}

impl AsRef<KmParameters> for PrintedParameters {
    fn as_ref(&self) -> &KmParameters {
        &self.km
    }
}

const SCANS: Metric = Metric::lower("scans", "scans", "how often all transactions are gone through");
const LAST_TREE_NODES: Metric =
    Metric::lower("last_tree_nodes", "nodes", "nodes of the count-tree at the last iteration");

fn cut(
    problem: &Problem,
    parameters: &PrintedParameters,
    bench: &mut Workbench,
    steps: Metric,
    algorithm: fn(&mut Items, &Loss) -> PrintedCut,
) -> Cut {
    let (found, scans) = bench.phase(SEARCH, |_| {
        let loss = Loss::new(problem.hierarchy, problem.transactions);
        let mut items = Items::new(problem, parameters.tree_order);
        let found = algorithm(&mut items, &loss);
        (found, items.scans)
    });
    bench.count(steps.name, found.steps as f64);
    bench.count(SCANS.name, f64::from(scans));
    bench.count(TREE_NODES.name, found.tree_nodes.iter().copied().max().unwrap_or(0) as f64);
    bench.count(LAST_TREE_NODES.name, found.tree_nodes.last().copied().unwrap_or(0) as f64);
    found.cut
}

impl CutSearch for PrintedOptimal {
    type Parameters = PrintedParameters;
    const NAME: &'static str = "oa-printed";
    const SUMMARY: &'static str = "Algorithm 2 as printed: optimal anonymization on a count-tree that is built";
    const COUNTERS: &'static [Metric] = &[CUTS, SCANS, TREE_NODES, LAST_TREE_NODES];
    const PHASES: &'static [&'static str] = &[SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &PrintedParameters, bench: &mut Workbench) -> Cut {
        cut(problem, parameters, bench, CUTS, search::oa)
    }
}

impl CutSearch for PrintedDirect {
    type Parameters = PrintedParameters;
    const NAME: &'static str = "da-printed";
    const SUMMARY: &'static str = "Algorithm 3 as printed: direct anonymization on a count-tree that is built";
    const COUNTERS: &'static [Metric] = &[MENDED, SCANS, TREE_NODES, LAST_TREE_NODES];
    const PHASES: &'static [&'static str] = &[SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &PrintedParameters, bench: &mut Workbench) -> Cut {
        cut(problem, parameters, bench, MENDED, search::da)
    }
}

impl CutSearch for PrintedApriori {
    type Parameters = PrintedParameters;
    const NAME: &'static str = "aa-printed";
    const SUMMARY: &'static str = "Algorithm 4 as printed: apriori-based anonymization on count-trees that are built";
    const COUNTERS: &'static [Metric] = &[MENDED, SCANS, TREE_NODES, LAST_TREE_NODES];
    const PHASES: &'static [&'static str] = &[SEARCH, RELEASE];

    fn cut(problem: &Problem, parameters: &PrintedParameters, bench: &mut Workbench) -> Cut {
        cut(problem, parameters, bench, MENDED, search::aa)
    }
}

/// Figures 1 and 2a.
#[cfg(test)]
fn running_example() -> crate::data::Dataset {
    use crate::data::{Dataset, HierarchyBuilder, Transactions};
    let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
    let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
    let mut builder = HierarchyBuilder::new(transactions.labels.clone());
    let a = builder.group("A", &[0, 1]);
    let b = builder.group("B", &[2, 3]);
    builder.group("ALL", &[a, b]);
    Dataset::of_transactions(transactions, Some(builder.finish().unwrap()), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;
    use crate::lab::{LabError, Seed};
    use crate::publish::Publisher;
    use crate::release::Release;

    /// Footnote 2: once for OA and DA, m times for AA; once more where the order is by support.
    #[test]
    fn scans_are_those_of_the_paper() {
        let dataset = running_example();
        let scans = |order, run: fn(&Dataset, &PrintedParameters, &mut Workbench) -> Result<Release, LabError>| {
            let mut bench = Workbench::new(Seed(1), "test");
            run(&dataset, &PrintedParameters { km: KmParameters { k: 2, m: 2 }, tree_order: order }, &mut bench)
                .unwrap();
            bench.counters()["scans"]
        };
        let all = |order| {
            [
                scans(order, super::super::PrintedOptimal::publish),
                scans(order, super::super::PrintedDirect::publish),
                scans(order, super::super::PrintedApriori::publish),
            ]
        };
        assert_eq!(all(TreeOrder::Leaves), [1.0, 1.0, 2.0]);
        assert_eq!(all(TreeOrder::Support), [2.0, 2.0, 3.0]);
    }
}
