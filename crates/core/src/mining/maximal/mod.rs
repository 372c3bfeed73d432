//! Maximal frequent itemsets, as FPMax and GenMax find them: depth first from the rarest item, so that whatever
//! contains an itemset comes before it.
//!
//! Where base, item and all candidates are part of an itemset that is known already, nothing below is maximal and the
//! branch is left out. So what lies between the found itemsets is not enumerated. Known itemsets go down the search as
//! rows do: each node has those that contain its base, reduced to its items.
//!
//! Cost of a node: that of the search for all frequent itemsets, and one pass over its known itemsets for each item.

mod known;
mod lists;
mod masks;
mod report;

use super::coding::Coding;
use super::frequent::mine;
use super::masks::MASK_BITS;
use super::search::{fill_masks, is_dense};
use crate::data::{Item, Transactions};
use lists::ListSearch;
use masks::MaximalMaskSearch;
use rustc_hash::FxHashMap;

/// The maximal frequent itemsets with their supports, in lexicographic order: those of at least `min_support` rows and
/// at most `max_len` items that are not part of another such itemset. Without a `max_len`, the itemsets within them are
/// not enumerated.
pub fn mine_maximal(data: &Transactions, min_support: u32, max_len: Option<usize>) -> Vec<(Vec<Item>, u32)> {
    let mut found = match max_len {
        None => search(data, min_support.max(1)),
        Some(max_len) => of_bounded_length(data, min_support, max_len),
    };
    found.sort_unstable();
    found
}

/// With a bound every frequent itemset of that length is maximal, so there is little between them to be saved.
fn of_bounded_length(data: &Transactions, min_support: u32, max_len: usize) -> Vec<(Vec<Item>, u32)> {
    let mut supports: FxHashMap<Vec<Item>, u32> = FxHashMap::default();
    mine(data, min_support, Some(max_len), &mut |itemset, support| {
        supports.insert(itemset.to_vec(), support);
    });
    let mut parts: Vec<Vec<Item>> = Vec::new();
    for itemset in supports.keys() {
        for left_out in 0..itemset.len() {
            let mut part = itemset.clone();
            part.remove(left_out);
            parts.push(part);
        }
    }
    for part in parts {
        supports.remove(&part);
    }
    supports.into_iter().collect()
}

fn search(transactions: &Transactions, min_support: u32) -> Vec<(Vec<Item>, u32)> {
    let coding = Coding::new(transactions, min_support);
    let mut masks = MaximalMaskSearch::new(min_support);
    let codes = coding.items.len();
    let in_masks = if is_dense(&coding, transactions.len()) { codes.min(MASK_BITS) } else { 0 };
    let mut known = Vec::new();
    if in_masks < codes {
        let mut lists = ListSearch::new(masks, codes);
        known = lists.run(transactions, &coding, in_masks);
        masks = lists.masks;
    }
    if in_masks > 0 {
        let root = masks.root();
        fill_masks(&mut root.rows, transactions, &coding, in_masks);
        root.known = known;
        masks.run(transactions.len() as u32);
    }
    masks.report.found
}
