//! Generalized transactions: a cut of the item hierarchy and the transactions mapped through it (OA, DA, AA).

mod bit_table;
mod cases;
mod conclusions;
mod cut;
mod files;
mod form;
mod prefix_tree;
mod verifier;
mod violated;

pub use cut::Cut;

use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::guarantee::Guarantee;
use super::kind::{About, Kind, KindGuarantee, ReleaseFile, Skeleton};
use crate::data::{Dataset, Hierarchy, Item, NodeId, Transactions};
use crate::lab::{LabError, Witness};

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

impl Kind for GeneralizedTransactions {
    const ABOUT: About = About {
        name: "generalized-transactions",
        files: &[files::TRANSACTIONS, files::CUT],
        guarantees: &[KindGuarantee { name: "km-anonymity", like: "aa", of: &["k", "m"] }],
        skeletons: &[Skeleton { ending: "py", text: include_str!("skeletons/program.py") }],
        skeleton_spec: include_str!("skeletons/spec.yaml"),
    };

    fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError> {
        self.to_files(original.baskets()?)
    }

    fn read(original: &Dataset, files: &[&[u8]]) -> Result<Self, LabError> {
        let [transactions, cut] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Self::from_files(original.baskets()?, transactions, cut)
    }

    fn form_faults(beside: Beside<'_>, files: &[&[u8]], _read: &Self) -> Result<Vec<FormFault>, LabError> {
        let [transactions, cut] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Ok(form::faults(beside.dataset().baskets()?, transactions, cut, beside.is_original()))
    }

    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>> {
        match *guarantee {
            Guarantee::KmAnonymity { k, m } => {
                Some(original.baskets().and_then(|baskets| verifier::km_faults(baskets, self, k, m)))
            }
            _ => None,
        }
    }

    fn cases(_guarantee: &str) -> Result<Vec<Case>, LabError> {
        cases::cases()
    }
}
