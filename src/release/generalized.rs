//! Generalized transactions: a cut of the item hierarchy and the transactions mapped through it (OA, DA, AA).

use crate::data::{NodeId, Transactions};

/// Every item is replaced by the node of the cut above it (or itself); a node appears once in a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralizedTransactions {
    /// The nodes of the cut, ascending; each leaf of the hierarchy is under exactly one of them.
    pub cut: Vec<NodeId>,
    /// One row per original transaction, in the same order; item `i` of these rows is `cut[i]`, its label the node's.
    pub transactions: Transactions,
}
