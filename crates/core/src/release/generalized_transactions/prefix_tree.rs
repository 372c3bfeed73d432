//! Violated itemsets of sparse transactions, from a prefix tree, rarest item first.
//!
//! Cost. One step for each set of at most m items and each node of the tree that it reaches; paths that meet in the tree go
//! on as one.

use super::violated::Violated;
use crate::data::{Item, Transactions};
use crate::release::kind::NAMED_FAULTS;
use rustc_hash::FxHashMap;

/// The first few sets of at most `m` items, `m` at most the longest transaction, with a support of 1 to `k` − 1.
pub(super) fn violated_itemsets(transactions: &Transactions, k: u64, m: usize) -> Vec<Violated> {
    let tree = PrefixTree::new(transactions);
    let levels = (0..m).map(|_| Level::new(&tree)).collect();
    let mut search = PrefixTreeSearch { tree: &tree, k, set: Vec::new(), levels, violated: Vec::new() };
    if m > 0 {
        let ends = tree.ends.iter().enumerate().filter(|(_, ends)| **ends > 0);
        let ends: Vec<(u32, u64)> = ends.map(|(node, &ends)| (node as u32, ends)).collect();
        search.extend(&ends);
    }
    search.violated
}

const ROOT: u32 = 0;

/// The published transactions, each as a path from the root down, its most frequent item first.
struct PrefixTree {
    /// Place in the order of frequency to item.
    items: Vec<Item>,
    /// Node to its place in that order, to its parent, and to the number of transactions that end there.
    places: Vec<u32>,
    parents: Vec<u32>,
    ends: Vec<u64>,
}

impl PrefixTree {
    fn new(transactions: &Transactions) -> Self {
        let supports = transactions.supports();
        let mut items: Vec<Item> = (0..transactions.items() as Item).collect();
        items.sort_by_key(|&item| std::cmp::Reverse(supports[item as usize]));
        let mut place_of = vec![0u32; items.len()];
        for (place, &item) in items.iter().enumerate() {
            place_of[item as usize] = place as u32;
        }
        let mut tree = Self { items, places: vec![u32::MAX], parents: vec![ROOT], ends: vec![0] };
        let mut children = FxHashMap::default();
        let mut path = Vec::new();
        for row in transactions.rows() {
            path.clear();
            path.extend(row.iter().map(|&item| place_of[item as usize]));
            path.sort_unstable();
            let mut node = ROOT;
            for &place in &path {
                node = *children.entry((node, place)).or_insert_with(|| {
                    tree.places.push(place);
                    tree.parents.push(node);
                    tree.ends.push(0);
                    tree.places.len() as u32 - 1
                });
            }
            tree.ends[node as usize] += 1;
        }
        tree
    }
}

/// What one step of the recursion works with, kept for the next one.
struct Level {
    /// Node to how many of the transactions at hand pass through it.
    passing: Vec<u64>,
    /// Place to the nodes of that item that some of them pass through.
    met: Vec<Vec<u32>>,
}

impl Level {
    fn new(tree: &PrefixTree) -> Self {
        Self { passing: vec![0; tree.places.len()], met: vec![Vec::new(); tree.items.len()] }
    }

    fn pass(&mut self, tree: &PrefixTree, node: u32, transactions: u64) {
        if node != ROOT {
            let passing = &mut self.passing[node as usize];
            if *passing == 0 {
                self.met[tree.places[node as usize] as usize].push(node);
            }
            *passing += transactions;
        }
    }
}

struct PrefixTreeSearch<'a> {
    tree: &'a PrefixTree,
    k: u64,
    set: Vec<Item>,
    levels: Vec<Level>,
    violated: Vec<Violated>,
}

impl PrefixTreeSearch<'_> {
    /// Adds to `set` each item that is more frequent than those in it; `from` are the nodes where the transactions that
    /// hold the set are at, with their number: at the set's last item, whose path to the root has all more frequent ones.
    fn extend(&mut self, from: &[(u32, u64)]) {
        let depth = self.set.len();
        let mut level = std::mem::replace(&mut self.levels[depth], Level { passing: Vec::new(), met: Vec::new() });
        for &(node, transactions) in from {
            level.pass(self.tree, node, transactions);
        }
        let mut holding = Vec::new();
        for place in (0..level.met.len()).rev() {
            if level.met[place].is_empty() {
                continue;
            }
            holding.clear();
            let mut support = 0;
            for node in std::mem::take(&mut level.met[place]) {
                let transactions = std::mem::take(&mut level.passing[node as usize]);
                let parent = self.tree.parents[node as usize];
                level.pass(self.tree, parent, transactions);
                holding.push((parent, transactions));
                support += transactions;
            }
            if self.violated.len() == NAMED_FAULTS {
                continue;
            }
            self.set.push(self.tree.items[place]);
            if support < self.k {
                self.violated.push(Violated { set: self.set.clone(), support });
            } else if depth + 1 < self.levels.len() {
                self.extend(&holding);
            }
            self.set.pop();
        }
        self.levels[depth] = level;
    }
}
