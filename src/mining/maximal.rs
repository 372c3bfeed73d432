use super::{Itemized, mine};
use crate::data::Item;

/// The maximal frequent itemsets with their supports: those of at least `min_support` rows and at most `max_len` items
/// that are not part of another such itemset. In lexicographic order.
pub fn mine_maximal(data: &impl Itemized, min_support: u32, max_len: Option<usize>) -> Vec<(Vec<Item>, u32)> {
    let mut frequent: Vec<(Vec<Item>, u32)> = Vec::new();
    mine(data, min_support, max_len, &mut |itemset, support| frequent.push((itemset.to_vec(), support)));
    let maximal = |itemset: &Vec<Item>| {
        !frequent
            .iter()
            .any(|(other, _)| other.len() > itemset.len() && itemset.iter().all(|i| other.binary_search(i).is_ok()))
    };
    let mut found: Vec<_> = frequent.iter().filter(|(itemset, _)| maximal(itemset)).cloned().collect();
    found.sort_unstable();
    found
}
