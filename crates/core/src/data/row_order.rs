//! Rows sorted by one quasi-identifier, for whoever asks many questions about it: the rows of a value are one after another.

use super::Microdata;
use std::ops::Range;

/// The rows of a table by their value of one quasi-identifier, ascending within a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowOrder {
    /// Position among the quasi-identifiers.
    pub by: usize,
    /// Place in this order to row.
    pub rows: Vec<u32>,
    /// Where the rows of each value start in `rows`, and one entry more for the end of the last.
    starts: Vec<usize>,
}

impl RowOrder {
    /// Rows sorted by the codes of the quasi-identifier at position `by`.
    pub fn new(microdata: &Microdata, by: usize) -> Self {
        let values = microdata.table.columns[microdata.quasi_identifiers[by]].cardinality();
        let codes = microdata.quasi_codes(by);
        let mut starts = vec![0; values + 1];
        for &code in codes {
            starts[code as usize + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; codes.len()];
        for (row, &code) in codes.iter().enumerate() {
            rows[next[code as usize]] = row as u32;
            next[code as usize] += 1;
        }
        Self { by, rows, starts }
    }

    /// The places of the rows with `value`.
    pub fn places(&self, value: u32) -> Range<usize> {
        self.starts[value as usize]..self.starts[value as usize + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    #[test]
    fn rows_of_a_value_stand_together_in_their_order() {
        let rows: [&[&str]; 4] = [&["b", "1"], &["a", "2"], &["b", "1"], &["a", "2"]];
        let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
        let order = RowOrder::new(dataset.microdata().unwrap(), 0);
        assert_eq!(order.rows, [1, 3, 0, 2]);
        assert_eq!((order.places(0), order.places(1)), (0..2, 2..4));
    }
}
