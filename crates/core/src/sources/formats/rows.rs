//! A table from rows of fields, whatever wrote them.

use super::TableLayout;
use super::text::SourceText;
use crate::data::{ColumnBuilder, MISSING};
use crate::data::{Table, is_missing};
use crate::lab::counted;
use crate::sources::DataError;
use crate::sources::definition::Label;
use std::borrow::Cow;

/// A table as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RawTable {
    /// The wanted columns.
    pub table: Table,
    /// Whether each row has a value in every column, wanted or not.
    pub complete: Vec<bool>,
    /// Where the rows stand.
    pub places: Places,
}

/// The line of each row, and which rows are from which file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// A file's name and the first row that is from it.
    files: Vec<(String, usize)>,
    lines: Vec<u32>,
}

impl Places {
    fn push(&mut self, source: &SourceText, line: usize) {
        if self.files.last().is_none_or(|(name, _)| *name != source.name) {
            self.files.push((source.name.clone(), self.lines.len()));
        }
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
    }

    /// "people.csv, line 17: …"
    pub fn error(&self, row: usize, message: impl Into<String>) -> DataError {
        let file = self.files.iter().rev().find(|(_, first)| *first <= row).map(|(name, _)| name.clone());
        let line = self.lines.get(row).map_or(0, |&line| line as usize);
        DataError::Row { file: file.unwrap_or_default(), line, message: message.into() }
    }
}

/// Which columns to keep: encoding all of Adult takes twice the time that its usual columns take.
pub type Wanted<'a> = &'a dyn Fn(&str) -> bool;

/// Columns under construction. Every row must have as many fields as there are columns.
pub struct TableBuilder<'a> {
    names: Vec<String>,
    /// None for columns that nobody wants.
    columns: Vec<Option<ColumnBuilder<'a>>>,
    complete: Vec<bool>,
    places: Places,
    /// Words that stand for a missing value, besides `?` and nothing.
    missing: &'a [Label],
}

impl<'a> TableBuilder<'a> {
    pub fn new(names: Vec<String>, layout: TableLayout<'a>) -> Self {
        let columns = names.iter().map(|name| (layout.wanted)(name).then(ColumnBuilder::default)).collect();
        Self { names, columns, complete: Vec::new(), places: Places::default(), missing: layout.missing }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Appends the row that begins on `line`.
    pub fn push(
        &mut self,
        source: &SourceText,
        line: usize,
        fields: impl Iterator<Item = Cow<'a, str>>,
    ) -> Result<(), DataError> {
        let (mut found, mut complete) = (0, true);
        for mut field in fields {
            if self.missing.iter().any(|word| word.0 == field) {
                field = Cow::Borrowed(MISSING);
            }
            complete &= !is_missing(&field);
            if let Some(Some(column)) = self.columns.get_mut(found) {
                column.push(field);
            }
            found += 1;
        }
        if found != self.columns.len() {
            let (fields, columns) = (counted(found, "field"), counted(self.columns.len(), "column"));
            return Err(source.error(line, format!("{fields} for {columns} ({})", self.names.join(", "))));
        }
        self.complete.push(complete);
        self.places.push(source, line);
        Ok(())
    }

    /// # Panics
    /// When `push` gave an error before: rows of unequal length are no table.
    pub fn finish(self) -> RawTable {
        let columns = self.columns.into_iter().zip(self.names);
        let columns = columns.filter_map(|(column, name)| Some(column?.finish(name))).collect();
        RawTable { table: Table::new(columns), complete: self.complete, places: self.places }
    }
}
