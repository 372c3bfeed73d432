//! FIMI: one transaction a line, items apart by blanks (`1 2 3`).

use super::baskets::BasketsBuilder;
use super::text::{SourceText, words};
use crate::data::Transactions;
use crate::sources::DataError;
use std::fmt::Write;

/// Reads the files one after the other.
pub fn read(sources: &[SourceText]) -> Result<Transactions, DataError> {
    let mut baskets = BasketsBuilder::new();
    for source in sources {
        for (line, text) in source.lines() {
            for item in words(text) {
                baskets.push(source, line, item)?;
            }
            if baskets.open_items() == 0 {
                return Err(source.error(line, "an empty line; a transaction has at least one item"));
            }
            baskets.end_row();
        }
    }
    Ok(baskets.finish())
}

/// The transactions in this format, one blank between items: the canonical form that checksums are of.
pub fn write(transactions: &Transactions) -> String {
    let mut text = String::with_capacity(transactions.occurrences() * 5);
    for row in transactions.rows() {
        for (i, &item) in row.iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(text, "{blank}{}", transactions.labels[item as usize])
                .expect("text takes all that is written to it");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Transactions, String> {
        read(&[SourceText::new("t.dat", text.into()).unwrap()]).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_sort_as_numbers_and_repetitions_collapse() {
        let t = parse("10 9 10 \r\n\t200  9\r\n\r\n").unwrap();
        assert_eq!(t.labels, ["9", "10", "200"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[0, 1][..], &[0, 2]]);
    }

    #[test]
    fn words_are_items_too() {
        let t = parse("b1 a2\na2 é1\n").unwrap();
        assert_eq!(t.labels, ["a2", "b1", "é1"]);
    }

    #[test]
    fn large_numbers_keep_their_order() {
        let t = parse("9000000000 1048576 1048575\n").unwrap();
        assert_eq!(t.labels, ["1048575", "1048576", "9000000000"]);
    }

    #[test]
    fn bad_rows_are_named_by_line() {
        assert_eq!(parse("1 2\n3 x\n").unwrap_err(), "t.dat, line 2: `x` is no item number");
        assert_eq!(parse("1\n-2\n").unwrap_err(), "t.dat, line 2: `-2` is no item number");
        assert_eq!(parse("1\n\n2\n").unwrap_err(), "t.dat, line 2: an empty line; a transaction has at least one item");
        assert!(parse("a\n\u{1}b\n").unwrap_err().contains("control characters"));
        assert!(parse("").unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(rows in prop::collection::vec(prop::collection::btree_set(0u64..2_000_000, 1..6), 0..20)) {
            let labels: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u64::to_string).collect()).collect();
            let t = Transactions::from_labels(&labels);
            prop_assert_eq!(parse(&write(&t)).unwrap(), t);
        }
    }
}
