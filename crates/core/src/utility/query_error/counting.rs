//! True counts of queries over the same quasi-identifiers.
//!
//! Cost. Where combinations of the attributes' values and sensitive values are not many more than the rows, one pass over the
//! rows counts them all in a cube, and a query adds up its part of the cube. Else rows are sorted by the attribute with the most
//! values, and a query looks at the rows of its values alone, one after another in memory. For a handful of queries neither pays,
//! and each goes over all rows. Counts are whole numbers: the same, whichever way.

use super::lanes::{Attribute, Lanes};
use super::orders::Orders;
use super::workload::Query;
use crate::data::{Combinations, CombinedRows, RowOrder};

/// Fewer queries than this are not worth a pass that serves them all.
const WORTH_SERVING: usize = 12;

/// A cube with more cells than this for each row costs more than the rows.
const CELLS_PER_ROW: usize = 12;
const FEW_CELLS: usize = 1 << 16;

/// Counts queries that restrict the same attributes.
pub(super) enum Counter<'a> {
    Cube {
        combinations: Combinations,
        sensitive_values: usize,
        /// Combination and sensitive value to the number of its rows.
        counts: Vec<u32>,
    },
    Sorted {
        order: &'a RowOrder,
        lanes: Lanes<'a>,
    },
    Scanned {
        rows: usize,
        lanes: Lanes<'a>,
    },
}

impl<'a> Counter<'a> {
    /// For that many queries on `attributes`, which are ascending.
    pub fn new(orders: &'a Orders<'a>, attributes: &[usize], queries: usize) -> Self {
        let microdata = orders.microdata;
        let attribute = |&attribute: &usize| Attribute::Quasi(attribute);
        let and_sensitive = |attributes: &mut dyn Iterator<Item = Attribute>| -> Vec<Attribute> {
            attributes.chain([Attribute::Sensitive]).collect()
        };
        if queries < WORTH_SERVING {
            let lanes = Lanes::as_stored(microdata, &and_sensitive(&mut attributes.iter().map(attribute)));
            return Self::Scanned { rows: microdata.rows(), lanes };
        }
        let sensitive_values = microdata.table.columns[microdata.sensitive].cardinality();
        let most = (microdata.rows() * CELLS_PER_ROW).max(FEW_CELLS) / sensitive_values.max(1);
        if let Some(combinations) = Combinations::of(microdata, attributes, most) {
            let mut counts = vec![0; combinations.number() * sensitive_values];
            let rows = CombinedRows::new(microdata, combinations);
            for (&combination, &value) in rows.of_row.iter().zip(microdata.sensitive_codes()) {
                counts[combination as usize * sensitive_values + value as usize] += 1;
            }
            return Self::Cube { combinations: rows.combinations, sensitive_values, counts };
        }
        let order = orders.of(attributes);
        let mut others = attributes.iter().filter(|&&attribute| attribute != order.by).map(attribute);
        Self::Sorted { order, lanes: Lanes::in_order(microdata, &and_sensitive(&mut others), order) }
    }

    /// How many rows `query` counts.
    pub fn count(&self, query: &Query) -> u64 {
        match self {
            Self::Cube { combinations, sensitive_values, counts } => {
                let mut numbers = Vec::new();
                combinations.admitted(query.quasi.iter().map(|one| one.values.as_slice()), &mut numbers);
                // All bits where a value is admitted: adding up needs no branch then.
                let masks: Vec<u32> = query.sensitive.iter().map(|&admits| u32::from(admits).wrapping_neg()).collect();
                let of_combination = |&number: &u32| {
                    let counts = &counts[number as usize * sensitive_values..][..*sensitive_values];
                    // A table has fewer than 2³² rows.
                    u64::from(counts.iter().zip(&masks).map(|(&count, &mask)| count & mask).sum::<u32>())
                };
                numbers.iter().map(of_combination).sum()
            }
            Self::Sorted { order, lanes } => {
                let filter = lanes.filter(query);
                query.values_of(order.by).iter().map(|&value| filter.count(order.places(value))).sum()
            }
            Self::Scanned { rows, lanes } => lanes.filter(query).count(0..*rows),
        }
    }
}
