//! Baskets: one transaction a line, items apart by commas, as arules writes them (`whole milk,rolls/buns`).

use super::baskets::BasketsBuilder;
use super::text::{SourceText, fields};
use crate::data::Transactions;
use crate::sources::DataError;

/// Reads the files one after the other.
pub fn read(sources: &[SourceText]) -> Result<Transactions, DataError> {
    let mut baskets = BasketsBuilder::new();
    for source in sources {
        for (line, text) in source.lines() {
            for item in fields(text, b',') {
                // Quotes around a name are not part of it.
                let item = item.strip_prefix('"').and_then(|item| item.strip_suffix('"')).unwrap_or(item);
                if item.is_empty() {
                    return Err(source.error(line, "an item without a name"));
                }
                baskets.push(source, line, item)?;
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
        read(&[SourceText::new("t.csv", text.into()).unwrap()]).map_err(|error| error.to_string())
    }

    #[test]
    fn names_may_have_blanks_and_quotes() {
        let t = parse("whole milk, rolls/buns\r\n\"whole milk\",soda,soda\n").unwrap();
        assert_eq!(t.labels, ["rolls/buns", "soda", "whole milk"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[0, 2][..], &[1, 2]]);
    }

    #[test]
    fn items_have_names() {
        assert_eq!(parse("a\na,,b\n").unwrap_err(), "t.csv, line 2: an item without a name");
        assert_eq!(parse("a\n\nb\n").unwrap_err(), "t.csv, line 2: an item without a name");
    }
}
