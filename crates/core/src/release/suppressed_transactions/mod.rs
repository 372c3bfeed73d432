//! Suppressed transactions: the transactions less the suppressed public items (cohesion).

mod cases;
mod conclusions;
mod files;
mod form;
mod mole;
mod verifier;

use super::conformance::Case;
use super::form::{Beside, FormFault};
use super::guarantee::Guarantee;
use super::kind::{About, Kind, KindGuarantee, ReleaseFile, Skeleton};
use crate::data::{Dataset, Item, Transactions};
use crate::lab::{LabError, Witness};

/// Transactions without some of their public items, each suppressed everywhere.
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

impl Kind for SuppressedTransactions {
    const ABOUT: About = About {
        name: "suppressed-transactions",
        files: &[files::TRANSACTIONS, files::SUPPRESSED],
        guarantees: &[KindGuarantee { name: "cohesion", like: "cohesion", of: &["h", "k", "p"] }],
        skeletons: &[Skeleton { ending: "py", text: include_str!("skeletons/program.py") }],
        skeleton_spec: include_str!("skeletons/spec.yaml"),
    };

    fn files(&self, original: &Dataset) -> Result<Vec<ReleaseFile>, LabError> {
        self.to_files(original.baskets()?)
    }

    fn read(original: &Dataset, files: &[&[u8]]) -> Result<Self, LabError> {
        let [transactions, suppressed] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Self::from_files(original.baskets()?, transactions, suppressed)
    }

    fn form_faults(beside: Beside<'_>, files: &[&[u8]], _read: &Self) -> Result<Vec<FormFault>, LabError> {
        let [transactions, _] = files else { return Err(Self::ABOUT.wrong_number_of_files(files.len())) };
        Ok(form::faults(beside.dataset().baskets()?, transactions))
    }

    fn faults(&self, original: &Dataset, guarantee: &Guarantee) -> Option<Result<Vec<Witness>, LabError>> {
        match *guarantee {
            Guarantee::Cohesion { h, k, p } => {
                Some(original.baskets().and_then(|baskets| verifier::cohesion_faults(baskets, self, h, k, p)))
            }
            _ => None,
        }
    }

    fn cases(_guarantee: &str) -> Result<Vec<Case>, LabError> {
        cases::cases()
    }
}
