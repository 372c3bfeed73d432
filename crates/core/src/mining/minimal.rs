//! Minimal infrequent itemsets: the negative border.
//!
//! The search is that of `sparse`, on lists alone. An itemset is met in it when all but its last item make a frequent
//! itemset; the rest of its parts are looked up among the frequent itemsets found so far. Those come before it: an item
//! is taken after all the more frequent ones, in every database on the way down.

use super::Itemized;
use super::coding::Coding;
use super::database::Database;
use super::frames::Frames;
use crate::data::Item;
use rustc_hash::FxHashSet;

/// The minimal infrequent itemsets with their supports, of at most `max_len` items, in lexicographic order: those of
/// fewer than `min_support` rows all of whose proper parts have at least `min_support`. Only those of at least `least`
/// rows: 1 gives those that occur at all; 0 gives all of them, of which there are many where items are.
///
/// Keeps the frequent itemsets of two or more items and fewer than `max_len` in memory.
pub fn mine_minimal_infrequent(
    data: &impl Itemized,
    min_support: u32,
    max_len: Option<usize>,
    least: u32,
) -> Vec<(Vec<Item>, u32)> {
    let max_len = max_len.unwrap_or(usize::MAX);
    if max_len == 0 || least >= min_support {
        return Vec::new();
    }
    let transactions = data.transactions();
    let coding = Coding::new(transactions, min_support);
    let mut found: Vec<(Vec<Item>, u32)> = (0..)
        .zip(transactions.supports())
        .filter(|(_, support)| (least..min_support).contains(support))
        .map(|(item, support)| (vec![item], support))
        .collect();
    let mut root: Database<0> = Database::default();
    root.fill(
        coding.items.iter().copied(),
        coding.supports.iter().copied(),
        transactions.rows().map(|row| ([], coding.encode(row))),
    );
    let codes = coding.items.len();
    let mut search = Search {
        groups: data.groups(),
        min_support,
        least,
        max_len,
        base: Frames::default(),
        frequent: FxHashSet::default(),
        counts: vec![0; codes],
        new_codes: vec![0; codes],
        beside: Vec::new(),
        part: Vec::new(),
        found: &mut found,
    };
    if max_len > 1 {
        search.extend(&mut vec![root], 0);
    }
    found.sort_unstable();
    found
}

struct Search<'a> {
    groups: Option<&'a [u32]>,
    min_support: u32,
    least: u32,
    max_len: usize,
    base: Frames,
    /// Frequent itemsets of two or more items that itemsets to come may have as parts.
    frequent: FxHashSet<Box<[Item]>>,
    /// Code to its count among the rows of the item whose turn it is; zero between turns.
    counts: Vec<u32>,
    /// Code to its code in the child, plus one; zero between turns.
    new_codes: Vec<u32>,
    /// The codes beside that item, with their counts.
    beside: Vec<(u32, u32)>,
    part: Vec<Item>,
    found: &'a mut Vec<(Vec<Item>, u32)>,
}

impl Search<'_> {
    /// Every item of the rows is frequent with the base, which is shorter than `max_len` by two or more.
    fn extend(&mut self, levels: &mut Vec<Database<0>>, depth: usize) {
        if levels.len() < depth + 2 {
            levels.resize_with(depth + 2, Database::default);
        }
        let mut rows = std::mem::take(&mut levels[depth]);
        for code in 0..rows.codes() {
            self.base.push(rows.items[code]);
            if self.base.len() > 1 {
                self.frequent.insert(self.base.top().into());
            }
            self.look_beside(&rows, code);
            if self.base.len() + 2 <= self.max_len && !self.beside.is_empty() {
                self.project(&mut levels[depth + 1], &rows, code);
                self.extend(levels, depth + 1);
            }
            self.base.pop();
            rows.write(code);
        }
        levels[depth] = rows;
    }

    /// Counts the items beside a code, the last of the base. Those that are infrequent with the base are reported where
    /// they are minimal, the others are left as candidates, the most frequent first.
    fn look_beside(&mut self, rows: &Database<0>, code: usize) {
        self.beside.clear();
        for (_, row) in rows.rows_of(code) {
            for &other in row {
                let count = &mut self.counts[other as usize];
                *count += 1;
                if *count == 1 && self.least > 0 {
                    self.beside.push((0, other));
                }
            }
        }
        if self.least == 0 {
            self.beside.extend((0..code as u32).map(|other| (0, other)));
        }
        if let Some(groups) = self.groups {
            let group = |code: u32| groups[rows.items[code as usize] as usize];
            self.beside.retain(|&(_, other)| group(other) != group(code as u32));
        }
        for (count, other) in &mut self.beside {
            *count = self.counts[*other as usize];
        }
        self.counts[..code].fill(0);
        let mut beside = std::mem::take(&mut self.beside);
        beside.retain(|&(count, other)| {
            let is_frequent = count >= self.min_support;
            if !is_frequent && count >= self.least {
                self.report_if_minimal(rows.items[code], rows.items[other as usize], count);
            }
            is_frequent
        });
        beside.sort_unstable_by_key(|&(count, other)| (std::cmp::Reverse(count), other));
        self.beside = beside;
    }

    /// `last` is the item the base got last; `other` is frequent with the rest of it.
    fn report_if_minimal(&mut self, last: Item, other: Item, support: u32) {
        self.base.push(other);
        let itemset = self.base.top();
        let is_minimal = (0..itemset.len()).filter(|&i| itemset[i] != last && itemset[i] != other).all(|left_out| {
            self.part.clear();
            self.part.extend(itemset[..left_out].iter().chain(&itemset[left_out + 1..]));
            self.frequent.contains(&self.part[..])
        });
        if is_minimal {
            self.found.push((itemset.to_vec(), support));
        }
        self.base.pop();
    }

    /// Makes `child` of the rows of a code, reduced to the candidates.
    fn project(&mut self, child: &mut Database<0>, rows: &Database<0>, code: usize) {
        for (place, &(_, other)) in (1..).zip(&self.beside) {
            self.new_codes[other as usize] = place;
        }
        let new_codes = &self.new_codes;
        let new_code = |&other: &u32| new_codes[other as usize].checked_sub(1);
        child.fill(
            self.beside.iter().map(|&(_, other)| rows.items[other as usize]),
            self.beside.iter().map(|&(count, _)| count),
            rows.rows_of(code).map(|(_, row)| ([], row.iter().filter_map(new_code))),
        );
        self.beside.iter().for_each(|&(_, other)| self.new_codes[other as usize] = 0);
    }
}
