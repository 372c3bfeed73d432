//! Tables and transactions (dictionary-encoded), hierarchies over their values, and datasets: data in its roles.

#![forbid(unsafe_code)]

mod combinations;
mod csv_text;
mod dataset;
mod distinct_rows;
mod hierarchy;
mod holders;
mod row_order;
mod sensitive;
mod table;
mod together;
mod transactions;

pub(crate) use combinations::{Combinations, CombinedRows};
pub use csv_text::write_csv;
pub(crate) use csv_text::{csv_field, line_of, push_decimal};
pub use dataset::{Baskets, Content, Dataset, InputKind, Microdata, Origin};
pub use distinct_rows::DistinctRows;
pub use hierarchy::{Hierarchy, HierarchyBuilder, NodeId};
pub(crate) use holders::Holders;
pub(crate) use row_order::RowOrder;
pub(crate) use sensitive::AND;
pub use sensitive::{SensitiveAttribute, SensitivePart, combined};
pub use table::{Column, ColumnBuilder, ColumnKind, MISSING, Table, is_missing};
pub use together::{THRESHOLDS, Together, together};
pub use transactions::{Item, Transactions};
