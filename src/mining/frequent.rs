use super::Itemized;
use super::kernels::Kernels;
use super::search::search;
use super::sink::{Counter, Visitor};
use crate::data::Item;
use num_bigint::BigUint;

/// Visits every non-empty itemset of at least `min_support` rows and at most `max_len` items once, with its support.
/// The items of a visited slice ascend; the order of the visits is deterministic and otherwise free. A `min_support` of
/// 0 means 1: an itemset without rows is never visited.
pub fn mine(data: &impl Itemized, min_support: u32, max_len: Option<usize>, visit: &mut impl FnMut(&[Item], u32)) {
    let max_len = max_len.unwrap_or(usize::MAX);
    search(data, min_support, max_len, &mut Visitor::new(max_len, visit));
}

/// How many frequent itemsets of each size there are, without visiting them: place n has those of n items. Far cheaper
/// than [`mine`] where they are many.
pub fn count(data: &impl Itemized, min_support: u32, max_len: Option<usize>) -> Vec<BigUint> {
    let mut counter = Counter::new(Kernels::detect());
    let max_len = max_len.unwrap_or(usize::MAX);
    search(data, min_support, max_len, &mut counter);
    counter.by_size(max_len)
}

/// Like [`mine`], and counts for each itemset the rows of each class: `class_of` has the class of each row, below
/// `classes`. The class counts of an itemset sum to its support.
///
/// # Panics
/// When `class_of` is not one class below `classes` per row: a caller's error, never the data's.
pub fn mine_with_classes(
    data: &impl Itemized,
    class_of: &[u32],
    classes: usize,
    min_support: u32,
    max_len: Option<usize>,
    visit: &mut impl FnMut(&[Item], u32, &[u32]),
) {
    let transactions = data.transactions();
    assert_eq!(class_of.len(), transactions.len(), "one class per row");
    assert!(class_of.iter().all(|&class| (class as usize) < classes), "every class is below {classes}");
    let mut rows_of = vec![Vec::new(); transactions.items()];
    for (row, items) in transactions.rows().enumerate() {
        for &item in items {
            rows_of[item as usize].push(row as u32);
        }
    }
    let candidates: Vec<(Item, Vec<u32>)> =
        (0..).zip(rows_of).filter(|(_, rows)| rows.len() >= min_support.max(1) as usize).collect();
    let counts = |rows: &[u32]| {
        let mut counts = vec![0; classes];
        for &row in rows {
            counts[class_of[row as usize] as usize] += 1;
        }
        counts
    };
    let mut search = Search {
        groups: data.groups(),
        min_support: min_support.max(1) as usize,
        max_len: max_len.unwrap_or(usize::MAX),
        visit: &mut |itemset: &[Item], rows: &[u32]| visit(itemset, rows.len() as u32, &counts(rows)),
    };
    search.extend(&mut Vec::new(), &candidates);
}

struct Search<'a, V> {
    groups: Option<&'a [u32]>,
    min_support: usize,
    max_len: usize,
    visit: &'a mut V,
}

impl<V: FnMut(&[Item], &[u32])> Search<'_, V> {
    fn extend(&mut self, prefix: &mut Vec<Item>, candidates: &[(Item, Vec<u32>)]) {
        if prefix.len() >= self.max_len {
            return;
        }
        for (i, (item, rows)) in candidates.iter().enumerate() {
            prefix.push(*item);
            (self.visit)(prefix, rows);
            let further: Vec<_> = candidates[i + 1..]
                .iter()
                .filter(|(other, _)| self.groups.is_none_or(|g| g[*other as usize] != g[*item as usize]))
                .map(|(other, theirs)| (*other, intersection(rows, theirs)))
                .filter(|(_, rows)| rows.len() >= self.min_support)
                .collect();
            self.extend(prefix, &further);
            prefix.pop();
        }
    }
}

fn intersection(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|row| b.binary_search(row).is_ok()).collect()
}
