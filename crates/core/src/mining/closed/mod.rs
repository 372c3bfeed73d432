//! Closed frequent itemsets, found without remembering any (LCM's prefix-preserving closure).
//!
//! An itemset is closed when no further item is in all its rows. Items are ordered from the rarest up. Extending a
//! closed itemset by an item and closing the result gives each closed itemset once, if those results are left out in
//! which the closure adds an item before the one extended by: they come up elsewhere.
//!
//! The rows of each item in turn become vertical bitmaps of the more frequent items beside it. Where rows have many of
//! all items, so do the rarer ones (`bitmaps`); else those are looked for in the rows themselves, whose intersection is
//! empty after a few rows as a rule (`lists`).
//!
//! Cost of a node of r rows and k candidates: k·r/64 words.

mod bitmaps;
mod lists;
mod search;

use super::coding::Coding;
use crate::data::{Item, Transactions};
use search::Search;

/// All items get bitmaps where rows have at least one in so many of them.
const DENSE: u64 = 16;

/// Visits every closed frequent itemset once: those of at least `min_support` rows that no further item's addition
/// leaves with the same support. The items of a visited slice ascend; the order of the visits is deterministic and
/// otherwise free. Groups have no part in this: which items exclude each other decides what an itemset's closure is.
pub fn mine_closed(transactions: &Transactions, min_support: u32, visit: &mut impl FnMut(&[Item], u32)) {
    let min_support = min_support.max(1);
    let coding = Coding::new(transactions, min_support);
    let occurrences: u64 = coding.supports.iter().map(|&support| u64::from(support)).sum();
    let search = Search::new(min_support, visit);
    if occurrences * DENSE >= (coding.items.len() * transactions.len()) as u64 {
        bitmaps::mine(transactions, &coding, search);
    } else {
        lists::mine(transactions, &coding, search);
    }
}
