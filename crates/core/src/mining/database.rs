//! Rows of item codes that are written while they are searched.
//!
//! Codes go by descending frequency. An item is written into its rows after its turn in the search, the most frequent
//! first; so when an item's turn comes, its rows hold exactly the more frequent items beside it, in order, and no row is
//! ever sorted.

use super::kernels::prefetch;
use crate::data::Item;

/// So many rows ahead of its turn a row is called into the cache.
const AHEAD: usize = 16;

/// Rows of codes, and the rows of each code.
#[derive(Default)]
pub(super) struct Database {
    /// Code to item.
    pub(super) items: Vec<Item>,
    /// Row after row: how many codes are written in it, then places for all of them.
    rows: Vec<u32>,
    /// The rows of code c begin at `rows[rows_of[i]]`, i from `first_row[c]` to below `first_row[c + 1]`.
    first_row: Vec<u32>,
    rows_of: Vec<u32>,
}

impl Database {
    /// Makes a database of rows, each with its codes in any order, below the number of `items`;
    /// `row_counts` has the number of rows of each code. Nothing is written yet.
    pub(super) fn fill<R: Iterator<Item = u32>>(
        &mut self,
        items: impl Iterator<Item = Item>,
        row_counts: impl Iterator<Item = u32>,
        rows: impl Iterator<Item = R>,
    ) {
        self.items.clear();
        self.items.extend(items);
        self.first_row.clear();
        self.first_row.push(0);
        let mut total = 0;
        // One place behind: filling moves each start to its code's end, which is the next code's start.
        self.first_row.extend(row_counts.map(|count| {
            total += count;
            total - count
        }));
        self.rows_of.clear();
        self.rows_of.resize(total as usize, 0);
        self.rows.clear();
        for codes in rows {
            let start = self.rows.len();
            let mut end = start + 1;
            for code in codes {
                let place = &mut self.first_row[code as usize + 1];
                self.rows_of[*place as usize] = start as u32;
                *place += 1;
                end += 1;
            }
            self.rows.resize(end, 0);
        }
    }

    /// The number of codes.
    pub(super) fn codes(&self) -> usize {
        self.items.len()
    }

    /// How many rows a code has.
    pub(super) fn row_count(&self, code: usize) -> u32 {
        self.first_row[code + 1] - self.first_row[code]
    }

    /// The codes that are frequent in the rows of a code, as (support, code). `counts` are 0 before and after.
    #[inline]
    pub(super) fn frequent_beside(&self, code: usize, least: u32, counts: &mut [u32], found: &mut Vec<(u32, u32)>) {
        found.clear();
        for row in self.rows_of(code) {
            for &other in row {
                let count = &mut counts[other as usize];
                *count += 1;
                if *count == least {
                    found.push((0, other));
                }
            }
        }
        for (count, other) in found {
            *count = counts[*other as usize];
        }
        counts[..code].fill(0);
    }

    /// What is written in the rows of a code.
    pub(super) fn rows_of(&self, code: usize) -> impl Iterator<Item = &[u32]> {
        let starts = self.starts(code);
        starts.iter().enumerate().map(move |(i, &start)| {
            // Rows lie scattered: their order is that of the data, not of the code.
            if let Some(&soon) = starts.get(i + AHEAD) {
                prefetch(&self.rows, soon as usize);
            }
            let (&written, row) = self.rows[start as usize..].split_first().expect("a row has a length");
            &row[..written as usize]
        })
    }

    /// Writes a code into its rows.
    pub(super) fn write(&mut self, code: usize) {
        let starts = &self.rows_of[self.first_row[code] as usize..self.first_row[code + 1] as usize];
        for (i, &start) in starts.iter().enumerate() {
            if let Some(&soon) = starts.get(i + AHEAD) {
                prefetch(&self.rows, soon as usize);
            }
            let row = &mut self.rows[start as usize..];
            let (written, row) = row.split_first_mut().expect("a row has a length");
            row[*written as usize] = code as u32;
            *written += 1;
        }
    }

    /// Takes a code out of its rows again; it is the last that was written.
    pub(super) fn erase(&mut self, code: usize) {
        for &start in &self.rows_of[self.first_row[code] as usize..self.first_row[code + 1] as usize] {
            self.rows[start as usize] -= 1;
        }
    }

    fn starts(&self, code: usize) -> &[u32] {
        &self.rows_of[self.first_row[code] as usize..self.first_row[code + 1] as usize]
    }
}
