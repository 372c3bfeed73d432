//! Tables and transactions (dictionary-encoded), hierarchies over their values, and datasets: data in its roles.

mod csv_text;
mod dataset;
mod hierarchy;
mod table;
mod transactions;

pub use csv_text::write_csv;
pub use dataset::{Baskets, Content, Dataset, InputKind, Microdata, Origin};
pub use hierarchy::{Hierarchy, HierarchyBuilder, NodeId};
pub use table::{Column, ColumnKind, Table};
pub use transactions::{Item, Transactions};
