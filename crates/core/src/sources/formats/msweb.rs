//! UCI's Anonymous Microsoft Web Data: which areas of www.microsoft.com a visitor looked at in one week of February 1998.
//!
//! ```text
//! A,1287,1,"International AutoRoute","/autoroute"     an area: number, ignored, title, address
//! C,"10001",10001                                     a visitor
//! V,1000,1                                            the visitor was in that area
//! ```
//!
//! Other lines (`I`, `T`, `N`) describe the file. Areas go by their addresses; one that no line `A` names by its number.

use super::baskets::BasketsBuilder;
use super::text::{SourceText, fields};
use crate::data::Transactions;
use crate::sources::DataError;
use rustc_hash::FxHashMap;

/// Reads the files one after the other; each has its own lines `A`.
pub fn read(sources: &[SourceText]) -> Result<Transactions, DataError> {
    let mut baskets = BasketsBuilder::new();
    for source in sources {
        let areas = areas(source);
        let mut visitor = None;
        for (line, text) in source.lines() {
            match text.split(',').next().map(str::trim) {
                Some("C") => {
                    end(source, visitor, &mut baskets)?;
                    visitor = Some(line);
                }
                Some("V") if visitor.is_none() => {
                    return Err(source.error(line, "a visit before the first visitor (a line `C`)"));
                }
                Some("V") => {
                    let number = fields(text, b',').nth(1).filter(|number| !number.is_empty());
                    let number = number.ok_or_else(|| source.error(line, "a visit without the number of an area"))?;
                    baskets.push(source, line, areas.get(number).copied().unwrap_or(number))?;
                }
                Some("A" | "I" | "T" | "N") => {}
                _ => return Err(source.error(line, "a line begins with A, C, V, I, T or N and a comma")),
            }
        }
        end(source, visitor, &mut baskets)?;
    }
    Ok(baskets.finish())
}

/// Addresses by number.
fn areas(source: &SourceText) -> FxHashMap<&str, &str> {
    let lines = source.lines().filter(|(_, text)| text.starts_with("A,"));
    let named = lines.filter_map(|(_, text)| {
        let number = fields(text, b',').nth(1)?;
        // Titles may have commas; the address is what the last pair of quotes encloses.
        let address = text.trim_end().strip_suffix('"')?.rsplit('"').next()?;
        (!address.is_empty()).then_some((number, address))
    });
    named.collect()
}

/// Ends the row of the visitor on that line.
fn end<'a>(source: &'a SourceText, visitor: Option<usize>, baskets: &mut BasketsBuilder<'a>) -> Result<(), DataError> {
    if let Some(line) = visitor {
        if baskets.open_items() == 0 {
            return Err(source.error(line, "a visitor of no area; a transaction has at least one item"));
        }
        baskets.end_row();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Transactions, String> {
        read(&[SourceText::new("m.data", text.into()).unwrap()]).map_err(|error| error.to_string())
    }

    const HEAD: &str = "I,4,\"www.microsoft.com\"\nT,1,\"VRoot\",0,0,\"\",\"\"\n\
        A,1000,1,\"regwiz\",\"/regwiz\"\nA,1001,1,\"Support, Desktop\",\"/support\"\n";

    #[test]
    fn visitors_are_transactions_of_areas() {
        let t = parse(&format!("{HEAD}C,\"10001\",10001\nV,1000,1\nV,1001,1\nC,\"10002\",10002\nV,1001,1\n")).unwrap();
        assert_eq!(t.labels, ["/regwiz", "/support"]);
        assert_eq!(t.rows().collect::<Vec<_>>(), [&[0, 1][..], &[1]]);
    }

    #[test]
    fn slips_are_named_by_line() {
        assert_eq!(parse("V,1,1\n").unwrap_err(), "m.data, line 1: a visit before the first visitor (a line `C`)");
        assert!(parse("C,1,1\nC,2,2\nV,1,1\n").unwrap_err().starts_with("m.data, line 1: a visitor of no area"));
        assert!(parse("C,1,1\nV\n").unwrap_err().starts_with("m.data, line 2: a visit without"));
        assert!(parse("x,1\n").unwrap_err().starts_with("m.data, line 1: a line begins with"));
    }
}
