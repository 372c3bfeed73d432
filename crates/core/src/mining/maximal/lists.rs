//! The search for maximal itemsets where rows are lists of codes.

use super::known::KnownSets;
use super::masks::MaximalMaskSearch;
use crate::data::Transactions;
use crate::mining::coding::Coding;
use crate::mining::database::Database;
use crate::mining::masks::MASK_BITS;

/// The rows of a base, and the known itemsets that contain it, reduced to the same items.
#[derive(Default)]
struct ListNode {
    rows: Database,
    known: KnownSets,
    /// Code to the parent's code.
    parents: Vec<u32>,
}

pub(super) struct ListSearch {
    pub(super) masks: MaximalMaskSearch,
    /// Code to its count among the rows of the item whose turn it is; zero between turns.
    counts: Vec<u32>,
    /// Code to its bit, in the child made of masks; else to its code in the child, plus one. Zero between turns.
    new_codes: Vec<u64>,
    /// Codes that are frequent among those rows, with their counts.
    candidates: Vec<(u32, u32)>,
}

impl ListSearch {
    pub(super) fn new(masks: MaximalMaskSearch, codes: usize) -> Self {
        Self { masks, counts: vec![0; codes], new_codes: vec![0; codes], candidates: Vec::new() }
    }

    /// Reports the maximal itemsets that have a code of `first` or above. Returns all of them as masks of the codes
    /// below `first`, the most frequent in the highest bit.
    pub(super) fn run(&mut self, transactions: &Transactions, coding: &Coding, first: usize) -> Vec<u64> {
        let mut root = ListNode::default();
        root.known.clear(coding.items.len());
        root.rows.fill(
            coding.items.iter().copied(),
            coding.supports.iter().copied(),
            transactions.rows().map(|row| coding.encode(row)),
        );
        let mut levels = vec![root];
        self.extend(&mut levels, 0, first);
        let known = &levels[0].known;
        let bit = |&code: &u32| if (code as usize) < first { 1u64 << (first as u32 - 1 - code) } else { 0 };
        (0..known.len()).map(|id| known.set(id).iter().map(bit).sum()).collect()
    }

    fn extend(&mut self, levels: &mut Vec<ListNode>, depth: usize, first: usize) {
        if levels.len() < depth + 2 {
            levels.resize_with(depth + 2, ListNode::default);
        }
        let mut node = std::mem::take(&mut levels[depth]);
        let codes = node.rows.codes();
        (0..codes).for_each(|code| node.rows.write(code));
        for code in (first..codes).rev() {
            node.rows.erase(code);
            self.turn(levels, depth, &mut node, code);
        }
        levels[depth] = node;
    }

    /// Reports the maximal itemsets of the base, `code`, and codes below it.
    fn turn(&mut self, levels: &mut Vec<ListNode>, depth: usize, node: &mut ListNode, code: usize) {
        let support = node.rows.row_count(code);
        self.find_candidates(&node.rows, code);
        if self.is_known(&node.known, code) {
            return;
        }
        // The code and what is in all its rows.
        let mut in_all = vec![code as u32];
        in_all.extend(self.candidates.iter().filter(|(count, _)| *count == support).map(|&(_, other)| other));
        self.candidates.retain(|&(count, _)| count != support);
        let rows = &node.rows;
        let items = |codes: &[u32]| codes.iter().map(|&code| rows.items[code as usize]).collect::<Vec<_>>();
        if self.candidates.len() <= 1 {
            let last = self.candidates.first();
            in_all.extend(last.map(|&(_, other)| other));
            self.masks.report.add(items(&in_all).into_iter(), last.map_or(support, |&(count, _)| count));
            node.known.push(in_all.iter().copied());
            return;
        }
        self.masks.report.enter(items(&in_all).into_iter());
        if self.candidates.len() <= MASK_BITS {
            self.search_masks(node, code, &in_all);
        } else {
            self.project(&mut levels[depth + 1], node, code);
            let before = levels[depth + 1].known.len();
            self.extend(levels, depth + 1, 0);
            let child = &levels[depth + 1];
            for id in before..child.known.len() {
                let codes = child.known.set(id).iter().map(|&code| child.parents[code as usize]);
                node.known.push(in_all.iter().copied().chain(codes));
            }
        }
        self.masks.report.leave(in_all.len() as u32);
    }

    /// What is frequent among the rows of a code, the rarest first.
    fn find_candidates(&mut self, rows: &Database, code: usize) {
        rows.frequent_beside(code, self.masks.min_support, &mut self.counts, &mut self.candidates);
        self.candidates.sort_unstable_by_key(|&(count, other)| (count, std::cmp::Reverse(other)));
    }

    /// Whether the base, the code and all candidates are part of a known itemset.
    fn is_known(&mut self, known: &KnownSets, code: usize) -> bool {
        for &(_, other) in &self.candidates {
            self.new_codes[other as usize] = 1;
        }
        let wanted = self.candidates.len() as u64;
        let new_codes = &self.new_codes;
        let holds_all = |set: &[u32]| set.iter().map(|&other| new_codes[other as usize]).sum::<u64>() == wanted;
        let is_known = known.holding(code).any(holds_all);
        self.forget_new_codes();
        is_known
    }

    /// Goes on with masks of the candidates.
    fn search_masks(&mut self, node: &mut ListNode, code: usize, in_all: &[u32]) {
        let child = self.masks.root();
        child.rows.clear();
        for (bit, &(count, other)) in self.candidates.iter().enumerate() {
            self.new_codes[other as usize] = 1 << bit;
            child.rows.items.push(node.rows.items[other as usize]);
            child.rows.supports.push(count);
        }
        let new_codes = &self.new_codes;
        let mask = |row: &[u32]| row.iter().fold(0, |mask, &other| mask | new_codes[other as usize]);
        node.rows.rows_of(code).for_each(|row| child.rows.push(mask(row)));
        child.rows.merge_if_dense();
        child.known.clear();
        child.known.extend(node.known.holding(code).map(mask));
        let before = child.known.len();
        self.forget_new_codes();
        self.masks.run(node.rows.row_count(code));
        for &mask in &self.masks.root().known[before..] {
            let codes = self.candidates.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            node.known.push(in_all.iter().copied().chain(codes.map(|(_, &(_, other))| other)));
        }
    }

    /// Makes `child` of the rows of a code, reduced to the candidates.
    fn project(&mut self, child: &mut ListNode, node: &ListNode, code: usize) {
        child.parents.clear();
        child.parents.extend(self.candidates.iter().rev().map(|&(_, other)| other));
        for (place, &other) in (1..).zip(&child.parents) {
            self.new_codes[other as usize] = place;
        }
        let new_codes = &self.new_codes;
        let new_code = |&other: &u32| (new_codes[other as usize] as u32).checked_sub(1);
        child.rows.fill(
            child.parents.iter().map(|&other| node.rows.items[other as usize]),
            self.candidates.iter().rev().map(|&(count, _)| count),
            node.rows.rows_of(code).map(|row| row.iter().filter_map(new_code)),
        );
        child.known.clear(child.parents.len());
        node.known.holding(code).for_each(|set| child.known.push(set.iter().filter_map(new_code)));
        self.forget_new_codes();
    }

    fn forget_new_codes(&mut self) {
        self.candidates.iter().for_each(|&(_, other)| self.new_codes[other as usize] = 0);
    }
}
