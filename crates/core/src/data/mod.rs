//! Tables and transactions (dictionary-encoded), hierarchies over their values, and datasets: data in its roles.

#![forbid(unsafe_code)]

mod amnesia;
mod catalogue;
mod check;
mod columnar;
mod combinations;
mod csv_text;
mod dataset;
pub mod definition;
mod derive;
mod describe;
mod digest;
mod directories;
mod distinct_rows;
mod error;
mod formats;
mod generated_once;
mod hierarchy;
mod holders;
mod identify;
mod inventory;
mod load;
mod load_once;
mod locate;
mod lock;
mod quick;
mod resolve;
mod row_order;
mod rows_shown;
mod sensitive;
mod stand_in;
mod table;
#[cfg(test)]
mod tests;
mod transactions;
mod trees;

pub use catalogue::{
    BasketStatistics, Conversion, DatasetEntry, FileEntry, HierarchyEntry, PartEntry, RecordStatistics, Route,
    SdistMember, Statistics, TableCounts, catalogue, embedded, entry,
};
pub use check::check;
pub(crate) use combinations::{Combinations, CombinedRows};
pub use csv_text::write_csv;
pub(crate) use csv_text::{csv_field, line_of, push_decimal};
pub use dataset::{Baskets, Content, Dataset, InputKind, Microdata, Origin};
pub use definition::{DatasetDefinition, Fault};
pub use describe::{AttributeDescription, Described, Description, Sensitive, StepTaken};
pub use digest::{Digest, read_regular_file, sha256};
pub use directories::DataLocations;
pub use distinct_rows::DistinctRows;
pub use error::DataError;
pub use formats::{SourceText, decompress, for_each_record};
pub use hierarchy::{Hierarchy, HierarchyBuilder, NodeId};
pub(crate) use holders::Holders;
pub use inventory::{Holding, Verification, holding, inventory, verify};
pub use load::{Loaded, load};
pub use load_once::{LoadedOnce, load_once};
pub use locate::{FoundAt, find_file};
pub use lock::{Locked, record};
pub use quick::is_quick_to_load;
pub use resolve::{Resolution, resolve};
pub(crate) use row_order::RowOrder;
pub(crate) use sensitive::{AND, combined};
pub use sensitive::{SensitiveAttribute, SensitivePart};
pub use stand_in::{
    Aggregates, Fit, StandInParameters, THRESHOLDS, Together, aggregates, all_aggregates, fit, generate, together,
};
pub(crate) use stand_in::{LifelikeParameters, TableParameters};
pub use table::{Column, ColumnKind, Table};
pub(crate) use table::{ColumnBuilder, is_missing};
pub use transactions::{Item, Transactions};
pub use trees::built_in_hierarchies;
