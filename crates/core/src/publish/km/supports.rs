//! Whether a set of (generalized) items is in at least k transactions.

use super::expanded::{Expanded, Rank};
use super::rows::Rows;

/// The rows of each node of the cut that `rows` are over.
pub(super) struct SupportIndex<'a> {
    expanded: &'a Expanded,
    /// Rank to where its rows begin in `holding`; empty for nodes above the cut.
    offsets: Vec<u32>,
    holding: Vec<u32>,
    /// The last question each row was counted for.
    counted_in: Vec<u32>,
    question: u32,
}

impl<'a> SupportIndex<'a> {
    pub fn new(expanded: &'a Expanded, rows: &Rows) -> Self {
        let rank = |node| expanded.rank(node).expect("a row's nodes are ranked unless the root is published") as usize;
        let mut offsets = vec![0u32; expanded.domain() + 1];
        let ranked = || rows.iter().enumerate().filter(|_| expanded.domain() > 0);
        for (_, (row, _)) in ranked() {
            row.iter().for_each(|&node| offsets[rank(node) + 1] += 1);
        }
        for rank in 1..offsets.len() {
            offsets[rank] += offsets[rank - 1];
        }
        let mut next = offsets.clone();
        let mut holding = vec![0; offsets[offsets.len() - 1] as usize];
        for (index, (row, _)) in ranked() {
            for &node in row {
                let place = &mut next[rank(node)];
                holding[*place as usize] = index as u32;
                *place += 1;
            }
        }
        Self { expanded, offsets, holding, counted_in: vec![0; expanded.rows.len()], question: 0 }
    }

    /// Walks the rows of the rarest item and looks for the others in each.
    pub fn at_least(&mut self, k: u32, set: &[Rank]) -> bool {
        let Some(&rarest) = set.iter().min_by_key(|&&item| self.expanded.supports[item as usize]) else {
            return true;
        };
        self.question += 1;
        let mut support = 0;
        for &base in [rarest].iter().chain(self.expanded.below(rarest)) {
            let bounds = self.offsets[base as usize] as usize..self.offsets[base as usize + 1] as usize;
            for &row in &self.holding[bounds] {
                let counted = std::mem::replace(&mut self.counted_in[row as usize], self.question) == self.question;
                if !counted && self.holds(row, set) {
                    support += self.expanded.rows[row as usize].weight;
                    if support >= k {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn holds(&self, row: u32, set: &[Rank]) -> bool {
        let place = self.expanded.rows[row as usize];
        set.iter().all(|&item| self.expanded.after(place).any(|held| held == item))
    }
}
