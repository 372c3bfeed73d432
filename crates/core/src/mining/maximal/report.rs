use crate::data::Item;
use crate::mining::frames::Frames;

/// Where found itemsets go.
#[derive(Default)]
pub(super) struct Report {
    /// The base and what is free beside it.
    pub base: Frames,
    pub found: Vec<(Vec<Item>, u32)>,
}

impl Report {
    /// Reports the base with `items`.
    pub fn add(&mut self, items: impl Iterator<Item = Item>, support: u32) {
        let mut itemset: Vec<Item> = self.base.top().iter().copied().chain(items).collect();
        itemset.sort_unstable();
        self.found.push((itemset, support));
    }

    pub fn enter(&mut self, items: impl Iterator<Item = Item>) {
        items.for_each(|item| self.base.push(item));
    }

    pub fn leave(&mut self, items: u32) {
        (0..items).for_each(|_| self.base.pop());
    }
}
