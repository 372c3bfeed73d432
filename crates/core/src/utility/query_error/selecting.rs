//! The records that meet a query's conditions on quasi-identifiers: what a release that publishes these as they are shows.
//!
//! Answers are sums of fractions, whose last digit depends on the order of the records, and the order on the way they are
//! found: which way that is depends on the data and the number of queries alone, and is part of a measure's reading.

use super::lanes::{Attribute, Lanes};
use super::orders::Orders;
use super::workload::Query;
use crate::data::{Combinations, CombinedRows, RowOrder};
use crate::release::Records;

/// Fewer queries than this are not worth a pass that serves them all.
const WORTH_COMBINING: usize = 4;
const WORTH_SORTING: usize = 32;

/// Sums for combinations and sensitive values beyond this many per row cost more than the rows.
const SUMS_PER_ROW: usize = 4;
const FEW_SUMS: usize = 1 << 16;

/// Finds the records of queries that restrict the same attributes.
pub(super) enum Selector<'a> {
    /// By the numbers of their combinations.
    Combined(CombinedRows),
    /// Sorted by one attribute; the lanes are the others.
    Sorted { order: &'a RowOrder, others: Lanes<'a> },
    /// One row after another.
    Scanned { rows: usize, lanes: Lanes<'a> },
}

impl<'a> Selector<'a> {
    /// For that many queries on `attributes`, which are ascending.
    pub fn new(orders: &'a Orders<'a>, attributes: &[usize], queries: usize) -> Self {
        let microdata = orders.microdata;
        let sensitive_values = microdata.table.columns[microdata.sensitive].cardinality();
        let most = (microdata.rows() * SUMS_PER_ROW).max(FEW_SUMS) / sensitive_values.max(1);
        if queries >= WORTH_COMBINING
            && let Some(combinations) = Combinations::of(microdata, attributes, most)
        {
            return Self::Combined(CombinedRows::new(microdata, combinations));
        }
        let quasi = |&attribute: &usize| Attribute::Quasi(attribute);
        if queries >= WORTH_SORTING {
            let order = orders.of(attributes);
            let others: Vec<Attribute> =
                attributes.iter().filter(|&&attribute| attribute != order.by).map(quasi).collect();
            return Self::Sorted { order, others: Lanes::in_order(microdata, &others, order) };
        }
        let attributes: Vec<Attribute> = attributes.iter().map(quasi).collect();
        Self::Scanned { rows: microdata.rows(), lanes: Lanes::as_stored(microdata, &attributes) }
    }

    /// The records of `query`, numbered in `found`.
    pub fn records<'b>(&'b self, query: &Query, found: &'b mut Vec<u32>) -> Records<'b> {
        found.clear();
        match self {
            Self::Combined(rows) => {
                rows.combinations.admitted(query.quasi.iter().map(|one| one.values.as_slice()), found);
                Records::Combined { rows, numbers: found }
            }
            Self::Sorted { order, others } => {
                let filter = others.filter(query);
                query.values_of(order.by).iter().for_each(|&value| filter.select(order.places(value), found));
                Records::Ordered { order, places: found }
            }
            Self::Scanned { rows, lanes } => {
                lanes.filter(query).select(0..*rows, found);
                Records::Listed(found)
            }
        }
    }
}
