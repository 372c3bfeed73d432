use super::{Itemized, mine};
use crate::data::Item;
use rustc_hash::FxHashMap;

/// The minimal infrequent itemsets (the negative border) with their supports, up to `max_len` items: those of fewer
/// than `min_support` rows all of whose proper parts have at least `min_support`. Only those of at least `least` rows:
/// 0 gives all of them, 1 those that occur. In lexicographic order.
pub fn mine_minimal_infrequent(
    data: &impl Itemized,
    min_support: u32,
    max_len: Option<usize>,
    least: u32,
) -> Vec<(Vec<Item>, u32)> {
    let transactions = data.transactions();
    let max_len = max_len.unwrap_or(usize::MAX);
    let mut frequent: FxHashMap<Vec<Item>, u32> = FxHashMap::default();
    mine(data, min_support, Some(max_len), &mut |itemset, support| {
        frequent.insert(itemset.to_vec(), support);
    });
    let alike = |a: Item, b: Item| data.groups().is_some_and(|g| g[a as usize] == g[b as usize]);
    let mut found = Vec::new();
    let bases = frequent.keys().filter(|base| base.len() < max_len).cloned().chain((max_len > 0).then(Vec::new));
    for base in bases {
        let first = base.last().map_or(0, |last| last + 1);
        for item in first..transactions.items() as Item {
            let mut itemset = base.clone();
            itemset.push(item);
            if base.iter().any(|&other| alike(other, item)) || frequent.contains_key(&itemset) {
                continue;
            }
            let parts_frequent = (0..base.len()).all(|i| {
                let mut part = itemset.clone();
                part.remove(i);
                frequent.contains_key(&part)
            });
            if parts_frequent {
                let holds = |row: &&[Item]| itemset.iter().all(|i| row.binary_search(i).is_ok());
                let support = transactions.rows().filter(holds).count() as u32;
                if support >= least && support < min_support {
                    found.push((itemset, support));
                }
            }
        }
    }
    found.sort_unstable();
    found
}
