//! Where a search for all frequent itemsets begins: with rows as masks, or as lists.

use super::coding::Coding;
use super::database::Database;
use super::dense::MaskSearch;
use super::masks::{MASK_BITS, MaskRows};
use super::sink::Sink;
use super::sparse::SparseSearch;
use crate::data::Transactions;

/// The most frequent items go into masks at once where a row has at least one in so many of them.
const DENSE: u64 = 8;

/// Reports every non-empty frequent itemset of at most `max_len` items to `sink`.
pub(super) fn search(transactions: &Transactions, min_support: u32, max_len: usize, sink: &mut impl Sink) {
    let min_support = min_support.max(1);
    let coding = Coding::new(transactions, min_support);
    if max_len == 0 || coding.items.is_empty() {
        return;
    }
    let mut masks = MaskSearch::new(min_support, sink);
    let in_masks = if is_dense(&coding, transactions.len()) { coding.items.len().min(MASK_BITS) } else { 0 };
    if in_masks > 0 {
        fill_masks(masks.root(), transactions, &coding, in_masks);
        masks.run(transactions.len() as u32, max_len);
    }
    if in_masks < coding.items.len() {
        let mut rows = Database::default();
        rows.fill(
            coding.items.iter().copied(),
            coding.supports.iter().copied(),
            transactions.rows().map(|row| coding.encode(row)),
        );
        SparseSearch::new(masks, coding.items.len()).extend(&mut vec![rows], 0, in_masks, max_len);
    }
}

/// Whether rows should be masks of the most frequent items from the start.
pub(super) fn is_dense(coding: &Coding, rows: usize) -> bool {
    let width = coding.items.len().min(MASK_BITS);
    let occurrences: u64 = coding.supports[..width].iter().map(|&support| u64::from(support)).sum();
    occurrences * DENSE >= (rows * width) as u64
}

/// The rows as masks of the `width` most frequent items, the most frequent in the highest bit.
pub(super) fn fill_masks(rows: &mut MaskRows, transactions: &Transactions, coding: &Coding, width: usize) {
    rows.clear();
    rows.items.extend(coding.items[..width].iter().rev());
    rows.supports.extend(coding.supports[..width].iter().rev());
    let bit = |code: u32| if (code as usize) < width { 1 << (width as u32 - 1 - code) } else { 0 };
    for row in transactions.rows() {
        rows.push(coding.encode(row).fold(0, |mask, code| mask | bit(code)));
    }
    rows.merge_if_dense();
}
