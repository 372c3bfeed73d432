use super::instance::Local;
use rustc_hash::FxHashMap;

/// Minimal moles of two items and more, by their largest item last and the others from the second largest down, so that
/// the moles an itemset completes are found by following its own items.
#[derive(Debug)]
pub(super) struct Trie {
    children: FxHashMap<(u32, Local), u32>,
    /// For each node the largest items of the moles that end there.
    largest: Vec<Vec<Local>>,
}

const ROOT: u32 = 0;

impl Trie {
    pub fn new() -> Self {
        Self { children: FxHashMap::default(), largest: vec![Vec::new()] }
    }

    /// Adds a mole with ascending items.
    pub fn insert(&mut self, mole: &[Local]) {
        if let [rest @ .., largest] = mole {
            let mut node = ROOT;
            for &item in rest.iter().rev() {
                node = *self.children.entry((node, item)).or_insert_with(|| {
                    self.largest.push(Vec::new());
                    self.largest.len() as u32 - 1
                });
            }
            self.largest[node as usize].push(*largest);
        }
    }

    /// Visits each item j for which `itemset` has a part, with its last item, that makes a mole with j.
    pub fn completions(&self, itemset: &[Local], visit: &mut impl FnMut(Local)) {
        if let [rest @ .., last] = itemset {
            self.follow(ROOT, *last, rest, visit);
        }
    }

    fn follow(&self, node: u32, item: Local, rest: &[Local], visit: &mut impl FnMut(Local)) {
        if let Some(&node) = self.children.get(&(node, item)) {
            self.largest[node as usize].iter().for_each(|&largest| visit(largest));
            for (i, &item) in rest.iter().enumerate() {
                self.follow(node, item, &rest[..i], visit);
            }
        }
    }
}
