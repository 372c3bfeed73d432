//! The search for all frequent itemsets where rows are bit masks (`masks`).
//!
//! A node has the rows of its base, reduced to the items that are still frequent among them. One pass counts all pairs
//! of items, and with them the candidates of every child; a child takes the rows that have its bit, reduced to the
//! candidates above it.
//!
//! - Items that all rows of a child have (perfect extensions) leave the search and are reported as free.
//! - With few candidates left the supports of all their subsets are computed at once: a histogram of the masks,
//!   summed over supersets (n·2ⁿ⁻¹ additions, many in one instruction).
//!
//! Cost of a node of r rows and k items with b bits a row: r·b·k/16 additions for the pairs, r steps for each child.

use super::kernels::{Kernels, Lanes, MAX_TABLE_BITS, Narrow, Wide};
use super::masks::{MaskRows, bits};
use super::sink::{Sink, SubsetTable};

/// A table of subsets has at most so many places for each row that is counted in it.
const PLACES_PER_ROW: usize = 16;

/// What stays the same through a search of masks, and its memory.
pub(super) struct MaskSearch<'a, S> {
    pub(super) kernels: Kernels,
    pub(super) min_support: u32,
    pub(super) sink: &'a mut S,
    /// The nodes on the way down.
    levels: Vec<MaskRows>,
    table: Vec<u64>,
}

impl<'a, S: Sink> MaskSearch<'a, S> {
    pub(super) fn new(min_support: u32, sink: &'a mut S) -> Self {
        let levels = vec![MaskRows::default()];
        Self { kernels: Kernels::detect(), min_support, sink, levels, table: Vec::new() }
    }

    /// The rows a search begins with, to be filled before it does.
    pub(super) fn root(&mut self) -> &mut MaskRows {
        &mut self.levels[0]
    }

    /// Reports the itemsets of the base and any of the root's items, all of which are frequent with it: at most `more`
    /// items, not the base alone. `support` is that of the base.
    pub(super) fn run(&mut self, support: u32, more: usize) {
        self.extend(0, support, more);
    }

    fn extend(&mut self, depth: usize, support: u32, more: usize) {
        // No counter below exceeds the support of the base.
        if support <= Narrow::MAX {
            self.extend_by::<Narrow>(depth, more);
        } else {
            self.extend_by::<Wide>(depth, more);
        }
    }

    fn extend_by<L: Lanes>(&mut self, depth: usize, more: usize) {
        if self.levels.len() < depth + 2 {
            self.levels.resize_with(depth + 2, MaskRows::default);
        }
        let mut node = std::mem::take(&mut self.levels[depth]);
        if more > 1 {
            node.count_pairs::<L>(self.kernels);
        }
        for bit in 0..node.width() {
            let (item, support) = (node.items[bit], node.supports[bit]);
            let (candidates, free) = if more > 1 { node.beside::<L>(bit, self.min_support) } else { (0, 0) };
            if candidates == 0 {
                self.sink.one_more(item, support);
                continue;
            }
            self.sink.enter(item);
            self.sink.free(bits(free).map(|bit| node.items[bit]));
            self.sink.base(support);
            self.child::<L>(depth, &node, bit, candidates & !free, more - 1);
            self.sink.leave();
        }
        self.levels[depth] = node;
    }

    /// Reports what grows from a child's base, which is the node's and `bit`, by its `candidates`.
    fn child<L: Lanes>(&mut self, depth: usize, node: &MaskRows, bit: usize, candidates: u64, more: usize) {
        let width = candidates.count_ones() as usize;
        if width <= 1 || more == 1 {
            for other in bits(candidates) {
                self.sink.one_more(node.items[other], node.pair::<L>(bit, other));
            }
            return;
        }
        let child = &mut self.levels[depth + 1];
        let (masks, weights) = node.rows();
        // Of no use where most subsets are too large to be asked for.
        let table_bits = if more < 4 { MAX_TABLE_BITS / 2 } else { MAX_TABLE_BITS };
        if width <= table_bits && 1 << width <= PLACES_PER_ROW * masks.len() {
            child.items.clear();
            child.items.extend(bits(candidates).map(|other| node.items[other]));
            self.table.resize((1usize << width).div_ceil(L::LANES), 0);
            self.kernels.subset_supports::<L>(masks, weights, bit as u32, candidates, &mut self.table);
            let (items, supports) = (&child.items[..], &self.table[..]);
            self.sink.subsets::<L>(&SubsetTable { items, supports, min_support: self.min_support });
        } else {
            node.project::<L>(self.kernels, bit, candidates, child);
            self.extend(depth + 1, node.supports[bit], more);
        }
    }
}
