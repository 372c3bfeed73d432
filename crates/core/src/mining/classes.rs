//! Frequent itemsets with how many of their rows are in each class.
//!
//! The search is that of `sparse`, on rows that carry a class and a weight: equal rows of one class are merged before it
//! begins. A first pass over the rows of an itemset finds what is still frequent beside it, a second one counts the
//! classes of that alone.

use super::Itemized;
use super::coding::Coding;
use super::database::Database;
use super::frames::Frames;
use crate::data::Item;
use rustc_hash::FxHashMap;

/// Rows tagged with their class and their weight.
#[derive(Default)]
struct ClassRows {
    rows: Database<2>,
    /// Code to support.
    supports: Vec<u32>,
    /// Code to the counts of all classes.
    class_counts: Vec<u32>,
}

/// Like [`mine`](super::mine), and counts for each itemset the rows of each class: `class_of` has the class of each
/// row, below `classes`. The class counts of an itemset sum to its support.
///
/// # Panics
/// When `class_of` is not one class below `classes` per row: a caller's error, never the data's.
pub fn mine_with_classes(
    data: &impl Itemized,
    class_of: &[u32],
    classes: usize,
    min_support: u32,
    max_len: Option<usize>,
    visit: &mut impl FnMut(&[Item], u32, &[u32]),
) {
    let transactions = data.transactions();
    assert_eq!(class_of.len(), transactions.len(), "one class per row");
    assert!(class_of.iter().all(|&class| (class as usize) < classes), "every class is below {classes}");
    let min_support = min_support.max(1);
    let coding = Coding::new(transactions, min_support);
    let codes = coding.items.len();
    let mut weights: FxHashMap<(u32, &[Item]), u32> = FxHashMap::default();
    for (row, &class) in transactions.rows().zip(class_of) {
        *weights.entry((class, row)).or_insert(0) += 1;
    }
    let mut merged: Vec<([u32; 2], &[Item])> = Vec::with_capacity(weights.len());
    for (row, &class) in transactions.rows().zip(class_of) {
        // In the order of first appearance: that of the map is no one's business.
        if let Some(weight) = weights.remove(&(class, row)) {
            merged.push(([class, weight], row));
        }
    }
    let mut first =
        ClassRows { supports: coding.supports.clone(), class_counts: vec![0; codes * classes], ..ClassRows::default() };
    let mut row_counts = vec![0; codes];
    for &([class, weight], row) in &merged {
        for code in coding.encode(row) {
            row_counts[code as usize] += 1;
            first.class_counts[code as usize * classes + class as usize] += weight;
        }
    }
    first.rows.fill(
        coding.items.iter().copied(),
        row_counts.into_iter(),
        merged.iter().map(|&(tags, row)| (tags, coding.encode(row))),
    );
    let mut search = Search {
        groups: data.groups(),
        classes,
        min_support,
        frames: Frames::default(),
        counts: vec![Count::default(); codes],
        new_codes: vec![0; codes],
        candidates: Vec::new(),
        visit,
    };
    search.extend(&mut vec![first], 0, max_len.unwrap_or(usize::MAX));
}

/// What is found of a code beside the itemset whose turn it is.
#[derive(Clone, Copy, Default)]
struct Count {
    support: u32,
    /// Merged rows.
    rows: u32,
}

struct Search<'a, V> {
    groups: Option<&'a [u32]>,
    classes: usize,
    min_support: u32,
    frames: Frames,
    /// By code; zero between turns.
    counts: Vec<Count>,
    /// Code to its code in the child, plus one; zero between turns.
    new_codes: Vec<u32>,
    candidates: Vec<(Count, u32)>,
    visit: &'a mut V,
}

impl<V: FnMut(&[Item], u32, &[u32])> Search<'_, V> {
    /// Visits the base grown by at most `more` items of the rows, not the base alone.
    fn extend(&mut self, levels: &mut Vec<ClassRows>, depth: usize, more: usize) {
        if more == 0 {
            return;
        }
        if levels.len() < depth + 2 {
            levels.resize_with(depth + 2, ClassRows::default);
        }
        let mut level = std::mem::take(&mut levels[depth]);
        for code in 0..level.rows.codes() {
            self.frames.push(level.rows.items[code]);
            let class_counts = &level.class_counts[code * self.classes..(code + 1) * self.classes];
            (self.visit)(self.frames.top(), level.supports[code], class_counts);
            if more > 1 && code > 0 {
                self.find_candidates(&level.rows, code);
                if !self.candidates.is_empty() {
                    self.project(&mut levels[depth + 1], &level.rows, code);
                    self.extend(levels, depth + 1, more - 1);
                }
            }
            self.frames.pop();
            level.rows.write(code);
        }
        levels[depth] = level;
    }

    /// What is frequent among the rows of a code, most frequent first.
    fn find_candidates(&mut self, rows: &Database<2>, code: usize) {
        self.candidates.clear();
        for (&[_, weight], row) in rows.rows_of(code) {
            for &other in row {
                let count = &mut self.counts[other as usize];
                count.rows += 1;
                count.support += weight;
                if count.support >= self.min_support && count.support - weight < self.min_support {
                    self.candidates.push((Count::default(), other));
                }
            }
        }
        if let Some(groups) = self.groups {
            let group = |code: u32| groups[rows.items[code as usize] as usize];
            self.candidates.retain(|&(_, other)| group(other) != group(code as u32));
        }
        for (count, other) in &mut self.candidates {
            *count = self.counts[*other as usize];
        }
        self.counts[..code].fill(Count::default());
        self.candidates.sort_unstable_by_key(|&(count, other)| (std::cmp::Reverse(count.support), other));
    }

    /// Makes `child` of the rows of a code, reduced to the candidates.
    fn project(&mut self, child: &mut ClassRows, rows: &Database<2>, code: usize) {
        for (place, &(_, other)) in (1..).zip(&self.candidates) {
            self.new_codes[other as usize] = place;
        }
        let new_codes = &self.new_codes;
        let new_code = |&other: &u32| new_codes[other as usize].checked_sub(1);
        child.supports.clear();
        child.supports.extend(self.candidates.iter().map(|(count, _)| count.support));
        child.class_counts.clear();
        child.class_counts.resize(self.candidates.len() * self.classes, 0);
        for (&[class, weight], row) in rows.rows_of(code) {
            for other in row.iter().filter_map(new_code) {
                child.class_counts[other as usize * self.classes + class as usize] += weight;
            }
        }
        child.rows.fill(
            self.candidates.iter().map(|&(_, other)| rows.items[other as usize]),
            self.candidates.iter().map(|(count, _)| count.rows),
            rows.rows_of(code).map(|(&tags, row)| (tags, row.iter().filter_map(new_code))),
        );
        for &(_, other) in &self.candidates {
            self.new_codes[other as usize] = 0;
        }
    }
}
