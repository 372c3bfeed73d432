//! The mole border [U, L] (Section 5.1): the minimal moles U and the maximal itemsets L of a support of at least 1; and
//! the cover that counts the moles between them, none of which is enumerated.
//!
//! What is below L and above no minimal mole is no mole. So the moles are the itemsets below L (a union of edges ⟨∅, β⟩,
//! see [`super::union`]) less the non-moles, whose edges enter the cover with a negative sign.
//!
//! Non-moles are visited depth first, itemsets with later items first, so that every part of an itemset comes before it.
//! An itemset with one item more that contains no mole found before is a minimal mole, or a non-mole, by its own support
//! and probabilities alone; one that does contain a mole needs no look at the data. The non-moles at a visited itemset α
//! and its extensions by one item that have no further extension are one edge. BPr(α) needs no maximum over subsets:
//! a subset that breaks h is a mole met before.
//!
//! Cost. One projection of the transactions for each non-mole of less than p items: its rows are passed on with the items
//! alone that at least k of them have and that make no known mole with it, so they shrink from step to step. On BMS-WebView-1 (h = 0.8, k = 10,
//! k' = 100) 74 thousand at p = 4 and 650 thousand at p = 6, where the moles are some 10^11.

use super::cover::Cover;
use super::family::Family;
use super::instance::{Instance, Local};
use super::trie::Trie;
use super::union::cover_union;

#[derive(Debug)]
pub(super) struct MoleBorder {
    /// U: the minimal moles.
    pub upper: Family,
    /// L: the maximal public parts of the transactions.
    pub lower: Family,
}

impl MoleBorder {
    /// The border, and the cover of the moles it encloses.
    pub fn with_cover(instance: &Instance) -> (Self, Cover) {
        let lower = maximal_parts(instance);
        let mut cover = Cover::default();
        cover_union(&mut cover, &lower, instance.p);
        let upper = walk(instance, Some(&mut cover));
        (Self { upper, lower }, cover)
    }

    /// The border alone, for whoever does not count the moles.
    pub fn alone(instance: &Instance) -> Self {
        Self { upper: minimal_moles(instance), lower: maximal_parts(instance) }
    }
}

/// U alone.
pub(super) fn minimal_moles(instance: &Instance) -> Family {
    walk(instance, None)
}

/// L.
fn maximal_parts(instance: &Instance) -> Family {
    let mut parts = Family::default();
    instance.public_rows().for_each(|row| parts.push(row));
    parts.maximal()
}

/// Finds U, and covers the non-moles where somebody wants that.
fn walk(instance: &Instance, cover: Option<&mut Cover>) -> Family {
    let mut walk = Walk {
        instance,
        cover,
        moles: Trie::new(),
        upper: Family::default(),
        itemset: Vec::new(),
        levels: Vec::new(),
        with_private: vec![0; instance.items.len() - instance.public],
    };
    let mut items: Vec<Local> = Vec::new();
    let mut everything: Vec<Occurrence> = Vec::new();
    for (row, public) in (0..).zip(instance.public_rows()) {
        let from = items.len() as u32;
        items.extend_from_slice(public);
        everything.push(Occurrence { row, from, to: items.len() as u32 });
    }
    let candidates: Vec<Local> = (0..instance.public as Local).collect();
    walk.visit(&items, &everything, &candidates, u32::MAX);
    walk.upper
}

/// A row with an itemset, and where the items that may follow in it are, in the list of the level.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    row: u32,
    from: u32,
    to: u32,
}

struct Walk<'a> {
    instance: &'a Instance<'a>,
    cover: Option<&'a mut Cover>,
    /// The minimal moles of less than p items found so far.
    moles: Trie,
    upper: Family,
    /// α.
    itemset: Vec<Local>,
    /// Spare workspaces.
    levels: Vec<Level>,
    /// Private item to the number of transactions with it, all zero between uses.
    with_private: Vec<u32>,
}

/// The occurrences of an itemset's extensions.
#[derive(Default)]
struct Level {
    /// Item to its place among the candidates; `NONE` between uses.
    place_of: Vec<u32>,
    /// Candidate to the number of transactions with it.
    supports: Vec<u32>,
    /// The occurrences with the i-th candidate, if its support is at least k: `occurrences[ends[i - 1]..ends[i]]`.
    ends: Vec<usize>,
    occurrences: Vec<Occurrence>,
    /// The candidates of such support in each row, one row after the other.
    items: Vec<Local>,
}

const NONE: u32 = u32::MAX;

impl Walk<'_> {
    /// Covers the non-moles that begin with α, but for α itself if it has no extension; says whether it has one.
    /// `candidates` are the later items that make a non-mole with α less its last item; those of each occurrence are in `items`.
    /// No private item is in more than `most_private` of the transactions with α.
    fn visit(&mut self, items: &[Local], occurrences: &[Occurrence], candidates: &[Local], most_private: u32) -> bool {
        let mut level = self.levels.pop().unwrap_or_default();
        self.project(&mut level, items, occurrences, candidates);
        let mut extensions: Vec<Local> = Vec::new();
        let mut places: Vec<(usize, u32)> = Vec::new();
        for (place, &item) in candidates.iter().enumerate() {
            let support = level.supports[place];
            if support == 0 {
                continue;
            }
            self.itemset.push(item);
            let within_h = self.instance.within_h[support as usize];
            // An extension is in no more transactions with a private item than α: most need no count.
            let most_private = match most_private {
                _ if support < self.instance.k => 0,
                most if most <= within_h => most,
                _ => self.most_private(level.of(place)),
            };
            if support < self.instance.k || most_private > within_h {
                self.upper.push(&self.itemset);
                if self.itemset.len() < self.instance.p {
                    self.moles.insert(&self.itemset);
                }
            } else {
                extensions.push(item);
                places.push((place, most_private));
            }
            self.itemset.pop();
        }
        let size = self.itemset.len() + 1;
        if size == self.instance.p {
            self.cover_edge(&extensions, &extensions);
        } else {
            let mut last_ones = Vec::new();
            for (i, &item) in extensions.iter().enumerate().rev() {
                self.itemset.push(item);
                let (place, most_private) = places[i];
                if !self.visit(&level.items, level.of(place), &extensions[i + 1..], most_private) {
                    last_ones.push(item);
                }
                self.itemset.pop();
            }
            self.cover_edge(&extensions, &last_ones);
        }
        self.levels.push(level);
        !extensions.is_empty()
    }

    /// Covers α, which has these extensions, with those of them that have none.
    fn cover_edge(&mut self, extensions: &[Local], last_ones: &[Local]) {
        if let Some(cover) = &mut self.cover
            && !extensions.is_empty()
        {
            cover.push(&self.itemset, last_ones, self.itemset.len() + 1, true);
        }
    }

    /// Sorts the occurrences of α by the candidates that make no known mole with it.
    fn project(&self, level: &mut Level, items: &[Local], occurrences: &[Occurrence], candidates: &[Local]) {
        let Level { place_of, supports, ends, occurrences: sorted, items: left } = level;
        place_of.resize(self.instance.public, NONE);
        for (place, &item) in candidates.iter().enumerate() {
            place_of[item as usize] = place as u32;
        }
        self.moles.completions(&self.itemset, &mut |item| place_of[item as usize] = NONE);

        supports.clear();
        supports.resize(candidates.len(), 0);
        ends.clear();
        ends.resize(candidates.len() + 1, 0);
        for occurrence in occurrences {
            let count = self.instance.rows[occurrence.row as usize].count;
            for &item in &items[occurrence.rest()] {
                let place = place_of[item as usize];
                if place != NONE {
                    supports[place as usize] += count;
                    ends[place as usize + 1] += 1;
                }
            }
        }
        for (place, &item) in candidates.iter().enumerate() {
            if supports[place] < self.instance.k {
                ends[place + 1] = 0;
                place_of[item as usize] = NONE;
            }
            ends[place + 1] += ends[place];
        }

        left.clear();
        sorted.resize(ends[candidates.len()], Occurrence::default());
        for occurrence in occurrences {
            let start = left.len();
            left.extend(items[occurrence.rest()].iter().filter(|&&item| place_of[item as usize] != NONE));
            for (after, item) in (start + 1..).zip(&left[start..]) {
                // Until all is in its place, an end is where the next occurrence goes.
                let end = &mut ends[place_of[*item as usize] as usize];
                sorted[*end] = Occurrence { row: occurrence.row, from: after as u32, to: left.len() as u32 };
                *end += 1;
            }
        }
        for &item in candidates {
            place_of[item as usize] = NONE;
        }
    }

    /// In how many of these transactions the most frequent private item is.
    fn most_private(&mut self, occurrences: &[Occurrence]) -> u32 {
        let public = self.instance.public;
        let rows = occurrences.iter().map(|occurrence| &self.instance.rows[occurrence.row as usize]);
        let mut most = 0;
        for row in rows.clone() {
            for &item in &row.private {
                let count = &mut self.with_private[item as usize - public];
                *count += row.count;
                most = most.max(*count);
            }
        }
        for &item in rows.flat_map(|row| &row.private) {
            self.with_private[item as usize - public] = 0;
        }
        most
    }
}

impl Occurrence {
    fn rest(&self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }
}

impl Level {
    fn of(&self, place: usize) -> &[Occurrence] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.occurrences[start..self.ends[place]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::cohesion::figure_3;

    #[test]
    fn figure_3_is_found_without_enumeration() {
        let (dataset, parameters) = figure_3();
        let labels = &dataset.baskets().unwrap().transactions.labels;
        let instance = parameters.instance(dataset.baskets().unwrap()).unwrap();
        let border = MoleBorder::alone(&instance);
        let (with_cover, _) = MoleBorder::with_cover(&instance);
        assert!(border.upper.iter().eq(with_cover.upper.iter()) && border.lower.iter().eq(with_cover.lower.iter()));
        let names = |family: &Family| {
            let name = |&local: &Local| labels[instance.items[local as usize] as usize].clone();
            let mut sets: Vec<String> = Vec::new();
            for set in family.iter() {
                let mut set: Vec<String> = set.iter().map(name).collect();
                set.sort();
                sets.push(set.concat());
            }
            sets.sort();
            sets
        };
        assert_eq!(names(&border.upper), ["ae", "af", "ag", "be", "bfg"]);
        assert_eq!(names(&border.lower), ["abef", "abfg", "befg"]);
    }
}
