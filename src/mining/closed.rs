//! Closed frequent itemsets, found without remembering any (LCM's prefix-preserving closure).
//!
//! An itemset is closed when no further item is in all its rows. Items are ordered from the rarest up. Extending a
//! closed itemset by an item and closing the result gives each closed itemset once, if those results are left out in
//! which the closure adds an item before the one extended by: they come up elsewhere.
//!
//! The rows of each item in turn become vertical bitmaps of the more frequent items beside it; rarer items are looked
//! for in the rows themselves, whose intersection is empty after a few rows as a rule.
//!
//! Cost of a node of r rows and k candidates: k·r/64 words.

use super::coding::Coding;
use super::database::Database;
use super::kernels::Kernels;
use super::masks::bits;
use crate::data::{Item, Transactions};

/// Visits every closed frequent itemset once: those of at least `min_support` rows that no further item's addition
/// leaves with the same support. The items of a visited slice ascend; the order of the visits is deterministic and
/// otherwise free.
pub fn mine_closed(transactions: &Transactions, min_support: u32, visit: &mut impl FnMut(&[Item], u32)) {
    let min_support = min_support.max(1);
    let coding = Coding::new(transactions, min_support);
    let codes = coding.items.len();
    let mut rows: Database<0> = Database::default();
    rows.fill(
        coding.items.iter().copied(),
        coding.supports.iter().copied(),
        transactions.rows().map(|row| ([], coding.encode(row))),
    );
    (0..codes).for_each(|code| rows.write(code));
    let mut counts = vec![0u32; codes];
    let mut search = Search::new(min_support, codes, visit);
    for code in (0..codes).rev() {
        let support = rows.row_count(code);
        search.rarer.clear();
        for (_, row) in rows.rows_of(code) {
            let place = row.partition_point(|&other| (other as usize) < code);
            row[..place].iter().for_each(|&other| counts[other as usize] += 1);
            search.rarer.push(&row[place + 1..]);
        }
        if !has_common(search.rarer.iter().copied(), &mut search.common) {
            let beside = (0..code).rev().filter(|&other| counts[other] >= min_support);
            let (in_all, candidates): (Vec<usize>, Vec<usize>) = beside.partition(|&other| counts[other] == support);
            search.fill_bitmaps(&candidates, rows.rows_of(code).map(|(_, row)| row));
            search.items.clear();
            search.items.extend(candidates.iter().map(|&other| coding.items[other]));
            search.base.clear();
            search.base.extend(in_all.iter().chain([&code]).map(|&other| coding.items[other]));
            search.run(support, (0..).zip(&candidates).map(|(place, &other)| (place, counts[other])));
        }
        counts[..code].fill(0);
    }
}

/// The search among the rows of one item.
struct Search<'a, 'r, V> {
    kernels: Kernels,
    min_support: u32,
    visit: &'a mut V,
    /// Row to the codes in it that are rarer than the item, ascending.
    rarer: Vec<&'r [u32]>,
    /// Candidates from the rarest up, and for each a bitmap of its rows.
    items: Vec<Item>,
    bitmaps: Vec<u64>,
    /// Words of a bitmap.
    words: usize,
    /// Code to its place among the candidates, plus one; zero between turns.
    places: Vec<u32>,
    /// The itemset that is being extended, in no order.
    base: Vec<Item>,
    sorted: Vec<Item>,
    /// The rows of each itemset on the way down, one bitmap behind the other.
    selected: Vec<u64>,
    /// The candidates of each itemset on the way down, with their counts.
    open: Vec<(u32, u32)>,
    /// Candidates before the one that is being tried: itemsets with one of them in all rows come up there.
    passed: Vec<u32>,
    common: Vec<u32>,
}

impl<'a, 'r, V: FnMut(&[Item], u32)> Search<'a, 'r, V> {
    fn new(min_support: u32, codes: usize, visit: &'a mut V) -> Self {
        Self {
            kernels: Kernels::detect(),
            min_support,
            visit,
            rarer: Vec::new(),
            items: Vec::new(),
            bitmaps: Vec::new(),
            words: 0,
            places: vec![0; codes],
            base: Vec::new(),
            sorted: Vec::new(),
            selected: Vec::new(),
            open: Vec::new(),
            passed: Vec::new(),
            common: Vec::new(),
        }
    }

    /// Makes bitmaps of the candidates.
    fn fill_bitmaps<'s>(&mut self, candidates: &[usize], rows: impl Iterator<Item = &'s [u32]>) {
        self.words = self.rarer.len().div_ceil(64);
        self.bitmaps.clear();
        self.bitmaps.resize(candidates.len() * self.words, 0);
        (1..).zip(candidates).for_each(|(place, &code)| self.places[code] = place);
        for (i, row) in rows.enumerate() {
            for place in row.iter().filter_map(|&code| self.places[code as usize].checked_sub(1)) {
                self.bitmaps[place as usize * self.words + i / 64] |= 1 << (i % 64);
            }
        }
        candidates.iter().for_each(|&code| self.places[code] = 0);
    }

    /// Visits the base, which has all rows, and what grows from it.
    fn run(&mut self, support: u32, candidates: impl Iterator<Item = (u32, u32)>) {
        self.selected.clear();
        self.selected.resize(self.words, u64::MAX);
        if let Some(last) = self.selected.last_mut() {
            *last >>= (self.words * 64) as u32 - support;
        }
        self.open.clear();
        self.open.extend(candidates);
        self.report(support);
        self.extend(0, 0);
    }

    fn report(&mut self, support: u32) {
        self.sorted.clone_from(&self.base);
        self.sorted.sort_unstable();
        (self.visit)(&self.sorted, support);
    }

    /// Visits what grows from the base, whose rows are selected from word `rows` on, by the candidates from
    /// `first_open` on.
    fn extend(&mut self, rows: usize, first_open: usize) {
        let end = self.open.len();
        let passed_before = self.passed.len();
        for i in first_open..end {
            let (place, support) = self.open[i];
            let child = self.selected.len();
            for word in 0..self.words {
                let both = self.selected[rows + word] & self.bitmap(place)[word];
                self.selected.push(both);
            }
            if !self.comes_up_elsewhere(child) {
                let base_before = self.base.len();
                self.base.push(self.items[place as usize]);
                for j in i + 1..end {
                    let other = self.open[j].0;
                    let count = self.kernels.count_common(&self.selected[child..], self.bitmap(other));
                    if count == support {
                        self.base.push(self.items[other as usize]);
                    } else if count >= self.min_support {
                        self.open.push((other, count));
                    }
                }
                self.report(support);
                self.extend(child, end);
                self.open.truncate(end);
                self.base.truncate(base_before);
            }
            self.selected.truncate(child);
            self.passed.push(place);
        }
        self.passed.truncate(passed_before);
    }

    fn bitmap(&self, place: u32) -> &[u64] {
        &self.bitmaps[place as usize * self.words..][..self.words]
    }

    /// Whether an item before the last one is in all of the rows selected from word `rows` on.
    fn comes_up_elsewhere(&mut self, rows: usize) -> bool {
        let selected = &self.selected[rows..];
        let in_all = |&place: &u32| selected.iter().zip(self.bitmap(place)).all(|(rows, of_item)| rows & !of_item == 0);
        if self.passed.iter().any(in_all) {
            return true;
        }
        let rows = (0u32..).zip(selected).flat_map(|(word, &rows)| bits(rows).map(move |bit| word * 64 + bit as u32));
        has_common(rows.map(|row| self.rarer[row as usize]), &mut self.common)
    }
}

/// Whether all the sets, which ascend, have an element in common. There is at least one set.
fn has_common<'s>(mut sets: impl Iterator<Item = &'s [u32]>, common: &mut Vec<u32>) -> bool {
    common.clear();
    common.extend_from_slice(sets.next().unwrap_or_default());
    while !common.is_empty() {
        match sets.next() {
            Some(set) => common.retain(|code| set.binary_search(code).is_ok()),
            None => return true,
        }
    }
    false
}
