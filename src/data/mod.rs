//! Tables and transactions (dictionary-encoded), hierarchies over their values, and datasets: data in its roles.

mod csv_text;
mod dataset;
pub mod definition;
mod error;
mod hierarchy;
mod load;
mod locations;
mod resolve;
mod table;
mod transactions;

pub use csv_text::write_csv;
pub use dataset::{Baskets, Content, Dataset, InputKind, Microdata, Origin};
pub use definition::{DatasetDefinition, Fault};
pub use error::DataError;
pub use hierarchy::{Hierarchy, HierarchyBuilder, NodeId};
pub use locations::DataLocations;
pub use resolve::{Digest, Loaded, Resolution, check, load, resolve};
pub use table::{Column, ColumnKind, Table, is_missing};
pub use transactions::{Item, Transactions};
