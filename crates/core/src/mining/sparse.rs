//! The search where rows are short lists out of many items: occurrence deliver and projection, as in LCM.
//!
//! One pass over the rows of an item counts the candidates to go with it. Where at most 64 are left the search goes on
//! with masks (`dense`), else with the rows reduced to the candidates.
//!
//! Cost of a database: for each row of n frequent items, n(n−1)/2 steps.

use super::database::Database;
use super::dense::MaskSearch;
use super::masks::MASK_BITS;
use super::sink::Sink;

/// What stays the same through a search, and memory that every depth uses in turn.
pub(super) struct SparseSearch<'a, S> {
    pub(super) masks: MaskSearch<'a, S>,
    /// Code to its count among the rows of the item whose turn it is; zero between turns.
    counts: Vec<u32>,
    /// Code to its bit, in the child made of masks; else to its code in the child, plus one. Zero between turns.
    new_codes: Vec<u64>,
    /// Codes that are frequent among those rows, with their counts.
    candidates: Vec<(u32, u32)>,
}

impl<'a, S: Sink> SparseSearch<'a, S> {
    pub(super) fn new(masks: MaskSearch<'a, S>, codes: usize) -> Self {
        Self { masks, counts: vec![0; codes], new_codes: vec![0; codes], candidates: Vec::new() }
    }

    /// Reports the itemsets of the base and of items of the database, all of which are frequent with it: at most
    /// `more` items, not the base alone, and none of the codes below `done` alone.
    pub(super) fn extend(&mut self, databases: &mut Vec<Database>, depth: usize, done: usize, more: usize) {
        if databases.len() < depth + 2 {
            databases.resize_with(depth + 2, Database::default);
        }
        let mut database = std::mem::take(&mut databases[depth]);
        for code in 0..database.codes() {
            if code >= done {
                self.turn(databases, depth, &database, code, more);
            }
            database.write(code);
        }
        databases[depth] = database;
    }

    /// Reports the itemsets of the base, `code`, and codes below it.
    fn turn(&mut self, databases: &mut Vec<Database>, depth: usize, database: &Database, code: usize, more: usize) {
        let (item, support) = (database.items[code], database.row_count(code));
        if more == 1 {
            self.masks.sink.one_more(item, support);
            return;
        }
        let rows = || database.rows_of(code);
        database.frequent_beside(code, self.masks.min_support, &mut self.counts, &mut self.candidates);
        if self.candidates.is_empty() {
            self.masks.sink.one_more(item, support);
            return;
        }
        self.masks.sink.enter(item);
        let free = self.candidates.iter().filter(|(count, _)| *count == support);
        self.masks.sink.free(free.map(|&(_, other)| database.items[other as usize]));
        self.candidates.retain(|&(count, _)| count != support);
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
                self.masks.run(support, more - 1);
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
        let child = self.masks.root();
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
        child.merge_if_dense();
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
