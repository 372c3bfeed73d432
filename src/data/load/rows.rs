//! A table from rows of fields, whatever wrote them.

use super::text::SourceText;
use crate::data::table::ColumnBuilder;
use crate::data::{DataError, Table};
use std::borrow::Cow;

/// Columns under construction. Every row must have as many fields as there are columns.
pub struct TableBuilder<'a> {
    names: Vec<String>,
    columns: Vec<ColumnBuilder<'a>>,
}

impl<'a> TableBuilder<'a> {
    pub fn new(names: Vec<String>) -> Self {
        let columns = names.iter().map(|_| ColumnBuilder::default()).collect();
        Self { names, columns }
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
        let mut found = 0;
        for field in fields {
            if let Some(column) = self.columns.get_mut(found) {
                column.push(field);
            }
            found += 1;
        }
        if found != self.columns.len() {
            let (fields, columns) = (count(found, "field"), count(self.columns.len(), "column"));
            return Err(source.error(line, format!("{fields} for {columns} ({})", self.names.join(", "))));
        }
        Ok(())
    }

    /// # Panics
    /// When `push` gave an error before: rows of unequal length are no table.
    pub fn finish(self) -> Table {
        Table::new(self.columns.into_iter().zip(self.names).map(|(column, name)| column.finish(name)).collect())
    }
}

fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
