//! How transactions are spread: lengths, and how often items, pairs and triples occur. What a stand-in is compared with its
//! original by.

use crate::data::{InputKind, THRESHOLDS, Transactions, together};
use crate::lab::{Metric, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};

/// How supports of items and itemsets are spread.
pub struct TransactionSpectra;

const TRANSACTIONS_OF_LENGTH: Metric =
    Metric::fact("transactions_of_length", "transactions", "transactions of at least so many items");
const ITEMS_OF_SUPPORT: Metric = Metric::fact("items_of_support", "items", "items in at least so many transactions");
const PAIRS_OF_SUPPORT: Metric =
    Metric::fact("pairs_of_support", "pairs", "pairs of items in at least so many transactions");
const TRIPLES_OF_SUPPORT: Metric =
    Metric::fact("triples_of_support", "triples", "triples of items in at least so many transactions");

/// Lengths at which transactions are counted.
const LENGTHS: [usize; 12] = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200];
/// Triples of rarer pairs are not counted: there may be billions.
const LEAST: u32 = 20;

impl Measure for TransactionSpectra {
    type Parameters = NoParameters;
    const NAME: &'static str = "transaction-spectra";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "How many transactions have a length, and how many items, pairs and triples a support, or more",
        paper: "",
        input: InputKind::Transactions,
        releases: &[],
        metrics: &[TRANSACTIONS_OF_LENGTH, ITEMS_OF_SUPPORT, PAIRS_OF_SUPPORT, TRIPLES_OF_SUPPORT],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, _: &mut Workbench) -> Observed {
        Ok(spectra(&subject.original.baskets()?.transactions))
    }
}

fn spectra(transactions: &Transactions) -> Vec<Observation> {
    let mut observed = Vec::new();
    // What nothing has is left out, so that it can be drawn on a scale by powers.
    let mut told = |metric: &Metric, at: usize, count: usize| {
        if count > 0 {
            observed.push(Observation::at(metric, at, count as f64));
        }
    };
    for length in LENGTHS {
        let count = transactions.rows().filter(|row| row.len() >= length).count();
        told(&TRANSACTIONS_OF_LENGTH, length, count);
    }
    let (supports, found) = (transactions.supports(), together(transactions, Some(LEAST)));
    for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
        let items = supports.iter().filter(|&&support| support >= threshold).count();
        told(&ITEMS_OF_SUPPORT, threshold as usize, items);
        told(&PAIRS_OF_SUPPORT, threshold as usize, found.pairs[at]);
        if threshold >= LEAST {
            told(&TRIPLES_OF_SUPPORT, threshold as usize, found.triples[at]);
        }
    }
    observed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_occurs_at_least_so_often() {
        let rows: Vec<Vec<&str>> =
            (0..20).map(|i| if i < 2 { vec!["a", "b", "c", "d"] } else { vec!["a", "b", "c"] }).collect();
        let found = spectra(&Transactions::from_labels(&rows));
        let at = |metric: &str| {
            let of = found.iter().filter(|observation| observation.metric == metric);
            of.map(|observation| observation.value).collect::<Vec<_>>()
        };
        assert_eq!(at("transactions_of_length"), [20.0, 20.0, 20.0]);
        // a, b, c and d; from three transactions on without d.
        assert_eq!(at("items_of_support"), [4.0, 4.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!(at("pairs_of_support"), [6.0, 6.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!(at("triples_of_support"), [1.0]);
    }
}
