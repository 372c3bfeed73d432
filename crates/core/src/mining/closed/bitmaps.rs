use super::search::Search;
use crate::data::{Item, Transactions};
use crate::mining::coding::Coding;

/// Takes each item's rows from bitmaps of all items.
pub(super) fn mine<V: FnMut(&[Item], u32)>(transactions: &Transactions, coding: &Coding, search: Search<'_, '_, V>) {
    let mut search = search;
    let codes = coding.items.len();
    let words = transactions.len().div_ceil(64);
    let mut bitmaps = vec![0u64; codes * words];
    for (i, row) in transactions.rows().enumerate() {
        for code in coding.encode(row) {
            bitmaps[code as usize * words + i / 64] |= 1 << (i % 64);
        }
    }
    let bitmap = |code: usize| &bitmaps[code * words..(code + 1) * words];
    for code in (0..codes).rev() {
        let support = coding.supports[code];
        let count = |other: usize| search.kernels.count_common(bitmap(code), bitmap(other));
        let counts: Vec<u32> = (0..codes).map(count).collect();
        if counts[code + 1..].contains(&support) {
            continue;
        }
        let is_frequent = |&other: &usize| counts[other] >= search.min_support;
        let beside = (0..code).rev().filter(is_frequent);
        let (in_all, candidates): (Vec<usize>, Vec<usize>) = beside.partition(|&other| counts[other] == support);
        let rarer: Vec<usize> = (code + 1..codes).filter(is_frequent).collect();
        search.clear_bitmaps(candidates.len() + rarer.len(), support);
        for (place, &other) in candidates.iter().chain(&rarer).enumerate() {
            let kernels = search.kernels;
            kernels.gather(bitmap(other), bitmap(code), search.bitmap_mut(place));
        }
        search.items.clear();
        search.items.extend(candidates.iter().map(|&other| coding.items[other]));
        search.base.clear();
        search.base.extend(in_all.iter().chain([&code]).map(|&other| coding.items[other]));
        search.passed.clear();
        search.passed.extend((0..rarer.len()).map(|i| (candidates.len() + i) as u32));
        search.run(support, candidates.iter().map(|&other| counts[other]));
    }
}
