//! Tables as the UCI repository has them, in the format of C4.5: no header, fields apart by a comma and blanks, lines
//! that begin with `|` are comments (adult.test has one), and rows may end with a period, which is dropped where every
//! row has it (as in adult.test, but not in adult.data).

use super::TableLayout;
use super::rows::{RawTable, TableBuilder};
use super::text::{SourceText, fields};
use crate::sources::DataError;
use std::borrow::Cow;

/// Reads the files as one table.
pub fn read<'a>(sources: &'a [SourceText], layout: TableLayout<'a>) -> Result<RawTable, DataError> {
    let mut parts = Vec::with_capacity(sources.len());
    for source in sources {
        parts.push(Rows::of(source)?);
    }
    let mut table = TableBuilder::new(layout.columns.to_vec(), layout);
    for (source, rows) in sources.iter().zip(parts) {
        for (line, row) in rows.rows {
            let row = if rows.end_with_period { &row[..row.len() - 1] } else { row };
            table.push(source, line, fields(row, b',').map(Cow::Borrowed))?;
        }
    }
    Ok(table.finish())
}

struct Rows<'a> {
    rows: Vec<(usize, &'a str)>,
    end_with_period: bool,
}

impl<'a> Rows<'a> {
    fn of(source: &'a SourceText) -> Result<Self, DataError> {
        let mut rows = Vec::new();
        for (line, text) in source.lines() {
            let text = text.trim_end_matches([' ', '\t']);
            if text.starts_with('|') {
                continue;
            }
            if text.is_empty() {
                return Err(source.error(line, "an empty line"));
            }
            rows.push((line, text));
        }
        let end_with_period = rows.iter().all(|(_, row)| row.ends_with('.'));
        Ok(Self { rows, end_with_period })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<crate::data::Table, String> {
        let sources: Vec<SourceText> =
            texts.iter().map(|text| SourceText::new("adult.test", text.as_bytes().to_vec()).unwrap()).collect();
        let columns = ["age".to_string(), "salary".to_string()];
        let raw = read(&sources, TableLayout { columns: &columns, delimiter: b',', missing: &[], wanted: &|_| true });
        raw.map(|raw| raw.table).map_err(|error| error.to_string())
    }

    #[test]
    fn both_parts_of_adult_become_one_table() {
        let table = parse(&["39, <=50K\n50, ?\n\n", "|1x3 Cross validator\r\n25, <=50K.\r\n?, >50K.\r\n\r\n"]).unwrap();
        assert_eq!(table.columns[0].values, ["25", "39", "50", "?"]);
        assert_eq!(table.columns[1].values, ["<=50K", ">50K", "?"]);
        assert_eq!(table.columns[1].codes, [0, 2, 0, 1]);
    }

    #[test]
    fn periods_that_not_every_row_has_belong_to_the_values() {
        assert_eq!(parse(&["1, U.S.\n2, UK\n"]).unwrap().columns[1].values, ["U.S.", "UK"]);
    }

    #[test]
    fn bad_rows_are_named_by_line() {
        assert_eq!(parse(&["|c\n1, a\n2\n"]).unwrap_err(), "adult.test, line 3: 1 field for 2 columns (age, salary)");
        assert_eq!(parse(&["1, a\n\n2, b\n"]).unwrap_err(), "adult.test, line 2: an empty line");
    }
}
