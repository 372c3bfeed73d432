//! Loaders: one file a format.

mod basket;
mod baskets;
mod csv;
pub(super) mod fimi;
mod msweb;
mod rows;
mod spmf;
mod text;
mod two_column;
mod uci;

pub use csv::{for_each_record, read_header, read_records};
pub use rows::{RawTable, Wanted};
pub use text::{SourceText, decompress};

use super::DataError;
use super::definition::{Format, Label};
use crate::data::Transactions;

/// What a file holds, before any role or derivation.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    Table(RawTable),
    Transactions(Transactions),
}

/// How the bytes of a table are to be read beyond its format.
#[derive(Clone, Copy)]
pub struct TableLayout<'a> {
    /// Empty: the first line has the names.
    pub columns: &'a [String],
    pub delimiter: u8,
    /// Words that stand for a missing value, besides `?` and nothing.
    pub missing: &'a [Label],
    pub wanted: Wanted<'a>,
}

/// Reads `sources` as one table or one list of transactions.
pub fn read<'a>(format: Format, layout: TableLayout<'a>, sources: &'a [SourceText]) -> Result<Raw, DataError> {
    match format {
        Format::Csv => csv::read(sources, layout).map(Raw::Table),
        Format::Uci => uci::read(sources, layout).map(Raw::Table),
        Format::Fimi => fimi::read(sources).map(Raw::Transactions),
        Format::Spmf => spmf::read(sources).map(Raw::Transactions),
        Format::TwoColumn => two_column::read(sources).map(Raw::Transactions),
        Format::Basket => basket::read(sources).map(Raw::Transactions),
        Format::Msweb => msweb::read(sources).map(Raw::Transactions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the text, it is data or an error that names one of its lines.
        #[test]
        fn any_text_is_data_or_an_error(text in "[-12axACV ,.|\"\t\r\n\u{feff}é]{0,40}") {
            let columns = ["a".to_string(), "b".to_string()];
            let layout = TableLayout { columns: &columns, delimiter: b',', missing: &[], wanted: &|_| true };
            let all = [Format::Csv, Format::Uci, Format::Fimi, Format::Spmf, Format::TwoColumn, Format::Basket, Format::Msweb];
            for format in all {
                let source = SourceText::new("x", text.clone().into_bytes()).unwrap();
                match read(format, layout, &[source]) {
                    Err(DataError::Row { line, .. }) => prop_assert!(line <= 1 + text.matches('\n').count()),
                    Err(error) => prop_assert!(false, "{}", error),
                    Ok(Raw::Table(raw)) => prop_assert_eq!(raw.table.rows(), raw.complete.len()),
                    Ok(Raw::Transactions(baskets)) => prop_assert!(baskets.rows().all(|row| !row.is_empty())),
                }
            }
        }
    }
}
