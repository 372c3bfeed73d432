//! Suppressed transactions: the transactions less the suppressed public items (cohesion).

use crate::data::{Item, Transactions};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedTransactions {
    /// Items of the original that are nowhere in the release, ascending.
    pub suppressed: Vec<Item>,
    /// One row per original transaction, in the same order, over the original's items.
    pub transactions: Transactions,
}
