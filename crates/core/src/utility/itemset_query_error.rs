//! Accuracy of COUNT queries answered from a release of transactions: how many transactions have all items of a set?
//!
//! Readings; the paper measures information loss alone. A query is drawn by taking a random transaction of at least the
//! wanted size and that many random items of it, so its true count is positive and common sets are asked for more often,
//! as analysts do. Every release of a data set faces the same queries.
//!
//! What a release answers is for its kind to say: generalized transactions spread a published node over its items alike, and
//! suppressed transactions have no item that is suppressed.
//!
//! Cost. A query walks the transactions of its rarest item, in the original and in the release.

use super::query_error::median;
use crate::data::{Holders, InputKind, Item, Transactions};
use crate::lab::{Foremost, LabError, Metric, Observation, Witness, Workbench, concise, counted, with_defaults};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};
use crate::release::ReleaseKind;
use rand::seq::{IndexedRandom, index};

/// The error of counts of itemsets.
pub struct ItemsetQueryError;

with_defaults! {
    pub struct ItemsetQueryParameters {
        /// How many queries are asked.
        #[schemars(range(min = 1, max = 10_000_000))]
        pub queries: usize = 1000,
        /// The number of items a query names.
        #[schemars(range(min = 1))]
        pub size: usize = 2,
    }
}

const MEAN: Metric =
    Metric::lower("mean_relative_error", "%", "mean over the queries of |answer − true count| / true count");
const MEDIAN: Metric =
    Metric::lower("median_relative_error", "%", "median over the queries of |answer − true count| / true count");
const EXACT: Metric = Metric::higher("exact_answers", "%", "queries whose answer is the true count");

impl Measure for ItemsetQueryError {
    type Parameters = ItemsetQueryParameters;
    const NAME: &'static str = "itemset-query-error";
    const DRAWS: bool = true;
    const ABOUT: About = About {
        kind: MeasureKind::Utility,
        summary: "Relative error of random COUNT queries for itemsets, answered from the release",
        paper: "",
        input: InputKind::Transactions,
        releases: ReleaseKind::TELLING_SUPPORTS,
        metrics: &[MEAN, MEDIAN, EXACT],
    };

    fn measure(subject: Subject<'_>, parameters: &ItemsetQueryParameters, bench: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let answers = subject.release()?.supports(subject.original)?;
        let truth = Holders::new(&baskets.transactions);
        let mut errors = Vec::with_capacity(parameters.queries);
        let mut worst: Foremost<f64, (Vec<Item>, f64, f64)> = Foremost::new(Witness::MOST);
        for query in draw(&baskets.transactions, parameters, bench)? {
            let (count, answer) = (truth.support(&query) as f64, answers.support(&query));
            let error = (answer - count).abs() / count * 100.0;
            errors.push(error);
            worst.offer(-error, || (query, count, answer));
        }
        bench.witness(|| {
            let witness = |(rank, (mut query, count, answer)): (f64, (Vec<Item>, f64, f64))| {
                query.sort_unstable();
                let names: Vec<&str> =
                    query.iter().map(|&item| baskets.transactions.labels[item as usize].as_str()).collect();
                let named = names.join(", ");
                let says = format!(
                    "{{{named}}} is in {}; the release says {}: {} % off",
                    counted(count, "transaction"),
                    concise(answer),
                    concise(rank.abs())
                );
                Witness::of_metric(&MEAN, says).itemset(names).number(answer).against(count)
            };
            worst.into_cases().map(witness).collect::<Vec<_>>()
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Hierarchy};
    use crate::lab::Seed;
    use crate::release::{Cut, GeneralizedTransactions, Release, SuppressedTransactions};

    fn measure(nodes: &[u32], size: usize) -> Result<Vec<f64>, String> {
        let transactions = Transactions::from_labels(&[vec!["a", "c"], vec!["a", "c"], vec!["b", "c"], vec!["d"]]);
        let hierarchy = Hierarchy::by_degree(&transactions.labels, &[0, 1, 2, 3], 2).unwrap();
        let cut = Cut::new(&hierarchy, nodes).unwrap();
        let release =
            Release::GeneralizedTransactions(GeneralizedTransactions::through(&cut, &hierarchy, &transactions));
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
        let parameters = ItemsetQueryParameters { queries: 300, size };
        let mut bench = Workbench::new(Seed(7), "test");
        let found = ItemsetQueryError::measure(Subject::of(&dataset, &release), &parameters, &mut bench);
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
    fn what_is_suppressed_counts_as_absent() {
        let transactions = Transactions::from_labels(&[vec!["a", "c"], vec!["a", "c"], vec!["a", "b"]]);
        let dataset = Dataset::of_transactions(transactions.clone(), None, &[]);
        let release = |suppressed: &[Item]| {
            let release = SuppressedTransactions::suppressing(&transactions, suppressed.iter().copied());
            Release::SuppressedTransactions(release)
        };
        let b_suppressed = release(&[1]);
        let answers = b_suppressed.supports(&dataset).unwrap();
        assert_eq!([&[0, 2][..], &[2, 0], &[0], &[0, 1]].map(|set| answers.support(set)), [2.0, 2.0, 3.0, 0.0]);
        let parameters = ItemsetQueryParameters { queries: 50, size: 2 };
        let error = |release: &Release| {
            let mut bench = Workbench::new(Seed(7), "test");
            let found = ItemsetQueryError::measure(Subject::of(&dataset, release), &parameters, &mut bench).unwrap();
            found[0].value
        };
        assert_eq!((error(&release(&[])), error(&release(&[0]))), (0.0, 100.0));
    }

    #[test]
    fn queries_longer_than_all_transactions_are_refused() {
        assert_eq!(
            measure(&[0, 1, 2, 3], 3).unwrap_err(),
            "no transaction has the 3 items that a query of this size names"
        );
    }
}
