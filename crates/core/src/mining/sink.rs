//! What the search does with what it finds: show every itemset to a visitor, or only count them.

use super::frames::Frames;
use super::kernels::{Kernels, Lanes, MAX_TABLE_BITS, counter};
use crate::data::Item;
use num_bigint::BigUint;

/// The supports of all subsets of a few items, together with the base.
pub(super) struct SubsetTable<'a> {
    pub(super) items: &'a [Item],
    /// Packed counters: place i has the support of the items of i's bits.
    pub(super) supports: &'a [u64],
    pub(super) min_support: u32,
}

/// Told of frequent itemsets as the search goes down and up. The search keeps a *base* that it extends; items that are
/// in all rows of the base are *free*: they stand in or out of any itemset below without a change of support.
pub(super) trait Sink {
    /// The base grows by `item`; it is reported when its free items are known.
    fn enter(&mut self, item: Item);

    /// `items` are in all rows of the base, and are free from here on.
    fn free(&mut self, items: impl Iterator<Item = Item>);

    /// Itemsets: the base, with any of the free items.
    fn base(&mut self, support: u32);

    /// Itemsets: the base and `item`, with any of the free items.
    fn one_more(&mut self, item: Item, support: u32);

    /// Itemsets: the base and the items of any frequent subset of the table but the empty one, with any of the free
    /// items.
    fn subsets<L: Lanes>(&mut self, table: &SubsetTable<'_>);

    /// Takes back the last `enter` and what became free since.
    fn leave(&mut self);
}

/// Shows each itemset to a visitor, its items ascending.
pub(super) struct Visitor<'a, V> {
    visit: &'a mut V,
    max_len: usize,
    /// The base, and during a report what it grows to.
    frames: Frames,
    free: Vec<Item>,
    /// How many items were free before each `enter`.
    free_before: Vec<usize>,
}

impl<'a, V: FnMut(&[Item], u32)> Visitor<'a, V> {
    pub(super) fn new(max_len: usize, visit: &'a mut V) -> Self {
        Self { visit, max_len, frames: Frames::default(), free: Vec::new(), free_before: Vec::new() }
    }

    /// Reports the itemset on top with any of the first `free` free items.
    fn report(&mut self, free: usize, support: u32) {
        (self.visit)(self.frames.top(), support);
        if self.frames.len() < self.max_len {
            for i in 0..free {
                self.frames.push(self.free[i]);
                self.report(i, support);
                self.frames.pop();
            }
        }
    }

    /// Reports the itemset on top, which has the subset `chosen` of the table's items, grown by any of the first
    /// `below` of those items.
    fn report_subsets<L: Lanes>(&mut self, chosen: usize, below: usize, table: &SubsetTable<'_>) {
        for (bit, &item) in table.items[..below].iter().enumerate() {
            let larger = chosen | 1 << bit;
            let support = counter::<L>(table.supports, larger);
            if support >= table.min_support {
                self.frames.push(item);
                self.report(self.free.len(), support);
                if self.frames.len() < self.max_len {
                    self.report_subsets::<L>(larger, bit, table);
                }
                self.frames.pop();
            }
        }
    }
}

impl<V: FnMut(&[Item], u32)> Sink for Visitor<'_, V> {
    fn enter(&mut self, item: Item) {
        self.frames.push(item);
        self.free_before.push(self.free.len());
    }

    fn free(&mut self, items: impl Iterator<Item = Item>) {
        self.free.extend(items);
    }

    fn base(&mut self, support: u32) {
        self.report(self.free.len(), support);
    }

    fn one_more(&mut self, item: Item, support: u32) {
        self.frames.push(item);
        self.report(self.free.len(), support);
        self.frames.pop();
    }

    fn subsets<L: Lanes>(&mut self, table: &SubsetTable<'_>) {
        self.report_subsets::<L>(0, table.items.len(), table);
    }

    fn leave(&mut self) {
        self.frames.pop();
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

    fn subsets<L: Lanes>(&mut self, table: &SubsetTable<'_>) {
        let mut sizes = [0; MAX_TABLE_BITS + 1];
        self.kernels.count_by_size::<L>(table.supports, table.min_support, &mut sizes);
        for (size, &count) in sizes[..=table.items.len()].iter().enumerate().skip(1) {
            self.add(self.base + size, count);
        }
    }

    fn leave(&mut self) {
        self.base -= 1;
        self.free = self.free_before.pop().expect("every leave has its enter");
    }
}
