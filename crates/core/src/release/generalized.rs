//! Generalized transactions: a cut of the item hierarchy and the transactions mapped through it (OA, DA, AA).

use super::Cut;
use crate::data::{Hierarchy, Item, NodeId, Transactions};

/// Every item is replaced by the node of the cut above it (or itself); a node appears once in a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralizedTransactions {
    /// The nodes of the cut, ascending; each leaf of the hierarchy is under exactly one of them.
    pub cut: Vec<NodeId>,
    /// One row per original transaction, in the same order; item `i` of these rows is `cut[i]`, its label the node's.
    pub transactions: Transactions,
}

impl GeneralizedTransactions {
    /// The original transactions as the public sees them through `cut`.
    pub fn through(cut: &Cut, hierarchy: &Hierarchy, original: &Transactions) -> Self {
        let nodes = cut.nodes();
        let mut number = vec![0; hierarchy.nodes()];
        for (item, &node) in nodes.iter().enumerate() {
            number[node as usize] = item as Item;
        }
        let labels = nodes.iter().map(|&node| hierarchy.label(node).to_string()).collect();
        let mut transactions = Transactions::with_labels(labels);
        for row in original.rows() {
            transactions.push(row.iter().map(|&item| number[cut.node_of(item) as usize]));
        }
        Self { cut: nodes, transactions }
    }
}
