//! Orders of the rows, each made once.

use crate::data::{Microdata, RowOrder};
use std::cell::OnceCell;

/// The rows sorted by each quasi-identifier that somebody asked for.
pub(super) struct Orders<'a> {
    pub microdata: &'a Microdata,
    by: Vec<OnceCell<RowOrder>>,
}

impl<'a> Orders<'a> {
    pub fn new(microdata: &'a Microdata) -> Self {
        Self { microdata, by: vec![OnceCell::new(); microdata.quasi_identifiers.len()] }
    }

    /// The order by that of `attributes` with the most values: a query admits a part of them, and looks at their rows alone.
    pub fn of(&self, attributes: &[usize]) -> &RowOrder {
        let values = |attribute: usize| {
            let column = self.microdata.quasi_identifiers[attribute];
            self.microdata.table.columns[column].cardinality()
        };
        let by = attributes.iter().copied().max_by_key(|&attribute| values(attribute)).unwrap_or(0);
        self.by[by].get_or_init(|| RowOrder::new(self.microdata, by))
    }
}
