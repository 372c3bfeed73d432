//! Where a search begins: items coded by frequency, and rows as masks or as lists.

use super::Itemized;
use super::dense::{MASK_BITS, MaskRows, MaskSearch};
use super::kernels::Kernels;
use super::sink::Sink;
use super::sparse::{Database, SparseSearch};
use crate::data::{Item, Transactions};

/// The most frequent items go into masks at once where a row has at least one in so many of them.
const DENSE: u64 = 8;

/// Reports every non-empty frequent itemset of at most `max_len` items to `sink`.
pub(super) fn search(data: &impl Itemized, min_support: u32, max_len: usize, sink: &mut impl Sink) {
    let transactions = data.transactions();
    let min_support = min_support.max(1);
    let supports = transactions.supports();
    let mut items: Vec<Item> = (0..).zip(&supports).filter(|&(_, &s)| s >= min_support).map(|(item, _)| item).collect();
    // By descending support; items make the order definite.
    items.sort_by_key(|&item| std::cmp::Reverse(supports[item as usize]));
    if max_len == 0 || items.is_empty() {
        return;
    }
    let support = |&item: &Item| supports[item as usize];
    let kernels = Kernels::detect();
    let mut masks = MaskSearch { kernels, min_support, groups: data.groups(), sink };
    let packed = items.len().min(MASK_BITS);
    let in_masks: u64 = items[..packed].iter().map(|item| u64::from(support(item))).sum();
    let packed = if in_masks * DENSE >= (transactions.len() * packed) as u64 { packed } else { 0 };
    if packed > 0 {
        let mut levels = vec![mask_rows(transactions, &items[..packed], &supports)];
        masks.extend(&mut levels, 0, transactions.len() as u32, max_len);
    }
    if packed < items.len() {
        let mut codes = vec![u32::MAX; transactions.items()];
        (0..).zip(&items).for_each(|(code, &item)| codes[item as usize] = code);
        let codes = &codes;
        let mut database = Database::default();
        database.fill(
            items.iter().copied(),
            items.iter().map(support),
            transactions
                .rows()
                .map(|row| row.iter().map(|&item| codes[item as usize]).filter(|&code| code != u32::MAX)),
        );
        SparseSearch::new(masks, items.len()).extend(&mut vec![database], 0, packed, max_len);
    }
}

/// The rows as masks of `items`, the most frequent in the highest bit.
fn mask_rows(transactions: &Transactions, items: &[Item], supports: &[u32]) -> MaskRows {
    let mut bits = vec![0u64; transactions.items()];
    let mut rows = MaskRows::default();
    rows.clear();
    for (bit, &item) in items.iter().rev().enumerate() {
        bits[item as usize] = 1 << bit;
        rows.items.push(item);
        rows.supports.push(supports[item as usize]);
    }
    for row in transactions.rows() {
        rows.push(row.iter().fold(0, |mask, &item| mask | bits[item as usize]));
    }
    rows.sort_and_merge();
    rows
}
