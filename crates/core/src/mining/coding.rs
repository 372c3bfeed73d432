use crate::data::{Item, Transactions};

/// The frequent items and their codes: 0 the most frequent.
pub(super) struct Coding {
    /// Code to item.
    pub(super) items: Vec<Item>,
    /// Code to support, descending.
    pub(super) supports: Vec<u32>,
    /// Item to code, `u32::MAX` for items that are not frequent.
    codes: Vec<u32>,
}

impl Coding {
    pub(super) fn new(transactions: &Transactions, min_support: u32) -> Self {
        let all = transactions.supports();
        let mut items: Vec<Item> =
            (0..).zip(&all).filter(|&(_, &support)| support >= min_support).map(|(item, _)| item).collect();
        // The sort is stable: among equals, items make the order definite.
        items.sort_by_key(|&item| std::cmp::Reverse(all[item as usize]));
        let supports = items.iter().map(|&item| all[item as usize]).collect();
        let mut codes = vec![u32::MAX; all.len()];
        (0..).zip(&items).for_each(|(code, &item)| codes[item as usize] = code);
        Self { items, supports, codes }
    }

    /// The codes of a row's frequent items, in the order of the row.
    pub(super) fn encode(&self, row: &[Item]) -> impl Iterator<Item = u32> {
        row.iter().map(|&item| self.codes[item as usize]).filter(|&code| code != u32::MAX)
    }
}
