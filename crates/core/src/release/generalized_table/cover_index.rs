//! Which classes of a table cover a combination of values.
//!
//! Classes are boxes in the space of the quasi-identifiers, and the index is a tree of cuts through it. A cut is a value of one attribute:
//! what is covered ends before it, begins behind it, or is on both sides, and each of the three is a tree again. Partitions, as
//! Mondrian leaves them, have a cut that divides them in halves at every step.
//!
//! Cost. Building takes each class once for every cut above it, and two numbers a class and attribute; a lookup follows the side of its
//! value and what is on both sides: the logarithm of the classes where they are a partition, all of them at worst.

use super::Classes;

/// An index over what classes cover.
pub struct CoverIndex<'a> {
    classes: &'a Classes,
    root: IndexNode,
}

enum IndexNode {
    /// Few, or such that no cut parts them.
    Leaf(Vec<u32>),
    Cut(Box<IndexCut>),
}

struct IndexCut {
    attribute: usize,
    /// The last code before the cut.
    last: u32,
    before: IndexNode,
    behind: IndexNode,
    across: IndexNode,
}

/// So many classes are looked at one by one.
const FEW: usize = 8;

/// A cut must leave at most this part of the work.
const WORTHWHILE: f64 = 0.9;

impl<'a> CoverIndex<'a> {
    /// An index over what the classes cover.
    pub fn new(classes: &'a Classes) -> Self {
        let root = Builder { classes }.node((0..classes.len() as u32).collect());
        Self { classes, root }
    }

    /// The classes that cover the values, one code an attribute, in ascending order.
    pub fn covering(&self, codes: &[u32], found: &mut Vec<u32>) {
        found.clear();
        self.look(&self.root, codes, found);
        found.sort_unstable();
    }

    fn look(&self, node: &IndexNode, codes: &[u32], found: &mut Vec<u32>) {
        match node {
            IndexNode::Leaf(members) => {
                let covers = |&class: &u32| {
                    codes.iter().enumerate().all(|(i, &code)| self.classes.cover(class as usize, i).contains(code))
                };
                found.extend(members.iter().copied().filter(covers));
            }
            IndexNode::Cut(cut) => {
                let side = if codes[cut.attribute] <= cut.last { &cut.before } else { &cut.behind };
                self.look(side, codes, found);
                self.look(&cut.across, codes, found);
            }
        }
    }
}

struct Builder<'a> {
    classes: &'a Classes,
}

impl Builder<'_> {
    fn node(&self, members: Vec<u32>) -> IndexNode {
        let Some((attribute, last)) = self.best_cut(&members) else { return IndexNode::Leaf(members) };
        let (mut before, mut behind, mut across) = (Vec::new(), Vec::new(), Vec::new());
        for class in members {
            let (from, to) = self.classes.cover(class as usize, attribute).range();
            let side = if to <= last {
                &mut before
            } else if from > last {
                &mut behind
            } else {
                &mut across
            };
            side.push(class);
        }
        let (before, behind, across) = (self.node(before), self.node(behind), self.node(across));
        IndexNode::Cut(Box::new(IndexCut { attribute, last, before, behind, across }))
    }

    /// The cut that leaves least to look at for a value of either side, if that is worth it.
    fn best_cut(&self, members: &[u32]) -> Option<(usize, u32)> {
        if members.len() <= FEW {
            return None;
        }
        let all = members.len() as f64;
        let mut best = (WORTHWHILE * all * all, None);
        for attribute in 0..self.classes.values.len() {
            let range = |&class: &u32| self.classes.cover(class as usize, attribute).range();
            let (low, high) =
                members.iter().map(range).fold((u32::MAX, 0), |(low, high), (from, to)| (low.min(from), high.max(to)));
            let width = high.saturating_sub(low) as usize + 1;
            let (mut from_here, mut to_here) = (vec![0u32; width], vec![0u32; width]);
            for (from, to) in members.iter().map(range) {
                from_here[(from - low) as usize] += 1;
                to_here[(to - low) as usize] += 1;
            }
            let (mut begun, mut ended) = (0, 0);
            for (last, (from, to)) in (low..high).zip(from_here.iter().zip(&to_here)) {
                begun += from;
                ended += to;
                let (before, behind, across) = (f64::from(ended), all - f64::from(begun), f64::from(begun - ended));
                let left = before * before + behind * behind + across * all;
                if left < best.0 {
                    best = (left, Some((attribute, last)));
                }
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GeneralizedCell, GeneralizedTable, SuppressedIf};
    use super::*;
    use crate::data::{Dataset, Table};
    use proptest::prelude::*;

    proptest! {
        /// The index finds what asking every class finds, whatever the cells: values, sets with gaps, stars.
        #[test]
        fn it_finds_what_asking_every_class_finds(
            rows in prop::collection::vec((0u32..12, 0u32..5), 1..80),
            cells in prop::collection::vec((prop::collection::btree_set(0u32..12, 0..6), any::<bool>()), 80),
        ) {
            let text: Vec<[String; 3]> = rows.iter().map(|(a, b)| [a.to_string(), b.to_string(), "s".into()]).collect();
            let text: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let text: Vec<&[&str]> = text.iter().map(Vec::as_slice).collect();
            let dataset = Dataset::of_table(Table::from_rows(&["a", "b", "s"], &text), &["a", "b"], "s").unwrap();
            let microdata = dataset.microdata().unwrap();
            let mut table = GeneralizedTable::identity(microdata);
            let values = microdata.table.columns[0].cardinality() as u32;
            for (row, (others, is_star)) in (0..rows.len()).zip(&cells) {
                let own = microdata.quasi_codes(0)[row];
                let mut codes: Vec<u32> = others.iter().copied().filter(|code| *code < values).chain([own]).collect();
                codes.sort_unstable();
                codes.dedup();
                table.columns[0].of_row[row] = table.columns[0].cells.len() as u32;
                table.columns[0].cells.push(if *is_star { GeneralizedCell::Any } else { GeneralizedCell::Set(codes) });
            }
            let classes = Classes::new(microdata, &table, SuppressedIf::Everything);
            let index = CoverIndex::new(&classes);
            let mut found = Vec::new();
            for a in 0..values {
                for b in 0..microdata.table.columns[1].cardinality() as u32 {
                    index.covering(&[a, b], &mut found);
                    let covers = |&class: &u32| {
                        classes.cover(class as usize, 0).contains(a) && classes.cover(class as usize, 1).contains(b)
                    };
                    let every: Vec<u32> = (0..classes.len() as u32).filter(covers).collect();
                    prop_assert_eq!(&found, &every);
                }
            }
        }
    }
}
