//! Two columns: one line an item, `tid item`, apart by blanks or a comma. A tid names its transaction: its lines may
//! stand anywhere and the tids may have gaps. Transactions come in the order in which their tids come first.

use super::baskets::BasketsBuilder;
use super::text::SourceText;
use crate::data::{Item, Transactions};
use crate::sources::DataError;
use rustc_hash::FxHashMap;

/// Reads the files one after the other; a tid of one file is not the same tid of another.
pub fn read(sources: &[SourceText]) -> Result<Transactions, DataError> {
    let mut baskets = BasketsBuilder::new();
    for source in sources {
        for row in rows(source, &mut baskets)? {
            baskets.push_row(row);
        }
    }
    Ok(baskets.finish())
}

fn rows<'a>(source: &'a SourceText, baskets: &mut BasketsBuilder<'a>) -> Result<Vec<Vec<Item>>, DataError> {
    let mut rows: Vec<Vec<Item>> = Vec::new();
    let mut row_of: FxHashMap<&str, usize> = FxHashMap::default();
    let mut last: Option<(&str, usize)> = None;
    for (line, text) in source.lines() {
        let mut fields = text.split([' ', '\t', ',']).filter(|field| !field.is_empty());
        let (Some(tid), Some(item), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(source.error(line, format!("`{text}` is no transaction id and an item")));
        };
        // Most files are sorted by tid: look a tid up only when it changes.
        let row = match last {
            Some((same, row)) if same == tid => row,
            _ => *row_of.entry(tid).or_insert_with(|| {
                rows.push(Vec::new());
                rows.len() - 1
            }),
        };
        last = Some((tid, row));
        rows[row].push(baskets.code(source, line, item)?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Transactions, String> {
        read(&[SourceText::new("t.dat", text.into()).unwrap()]).map_err(|error| error.to_string())
    }

    #[test]
    fn a_tid_names_its_transaction_wherever_its_lines_stand() {
        let t = parse("5\t10\r\n5 9\n7, 9\n5 10\n2 200\n").unwrap();
        assert_eq!(t.labels, ["9", "10", "200"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[0, 1][..], &[0], &[2]]);
    }

    #[test]
    fn bad_rows_are_named_by_line() {
        assert_eq!(parse("1 2\n3\n").unwrap_err(), "t.dat, line 2: `3` is no transaction id and an item");
        assert_eq!(parse("1 2\n3 4 5\n").unwrap_err(), "t.dat, line 2: `3 4 5` is no transaction id and an item");
        assert_eq!(parse("1 2\n\n1 3\n").unwrap_err(), "t.dat, line 2: `` is no transaction id and an item");
        assert_eq!(parse("1 2\n3 x\n").unwrap_err(), "t.dat, line 2: `x` is no item number");
    }
}
