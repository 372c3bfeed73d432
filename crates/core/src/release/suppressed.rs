//! Suppressed transactions: the transactions less the suppressed public items (cohesion).

use crate::data::{Item, Transactions};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedTransactions {
    /// Items of the original that are nowhere in the release, ascending.
    pub suppressed: Vec<Item>,
    /// One row per original transaction, in the same order, over the original's items. A transaction all of whose items
    /// are suppressed stays, empty.
    pub transactions: Transactions,
}

impl SuppressedTransactions {
    /// The original without the `suppressed` items.
    pub fn suppressing(original: &Transactions, suppressed: impl IntoIterator<Item = Item>) -> Self {
        let mut is_suppressed = vec![false; original.items()];
        for item in suppressed {
            is_suppressed[item as usize] = true;
        }
        let mut transactions = Transactions::with_labels(original.labels.clone());
        for row in original.rows() {
            transactions.push(row.iter().copied().filter(|&item| !is_suppressed[item as usize]));
        }
        let suppressed = (0..).zip(is_suppressed).filter(|&(_, is)| is).map(|(item, _)| item).collect();
        Self { suppressed, transactions }
    }
}
