//! The count-tree's preorder over dense rows.
//!
//! Every item has a bit a row. The rows of a node are the words of its bits that are not zero; a child's are those anded
//! with the item's. Longer rows come first, so that a support that is enough is soon seen to be.
//!
//! Cost: for each node, and each item that its parent has as a child, at most one step a word.

use super::expanded::{Expanded, Rank};
use super::visitor::{Below, Sizes, Visitor};
use std::cmp::Reverse;

/// 64 rows, by their place in the table, and those of them that are meant.
#[derive(Clone, Copy)]
struct Word {
    at: u32,
    rows: u64,
}

/// Which row has which item.
pub(super) struct ItemBits {
    /// A run of words for each item.
    bits: Vec<u64>,
    words: usize,
    /// Row, in the order of the bits, to the number of transactions it stands for.
    weights: Vec<u32>,
}

impl ItemBits {
    pub fn new(expanded: &Expanded) -> Self {
        let mut rows: Vec<(usize, usize)> =
            expanded.rows.iter().enumerate().map(|(row, &place)| (expanded.after(place).count(), row)).collect();
        rows.sort_unstable_by_key(|&(length, row)| (Reverse(length), row));
        let words = rows.len().div_ceil(64);
        let mut bits = vec![0; words * expanded.domain()];
        let mut weights = Vec::with_capacity(rows.len());
        for (i, &(_, row)) in rows.iter().enumerate() {
            let place = expanded.rows[row];
            weights.push(place.weight);
            for item in expanded.after(place) {
                bits[item as usize * words + i / 64] |= 1 << (i % 64);
            }
        }
        Self { bits, words, weights }
    }

    fn all_rows(&self) -> Vec<Word> {
        let rows_in = |word: usize| (self.weights.len() - word * 64).min(64);
        (0..self.words).map(|word| Word { at: word as u32, rows: u64::MAX >> (64 - rows_in(word)) }).collect()
    }

    /// How many of the transactions in `held` have `item`; some number from `enough` on if it is not less.
    fn support(&self, held: &[Word], item: Rank, enough: u32) -> u32 {
        self.weight(self.meet(held, item), enough)
    }

    /// Those of `held` that have `item`.
    fn meet<'a>(&'a self, held: &'a [Word], item: Rank) -> impl Iterator<Item = Word> + 'a {
        let bits = &self.bits[item as usize * self.words..][..self.words];
        held.iter().map(|word| Word { at: word.at, rows: word.rows & bits[word.at as usize] })
    }

    /// How many transactions the words stand for, or some number from `enough` on.
    fn weight(&self, words: impl Iterator<Item = Word>, enough: u32) -> u32 {
        let mut weight = 0;
        for mut word in words {
            while word.rows != 0 {
                weight += self.weights[word.at as usize * 64 + word.rows.trailing_zeros() as usize];
                if weight >= enough {
                    return weight;
                }
                word.rows &= word.rows - 1;
            }
        }
        weight
    }
}

pub(super) struct DenseWalk<'a, V> {
    expanded: &'a Expanded,
    table: &'a ItemBits,
    sizes: Sizes,
    visitor: &'a mut V,
    path: Vec<Rank>,
    /// Scratch: whether the item at hand generalizes this one, or this one it.
    blocked: Vec<bool>,
}

impl<'a, V: Visitor> DenseWalk<'a, V> {
    pub fn new(expanded: &'a Expanded, table: &'a ItemBits, sizes: Sizes, visitor: &'a mut V) -> Self {
        let path = Vec::with_capacity(sizes.largest());
        Self { expanded, table, sizes, visitor, path, blocked: vec![false; expanded.domain()] }
    }

    pub fn run(&mut self) {
        let items: Vec<Rank> = (0..self.expanded.domain() as Rank).collect();
        self.children(&self.table.all_rows(), &items, &[]);
    }

    /// Visits the sets with an item of `news`: news come first, so every path begins with one.
    pub fn run_news(&mut self, news: &[bool]) {
        let items = 0..self.expanded.domain() as Rank;
        let (news, known): (Vec<Rank>, Vec<Rank>) = items.partition(|&item| news[item as usize]);
        self.children(&self.table.all_rows(), &news, &known);
    }

    /// Visits the children of `path`, all of them among `candidates`; `held` are the rows that hold it. Their own children
    /// may be among `followers` too.
    fn children(&mut self, held: &[Word], candidates: &[Rank], followers: &[Rank]) -> Below {
        let below = if self.path.len() + 1 == self.sizes.largest() {
            self.last_level(held, candidates)
        } else {
            self.inner_level(held, candidates, followers)
        };
        self.visitor.leave(&self.path, below);
        below
    }

    fn inner_level(&mut self, held: &[Word], candidates: &[Rank], followers: &[Rank]) -> Below {
        let table = self.table;
        let children: Vec<Rank> = candidates.iter().copied().filter(|&item| table.support(held, item, 1) > 0).collect();
        let mut below = Below { any: !children.is_empty(), ..Below::default() };
        let mut holding = Vec::with_capacity(held.len());
        let mut later = Vec::with_capacity(children.len());
        for (i, &item) in children.iter().enumerate() {
            if self.visitor.passes_over(item) {
                continue;
            }
            holding.clear();
            holding.extend(table.meet(held, item).filter(|word| word.rows != 0));
            self.block(item, true);
            later.clear();
            let behind = children[i + 1..].iter().chain(followers).copied();
            later.extend(behind.filter(|&rank| !self.blocked[rank as usize]));
            self.block(item, false);
            below.complete |= self.node(item, &holding, &later);
            if self.broken_off() {
                break;
            }
        }
        below
    }

    /// Visits the child `item` of `path` and what is below it; says whether a set of full size is.
    fn node(&mut self, item: Rank, holding: &[Word], candidates: &[Rank]) -> bool {
        self.path.push(item);
        let below = self.children(holding, candidates, &[]);
        if !below.any && matches!(self.sizes, Sizes::UpTo(_)) {
            let enough = self.visitor.enough();
            if self.table.weight(holding.iter().copied(), enough) < enough {
                self.visitor.leaf(&self.path);
            }
        }
        self.path.pop();
        below.complete
    }

    fn last_level(&mut self, held: &[Word], candidates: &[Rank]) -> Below {
        let enough = self.visitor.enough();
        let mut below = Below::default();
        for &item in candidates {
            if self.visitor.passes_over(item) {
                // Its support is of no interest, but whether it is there may be.
                below.any = below.any || self.table.support(held, item, 1) > 0;
                continue;
            }
            let support = self.table.support(held, item, enough);
            if support == 0 {
                continue;
            }
            below = Below { any: true, complete: true, leaves: below.leaves + 1 };
            if support < enough {
                self.path.push(item);
                self.visitor.leaf(&self.path);
                self.path.pop();
                if self.broken_off() {
                    break;
                }
            }
        }
        below
    }

    /// Whether something on the path has come to be passed over.
    fn broken_off(&self) -> bool {
        self.path.iter().any(|&item| self.visitor.passes_over(item))
    }

    /// Marks what `item` generalizes and what generalizes it, to leave them out of a list.
    fn block(&mut self, item: Rank, blocked: bool) {
        for &related in self.expanded.below(item).iter().chain(self.expanded.above(item)) {
            self.blocked[related as usize] = blocked;
        }
    }
}
