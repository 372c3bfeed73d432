//! Transactions over nodes of the hierarchy, those that are alike merged: generalization makes many alike.

use crate::data::{NodeId, Transactions};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Distinct, sorted sets of nodes, each with the number of transactions it stands for.
pub(super) struct Rows {
    offsets: Vec<u32>,
    nodes: Vec<NodeId>,
    weights: Vec<u32>,
}

impl Rows {
    pub fn of(transactions: &Transactions) -> Self {
        let mut rows = Self::empty();
        for row in transactions.rows() {
            rows.push(row.iter().copied(), 1);
        }
        rows.merged()
    }

    /// Every node replaced by what `published` says.
    pub fn mapped(&self, published: impl Fn(NodeId) -> NodeId) -> Self {
        let mut rows = Self::empty();
        for (row, weight) in self.iter() {
            rows.push(row.iter().map(|&node| published(node)), weight);
        }
        rows.merged()
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    pub fn row(&self, index: usize) -> &[NodeId] {
        &self.nodes[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (&[NodeId], u32)> {
        (0..self.len()).map(|index| (self.row(index), self.weights[index]))
    }

    fn empty() -> Self {
        Self { offsets: vec![0], nodes: Vec::new(), weights: Vec::new() }
    }

    fn push(&mut self, row: impl Iterator<Item = NodeId>, weight: u32) {
        let start = self.nodes.len();
        self.nodes.extend(row);
        self.nodes[start..].sort_unstable();
        let mut kept = start;
        for i in start..self.nodes.len() {
            if i == start || self.nodes[i] != self.nodes[kept - 1] {
                self.nodes[kept] = self.nodes[i];
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        self.offsets.push(kept as u32);
        self.weights.push(weight);
    }

    /// Rows are known by their hash, or by the next number that is free if another row has it.
    fn merged(self) -> Self {
        let mut merged = Self::empty();
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        for (row, weight) in self.iter() {
            let mut hasher = FxHasher::default();
            row.hash(&mut hasher);
            let mut hash = hasher.finish();
            loop {
                match known.get(&hash) {
                    Some(&index) if merged.row(index as usize) == row => {
                        merged.weights[index as usize] += weight;
                        break;
                    }
                    Some(_) => hash = hash.wrapping_add(1),
                    None => {
                        known.insert(hash, merged.len() as u32);
                        merged.nodes.extend_from_slice(row);
                        merged.offsets.push(merged.nodes.len() as u32);
                        merged.weights.push(weight);
                        break;
                    }
                }
            }
        }
        merged
    }
}
