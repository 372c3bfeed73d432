//! Which rows have the same codes in all of some columns.
//!
//! Cost. One pass over the rows, which takes a number of each column and a lookup: in an array where few combinations are possible, in a
//! hash table otherwise. Beside these, it keeps what it gives.

use rustc_hash::FxHashMap;

/// The different combinations of codes that rows have, numbered by first appearance.
#[derive(Debug, Clone)]
pub struct DistinctRows {
    /// Row to its combination.
    pub of_row: Vec<u32>,
    /// Combination to the first row that has it.
    pub first_row: Vec<u32>,
}

impl DistinctRows {
    /// Of columns with a code for each row, and the number that all their codes are below.
    pub fn new<Codes>(rows: usize, columns: impl IntoIterator<Item = (Codes, usize)>) -> Self
    where
        Codes: IntoIterator<Item = u32>,
    {
        let mut so_far = None;
        let mut further: Vec<(Codes::IntoIter, u64)> = Vec::new();
        // The keys of all these together are below it.
        let mut range = 1u64;
        for (codes, values) in columns {
            let values = values.max(1) as u64;
            range = range.checked_mul(values).unwrap_or_else(|| {
                let numbered = Self::of_columns(rows, so_far.take(), std::mem::take(&mut further), range);
                so_far.insert(numbered).len() as u64 * values
            });
            further.push((codes.into_iter(), values));
        }
        Self::of_columns(rows, so_far, further, range)
    }

    /// Number of different combinations.
    pub fn len(&self) -> usize {
        self.first_row.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.first_row.is_empty()
    }

    /// Of rows that are numbered already by other columns, and further columns; keys of all are below `range`. Keys are made for some
    /// rows at a time: those of all rows would be twice the size of what is kept.
    fn of_columns(
        rows: usize,
        so_far: Option<Self>,
        mut further: Vec<(impl Iterator<Item = u32>, u64)>,
        range: u64,
    ) -> Self {
        let mut numbers = Numbers::new(rows, range);
        let mut of_row = Vec::with_capacity(rows);
        let mut keys = [0u64; BLOCK];
        for start in (0..rows).step_by(BLOCK) {
            let keys = &mut keys[..BLOCK.min(rows - start)];
            match &so_far {
                None => keys.fill(0),
                Some(known) => keys.iter_mut().zip(&known.of_row[start..]).for_each(|(key, &own)| *key = own.into()),
            }
            for (codes, values) in &mut further {
                keys.iter_mut().zip(codes).for_each(|(key, code)| *key = *key * *values + u64::from(code));
            }
            numbers.number(start as u32, keys, &mut of_row);
        }
        Self { of_row, first_row: numbers.first_row }
    }
}

/// Rows whose keys are made at the same time.
const BLOCK: usize = 1024;

/// Numbers of keys, by first appearance.
struct Numbers {
    known: KnownNumbers,
    /// Number to the first row that has it.
    first_row: Vec<u32>,
}

enum KnownNumbers {
    /// By key; `u32::MAX` of a key that no row had.
    Listed(Vec<u32>),
    Hashed(FxHashMap<u64, u32>),
}

impl Numbers {
    /// Of keys below `range`.
    fn new(rows: usize, range: u64) -> Self {
        let known = match range <= rows as u64 * 4 {
            true => KnownNumbers::Listed(vec![u32::MAX; range as usize]),
            false => KnownNumbers::Hashed(FxHashMap::default()),
        };
        Self { known, first_row: Vec::new() }
    }

    /// Appends the numbers of the `keys` of the rows from `start` on.
    fn number(&mut self, start: u32, keys: &[u64], numbers: &mut Vec<u32>) {
        let first_row = &mut self.first_row;
        let mut next = |row: u32| {
            first_row.push(row);
            first_row.len() as u32 - 1
        };
        let keys = keys.iter().zip(start..);
        match &mut self.known {
            KnownNumbers::Listed(known) => numbers.extend(keys.map(|(&key, row)| {
                let number = &mut known[key as usize];
                if *number == u32::MAX {
                    *number = next(row);
                }
                *number
            })),
            KnownNumbers::Hashed(known) => {
                numbers.extend(keys.map(|(&key, row)| *known.entry(key).or_insert_with(|| next(row))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever the codes may be below: an array, a hash table, or keys that do not fit into 64 bits.
        #[test]
        fn rows_have_one_number_exactly_when_all_codes_are_equal(
            few in prop::collection::vec(prop::collection::vec(0u32..3, 5), 0..40),
            // Fewer than are numbered at a time, exactly as many, and more.
            copies in prop::sample::select(vec![1usize, BLOCK, BLOCK / 3]),
            below in prop::sample::select(vec![3usize, 1000, 1 << 31]),
        ) {
            let rows: Vec<Vec<u32>> = few.iter().cycle().take(few.len() * copies).cloned().collect();
            let column = |i: usize| (rows.iter().map(move |row| row[i]), below);
            let found = DistinctRows::new(rows.len(), (0..5).map(column));
            let mut known: Vec<&Vec<u32>> = Vec::new();
            for (row, codes) in rows.iter().enumerate() {
                if !known.contains(&codes) {
                    known.push(codes);
                    prop_assert_eq!(found.first_row[known.len() - 1], row as u32);
                }
                prop_assert_eq!(known[found.of_row[row] as usize], codes);
            }
            prop_assert_eq!(found.len(), known.len());
        }
    }
}
