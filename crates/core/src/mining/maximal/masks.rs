//! The search for maximal itemsets where rows are bit masks.

use super::report::Report;
use crate::mining::kernels::{Kernels, Lanes, Narrow, Wide};
use crate::mining::masks::{MaskRows, bits};

/// The rows of a base, and the known itemsets that contain it, reduced to the same items.
#[derive(Default)]
pub(super) struct MaskNode {
    pub(super) rows: MaskRows,
    pub(super) known: Vec<u64>,
}

impl MaskNode {
    fn is_known(&self, wanted: u64) -> bool {
        self.known.iter().any(|known| known & wanted == wanted)
    }
}

pub(super) struct MaximalMaskSearch {
    kernels: Kernels,
    pub(super) min_support: u32,
    pub(super) report: Report,
    levels: Vec<MaskNode>,
}

impl MaximalMaskSearch {
    pub(super) fn new(min_support: u32) -> Self {
        let levels = vec![MaskNode::default()];
        Self { kernels: Kernels::detect(), min_support, report: Report::default(), levels }
    }

    /// The node a search begins with, to be filled before it does.
    pub(super) fn root(&mut self) -> &mut MaskNode {
        &mut self.levels[0]
    }

    /// Reports the maximal itemsets of the base and some of the root's items, all of which are frequent with it, and
    /// adds them to what the root knows. `support` is that of the base.
    pub(super) fn run(&mut self, support: u32) {
        let width = self.levels[0].rows.width();
        if !self.levels[0].is_known(all_bits(width)) {
            self.extend(0, support);
        }
    }

    fn extend(&mut self, depth: usize, support: u32) {
        // No counter below exceeds the support of the base.
        if support <= Narrow::MAX {
            self.extend_by::<Narrow>(depth);
        } else {
            self.extend_by::<Wide>(depth);
        }
    }

    /// The base with all of the node's items is not known yet.
    fn extend_by<L: Lanes>(&mut self, depth: usize) {
        if self.levels.len() < depth + 2 {
            self.levels.resize_with(depth + 2, MaskNode::default);
        }
        let mut node = std::mem::take(&mut self.levels[depth]);
        let all = all_bits(node.rows.width());
        let (masks, weights) = node.rows.rows();
        let together = masks.iter().zip(weights).filter(|(mask, _)| **mask == all).map(|(_, weight)| weight).sum();
        if together >= self.min_support {
            self.report.add(node.rows.items.iter().copied(), together);
            node.known.push(all);
        } else {
            node.rows.count_pairs::<L>(self.kernels);
            for bit in 0..node.rows.width() {
                self.child::<L>(depth, &mut node, bit);
            }
        }
        self.levels[depth] = node;
    }

    /// Reports the maximal itemsets of the base, `bit`, and higher bits.
    fn child<L: Lanes>(&mut self, depth: usize, node: &mut MaskNode, bit: usize) {
        let (mut candidates, free) = node.rows.beside::<L>(bit, self.min_support);
        let with_all = candidates | 1 << bit;
        if node.is_known(with_all) {
            return;
        }
        candidates &= !free;
        if candidates.count_ones() <= 1 {
            let support = bits(candidates).next().map(|other| node.rows.pair::<L>(bit, other));
            let items = bits(with_all).map(|bit| node.rows.items[bit]);
            self.report.add(items, support.unwrap_or(node.rows.supports[bit]));
            node.known.push(with_all);
            return;
        }
        let in_all = free | 1 << bit;
        self.report.enter(bits(in_all).map(|bit| node.rows.items[bit]));
        let child = &mut self.levels[depth + 1];
        node.rows.project::<L>(self.kernels, bit, candidates, &mut child.rows);
        self.kernels.select(&node.known, bit as u32, candidates, &mut child.known);
        child.known.sort_unstable();
        child.known.dedup();
        let before = child.known.len();
        self.extend(depth + 1, node.rows.supports[bit]);
        node.known.extend(self.levels[depth + 1].known[before..].iter().map(|&mask| in_all | spread(mask, candidates)));
        self.report.leave(in_all.count_ones());
    }
}

fn all_bits(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

/// Moves the low bits of `mask` to the places of the bits of `places`.
fn spread(mask: u64, places: u64) -> u64 {
    bits(places).enumerate().fold(0, |spread, (bit, place)| spread | (mask >> bit & 1) << place)
}
