//! Which rows a query admits, many rows at a time.
//!
//! Attributes that have few values together share a column of combined codes of 16 bits, a lane: a query becomes one table of
//! flags per lane, and a row costs one look into each table. Rows go through in blocks whose flags stay in cache, without a branch
//! per row.

use super::workload::Query;
use crate::data::{Microdata, RowOrder};
use std::borrow::Cow;
use std::ops::Range;

/// Rows a block.
const BLOCK: usize = 2048;

/// What a query says something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    /// By its position among the quasi-identifiers.
    Quasi(usize),
    Sensitive,
}

impl Attribute {
    fn codes(self, microdata: &Microdata) -> &[u32] {
        match self {
            Self::Quasi(attribute) => microdata.quasi_codes(attribute),
            Self::Sensitive => microdata.sensitive_codes(),
        }
    }

    fn values(self, microdata: &Microdata) -> usize {
        let column = match self {
            Self::Quasi(attribute) => microdata.quasi_identifiers[attribute],
            Self::Sensitive => microdata.sensitive,
        };
        microdata.table.columns[column].cardinality()
    }
}

struct Lane<'a> {
    /// With the number of its values; the last varies fastest in the codes.
    attributes: Vec<(Attribute, usize)>,
    codes: Codes<'a>,
}

enum Codes<'a> {
    Narrow(Vec<u16>),
    Wide(Cow<'a, [u32]>),
}

/// Some attributes of all rows, in one order of the rows.
pub(super) struct Lanes<'a>(Vec<Lane<'a>>);

impl<'a> Lanes<'a> {
    /// The rows as they are, a lane an attribute: nothing is copied.
    pub fn as_stored(microdata: &'a Microdata, attributes: &[Attribute]) -> Self {
        let lane = |&attribute: &Attribute| Lane {
            attributes: vec![(attribute, attribute.values(microdata))],
            codes: Codes::Wide(Cow::Borrowed(attribute.codes(microdata))),
        };
        Self(attributes.iter().map(lane).collect())
    }

    /// The rows in `order`, in as few lanes as 16 bits allow.
    pub fn in_order(microdata: &Microdata, attributes: &[Attribute], order: &RowOrder) -> Self {
        const MOST: usize = 1 << 16;
        let mut packed: Vec<(Vec<(Attribute, usize)>, usize)> = Vec::new();
        for &attribute in attributes {
            let values = attribute.values(microdata);
            match packed.last_mut().filter(|(_, number)| number.saturating_mul(values) <= MOST) {
                Some((lane, number)) => {
                    lane.push((attribute, values));
                    *number *= values;
                }
                None => packed.push((vec![(attribute, values)], values)),
            }
        }
        let lane = |(attributes, number): (Vec<(Attribute, usize)>, usize)| {
            let codes = match number <= MOST {
                true => Codes::Narrow(combined(microdata, &attributes, order)),
                false => {
                    let codes = attributes[0].0.codes(microdata);
                    Codes::Wide(order.rows.iter().map(|&row| codes[row as usize]).collect())
                }
            };
            Lane { attributes, codes }
        };
        Self(packed.into_iter().map(lane).collect())
    }

    /// The lanes with what `query` admits of them.
    pub fn filter<'b>(&'b self, query: &Query) -> Filter<'b> {
        let table = |lane: &'b Lane<'a>| {
            let mut table = vec![1u8];
            for &(attribute, values) in &lane.attributes {
                let admits = match attribute {
                    Attribute::Sensitive => query.sensitive.iter().map(|&admits| u8::from(admits)).collect(),
                    Attribute::Quasi(attribute) => {
                        let mut admits = vec![0; values];
                        query.values_of(attribute).iter().for_each(|&value| admits[value as usize] = 1);
                        admits
                    }
                };
                table = table.iter().flat_map(|&before| admits.iter().map(move |&admits| before & admits)).collect();
            }
            (&lane.codes, table)
        };
        Filter(self.0.iter().map(table).collect())
    }
}

/// The numbers of the combinations that rows in `order` have of `attributes`.
fn combined(microdata: &Microdata, attributes: &[(Attribute, usize)], order: &RowOrder) -> Vec<u16> {
    let columns: Vec<(&[u32], u32)> =
        attributes.iter().map(|&(attribute, values)| (attribute.codes(microdata), values as u32)).collect();
    let number = |row: usize| columns.iter().fold(0, |number, &(codes, values)| number * values + codes[row]) as u16;
    order.rows.iter().map(|&row| number(row as usize)).collect()
}

/// A query over lanes.
pub(super) struct Filter<'a>(Vec<(&'a Codes<'a>, Vec<u8>)>);

impl Filter<'_> {
    /// How many rows at `places` are admitted.
    pub fn count(&self, places: Range<usize>) -> u64 {
        let mut count = 0;
        self.for_each_block(places, |_, flags| count += flags.iter().map(|&flag| u64::from(flag)).sum::<u64>());
        count
    }

    /// Appends the admitted places among `places`, ascending.
    pub fn select(&self, places: Range<usize>, found: &mut Vec<u32>) {
        self.for_each_block(places, |first, flags| {
            for (i, flags) in flags.chunks(8).enumerate() {
                // Eight at once: most rows are not admitted.
                let mut eight = [0; 8];
                eight[..flags.len()].copy_from_slice(flags);
                let mut left = u64::from_le_bytes(eight);
                while left != 0 {
                    let place = left.trailing_zeros() as usize / 8;
                    found.push((first + i * 8 + place) as u32);
                    left &= left - 1;
                }
            }
        });
    }

    fn for_each_block(&self, places: Range<usize>, mut take: impl FnMut(usize, &[u8])) {
        let mut flags = [1u8; BLOCK];
        for start in places.clone().step_by(BLOCK) {
            let end = (start + BLOCK).min(places.end);
            let flags = &mut flags[..end - start];
            flags.fill(1);
            for (codes, table) in &self.0 {
                match codes {
                    Codes::Narrow(codes) => keep(flags, &codes[start..end], table),
                    Codes::Wide(codes) => keep(flags, &codes[start..end], table),
                }
            }
            take(start, flags);
        }
    }
}

/// Leaves the flags of the rows whose code the table admits.
fn keep<C: Copy + Into<u32>>(flags: &mut [u8], codes: &[C], table: &[u8]) {
    for (flag, &code) in flags.iter_mut().zip(codes) {
        let code: u32 = code.into();
        *flag &= table[code as usize];
    }
}
