//! Violated itemsets of dense transactions, from a table with a bit for each transaction and item.
//!
//! Cost. For each set of at most m items that occurs, and each item that may extend it, at most one step for 64
//! transactions; a support is followed no further than to k, so frequent sets, which are the many, take few steps however
//! many transactions there are.

use super::violated::Violated;
use crate::data::{Item, Transactions};
use crate::release::kind::NAMED_FAULTS;

/// The first few sets of at most `m` items with a support of 1 to `k` − 1.
pub(super) fn violated_itemsets(transactions: &Transactions, k: u64, m: usize) -> Vec<Violated> {
    let words = transactions.len().div_ceil(64);
    let mut bits = vec![0u64; words * transactions.items()];
    for (index, row) in transactions.rows().enumerate() {
        for &item in row {
            bits[item as usize * words + index / 64] |= 1 << (index % 64);
        }
    }
    let mut search = BitTableSearch { bits, words, k, m, set: Vec::new(), violated: Vec::new() };
    let everywhere: Vec<Word> = (0..words).map(|at| Word { at, bits: u64::MAX }).collect();
    let items: Vec<Item> = (0..transactions.items() as Item).collect();
    search.extend(&everywhere, &items);
    search.violated
}

/// 64 transactions, and which of them are meant.
#[derive(Clone, Copy)]
struct Word {
    at: usize,
    bits: u64,
}

struct BitTableSearch {
    bits: Vec<u64>,
    words: usize,
    k: u64,
    m: usize,
    set: Vec<Item>,
    violated: Vec<Violated>,
}

impl BitTableSearch {
    /// Adds to `set` each of the candidates; `holding` are the transactions that hold the set.
    fn extend(&mut self, holding: &[Word], candidates: &[Item]) {
        if self.set.len() == self.m {
            return;
        }
        let mut frequent = Vec::with_capacity(candidates.len());
        for &item in candidates {
            let support = self.support(holding, item);
            if support >= self.k {
                frequent.push(item);
            } else if support > 0 && self.violated.len() < NAMED_FAULTS {
                self.violated.push(Violated { set: [&self.set[..], &[item]].concat(), support });
            }
        }
        if self.set.len() + 1 == self.m {
            return;
        }
        for (i, &item) in frequent.iter().enumerate() {
            if self.violated.len() == NAMED_FAULTS {
                return;
            }
            let with_item: Vec<Word> = self.with(holding, item).filter(|word| word.bits != 0).collect();
            self.set.push(item);
            self.extend(&with_item, &frequent[i + 1..]);
            self.set.pop();
        }
    }

    fn with<'a>(&'a self, holding: &'a [Word], item: Item) -> impl Iterator<Item = Word> + 'a {
        let bits = &self.bits[item as usize * self.words..][..self.words];
        holding.iter().map(|&Word { at, bits: held }| Word { at, bits: held & bits[at] })
    }

    /// The support of the set with `item`, or some number from k on if it is not less.
    fn support(&self, holding: &[Word], item: Item) -> u64 {
        let mut support = 0;
        for word in self.with(holding, item).filter(|word| word.bits != 0) {
            support += u64::from(word.bits.count_ones());
            if support >= self.k {
                break;
            }
        }
        support
    }
}
