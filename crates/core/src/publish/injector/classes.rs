use crate::data::Microdata;
use crate::mining::{Incompatibilities, ValueSet};
use rustc_hash::FxHashMap;

/// Tuples with the same sensitive value s and the same incompatibility set S': interchangeable to the algorithm.
#[derive(Debug)]
pub(super) struct TupleClass<'a> {
    pub(super) value: u32,
    pub(super) cannot_take: &'a ValueSet,
    /// The same set as a list, ascending.
    pub(super) refused: Vec<u32>,
    /// The index of the set among all sets.
    pub(super) set: u32,
    /// Ascending.
    pub(super) rows: Vec<u32>,
}

/// The classes of a table, ordered by s, then S' (as a binary number): the order in which ties are broken.
#[derive(Debug)]
pub(super) struct TupleClasses<'a> {
    pub(super) classes: Vec<TupleClass<'a>>,
    /// The size of the sensitive domain.
    pub(super) domain: usize,
    pub(super) sets: &'a [ValueSet],
}

impl<'a> TupleClasses<'a> {
    pub(super) fn new(microdata: &Microdata, incompatible: &'a Incompatibilities) -> Self {
        let values = microdata.sensitive_codes();
        let mut index_of: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut rows_of: Vec<Vec<u32>> = Vec::new();
        for (row, &value) in values.iter().enumerate() {
            let index = *index_of.entry((value, incompatible.set_of(row))).or_insert_with(|| {
                rows_of.push(Vec::new());
                rows_of.len() as u32 - 1
            });
            rows_of[index as usize].push(row as u32);
        }
        // Sets are ordered already, so their indexes stand for them.
        let mut keys: Vec<(u32, u32)> = index_of.keys().copied().collect();
        keys.sort_unstable();
        let classes = keys
            .into_iter()
            .map(|key @ (value, set)| {
                let rows = std::mem::take(&mut rows_of[index_of[&key] as usize]);
                let cannot_take = &incompatible.sets()[set as usize];
                TupleClass { value, cannot_take, refused: cannot_take.iter().collect(), set, rows }
            })
            .collect();
        let domain = microdata.table.columns[microdata.sensitive].cardinality();
        Self { classes, domain, sets: incompatible.sets() }
    }
}

impl TupleClass<'_> {
    /// Definition 2: tuples with the same value, or one of which cannot take the other's, are incompatible.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        self.value != other.value && !self.cannot_take.contains(other.value) && !other.cannot_take.contains(self.value)
    }
}
