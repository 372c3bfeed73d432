//! The search where rows are short lists out of many items: occurrence deliver and projection, as in LCM.
//!
//! Items are coded by descending frequency. They are taken in that order, and each is written into its rows after its
//! turn; so when an item's turn comes, its rows hold exactly the more frequent items beside it, in order, and no row is
//! ever sorted. One pass over those rows counts the candidates. Where at most 64 are left the search goes on with masks
//! (`dense`), else with the rows reduced to the candidates.
//!
//! Cost of a database: for each row of n frequent items, n(n−1)/2 steps.

use super::dense::{MASK_BITS, MaskRows, MaskSearch};
use super::kernels::prefetch;
use super::sink::Sink;
use crate::data::Item;

/// So many rows ahead of its turn a row is called into the cache.
const AHEAD: usize = 16;

/// Rows of codes, and the rows of each code; one is kept for each depth.
#[derive(Default)]
pub(super) struct Database {
    /// Code to item.
    items: Vec<Item>,
    /// Row after row: how many codes are written in it, then places for all of them.
    rows: Vec<u32>,
    /// The rows of code c begin at `rows[rows_of[i]]`, i from `first_row[c]` to below `first_row[c + 1]`.
    first_row: Vec<u32>,
    rows_of: Vec<u32>,
}

impl Database {
    /// Makes a database of rows of codes, each below the number of `items`; `supports` has how often each code occurs.
    /// The rows are known by their codes' lists alone until the search writes them.
    pub(super) fn fill<R: Iterator<Item = u32>>(
        &mut self,
        items: impl Iterator<Item = Item>,
        supports: impl Iterator<Item = u32>,
        rows: impl Iterator<Item = R>,
    ) {
        self.items.clear();
        self.items.extend(items);
        self.first_row.clear();
        self.first_row.push(0);
        let mut total = 0;
        // One place behind: filling moves each start to its code's end, which is the next code's start.
        self.first_row.extend(supports.map(|support| {
            total += support;
            total - support
        }));
        self.rows_of.clear();
        self.rows_of.resize(total as usize, 0);
        let mut row_start = 0;
        for row in rows {
            let mut row_end = row_start + 1;
            for code in row {
                let place = &mut self.first_row[code as usize + 1];
                self.rows_of[*place as usize] = row_start;
                *place += 1;
                row_end += 1;
            }
            row_start = row_end;
        }
        self.rows.clear();
        self.rows.resize(row_start as usize, 0);
    }

    fn support(&self, code: usize) -> u32 {
        self.first_row[code + 1] - self.first_row[code]
    }

    /// What is written in the rows of a code.
    fn rows_of(&self, code: usize) -> impl Iterator<Item = &[u32]> {
        let starts = &self.rows_of[self.first_row[code] as usize..self.first_row[code + 1] as usize];
        starts.iter().enumerate().map(move |(i, &start)| {
            // Rows lie scattered: their order is that of the data, not of the code.
            if let Some(&soon) = starts.get(i + AHEAD) {
                prefetch(&self.rows, soon as usize);
            }
            let (written, row) = self.rows[start as usize..].split_first().expect("a row begins with its length");
            &row[..*written as usize]
        })
    }

    /// Writes a code into its rows.
    fn write(&mut self, code: usize) {
        let starts = &self.rows_of[self.first_row[code] as usize..self.first_row[code + 1] as usize];
        for (i, &start) in starts.iter().enumerate() {
            if let Some(&soon) = starts.get(i + AHEAD) {
                prefetch(&self.rows, soon as usize);
            }
            let (written, row) = self.rows[start as usize..].split_first_mut().expect("a row begins with its length");
            row[*written as usize] = code as u32;
            *written += 1;
        }
    }
}

/// What stays the same through a search, and memory that every depth uses in turn.
pub(super) struct SparseSearch<'a, S> {
    pub(super) masks: MaskSearch<'a, S>,
    pub(super) levels: Vec<MaskRows>,
    /// Code to its count among the rows of the item whose turn it is; zero between turns.
    counts: Vec<u32>,
    /// Code to its bit, in the child made of masks; else to its code in the child, plus one. Zero between turns.
    new_codes: Vec<u64>,
    /// Codes that are frequent among those rows, with their counts.
    candidates: Vec<(u32, u32)>,
}

impl<'a, S: Sink> SparseSearch<'a, S> {
    pub(super) fn new(masks: MaskSearch<'a, S>, codes: usize) -> Self {
        Self {
            masks,
            levels: vec![MaskRows::default()],
            counts: vec![0; codes],
            new_codes: vec![0; codes],
            candidates: Vec::new(),
        }
    }

    /// Reports the itemsets of the base and of items of the database, all of which are frequent with it: at most
    /// `more` items, not the base alone, and none of the codes below `done` alone.
    pub(super) fn extend(&mut self, databases: &mut Vec<Database>, depth: usize, done: usize, more: usize) {
        if databases.len() < depth + 2 {
            databases.resize_with(depth + 2, Database::default);
        }
        let mut database = std::mem::take(&mut databases[depth]);
        for code in 0..database.items.len() {
            if code >= done {
                self.turn(databases, depth, &database, code, more);
            }
            database.write(code);
        }
        databases[depth] = database;
    }

    /// Reports the itemsets of the base, `code`, and codes below it.
    fn turn(&mut self, databases: &mut Vec<Database>, depth: usize, database: &Database, code: usize, more: usize) {
        let (item, support) = (database.items[code], database.support(code));
        if more == 1 {
            self.masks.sink.one_more(item, support);
            return;
        }
        let rows = || database.rows_of(code);
        self.candidates.clear();
        for row in rows() {
            for &other in row {
                let count = &mut self.counts[other as usize];
                *count += 1;
                if *count == self.masks.min_support {
                    self.candidates.push((0, other));
                }
            }
        }
        let groups = self.masks.groups;
        if let Some(groups) = groups {
            let group = |code: u32| groups[database.items[code as usize] as usize];
            self.candidates.retain(|&(_, other)| group(other) != group(code as u32));
        }
        for (count, other) in &mut self.candidates {
            *count = self.counts[*other as usize];
        }
        self.counts[..code].fill(0);
        if self.candidates.is_empty() {
            self.masks.sink.one_more(item, support);
            return;
        }
        self.masks.sink.enter(item);
        if groups.is_none() {
            let free = self.candidates.iter().filter(|(count, _)| *count == support);
            self.masks.sink.free(free.map(|&(_, other)| database.items[other as usize]));
            self.candidates.retain(|&(count, _)| count != support);
        }
        self.masks.sink.base(support);
        // From the rarest up; codes make the order definite.
        self.candidates.sort_unstable_by_key(|&(count, other)| (count, std::cmp::Reverse(other)));
        match self.candidates.len() {
            0 => {}
            width if width == 1 || more == 2 => {
                for &(count, other) in &self.candidates {
                    self.masks.sink.one_more(database.items[other as usize], count);
                }
            }
            width if width <= MASK_BITS => {
                self.child_of_masks(database, rows());
                self.masks.extend(&mut self.levels, 0, support, more - 1);
            }
            _ => {
                self.child_of_lists(&mut databases[depth + 1], database, rows());
                self.extend(databases, depth + 1, 0, more - 1);
            }
        }
        self.masks.sink.leave();
    }

    /// Makes the rows, reduced to the candidates, the first level of masks.
    fn child_of_masks<'r>(&mut self, database: &Database, rows: impl Iterator<Item = &'r [u32]>) {
        let child = &mut self.levels[0];
        child.clear();
        for (bit, &(count, code)) in self.candidates.iter().enumerate() {
            self.new_codes[code as usize] = 1 << bit;
            child.items.push(database.items[code as usize]);
            child.supports.push(count);
        }
        for row in rows {
            let mask = row.iter().fold(0, |mask, &code| mask | self.new_codes[code as usize]);
            // Rows of one candidate are in the supports already.
            if mask & mask.wrapping_sub(1) != 0 {
                child.push(mask);
            }
        }
        self.candidates.iter().for_each(|&(_, code)| self.new_codes[code as usize] = 0);
    }

    /// Makes the rows, reduced to the candidates, the database `child`.
    fn child_of_lists<'r>(&mut self, child: &mut Database, database: &Database, rows: impl Iterator<Item = &'r [u32]>) {
        for (place, &(_, code)) in (1..).zip(self.candidates.iter().rev()) {
            self.new_codes[code as usize] = place;
        }
        let new_codes = &self.new_codes;
        let new_code = |&code: &u32| (new_codes[code as usize] as u32).checked_sub(1);
        child.fill(
            self.candidates.iter().rev().map(|&(_, code)| database.items[code as usize]),
            self.candidates.iter().rev().map(|&(count, _)| count),
            rows.map(|row| row.iter().filter_map(new_code)),
        );
        self.candidates.iter().for_each(|&(_, code)| self.new_codes[code as usize] = 0);
    }
}
