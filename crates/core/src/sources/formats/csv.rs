//! CSV, strictly: a quote that is not closed, text after a closing quote and rows of another length are errors. (Readers
//! that forgive them can swallow the rest of a file into one field.)

use super::TableLayout;
use super::rows::{RawTable, TableBuilder};
use super::text::SourceText;
use crate::sources::DataError;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Reads the files as one table. Without `columns`, the first line of each has their names.
pub fn read<'a>(sources: &'a [SourceText], layout: TableLayout<'a>) -> Result<RawTable, DataError> {
    let mut table: Option<TableBuilder> = None;
    for source in sources {
        let mut records = CsvRecords::new(source, layout.delimiter);
        let names = match layout.columns {
            [] => header(source, &mut records)?,
            names => names.to_vec(),
        };
        let table = table.get_or_insert_with(|| TableBuilder::new(names.clone(), layout));
        if table.names() != names {
            let expected = table.names().join(", ");
            return Err(source.error(1, format!("the columns are not those of the first file ({expected})")));
        }
        while let Some(line) = records.advance()? {
            table.push(source, line, records.fields.drain(..))?;
        }
    }
    Ok(table.unwrap_or_else(|| TableBuilder::new(Vec::new(), layout)).finish())
}

/// Every record with the line it begins on; records may differ in length.
pub fn read_records(source: &SourceText, delimiter: u8) -> Result<Vec<(usize, Vec<String>)>, DataError> {
    let mut records = CsvRecords::new(source, delimiter);
    let mut all = Vec::new();
    while let Some(line) = records.advance()? {
        all.push((line, records.fields.drain(..).map(|field| field.trim().to_string()).collect()));
    }
    Ok(all)
}

/// Hands each record to `take`, with the line it begins on; records may differ in length.
pub fn for_each_record(
    source: &SourceText,
    delimiter: u8,
    mut take: impl FnMut(usize, &[Cow<'_, str>]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut records = CsvRecords::new(source, delimiter);
    while let Some(line) = records.advance()? {
        take(line, &records.fields)?;
    }
    Ok(())
}

/// The names in the first line.
pub fn read_header(source: &SourceText, delimiter: u8) -> Result<Vec<String>, DataError> {
    header(source, &mut CsvRecords::new(source, delimiter))
}

fn header(source: &SourceText, records: &mut CsvRecords) -> Result<Vec<String>, DataError> {
    let Some(line) = records.advance()? else {
        return Err(source.error(1, "no header line: the file is empty"));
    };
    let names: Vec<String> = records.fields.drain(..).map(|name| name.trim().to_string()).collect();
    let mut seen = FxHashSet::default();
    for (i, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(source.error(line, format!("column {} has no name", i + 1)));
        }
        if !seen.insert(name) {
            return Err(source.error(line, format!("two columns are called `{name}`")));
        }
    }
    Ok(names)
}

struct CsvRecords<'a> {
    source: &'a SourceText,
    text: &'a str,
    at: usize,
    line: usize,
    delimiter: u8,
    fields: Vec<Cow<'a, str>>,
}

impl<'a> CsvRecords<'a> {
    fn new(source: &'a SourceText, delimiter: u8) -> Self {
        // Empty lines at the end are no records.
        let text = source.body().trim_end_matches(['\n', '\r']);
        Self { source, text, at: 0, line: 1, delimiter, fields: Vec::new() }
    }

    /// Goes to the next record, whose fields are then in `fields`; gives the line it begins on.
    fn advance(&mut self) -> Result<Option<usize>, DataError> {
        let first_line = self.line;
        self.fields.clear();
        if self.at >= self.text.len() {
            return Ok(None);
        }
        if matches!(self.byte(), Some(b'\n' | b'\r')) {
            return Err(self.source.error(first_line, "an empty line"));
        }
        loop {
            let field = if self.byte() == Some(b'"') { self.quoted()? } else { self.plain()? };
            self.fields.push(field);
            match self.byte() {
                Some(byte) if byte == self.delimiter => self.at += 1,
                _ => break,
            }
        }
        if self.text[self.at..].starts_with('\r') {
            self.at += 1;
        }
        self.at += 1;
        self.line += 1;
        Ok(Some(first_line))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// A field without quotes, up to the next delimiter or line end.
    fn plain(&mut self) -> Result<Cow<'a, str>, DataError> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|&byte| byte == self.delimiter || byte == b'\n').unwrap_or(rest.len());
        let mut field = &self.text[self.at..self.at + length];
        if rest.get(length) != Some(&self.delimiter) {
            field = field.strip_suffix('\r').unwrap_or(field);
        }
        if field.contains('"') {
            let message = format!("a quote inside the field `{field}`; write the field in quotes and the quote twice");
            return Err(self.source.error(self.line, message));
        }
        self.at += field.len();
        Ok(Cow::Borrowed(field))
    }

    /// A field in quotes, in which a quote is written twice and lines may end.
    fn quoted(&mut self) -> Result<Cow<'a, str>, DataError> {
        let first_line = self.line;
        let mut pieces: Cow<'a, str> = Cow::Borrowed("");
        loop {
            let start = self.at + 1;
            let Some(length) = self.text[start..].find('"') else {
                return Err(self.source.error(first_line, "a quote that is never closed"));
            };
            let piece = &self.text[start..start + length];
            self.line += piece.bytes().filter(|&byte| byte == b'\n').count();
            pieces += piece;
            self.at = start + length + 1;
            if self.byte() != Some(b'"') {
                break;
            }
            pieces += "\"";
        }
        let after = &self.text[self.at..];
        let ends = after.is_empty()
            || after.as_bytes()[0] == self.delimiter
            || after.starts_with('\n')
            || after.starts_with("\r\n");
        if !ends {
            return Err(self.source.error(self.line, format!("text after the closing quote of `{pieces}`")));
        }
        Ok(pieces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Table, String> {
        let source = SourceText::new("t.csv", text.into()).unwrap();
        let layout = TableLayout { columns: &[], delimiter: b',', missing: &[], wanted: &|_| true };
        read(&[source], layout).map(|raw| raw.table).map_err(|error| error.to_string())
    }

    fn texts(table: &Table) -> Vec<Vec<&str>> {
        (0..table.rows()).map(|row| table.columns.iter().map(|column| column.text(row)).collect()).collect()
    }

    #[test]
    fn quotes_line_ends_and_unicode() {
        let table = parse("\u{feff}name,\"a,b\"\r\nÅse,\"said \"\"no\"\"\r\ntwice\"\r\n,?\r\n\r\n").unwrap();
        assert_eq!(table.columns[1].name, "a,b");
        assert_eq!(texts(&table), [["Åse", "said \"no\"\r\ntwice"], ["", "?"]]);
    }

    #[test]
    fn bad_rows_are_named_by_line() {
        for (text, message) in [
            ("", "t.csv, line 1: no header line: the file is empty"),
            ("a,b\n1,2\n3\n", "t.csv, line 3: 1 field for 2 columns (a, b)"),
            ("a,b\n\"x\ny\",2\n1,2,3\n", "t.csv, line 4: 3 fields for 2 columns (a, b)"),
            ("a,b\n1,\"2\n3,4\n", "t.csv, line 2: a quote that is never closed"),
            ("a,b\n1,\"2\"x\n", "t.csv, line 2: text after the closing quote of `2`"),
            (
                "a,b\n1, \"2\"\n",
                "t.csv, line 2: a quote inside the field ` \"2\"`; write the field in quotes and the quote twice",
            ),
            ("a,b\n1,2\n\n3,4\n", "t.csv, line 3: an empty line"),
            ("a,a\n", "t.csv, line 1: two columns are called `a`"),
            ("a,,c\n", "t.csv, line 1: column 2 has no name"),
        ] {
            assert_eq!(parse(text).unwrap_err(), message, "{text:?}");
        }
    }

    #[test]
    fn columns_can_be_named_from_outside_and_delimiters_differ() {
        let source = SourceText::new("t", "1;2\n3;4".into()).unwrap();
        let columns = ["a".to_string(), "b".to_string()];
        let layout = TableLayout { columns: &columns, delimiter: b';', missing: &[], wanted: &|_| true };
        let table = read(&[source], layout).unwrap().table;
        assert_eq!(texts(&table), [["1", "2"], ["3", "4"]]);
    }

    proptest! {
        /// What is written with every field in quotes is read back.
        #[test]
        fn quoted_text_round_trips(rows in prop::collection::vec(prop::collection::vec("[a\",\r\né ]{0,4}", 3), 0..8)) {
            let mut text = "x,y,z\n".to_string();
            for row in &rows {
                let fields: Vec<String> = row.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
                text += &(fields.join(",") + "\n");
            }
            let table = parse(&text).unwrap();
            prop_assert_eq!(texts(&table), rows);
        }

        #[test]
        fn any_text_is_a_table_or_an_error(text in "[a\",\r\né]{0,30}") {
            let _ = parse(&text);
        }
    }
}
