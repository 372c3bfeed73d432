//! What the search does with what it finds: show every itemset to a visitor, or only count them.

use super::kernels::{Kernels, Lanes, MAX_TABLE_BITS, counter};
use crate::data::Item;
use num_bigint::BigUint;

/// Told of frequent itemsets as the search goes down and up. The search keeps a *base* that it extends; items that are
/// in all rows of the base are *free*: they stand in or out of any itemset below without a change of support.
pub(super) trait Sink {
    /// The base grows by `item` and has `support` now. The base itself is reported when its free items are known.
    fn enter(&mut self, item: Item);

    /// `items` are in all rows of the base, and are free from here on.
    fn free(&mut self, items: impl Iterator<Item = Item>);

    /// Itemsets: the base, with any of the free items.
    fn base(&mut self, support: u32);

    /// Itemsets: the base and `item`, with any of the free items.
    fn one_more(&mut self, item: Item, support: u32);

    /// Itemsets: the base and any of `items` that have together at least `min_support` (in `table`, where subset i has
    /// the items of i's bits), with any of the free items. Not the base alone.
    fn subsets<L: Lanes>(&mut self, items: &[Item], table: &[u64], min_support: u32);

    /// Takes back the last `enter` and what became free since.
    fn leave(&mut self);
}

/// Shows each itemset to a visitor, its items ascending.
pub(super) struct Visitor<'a, V> {
    visit: &'a mut V,
    max_len: usize,
    /// Sorted itemsets, each grown from one below it by an item; the last one is being reported or extended.
    frames: Vec<Item>,
    /// The length of the base.
    base: usize,
    free: Vec<Item>,
    /// How many items were free before each `enter`.
    free_before: Vec<usize>,
}

impl<'a, V: FnMut(&[Item], u32)> Visitor<'a, V> {
    pub(super) fn new(max_len: usize, visit: &'a mut V) -> Self {
        Self { visit, max_len, frames: Vec::new(), base: 0, free: Vec::new(), free_before: Vec::new() }
    }

    /// Puts a frame on top: the last one, of `len` items, and `item` in its place.
    #[inline]
    fn push_frame(&mut self, len: usize, item: Item) {
        let top = self.frames.len();
        self.frames.extend_from_within(top - len..);
        self.frames.push(item);
        let frame = &mut self.frames[top..];
        let mut place = len;
        while place > 0 && frame[place - 1] > item {
            frame[place] = frame[place - 1];
            place -= 1;
        }
        frame[place] = item;
    }

    #[inline]
    fn pop_frame(&mut self, len: usize) {
        self.frames.truncate(self.frames.len() - len);
    }

    /// Reports the frame on top, of `len` items, with any of the first `free` free items.
    fn report(&mut self, len: usize, free: usize, support: u32) {
        let top = self.frames.len();
        (self.visit)(&self.frames[top - len..], support);
        if len < self.max_len {
            for i in 0..free {
                self.push_frame(len, self.free[i]);
                self.report(len + 1, i, support);
                self.pop_frame(len + 1);
            }
        }
    }

    /// Reports the frame on top, of `len` items and the subset `chosen`, grown by any of the first `below` of `items`.
    fn report_subsets<L: Lanes>(
        &mut self,
        len: usize,
        chosen: usize,
        below: usize,
        items: &[Item],
        table: &[u64],
        min_support: u32,
    ) {
        for (bit, &item) in items[..below].iter().enumerate() {
            let larger = chosen | 1 << bit;
            let support = counter::<L>(table, larger);
            if support >= min_support {
                self.push_frame(len, item);
                self.report(len + 1, self.free.len(), support);
                if len + 1 < self.max_len {
                    self.report_subsets::<L>(len + 1, larger, bit, items, table, min_support);
                }
                self.pop_frame(len + 1);
            }
        }
    }
}

impl<V: FnMut(&[Item], u32)> Sink for Visitor<'_, V> {
    fn enter(&mut self, item: Item) {
        self.push_frame(self.base, item);
        self.base += 1;
        self.free_before.push(self.free.len());
    }

    fn free(&mut self, items: impl Iterator<Item = Item>) {
        self.free.extend(items);
    }

    fn base(&mut self, support: u32) {
        self.report(self.base, self.free.len(), support);
    }

    fn one_more(&mut self, item: Item, support: u32) {
        self.push_frame(self.base, item);
        self.report(self.base + 1, self.free.len(), support);
        self.pop_frame(self.base + 1);
    }

    fn subsets<L: Lanes>(&mut self, items: &[Item], table: &[u64], min_support: u32) {
        self.report_subsets::<L>(self.base, 0, items.len(), items, table, min_support);
    }

    fn leave(&mut self) {
        self.pop_frame(self.base);
        self.base -= 1;
        let before = self.free_before.pop().expect("every leave has its enter");
        self.free.truncate(before);
    }
}

/// Counts itemsets by their size, and free items as the powers of two they stand for.
pub(super) struct Counter {
    kernels: Kernels,
    base: usize,
    free: usize,
    free_before: Vec<usize>,
    /// `counts[free][size]`: itemsets of that size reported with so many free items.
    counts: Vec<Vec<u64>>,
}

impl Counter {
    pub(super) fn new(kernels: Kernels) -> Self {
        Self { kernels, base: 0, free: 0, free_before: Vec::new(), counts: Vec::new() }
    }

    #[inline]
    fn add(&mut self, size: usize, count: u64) {
        if self.counts.len() <= self.free {
            self.counts.resize_with(self.free + 1, Vec::new);
        }
        let counts = &mut self.counts[self.free];
        if counts.len() <= size {
            counts.resize(size + 1, 0);
        }
        counts[size] += count;
    }
}

impl Counter {
    /// Place n has the number of itemsets of n items, as long as n is at most `max_len`.
    pub(super) fn by_size(&self, max_len: usize) -> Vec<BigUint> {
        let mut totals: Vec<BigUint> = Vec::new();
        for (free, counts) in self.counts.iter().enumerate() {
            for (size, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
                // `ways` is the number of choices of `more` among the free items.
                let mut ways = BigUint::from(count);
                for more in 0..=free.min(max_len.saturating_sub(size)) {
                    if totals.len() <= size + more {
                        totals.resize(size + more + 1, BigUint::ZERO);
                    }
                    totals[size + more] += &ways;
                    ways = ways * (free - more) / (more + 1);
                }
            }
        }
        totals.truncate(max_len.saturating_add(1));
        totals
    }
}

impl Sink for Counter {
    fn enter(&mut self, _item: Item) {
        self.base += 1;
        self.free_before.push(self.free);
    }

    fn free(&mut self, items: impl Iterator<Item = Item>) {
        self.free += items.count();
    }

    fn base(&mut self, _support: u32) {
        self.add(self.base, 1);
    }

    fn one_more(&mut self, _item: Item, _support: u32) {
        self.add(self.base + 1, 1);
    }

    fn subsets<L: Lanes>(&mut self, items: &[Item], table: &[u64], min_support: u32) {
        let mut sizes = [0; MAX_TABLE_BITS + 1];
        self.kernels.count_by_size::<L>(table, min_support, &mut sizes);
        for size in 1..=items.len() {
            self.add(self.base + size, sizes[size]);
        }
    }

    fn leave(&mut self) {
        self.base -= 1;
        self.free = self.free_before.pop().expect("every leave has its enter");
    }
}
