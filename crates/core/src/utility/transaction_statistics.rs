//! The characteristics of transactions that papers print of their data (Figure 7 of "Privacy-preserving Anonymization of
//! Set-valued Data", VLDB 2008).

use crate::data::{Dataset, InputKind};
use crate::lab::{Better, LabError, Metric, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind};
use crate::release::Release;

pub struct TransactionStatistics;

const TRANSACTIONS: Metric = Metric::new("transactions", "transactions", Better::Neither, "the number of transactions");
const ITEMS: Metric = Metric::new("items", "items", Better::Neither, "the items that occur");
const LONGEST: Metric = Metric::new("longest", "items", Better::Neither, "the items of the longest transaction");
const MEAN_LENGTH: Metric =
    Metric::new("mean_length", "items", Better::Neither, "the items of a transaction, in the mean");

impl Measure for TransactionStatistics {
    type Parameters = NoParameters;
    const NAME: &'static str = "transaction-statistics";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The number of transactions and items, and how long transactions are",
        paper: "",
        input: InputKind::Transactions,
        releases: &[],
        metrics: &[TRANSACTIONS, ITEMS, LONGEST, MEAN_LENGTH],
    };

    fn measure(
        original: &Dataset,
        _: Option<&Release>,
        _: &NoParameters,
        _: &mut Workbench,
    ) -> Result<Vec<Observation>, LabError> {
        let transactions = &original.baskets()?.transactions;
        let items = transactions.supports().into_iter().filter(|&support| support > 0).count();
        let longest = transactions.rows().map(<[_]>::len).max().unwrap_or(0);
        Ok(vec![
            Observation::new(&TRANSACTIONS, transactions.len() as f64),
            Observation::new(&ITEMS, items as f64),
            Observation::new(&LONGEST, longest as f64),
            Observation::new(&MEAN_LENGTH, transactions.occurrences() as f64 / transactions.len().max(1) as f64),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Transactions;
    use crate::lab::Seed;

    #[test]
    fn only_items_that_occur_count() {
        let mut transactions = Transactions::with_labels(["a", "b", "c"].map(String::from).to_vec());
        transactions.push([0, 2]);
        transactions.push([2]);
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        let mut bench = Workbench::new(Seed(1), "test");
        let found = TransactionStatistics::measure(&dataset, None, &NoParameters {}, &mut bench).unwrap();
        assert_eq!(found.iter().map(|observation| observation.value).collect::<Vec<_>>(), [2.0, 2.0, 2.0, 1.5]);
    }
}
