//! A table from rows of fields, whatever wrote them.

use super::text::SourceText;
use crate::data::table::ColumnBuilder;
use crate::data::{DataError, Table, is_missing};
use std::borrow::Cow;

/// A table as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RawTable {
    /// The wanted columns.
    pub table: Table,
    /// Whether each row has a value in every column, wanted or not.
    pub complete: Vec<bool>,
}

/// Which columns to keep: encoding all of Adult takes twice the time that its usual columns take.
pub type Wanted<'a> = &'a dyn Fn(&str) -> bool;

/// Columns under construction. Every row must have as many fields as there are columns.
pub struct TableBuilder<'a> {
    names: Vec<String>,
    /// None for columns that nobody wants.
    columns: Vec<Option<ColumnBuilder<'a>>>,
    complete: Vec<bool>,
}

impl<'a> TableBuilder<'a> {
    pub fn new(names: Vec<String>, wanted: Wanted) -> Self {
        let columns = names.iter().map(|name| wanted(name).then(ColumnBuilder::default)).collect();
        Self { names, columns, complete: Vec::new() }
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
        for field in fields {
            complete &= !is_missing(&field);
            if let Some(Some(column)) = self.columns.get_mut(found) {
                column.push(field);
            }
            found += 1;
        }
        if found != self.columns.len() {
            let (fields, columns) = (count(found, "field"), count(self.columns.len(), "column"));
            return Err(source.error(line, format!("{fields} for {columns} ({})", self.names.join(", "))));
        }
        self.complete.push(complete);
        Ok(())
    }

    /// # Panics
    /// When `push` gave an error before: rows of unequal length are no table.
    pub fn finish(self) -> RawTable {
        let columns = self.columns.into_iter().zip(self.names);
        let columns = columns.filter_map(|(column, name)| Some(column?.finish(name))).collect();
        RawTable { table: Table::new(columns), complete: self.complete }
    }
}

fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
