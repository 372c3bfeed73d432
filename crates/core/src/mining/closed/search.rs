//! The search for closed itemsets among the rows of one item, on vertical bitmaps.

use crate::data::Item;
use crate::mining::kernels::Kernels;
use crate::mining::masks::bits;

/// The search among the rows of one item.
pub(super) struct Search<'a, 'r, V> {
    pub(super) kernels: Kernels,
    pub(super) min_support: u32,
    visit: &'a mut V,
    /// Row to the codes in it that are rarer than the item, ascending; none where those have bitmaps.
    pub(super) rarer: Vec<&'r [u32]>,
    /// Candidates from the rarest up.
    pub(super) items: Vec<Item>,
    /// The rows of each candidate, then those of rarer codes.
    bitmaps: Vec<u64>,
    /// Words of a bitmap.
    words: usize,
    /// The itemset that is being extended, in no order.
    pub(super) base: Vec<Item>,
    sorted: Vec<Item>,
    /// The rows of each itemset on the way down, one bitmap behind the other.
    selected: Vec<u64>,
    /// The candidates of each itemset on the way down, with their counts.
    open: Vec<(u32, u32)>,
    /// Places in `bitmaps` of what comes before the candidate that is being tried: itemsets with one of those in all
    /// rows come up there.
    pub(super) passed: Vec<u32>,
    common: Vec<u32>,
}

impl<'a, 'r, V: FnMut(&[Item], u32)> Search<'a, 'r, V> {
    pub(super) fn new(min_support: u32, visit: &'a mut V) -> Self {
        Self {
            kernels: Kernels::detect(),
            min_support,
            visit,
            rarer: Vec::new(),
            items: Vec::new(),
            bitmaps: Vec::new(),
            words: 0,
            base: Vec::new(),
            sorted: Vec::new(),
            selected: Vec::new(),
            open: Vec::new(),
            passed: Vec::new(),
            common: Vec::new(),
        }
    }

    /// Empty bitmaps for so many places and rows.
    pub(super) fn clear_bitmaps(&mut self, places: usize, rows: u32) {
        self.words = rows.div_ceil(64) as usize;
        self.bitmaps.clear();
        self.bitmaps.resize(places * self.words, 0);
    }

    pub(super) fn bitmap_mut(&mut self, place: usize) -> &mut [u64] {
        &mut self.bitmaps[place * self.words..][..self.words]
    }

    /// Visits the base, which has all rows, and what grows from it by the candidates, of which the counts are given.
    pub(super) fn run(&mut self, support: u32, counts: impl Iterator<Item = u32>) {
        self.selected.clear();
        self.selected.resize(self.words, u64::MAX);
        if let Some(last) = self.selected.last_mut() {
            *last >>= (self.words * 64) as u32 - support;
        }
        self.open.clear();
        self.open.extend((0..).zip(counts));
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
        if self.rarer.is_empty() {
            return false;
        }
        let rows = (0u32..).zip(selected).flat_map(|(word, &rows)| bits(rows).map(move |bit| word * 64 + bit as u32));
        has_common(rows.map(|row| self.rarer[row as usize]), &mut self.common)
    }
}

/// Whether all the sets, which ascend, have an element in common. There is at least one set.
pub(super) fn has_common<'s>(mut sets: impl Iterator<Item = &'s [u32]>, common: &mut Vec<u32>) -> bool {
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
