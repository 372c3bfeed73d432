use super::kernels::Kernels;
use super::search::search;
use super::sink::{Counter, Visitor};
use crate::data::{Item, Transactions};
use num_bigint::BigUint;

/// Visits every non-empty itemset of at least `min_support` rows and at most `max_len` items once, with its support.
/// The items of a visited slice ascend; the order of the visits is deterministic and otherwise free. A `min_support` of
/// 0 means 1: an itemset without rows is never visited.
pub fn mine(data: &Transactions, min_support: u32, max_len: Option<usize>, visit: &mut impl FnMut(&[Item], u32)) {
    let max_len = max_len.unwrap_or(usize::MAX);
    search(data, min_support, max_len, &mut Visitor::new(max_len, visit));
}

/// How many frequent itemsets of each size there are, without visiting them: place n has those of n items. Far cheaper
/// than [`mine`] where they are many.
pub fn count(data: &Transactions, min_support: u32, max_len: Option<usize>) -> Vec<BigUint> {
    let mut counter = Counter::new(Kernels::detect());
    let max_len = max_len.unwrap_or(usize::MAX);
    search(data, min_support, max_len, &mut counter);
    counter.by_size(max_len)
}
