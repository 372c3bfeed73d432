//! The search where rows are bit masks: at most 64 items are left, or in the part of the database that an itemset's
//! rows make up.
//!
//! A node has the rows of its base, reduced to the items that are still frequent among them: a mask and a weight each,
//! bit 0 the rarest item. One pass counts all pairs of items, and with them the candidates of every child; a child
//! takes the rows that have its bit, reduced to the candidates above it.
//!
//! - Rows are in the order of their masks as numbers, the most frequent item in the highest bit. Dropping low bits keeps
//!   that order, so rows that become equal become neighbours and merge in the same pass (all of them, until dropping a
//!   candidate from the middle puts some apart; those merely stay unmerged).
//! - Items that all rows of a child have (perfect extensions) leave the search and are reported as free.
//! - With few candidates left the supports of all their subsets are computed at once: a histogram of the masks,
//!   summed over supersets (n·2ⁿ⁻¹ additions, many in one instruction).
//!
//! Cost of a node of r rows and k items with b bits a row: r·b·k/16 additions for the pairs, r steps for each child.

use super::kernels::{Kernels, Lanes, Narrow, Wide, counter};
use super::sink::{Sink, SubsetTable};
use crate::data::Item;

/// The most items a row of masks has.
pub(super) const MASK_BITS: usize = 64;

/// A child with at most so many candidates gets a table of their subsets.
const TABLE_BITS: usize = 10;

/// Rows are sorted and merged where they have at least one in so many of the items.
const SELDOM_EQUAL: u64 = 8;

/// The rows of a node and the memory for what is counted in it; one is kept for each depth.
#[derive(Default)]
pub(super) struct MaskRows {
    /// Bit to item.
    pub(super) items: Vec<Item>,
    /// Bit to the support of base and item.
    pub(super) supports: Vec<u32>,
    /// Places `1..=rows` are in use: the projection writes behind its first place.
    masks: Vec<u64>,
    weights: Vec<u32>,
    rows: usize,
    pairs: Vec<u64>,
    table: Vec<u64>,
}

impl MaskRows {
    /// Empties the node; rows follow by [`Self::push`]. Items go from the rarest up.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.supports.clear();
        self.masks.clear();
        self.weights.clear();
        self.masks.push(0);
        self.weights.push(0);
        self.rows = 0;
    }

    pub(super) fn push(&mut self, mask: u64) {
        self.masks.push(mask);
        self.weights.push(1);
        self.rows += 1;
    }

    /// Sorts rows and merges equal ones, where rows have enough of the items that many should be equal.
    pub(super) fn merge_if_dense(&mut self) {
        let bits: u64 = self.supports.iter().map(|&support| u64::from(support)).sum();
        if bits * SELDOM_EQUAL < (self.rows * self.items.len()) as u64 {
            return;
        }
        self.masks[1..].sort_unstable();
        let mut filled = 0;
        for i in 1..=self.rows {
            if filled == 0 || self.masks[i] != self.masks[filled] {
                filled += 1;
                self.masks[filled] = self.masks[i];
                self.weights[filled] = 1;
            } else {
                self.weights[filled] += 1;
            }
        }
        self.rows = filled;
    }

    fn rows(&self) -> (&[u64], &[u32]) {
        (&self.masks[1..=self.rows], &self.weights[1..=self.rows])
    }
}

/// The positions of the set bits, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}

/// What stays the same through a search of masks.
pub(super) struct MaskSearch<'a, S> {
    pub(super) kernels: Kernels,
    pub(super) min_support: u32,
    /// Item to group, where items are grouped.
    pub(super) groups: Option<&'a [u32]>,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> MaskSearch<'_, S> {
    /// Reports the itemsets of the base and any of the node's items, all of which are frequent with it: at most
    /// `more` items, not the base alone. `support` is that of the base.
    pub(super) fn extend(&mut self, levels: &mut Vec<MaskRows>, depth: usize, support: u32, more: usize) {
        if levels.len() < depth + 2 {
            levels.resize_with(depth + 2, MaskRows::default);
        }
        // No counter below exceeds the support of the base.
        if support <= Narrow::MAX {
            self.extend_by::<Narrow>(levels, depth, more);
        } else {
            self.extend_by::<Wide>(levels, depth, more);
        }
    }

    fn extend_by<L: Lanes>(&mut self, levels: &mut Vec<MaskRows>, depth: usize, more: usize) {
        let mut node = std::mem::take(&mut levels[depth]);
        let stride = node.items.len().div_ceil(L::LANES);
        if more > 1 {
            let mut pairs = std::mem::take(&mut node.pairs);
            pairs.clear();
            pairs.resize(stride * node.items.len(), 0);
            let (masks, weights) = node.rows();
            self.kernels.pair_counts::<L>(masks, weights, stride, &mut pairs);
            node.pairs = pairs;
        }
        for bit in 0..node.items.len() {
            let (item, support) = (node.items[bit], node.supports[bit]);
            if more == 1 {
                self.sink.one_more(item, support);
                continue;
            }
            let counts = &node.pairs[bit * stride..(bit + 1) * stride];
            let (mut candidates, mut free) = (0u64, 0u64);
            for other in bit + 1..node.items.len() {
                let count = counter::<L>(counts, other);
                candidates |= u64::from(count >= self.min_support) << other;
                free |= u64::from(count == support) << other;
            }
            if let Some(groups) = self.groups {
                // Two free items may exclude each other, so with groups none is free.
                free = 0;
                candidates = bits(candidates)
                    .filter(|&other| groups[node.items[other] as usize] != groups[item as usize])
                    .fold(0, |kept, other| kept | 1 << other);
            }
            candidates &= !free;
            if candidates | free == 0 {
                self.sink.one_more(item, support);
                continue;
            }
            self.sink.enter(item);
            self.sink.free(bits(free).map(|bit| node.items[bit]));
            self.sink.base(support);
            self.child::<L>(levels, depth, &mut node, bit, candidates, support, more - 1);
            self.sink.leave();
        }
        levels[depth] = node;
    }

    /// Reports what grows from a child's base: the node's, with `bit`, by its `candidates`.
    fn child<L: Lanes>(
        &mut self,
        levels: &mut Vec<MaskRows>,
        depth: usize,
        node: &mut MaskRows,
        bit: usize,
        candidates: u64,
        support: u32,
        more: usize,
    ) {
        let stride = node.items.len().div_ceil(L::LANES);
        let count = |other: usize| counter::<L>(&node.pairs[bit * stride..(bit + 1) * stride], other);
        let width = candidates.count_ones() as usize;
        if width == 0 {
            return;
        }
        if width == 1 || more == 1 {
            for other in bits(candidates) {
                self.sink.one_more(node.items[other], count(other));
            }
            return;
        }
        let below = &mut levels[depth + 1];
        below.items.clear();
        below.items.extend(bits(candidates).map(|other| node.items[other]));
        if width <= TABLE_BITS && self.groups.is_none() {
            let mut table = std::mem::take(&mut below.table);
            table.resize((1usize << width).div_ceil(L::LANES), 0);
            let (masks, weights) = node.rows();
            self.kernels.subset_supports::<L>(masks, weights, bit as u32, candidates, &mut table);
            self.sink.subsets::<L>(&SubsetTable {
                items: &below.items,
                supports: &table,
                min_support: self.min_support,
            });
            below.table = table;
            return;
        }
        below.supports.clear();
        below.supports.extend(bits(candidates).map(count));
        if below.masks.len() < node.rows + 1 {
            below.masks.resize(node.rows + 1, 0);
            below.weights.resize(node.rows + 1, 0);
        }
        let (masks, weights) = node.rows();
        below.rows = self.kernels.project(masks, weights, bit as u32, candidates, &mut below.masks, &mut below.weights);
        self.extend(levels, depth + 1, support, more);
    }
}
