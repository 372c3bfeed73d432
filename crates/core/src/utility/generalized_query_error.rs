//! Accuracy of COUNT queries answered from generalized transactions: how many transactions have all items of a set?
//!
//! Readings; the paper measures information loss alone. A query is drawn by taking a random transaction of at least the
//! wanted size and that many random items of it, so its true count is positive and common sets are asked for more often,
//! as analysts do. Every release of a data set faces the same queries.
//!
//! The answer: a published node stands for each of the items below it alike, so a transaction that has it has a given one
//! of them with one chance in their number, whatever else it has. The estimate is the support of the query's published
//! nodes times these chances.
//!
//! Cost. A query walks the transactions of its rarest item and of its rarest published node.

use super::query_error::median;
use crate::data::{Dataset, InputKind, Item, Transactions};
use crate::lab::{Better, LabError, Metric, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::{Cut, Release, ReleaseKind};
use rand::seq::{IndexedRandom, index};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct ItemsetQueryError;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ItemsetQueryParameters {
    /// How many queries are asked.
    #[schemars(range(min = 1))]
    pub queries: usize,
    /// The number of items a query names.
    #[schemars(range(min = 1))]
    pub size: usize,
}

impl Default for ItemsetQueryParameters {
    fn default() -> Self {
        Self { queries: 1000, size: 2 }
    }
}

const MEAN: Metric = Metric::new(
    "mean_relative_error",
    "%",
    Better::Lower,
    "mean over the queries of |answer − true count| / true count",
);
const MEDIAN: Metric = Metric::new(
    "median_relative_error",
    "%",
    Better::Lower,
    "median over the queries of |answer − true count| / true count",
);
const EXACT: Metric = Metric::new("exact_answers", "%", Better::Higher, "queries whose answer is the true count");

impl Measure for ItemsetQueryError {
    type Parameters = ItemsetQueryParameters;
    const NAME: &'static str = "itemset-query-error";
    const DRAWS: bool = true;
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Relative error of random COUNT queries for itemsets, answered from generalized transactions",
        paper: "",
        input: InputKind::Transactions,
        releases: &[ReleaseKind::GeneralizedTransactions],
        metrics: &[MEAN, MEDIAN, EXACT],
    };

    fn measure(
        original: &Dataset,
        release: Option<&Release>,
        parameters: &ItemsetQueryParameters,
        bench: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let baskets = original.baskets()?;
        let (Some(Release::GeneralizedTransactions(release)), Some(hierarchy)) = (release, &baskets.hierarchy) else {
            return Err(LabError::input(
                "itemset queries need generalized transactions and the hierarchy of their items",
            ));
        };
        let cut = Cut::new(hierarchy, &release.cut)?;
        let mut number = vec![0; hierarchy.nodes()];
        for (item, &node) in (0..).zip(&release.cut) {
            number[node as usize] = item;
        }
        let truth = Holders::new(&baskets.transactions);
        let published = Holders::new(&release.transactions);
        let mut errors = Vec::with_capacity(parameters.queries);
        for query in draw(&baskets.transactions, parameters, bench)? {
            let nodes: Vec<_> = query.iter().map(|&item| cut.node_of(item)).collect();
            let chance: f64 = nodes.iter().map(|&node| 1.0 / hierarchy.leaves_under(node) as f64).product();
            let mut shown: Vec<Item> = nodes.iter().map(|&node| number[node as usize]).collect();
            shown.sort_unstable();
            shown.dedup();
            let (count, answer) = (truth.support(&query) as f64, published.support(&shown) as f64 * chance);
            errors.push((answer - count).abs() / count * 100.0);
        }
        let queries = errors.len() as f64;
        Ok(vec![
            Observation::new(&MEAN, errors.iter().sum::<f64>() / queries),
            Observation::new(&MEDIAN, median(&mut errors)),
            Observation::new(&EXACT, errors.iter().filter(|&&error| error == 0.0).count() as f64 / queries * 100.0),
        ])
    }
}

/// Itemsets that occur.
fn draw(
    transactions: &Transactions,
    parameters: &ItemsetQueryParameters,
    bench: &Workbench,
) -> Result<Vec<Vec<Item>>, LabError> {
    let size = parameters.size;
    let long_enough: Vec<&[Item]> = transactions.rows().filter(|row| row.len() >= size).collect();
    let mut rng = bench.rng("queries");
    (0..parameters.queries)
        .map(|_| {
            let row = long_enough.choose(&mut rng).ok_or_else(|| {
                LabError::input(format!("no transaction has the {size} items that a query of this size names"))
            })?;
            Ok(index::sample(&mut rng, row.len(), size).iter().map(|place| row[place]).collect())
        })
        .collect()
}

/// The transactions that hold each item.
struct Holders<'a> {
    transactions: &'a Transactions,
    rows_of: Vec<Vec<u32>>,
}

impl<'a> Holders<'a> {
    fn new(transactions: &'a Transactions) -> Self {
        let mut rows_of = vec![Vec::new(); transactions.items()];
        for (index, row) in transactions.rows().enumerate() {
            row.iter().for_each(|&item| rows_of[item as usize].push(index as u32));
        }
        Self { transactions, rows_of }
    }

    fn support(&self, set: &[Item]) -> usize {
        let rarest = set.iter().map(|&item| &self.rows_of[item as usize]).min_by_key(|rows| rows.len());
        let holds = |row: &[Item]| set.iter().all(|item| row.binary_search(item).is_ok());
        rarest.map_or(0, |rows| rows.iter().filter(|&&row| holds(self.transactions.row(row as usize))).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Hierarchy;
    use crate::lab::Seed;
    use crate::release::GeneralizedTransactions;

    fn measure(nodes: &[u32], size: usize) -> Result<Vec<f64>, String> {
        let transactions = Transactions::from_labels(&[vec!["a", "c"], vec!["a", "c"], vec!["b", "c"], vec!["d"]]);
        let hierarchy = Hierarchy::by_degree(&transactions.labels, &[0, 1, 2, 3], 2).unwrap();
        let cut = Cut::new(&hierarchy, nodes).unwrap();
        let release =
            Release::GeneralizedTransactions(GeneralizedTransactions::through(&cut, &hierarchy, &transactions));
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
        let parameters = ItemsetQueryParameters { queries: 300, size };
        let mut bench = Workbench::new(Seed(7), "test");
        let found = ItemsetQueryError::measure(&dataset, Some(&release), &parameters, &mut bench);
        Ok(found.map_err(|error| error.to_string())?.iter().map(|observation| observation.value).collect())
    }

    #[test]
    fn what_is_not_generalized_is_answered_exactly() {
        assert_eq!(measure(&[0, 1, 2, 3], 2).unwrap(), [0.0, 0.0, 100.0]);
    }

    #[test]
    fn a_node_stands_for_its_items_alike() {
        // {a, c} is in 2 transactions and {b, c} in 1; with a and b published as one, both are estimated at 3 / 2.
        let found = measure(&[4, 2, 3], 2).unwrap();
        let (common, rare) = (0.5 / 2.0 * 100.0, 0.5 / 1.0 * 100.0);
        assert_eq!(found[1], common);
        assert!(found[0] > common && found[0] < rare && found[2] == 0.0);
    }

    #[test]
    fn queries_longer_than_all_transactions_are_refused() {
        assert_eq!(
            measure(&[0, 1, 2, 3], 3).unwrap_err(),
            "no transaction has the 3 items that a query of this size names"
        );
    }
}
