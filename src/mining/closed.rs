use super::{Itemized, mine};
use crate::data::Item;

/// Visits every closed frequent itemset once: those of at least `min_support` rows that no further item's addition
/// leaves with the same support.
pub fn mine_closed(data: &impl Itemized, min_support: u32, visit: &mut impl FnMut(&[Item], u32)) {
    let mut frequent: Vec<(Vec<Item>, u32)> = Vec::new();
    mine(data, min_support, None, &mut |itemset, support| frequent.push((itemset.to_vec(), support)));
    for (itemset, support) in &frequent {
        let closed = !frequent.iter().any(|(other, theirs)| {
            theirs == support && other.len() > itemset.len() && itemset.iter().all(|i| other.binary_search(i).is_ok())
        });
        if closed {
            visit(itemset, *support);
        }
    }
}
