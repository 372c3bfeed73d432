//! What every publisher of this room is given, checked once.

use super::KmParameters;
use crate::data::{Dataset, Hierarchy, Transactions};
use crate::lab::{LabError, counted};
use crate::release::{Cut, GeneralizedTransactions, Release};

pub struct Problem<'a> {
    pub transactions: &'a Transactions,
    pub hierarchy: &'a Hierarchy,
    pub k: u32,
    /// No more than the longest transaction has: larger sets are in none.
    pub m: usize,
}

impl<'a> Problem<'a> {
    pub fn new(dataset: &'a Dataset, asked: KmParameters) -> Result<Self, LabError> {
        let KmParameters { k, m } = asked;
        let baskets = dataset.baskets()?;
        let transactions = &baskets.transactions;
        let Some(hierarchy) = &baskets.hierarchy else {
            return Err(LabError::input(format!(
                "`{}` has no hierarchy over its items; k^m-anonymity needs one, by degree or from a file",
                dataset.name
            )));
        };
        let outside = (0..transactions.items())
            .find(|&item| item >= hierarchy.leaves() || hierarchy.label(item as u32) != transactions.labels[item]);
        if let Some(item) = outside {
            let label = &transactions.labels[item];
            return Err(LabError::input(format!("item `{label}` is not in the hierarchy of `{}`", dataset.name)));
        }
        if let Some(row) = transactions.rows().position(<[_]>::is_empty) {
            return Err(LabError::input(format!(
                "transaction {} is empty; k^m-anonymity is defined for non-empty transactions",
                row + 1
            )));
        }
        if transactions.len() < k {
            return Err(LabError::unreachable(format!(
                "k is {k}, and the data has only {}; k^m-anonymity needs at least k",
                counted(transactions.len(), "transaction")
            )));
        }
        // Positions and counts are kept in 32 bits: an item occurs at most once in a row and on each level above it.
        if transactions.occurrences().saturating_mul(hierarchy.height()) >= u32::MAX as usize {
            return Err(LabError::input(format!(
                "{} item occurrences under {} levels are too many; their product must stay below 2^32",
                transactions.occurrences(),
                hierarchy.height()
            )));
        }
        let k = u32::try_from(k).map_err(|_| LabError::input(format!("k must be below 2^32, not {k}")))?;
        let longest = transactions.rows().map(<[_]>::len).max().unwrap_or(0);
        Ok(Self { transactions, hierarchy, k, m: m.min(longest) })
    }

    /// The loss of the cut of the root alone, in the units of `Loss`; it has an NCP of 1.
    pub fn total_loss(&self) -> f64 {
        self.transactions.occurrences() as f64 * self.hierarchy.leaves() as f64
    }

    pub fn release(&self, cut: &Cut) -> Release {
        Release::GeneralizedTransactions(GeneralizedTransactions::through(cut, self.hierarchy, self.transactions))
    }
}
