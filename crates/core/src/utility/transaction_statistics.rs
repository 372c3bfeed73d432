//! The characteristics of transactions that papers print of their data (Figure 7 of "Privacy-preserving Anonymization of
//! Set-valued Data", VLDB 2008).

use crate::data::{Hierarchy, InputKind, NodeId, Transactions};
use crate::lab::{Metric, NoParameters, Observation, Workbench};
use crate::measure::{About, Measure, MeasureKind, Observed, Subject};

/// Counts of the original transactions.
pub struct TransactionStatistics;

const TRANSACTIONS: Metric = Metric::fact("transactions", "transactions", "the number of transactions");
const ITEMS: Metric = Metric::fact("items", "items", "the items that occur");
const LONGEST: Metric = Metric::fact("longest", "items", "the items of the longest transaction");
const MEAN_LENGTH: Metric = Metric::fact("mean_length", "items", "the items of a transaction, in the mean");
const EXPANDED_LENGTH: Metric = Metric::fact(
    "expanded_length",
    "items",
    "the items of a transaction and all their generalizations but the root, in the mean, where there is a hierarchy",
);

impl Measure for TransactionStatistics {
    type Parameters = NoParameters;
    const NAME: &'static str = "transaction-statistics";
    const ABOUT: About = About {
        kind: MeasureKind::Data,
        summary: "The number of transactions and items, and how long transactions are",
        paper: "",
        input: InputKind::Transactions,
        releases: &[],
        metrics: &[TRANSACTIONS, ITEMS, LONGEST, MEAN_LENGTH, EXPANDED_LENGTH],
    };

    fn measure(subject: Subject<'_>, _: &NoParameters, _: &mut Workbench) -> Observed {
        let baskets = subject.original.baskets()?;
        let transactions = &baskets.transactions;
        let items = transactions.supports().into_iter().filter(|&support| support > 0).count();
        let longest = transactions.rows().map(<[_]>::len).max().unwrap_or(0);
        let mut observed = vec![
            Observation::new(&TRANSACTIONS, transactions.len() as f64),
            Observation::new(&ITEMS, items as f64),
            Observation::new(&LONGEST, longest as f64),
            Observation::new(&MEAN_LENGTH, transactions.occurrences() as f64 / transactions.len().max(1) as f64),
        ];
        if let Some(hierarchy) = &baskets.hierarchy {
            let expanded = expanded_occurrences(transactions, hierarchy) as f64 / transactions.len().max(1) as f64;
            observed.push(Observation::new(&EXPANDED_LENGTH, expanded));
        }
        Ok(observed)
    }
}

/// Occurrences of items and of generalized items, each once a transaction, the root left out (Figure 6).
fn expanded_occurrences(transactions: &Transactions, hierarchy: &Hierarchy) -> usize {
    let mut nodes: Vec<NodeId> = Vec::new();
    let expanded = transactions.rows().map(|row| {
        nodes.clear();
        nodes
            .extend(row.iter().flat_map(|&item| hierarchy.path_to_root(item)).filter(|&node| node != hierarchy.root()));
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len()
    });
    expanded.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder};
    use crate::lab::Seed;

    #[test]
    fn only_items_that_occur_count() {
        let mut transactions = Transactions::with_labels(["a", "b", "c"].map(String::from).to_vec());
        transactions.push([0, 2]);
        transactions.push([2]);
        let dataset = Dataset::of_transactions(transactions, None, &[]);
        let mut bench = Workbench::new(Seed(1), "test");
        let found = TransactionStatistics::measure(Subject::alone(&dataset), &NoParameters {}, &mut bench).unwrap();
        assert_eq!(found.iter().map(|observation| observation.value).collect::<Vec<_>>(), [2.0, 2.0, 2.0, 1.5]);
    }

    #[test]
    fn figure_6_has_a_mean_length_of_4_75() {
        let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
        let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let (a, b) = (builder.group("A", &[0, 1]), builder.group("B", &[2, 3]));
        builder.group("ALL", &[a, b]);
        assert_eq!(expanded_occurrences(&transactions, &builder.finish().unwrap()), 19);
    }
}
