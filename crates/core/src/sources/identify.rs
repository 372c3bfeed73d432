//! Data without a checksum is known by its statistics.

use super::catalogue::{DatasetEntry, Statistics};
use super::definition::Format;
use super::formats::{self, Raw, SourceText, TableLayout};
use super::{BasketStatistics, DataError};
use crate::lab::counted;

/// Reads data that must have `statistics`, in the entry's format; transactions also in two columns.
pub(super) fn read<'a>(
    entry: &DatasetEntry,
    statistics: Statistics,
    layout: TableLayout<'a>,
    sources: &'a [SourceText],
) -> Result<Raw, DataError> {
    let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    let other = |found: String| {
        let message = format!("not the data of that name: {statistics} are expected, {found}");
        DataError::file(names.join(", "), message)
    };
    let read = |format| formats::read(format, layout, sources);
    let raw = read(entry.format);
    if entry.format.is_table() {
        let raw = raw?;
        return has(&raw, statistics).map(|()| raw).map_err(other);
    }
    let mut found = None;
    for raw in [raw, read(Format::TwoColumn)].into_iter().flatten() {
        match has(&raw, statistics) {
            Ok(()) => return Ok(raw),
            Err(other) => found.get_or_insert(other),
        };
    }
    Err(other(found.unwrap_or_else(|| "it cannot be read".to_string())))
}

/// Whether the data has these statistics; else what it has.
fn has(raw: &Raw, statistics: Statistics) -> Result<(), String> {
    let (agrees, found) = match raw {
        Raw::Transactions(transactions) => {
            let found = BasketStatistics::of(transactions);
            let agrees = match statistics {
                Statistics::Baskets(expected) => found.agrees_with(&expected),
                Statistics::Records(expected) => found.transactions == expected.records,
                Statistics::Table(_) => false,
            };
            (agrees, found.to_string())
        }
        Raw::Table(raw) => {
            let (rows, complete) = (raw.complete.len(), raw.complete.iter().filter(|complete| **complete).count());
            let agrees = match statistics {
                Statistics::Table(expected) => (rows, complete) == (expected.rows, expected.complete_rows),
                Statistics::Records(expected) => rows == expected.records,
                Statistics::Baskets(_) => false,
            };
            (agrees, format!("{}, {complete} of them complete", counted(rows, "row")))
        }
    };
    if agrees { Ok(()) } else { Err(format!("it has {found}")) }
}
