//! Generalized tables whose rows are in any order, or fewer than the original's.
//!
//! A released row can come from an original row that its cells cover and whose sensitive value it has. Whether all of them can
//! come from the original, each from a row of its own, is a largest assignment between the *distinct* originals and the
//! *distinct* released rows, each with the number of times it occurs. Rows that are `*` throughout can come from any row, so
//! they take what is left.
//!
//! Cost. One hash lookup a row, then for each distinct combination of quasi-identifiers one pass over the classes, 64 at a time.

use super::flow::{Flow, shortage};
use super::rows::{MatchedRows, named};
use crate::data::Microdata;
use crate::lab::counted;
use crate::release::generalized_table::{Classes, Domain, GeneralizedCell, GeneralizedTable, SuppressedIf};
use rustc_hash::FxHashMap;

/// The table with one row for each row of `microdata`, in its order; rows that were dropped are `*` throughout.
pub(super) fn arrange(microdata: &Microdata, table: &GeneralizedTable) -> (GeneralizedTable, MatchedRows) {
    if table.rows() == microdata.rows() && is_true(microdata, table) {
        return (table.clone(), MatchedRows::in_order(table.rows()));
    }
    let classes = Classes::new(microdata, table, SuppressedIf::Everything);
    let released = Released::new(&classes, table);
    let originals = Originals::new(microdata);
    let edges = originals.edges(&classes, &released);
    let flow = Flow::maximum(&originals.counts, &released.counts, &edges);

    let mut rows_of: Vec<std::vec::IntoIter<u32>> = released.rows.iter().cloned().map(Vec::into_iter).collect();
    let mut assigned: Vec<Option<u32>> = vec![None; microdata.rows()];
    for (original, rows) in originals.rows.iter().enumerate() {
        let mut rows = rows.iter();
        for (node, units) in flow.assigned(original) {
            for (&row, released) in rows.by_ref().zip(rows_of[node as usize].by_ref()).take(units as usize) {
                assigned[row as usize] = Some(released);
            }
        }
    }
    let mut unmatched: Vec<u32> = rows_of.into_iter().flatten().collect();
    // Suppressed rows take what is left; what they cannot is too many.
    let free: Vec<usize> = (0..assigned.len()).filter(|&row| assigned[row].is_none()).collect();
    let taken = free.len().min(classes.suppressed.len());
    unmatched.extend_from_slice(&classes.suppressed[taken..]);
    unmatched.sort_unstable();
    let dropped = &free[taken..];
    let matched = MatchedRows {
        original: microdata.rows(),
        released: table.rows(),
        matched: table.rows() - unmatched.len(),
        in_order: false,
        dropped: dropped.len(),
        dropped_rows: named(dropped.iter().copied()),
        unmatched: unmatched.len(),
        unmatched_rows: named(unmatched.iter().map(|&row| row as usize)),
        shortage: why_not(microdata, table, &flow, &originals, &released)
            .or_else(|| (!unmatched.is_empty()).then(|| "there are more released rows than originals".to_string())),
        undecided: None,
    };
    (rearranged(table, &assigned), matched)
}

/// Whether each cell covers the original's in the same row.
fn is_true(microdata: &Microdata, table: &GeneralizedTable) -> bool {
    let columns_fit = Domain::all(microdata).iter().zip(&table.columns).enumerate().all(|(i, (domain, column))| {
        let covers: Vec<_> = column.cells.iter().map(|cell| domain.cover(cell)).collect();
        let rows = column.of_row.iter().zip(microdata.quasi_codes(i));
        rows.into_iter().all(|(&cell, &code)| covers[cell as usize].contains(code))
    });
    let values = table.sensitive.iter().zip(microdata.sensitive_codes());
    columns_fit && values.into_iter().all(|(value, &truth)| value.is_none_or(|value| value == truth))
}

/// The distinct released rows: a class and a sensitive value.
struct Released {
    of: FxHashMap<(u32, Option<u32>), u32>,
    counts: Vec<u64>,
    /// Their rows, ascending.
    rows: Vec<Vec<u32>>,
}

impl Released {
    fn new(classes: &Classes, table: &GeneralizedTable) -> Self {
        let mut released = Self { of: FxHashMap::default(), counts: Vec::new(), rows: Vec::new() };
        for (row, (class, &value)) in (0..).zip(classes.of_rows().zip(&table.sensitive)) {
            let Some(class) = class else { continue };
            let next = released.counts.len() as u32;
            let node = *released.of.entry((class, value)).or_insert(next);
            if node == next {
                released.counts.push(0);
                released.rows.push(Vec::new());
            }
            released.counts[node as usize] += 1;
            released.rows[node as usize].push(row);
        }
        released
    }
}

/// The distinct original rows: quasi-identifiers and a sensitive value.
struct Originals {
    counts: Vec<u64>,
    rows: Vec<Vec<u32>>,
    sensitive: Vec<u32>,
    /// To its place in `quasi`.
    quasi_of: Vec<u32>,
    /// The distinct combinations of quasi-identifiers.
    quasi: Vec<Vec<u32>>,
}

impl Originals {
    fn new(microdata: &Microdata) -> Self {
        let columns: Vec<&[u32]> = (0..microdata.quasi_identifiers.len()).map(|i| microdata.quasi_codes(i)).collect();
        let mut originals = Self {
            counts: Vec::new(),
            rows: Vec::new(),
            sensitive: Vec::new(),
            quasi_of: Vec::new(),
            quasi: Vec::new(),
        };
        let mut quasi_known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut key = vec![0; columns.len()];
        for (row, &value) in (0..).zip(microdata.sensitive_codes()) {
            key.iter_mut().zip(&columns).for_each(|(part, codes)| *part = codes[row as usize]);
            let quasi = match quasi_known.get(&key) {
                Some(&quasi) => quasi,
                None => {
                    let next = originals.quasi.len() as u32;
                    quasi_known.insert(key.clone(), next);
                    originals.quasi.push(key.clone());
                    next
                }
            };
            let next = originals.counts.len() as u32;
            let node = *known.entry((quasi, value)).or_insert(next);
            if node == next {
                originals.counts.push(0);
                originals.rows.push(Vec::new());
                originals.sensitive.push(value);
                originals.quasi_of.push(quasi);
            }
            originals.counts[node as usize] += 1;
            originals.rows[node as usize].push(row);
        }
        originals
    }

    /// The distinct released rows that each distinct original may have become.
    fn edges(&self, classes: &Classes, released: &Released) -> Vec<Vec<u32>> {
        let index = Covering::new(classes);
        let covering: Vec<Vec<u32>> = self.quasi.iter().map(|codes| index.of(codes)).collect();
        let nodes = self.quasi_of.iter().zip(&self.sensitive);
        let edges = |(&quasi, &value): (&u32, &u32)| {
            let of_class = |&class: &u32| [Some(value), None].map(|value| released.of.get(&(class, value)).copied());
            covering[quasi as usize].iter().flat_map(of_class).flatten().collect()
        };
        nodes.map(edges).collect()
    }
}

/// Which classes cover a combination of values. Attributes whose bits would take too much room are looked at class by class.
struct Covering<'a> {
    classes: &'a Classes,
    /// Attribute by attribute and code by code, the classes as bits.
    bits: Vec<Option<Vec<Vec<u64>>>>,
    words: usize,
}

/// At most so much for the bits of one attribute.
const MOST_BYTES: usize = 128 << 20;

impl<'a> Covering<'a> {
    fn new(classes: &'a Classes) -> Self {
        let words = classes.len().div_ceil(64);
        let bits = |(attribute, &values): (usize, &usize)| {
            (values * words * 8 <= MOST_BYTES).then(|| {
                let mut bits = vec![vec![0u64; words]; values];
                for class in 0..classes.len() {
                    for code in classes.cover(class, attribute).codes() {
                        bits[code as usize][class / 64] |= 1 << (class % 64);
                    }
                }
                bits
            })
        };
        Self { classes, bits: classes.values.iter().enumerate().map(bits).collect(), words }
    }

    fn of(&self, codes: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        for word in 0..self.words {
            // The last word has bits for fewer classes.
            let mut left = match self.classes.len() - word * 64 {
                all if all >= 64 => u64::MAX,
                some => (1 << some) - 1,
            };
            for (bits, &code) in self.bits.iter().zip(codes) {
                left &= bits.as_ref().map_or(u64::MAX, |bits| bits[code as usize][word]);
            }
            while left != 0 {
                let class = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let mut others = self.bits.iter().zip(codes).enumerate().filter(|(_, (bits, _))| bits.is_none());
                if others.all(|(attribute, (_, &code))| self.classes.cover(class, attribute).contains(code)) {
                    found.push(class as u32);
                }
            }
        }
        found
    }
}

/// Released rows that, taken together, are more than the originals any of them can come from.
fn why_not(
    microdata: &Microdata,
    table: &GeneralizedTable,
    flow: &Flow,
    originals: &Originals,
    released: &Released,
) -> Option<String> {
    let open = flow.open.iter().position(|&open| open > 0)?;
    let (rights, lefts) = shortage(flow, open)?;
    let rows: u64 = rights.iter().map(|&node| released.counts[node as usize]).sum();
    let available: u64 = lefts.iter().map(|&node| originals.counts[node as usize]).sum();
    let example = released.rows[open].first().copied()? as usize;
    let cells: Vec<String> =
        Domain::all(microdata).iter().enumerate().map(|(i, domain)| domain.text(table.cell(i, example))).collect();
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let value = table.sensitive[example].map_or("*", |value| &sensitive.values[value as usize]);
    let like = format!("{}; {} {value}", cells.join(", "), sensitive.name);
    let row = example + 1;
    Some(match (rows, available) {
        (_, 0) => format!("row {row} of the release ({like}) covers no original with its sensitive value"),
        _ => format!(
            "{}, row {row} ({like}) among them, can come from {} alone",
            counted(rows, "released row"),
            counted(available, "original")
        ),
    })
}

/// The rows of `table` in the order of the originals they were given.
fn rearranged(table: &GeneralizedTable, assigned: &[Option<u32>]) -> GeneralizedTable {
    let mut columns = table.columns.clone();
    for column in &mut columns {
        let any = column.cells.len() as u32;
        column.cells.push(GeneralizedCell::Any);
        column.of_row = assigned.iter().map(|row| row.map_or(any, |row| column.of_row[row as usize])).collect();
    }
    let sensitive = assigned.iter().map(|row| row.and_then(|row| table.sensitive[row as usize])).collect();
    GeneralizedTable { columns, sensitive }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};
    use crate::examination::foreign::ForeignTable;
    use crate::sources::SourceText;
    use proptest::prelude::*;

    fn arranged(original: &[[&str; 2]], release: &str) -> (GeneralizedTable, MatchedRows) {
        let rows: Vec<&[&str]> = original.iter().map(|row| row.as_slice()).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["age", "ill"], &rows), &["age"], "ill").unwrap();
        let microdata = dataset.microdata().unwrap();
        let source = SourceText::new("r.csv", format!("age,ill\n{release}").into_bytes()).unwrap();
        let table = ForeignTable::read(microdata, &source).unwrap().table;
        arrange(microdata, &table)
    }

    const PEOPLE: [[&str; 2]; 4] = [["21", "flu"], ["22", "cold"], ["31", "flu"], ["32", "cold"]];

    #[test]
    fn rows_in_another_order_find_their_originals_and_dropped_ones_are_told() {
        let (table, matched) = arranged(&PEOPLE, "\"[30,40)\",cold\n\"[20,30)\",flu\n\"[20,30)\",cold\n");
        assert_eq!((matched.matched, matched.dropped, matched.dropped_rows.clone()), (3, 1, vec![3]));
        assert!(matched.is_complete() && !matched.in_order);
        assert_eq!(table.sensitive, [Some(1), Some(0), None, Some(0)]);
        let (_, matched) = arranged(&PEOPLE, "21,flu\n22,cold\n*,flu\n*,*\n");
        assert!(matched.in_order);
    }

    #[test]
    fn a_release_that_cannot_come_from_the_original_says_why() {
        let (_, matched) = arranged(&PEOPLE, "\"[20,30)\",flu\n\"[20,40)\",flu\n\"[30,40)\",flu\n");
        assert_eq!((matched.unmatched, matched.is_complete()), (1, false));
        let says = matched.shortage.unwrap();
        assert!(
            says.starts_with("3 released rows, row ") && says.ends_with("can come from 2 originals alone"),
            "{says}"
        );
        let (_, matched) = arranged(&PEOPLE, "31,cold\n");
        assert_eq!(
            matched.shortage.unwrap(),
            "row 1 of the release (31; ill cold) covers no original with its sensitive value"
        );
        let (_, matched) = arranged(&PEOPLE[..1], "*,*\n*,*\n");
        assert_eq!((matched.unmatched, matched.unmatched_rows), (1, vec![2]));
    }

    proptest! {
        /// What is made of the original by generalizing, dropping and shuffling always finds its way back, and is then true.
        #[test]
        fn what_comes_from_the_original_is_matched(
            rows in prop::collection::vec((0u32..6, 0u32..3, 0u32..3, any::<bool>()), 1..30),
            turn in 0usize..30,
        ) {
            let texts: Vec<[String; 2]> =
                rows.iter().map(|(age, ill, ..)| [(20 + age).to_string(), format!("i{ill}")]).collect();
            let original: Vec<[&str; 2]> = texts.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect();
            let cell = |&(age, _, wide, _): &(u32, u32, u32, bool)| match wide {
                0 => (20 + age).to_string(),
                1 => format!("\"[{},{}]\"", 20 + age.saturating_sub(1), 21 + age),
                _ => "*".to_string(),
            };
            let mut lines: Vec<String> = rows
                .iter()
                .filter(|row| row.3)
                .map(|row| format!("{},i{}\n", cell(row), row.1))
                .collect();
            let kept = lines.len();
            if kept > 0 {
                lines.rotate_left(turn % kept);
            }
            let (table, matched) = arranged(&original, &lines.concat());
            prop_assert!(matched.is_complete(), "{:?}", matched);
            prop_assert_eq!((matched.matched, matched.dropped), (kept, rows.len() - kept));
            prop_assert_eq!(table.rows(), rows.len());
            let refs: Vec<&[&str]> = original.iter().map(|row| row.as_slice()).collect();
            let dataset = Dataset::of_table(Table::from_rows(&["age", "ill"], &refs), &["age"], "ill").unwrap();
            prop_assert!(is_true(dataset.microdata().unwrap(), &table));
        }
    }
}
