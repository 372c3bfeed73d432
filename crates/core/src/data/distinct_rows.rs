//! Which rows have the same codes in all of some columns.
//!
//! Cost. One pass over the rows for each column, then a lookup a row: in an array where few combinations are possible, in a hash
//! table otherwise.

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
        let mut keys = vec![0u64; rows];
        // All keys are below it.
        let mut range = 1u64;
        for (codes, values) in columns {
            let values = values.max(1) as u64;
            range = range.checked_mul(values).unwrap_or_else(|| {
                let so_far = Self::of_keys(&keys, range);
                keys.iter_mut().zip(so_far.of_row).for_each(|(key, number)| *key = number.into());
                so_far.first_row.len() as u64 * values
            });
            keys.iter_mut().zip(codes).for_each(|(key, code)| *key = *key * values + u64::from(code));
        }
        Self::of_keys(&keys, range)
    }

    /// Number of different combinations.
    pub fn len(&self) -> usize {
        self.first_row.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.first_row.is_empty()
    }

    fn of_keys(keys: &[u64], range: u64) -> Self {
        let mut first_row = Vec::new();
        let mut next = |row: u32| {
            first_row.push(row);
            first_row.len() as u32 - 1
        };
        let of_row = if range <= keys.len() as u64 * 4 {
            let mut numbers = vec![u32::MAX; range as usize];
            let number = |(&key, row): (&u64, u32)| {
                let number = &mut numbers[key as usize];
                if *number == u32::MAX {
                    *number = next(row);
                }
                *number
            };
            keys.iter().zip(0..).map(number).collect()
        } else {
            let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
            keys.iter().zip(0..).map(|(&key, row)| *numbers.entry(key).or_insert_with(|| next(row))).collect()
        };
        Self { of_row, first_row }
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
            rows in prop::collection::vec(prop::collection::vec(0u32..3, 5), 0..40),
            below in prop::sample::select(vec![3usize, 1000, 1 << 31]),
        ) {
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
