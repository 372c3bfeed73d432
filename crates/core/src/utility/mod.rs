//! What an analyst can still do with a release.

#![forbid(unsafe_code)]

mod association;
mod confidence_error;
mod cut_lattice;
mod identification_error;
mod itemset_query_error;
mod ncp;
mod nuggets_kept;
mod query_error;
mod rules_kept;
mod table_statistics;
mod tables;
mod transaction_spectra;
mod transaction_statistics;

pub use confidence_error::ConfidenceError;
pub use cut_lattice::CutLattice;
pub use identification_error::IdentificationError;
pub use itemset_query_error::ItemsetQueryError;
pub use ncp::Ncp;
pub use nuggets_kept::NuggetsKept;
pub use query_error::QueryError;
pub use rules_kept::RulesKept;
pub use table_statistics::TableStatistics;
pub use tables::{Classification, InformationLoss, KlDivergence, TableClasses};
pub use transaction_spectra::TransactionSpectra;
pub use transaction_statistics::TransactionStatistics;
