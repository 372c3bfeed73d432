//! Rows as bit masks, where at most 64 items are left.
//!
//! Bit 0 is the rarest item. Rows are in the order of their masks as numbers, so the most frequent item decides first.
//! Dropping low bits keeps that order; so when a projection drops the bits up to an item's, rows that become equal
//! become neighbours and are merged in the same pass. (Dropping a bit from the middle puts some apart; those merely stay
//! unmerged.)

use super::kernels::{Kernels, Lanes, counter};
use crate::data::Item;

/// The most items a mask has.
pub(super) const MASK_BITS: usize = 64;

/// Rows are sorted and merged where they have at least one in so many of the items.
const SELDOM_EQUAL: u64 = 8;

/// Rows of masks with weights, the items of the bits, and the counts of pairs once they are asked for.
#[derive(Default)]
pub(super) struct MaskRows {
    /// Bit to item.
    pub(super) items: Vec<Item>,
    /// Bit to support; rows that have this bit alone may have been left out.
    pub(super) supports: Vec<u32>,
    /// Places `1..=rows` are in use: the projection writes behind its first place.
    masks: Vec<u64>,
    weights: Vec<u32>,
    rows: usize,
    pairs: Vec<u64>,
    /// Words of `pairs` for a bit.
    stride: usize,
}

impl MaskRows {
    /// Empties it; items and supports follow from the rarest up, then rows by [`Self::push`].
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

    /// The number of items.
    pub(super) fn width(&self) -> usize {
        self.items.len()
    }

    /// The masks and their weights.
    pub(super) fn rows(&self) -> (&[u64], &[u32]) {
        (&self.masks[1..=self.rows], &self.weights[1..=self.rows])
    }

    /// Counts the rows of every pair of items, for [`Self::pair`] and [`Self::beside`].
    pub(super) fn count_pairs<L: Lanes>(&mut self, kernels: Kernels) {
        self.stride = self.items.len().div_ceil(L::LANES);
        self.pairs.clear();
        self.pairs.resize(self.stride * self.items.len(), 0);
        let (masks, weights) = (&self.masks[1..=self.rows], &self.weights[1..=self.rows]);
        kernels.pair_counts::<L>(masks, weights, self.stride, &mut self.pairs);
    }

    /// The support of two items together; `other` is the higher bit.
    #[inline]
    pub(super) fn pair<L: Lanes>(&self, bit: usize, other: usize) -> u32 {
        counter::<L>(&self.pairs[bit * self.stride..(bit + 1) * self.stride], other)
    }

    /// The higher bits that are frequent beside `bit`, and those of them that are in all its rows.
    #[inline]
    pub(super) fn beside<L: Lanes>(&self, bit: usize, min_support: u32) -> (u64, u64) {
        let support = self.supports[bit];
        let pairs = &self.pairs[bit * self.stride..(bit + 1) * self.stride];
        let (mut frequent, mut everywhere) = (0, 0);
        for other in bit + 1..self.items.len() {
            let count = counter::<L>(pairs, other);
            frequent |= u64::from(count >= min_support) << other;
            everywhere |= u64::from(count == support) << other;
        }
        (frequent, everywhere)
    }

    /// Makes `child` of the rows that have `bit`, reduced to the candidates, which are higher bits.
    pub(super) fn project<L: Lanes>(&self, kernels: Kernels, bit: usize, candidates: u64, child: &mut Self) {
        child.items.clear();
        child.items.extend(bits(candidates).map(|other| self.items[other]));
        child.supports.clear();
        child.supports.extend(bits(candidates).map(|other| self.pair::<L>(bit, other)));
        if child.masks.len() < self.rows + 1 {
            child.masks.resize(self.rows + 1, 0);
            child.weights.resize(self.rows + 1, 0);
        }
        let (masks, weights) = self.rows();
        child.rows = kernels.project(masks, weights, bit as u32, candidates, &mut child.masks, &mut child.weights);
    }
}

/// The positions of the set bits, ascending.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}
