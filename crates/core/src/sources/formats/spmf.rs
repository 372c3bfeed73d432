//! SPMF: one sequence a line, itemsets end with -1 and the line with -2 (`1 -1 2 3 -1 -2`). A sequence becomes the set
//! of its items. Lines that begin with `#`, `%` or `@` are comments.

use super::baskets::BasketsBuilder;
use super::text::{SourceText, words};
use crate::data::Transactions;
use crate::sources::DataError;

/// Reads the files one after the other.
pub fn read(sources: &[SourceText]) -> Result<Transactions, DataError> {
    let mut baskets = BasketsBuilder::new();
    for source in sources {
        for (line, text) in source.lines().filter(|(_, text)| !text.starts_with(['#', '%', '@'])) {
            let mut tokens = words(text);
            let mut itemset = 0;
            loop {
                match tokens.next() {
                    Some("-1") if itemset == 0 => return Err(source.error(line, "an itemset without items")),
                    Some("-1") => itemset = 0,
                    Some("-2") if itemset > 0 => {
                        return Err(source.error(line, "the last itemset does not end with -1"));
                    }
                    Some("-2") => break,
                    Some(item) => {
                        baskets.push(source, line, item)?;
                        itemset += 1;
                    }
                    None => return Err(source.error(line, "the line does not end with -2")),
                }
            }
            if let Some(token) = tokens.next() {
                return Err(source.error(line, format!("`{token}` after the -2 that ends the line")));
            }
            if baskets.open_items() == 0 {
                return Err(source.error(line, "a transaction has at least one item"));
            }
            baskets.end_row();
        }
    }
    Ok(baskets.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Transactions, String> {
        read(&[SourceText::new("t.txt", text.into()).unwrap()]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_sequence_becomes_the_set_of_its_items() {
        let t = parse("@ITEM=1=apple\n10 -1 9 -1 -2\r\n9 2 -1 9 -1 -2\n").unwrap();
        assert_eq!(t.labels, ["2", "9", "10"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[1, 2][..], &[0, 1]]);
    }

    #[test]
    fn bad_rows_are_named_by_line() {
        for (text, message) in [
            ("1 -1 -2\n2 -1\n", "t.txt, line 2: the line does not end with -2"),
            ("1 -2\n", "t.txt, line 1: the last itemset does not end with -1"),
            ("1 -1 -1 -2\n", "t.txt, line 1: an itemset without items"),
            ("1 -1 -2 3\n", "t.txt, line 1: `3` after the -2 that ends the line"),
            ("1 -1 -2\n-2\n", "t.txt, line 2: a transaction has at least one item"),
            ("1 -1 -2\n\n1 -1 -2\n", "t.txt, line 2: the line does not end with -2"),
            ("1 -1 x -1 -2\n", "t.txt, line 1: `x` is no item number"),
        ] {
            assert_eq!(parse(text).unwrap_err(), message, "{text:?}");
        }
    }
}
