//! True counts of queries over the same quasi-identifiers.
//!
//! Cost. Where the attributes have few combinations of values beside the rows, one pass over the rows counts them all, and a query
//! adds up the counts of its combinations. Else rows are sorted by the attribute with the most values, and a query looks at
//! the rows of its values alone, one after another in memory, leaving a row at its first mismatch. For a handful of queries
//! neither pays, and each goes over all rows.

use super::workload::Query;
use crate::data::{Combinations, CombinedRows, Microdata};
use crate::release::Records;

/// Fewer queries than this are not worth a pass that serves them all.
const WORTH_COMBINING: usize = 4;
const WORTH_SORTING: usize = 32;

/// Counts for combinations and sensitive values beyond this many per row cost more than the rows.
const COUNTS_PER_ROW: usize = 4;
const FEW_COUNTS: usize = 1 << 16;

/// Answers queries that restrict the same attributes.
pub(super) struct Counter<'a> {
    sensitive: &'a [u32],
    way: Way<'a>,
}

enum Way<'a> {
    Combined {
        rows: CombinedRows,
        sensitive_values: usize,
        /// Combination and sensitive value to the number of its rows.
        counts: Vec<u32>,
    },
    Sorted(SortedRows<'a>),
    Scanned(&'a Microdata),
}

impl<'a> Counter<'a> {
    /// For that many queries on `attributes`, which are ascending.
    pub fn new(microdata: &'a Microdata, attributes: &[usize], queries: usize) -> Self {
        let sensitive = microdata.sensitive_codes();
        let sensitive_values = microdata.table.columns[microdata.sensitive].cardinality();
        let most = (microdata.rows() * COUNTS_PER_ROW).max(FEW_COUNTS) / sensitive_values.max(1);
        let few = Combinations::of(microdata, attributes, most).filter(|_| queries >= WORTH_COMBINING);
        let way = match few {
            Some(combinations) => {
                let mut counts = vec![0; combinations.number() * sensitive_values];
                let rows = CombinedRows::new(microdata, combinations);
                for (&combination, &value) in rows.of_row.iter().zip(sensitive) {
                    counts[combination as usize * sensitive_values + value as usize] += 1;
                }
                Way::Combined { rows, sensitive_values, counts }
            }
            None if queries >= WORTH_SORTING => Way::Sorted(SortedRows::new(microdata, attributes)),
            None => Way::Scanned(microdata),
        };
        Self { sensitive, way }
    }

    /// How many rows `query` counts. `found` gets what [`Self::records`] wants.
    pub fn count(&self, query: &Query, found: &mut Vec<u32>) -> u64 {
        found.clear();
        match &self.way {
            Way::Combined { rows, sensitive_values, counts } => {
                rows.combinations.admitted(query.quasi.iter().map(|one| one.values.as_slice()), found);
                let values: Vec<usize> = (0..*sensitive_values).filter(|&value| query.sensitive[value]).collect();
                let of_combination = |&number: &u32| {
                    let counts = &counts[number as usize * sensitive_values..][..*sensitive_values];
                    values.iter().map(|&value| u64::from(counts[value])).sum::<u64>()
                };
                return found.iter().map(of_combination).sum();
            }
            Way::Sorted(sorted) => sorted.select(query, found),
            Way::Scanned(microdata) => {
                let columns: Vec<(&[u32], Vec<bool>)> = (query.quasi.iter())
                    .map(|one| {
                        let column = &microdata.table.columns[microdata.quasi_identifiers[one.attribute]];
                        (column.codes.as_slice(), flags(&one.values, column.cardinality()))
                    })
                    .collect();
                let admits = |row: &u32| columns.iter().all(|(codes, admits)| admits[codes[*row as usize] as usize]);
                found.extend((0..microdata.rows() as u32).filter(admits));
            }
        }
        found.iter().filter(|&&row| query.sensitive[self.sensitive[row as usize] as usize]).count() as u64
    }

    /// The records that [`Self::count`] found.
    pub fn records<'b>(&'b self, found: &'b [u32]) -> Records<'b> {
        match &self.way {
            Way::Combined { rows, .. } => Records::Combined { rows, numbers: found },
            Way::Sorted(_) | Way::Scanned(_) => Records::Listed(found),
        }
    }
}

/// For each code, whether it is among `values`.
fn flags(values: &[u32], cardinality: usize) -> Vec<bool> {
    let mut admits = vec![false; cardinality];
    values.iter().for_each(|&value| admits[value as usize] = true);
    admits
}

/// The rows sorted by the attribute with the most values.
struct SortedRows<'a> {
    by: usize,
    rows: Vec<u32>,
    /// Where the rows of each value start in `rows`, and one entry more for the end of the last.
    starts: Vec<usize>,
    /// The other attributes: their columns in the order of `rows`.
    others: Vec<(usize, Vec<u32>)>,
    microdata: &'a Microdata,
}

impl<'a> SortedRows<'a> {
    fn new(microdata: &'a Microdata, attributes: &[usize]) -> Self {
        let cardinality = |attribute: usize| {
            let column = microdata.quasi_identifiers[attribute];
            microdata.table.columns[column].cardinality()
        };
        let by = attributes.iter().copied().max_by_key(|&attribute| cardinality(attribute)).unwrap_or(0);
        let codes = microdata.quasi_codes(by);
        let mut starts = vec![0; cardinality(by) + 1];
        for &code in codes {
            starts[code as usize + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; codes.len()];
        for (row, &code) in codes.iter().enumerate() {
            rows[next[code as usize]] = row as u32;
            next[code as usize] += 1;
        }
        let in_order = |attribute: usize| {
            let codes = microdata.quasi_codes(attribute);
            rows.iter().map(|&row| codes[row as usize]).collect()
        };
        let others = attributes.iter().copied().filter(|&attribute| attribute != by);
        let others = others.map(|attribute| (attribute, in_order(attribute))).collect();
        Self { by, rows, starts, others, microdata }
    }

    /// Puts the rows that have the quasi-identifiers of `query` into `found`.
    fn select(&self, query: &Query, found: &mut Vec<u32>) {
        let values = |attribute: usize| {
            let admitted = query.quasi.iter().find(|one| one.attribute == attribute);
            admitted.map_or(&[][..], |one| one.values.as_slice())
        };
        let others: Vec<(&[u32], Vec<bool>)> = (self.others.iter())
            .map(|(attribute, codes)| {
                let column = self.microdata.quasi_identifiers[*attribute];
                let cardinality = self.microdata.table.columns[column].cardinality();
                (codes.as_slice(), flags(values(*attribute), cardinality))
            })
            .collect();
        for &value in values(self.by) {
            for place in self.starts[value as usize]..self.starts[value as usize + 1] {
                if others.iter().all(|(codes, admits)| admits[codes[place] as usize]) {
                    found.push(self.rows[place]);
                }
            }
        }
    }
}
