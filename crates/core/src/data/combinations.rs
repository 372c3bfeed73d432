//! Rows by their values of some quasi-identifiers, for whoever asks many questions about the same attributes: a table of
//! millions of rows has far fewer combinations of three attributes, and what is summed once over the rows of each answers
//! every question.

use super::Microdata;

/// The combinations of values that some quasi-identifiers may have, numbered so that the last attribute varies fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combinations {
    /// Positions among the quasi-identifiers, in the order of the numbering.
    attributes: Vec<usize>,
    /// How many values each of them has.
    values: Vec<usize>,
    number: usize,
}

impl Combinations {
    /// None where there are more than `most` combinations.
    pub fn of(microdata: &Microdata, attributes: &[usize], most: usize) -> Option<Self> {
        let column = |&attribute: &usize| &microdata.table.columns[microdata.quasi_identifiers[attribute]];
        let values: Vec<usize> = attributes.iter().map(|attribute| column(attribute).cardinality()).collect();
        let number = values.iter().try_fold(1usize, |number, &values| number.checked_mul(values))?;
        let few = number <= most.min(u32::MAX as usize);
        few.then(|| Self { attributes: attributes.to_vec(), values, number })
    }

    /// How many combinations there are, whether they occur or not.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Puts the numbers of the combinations whose values are all admitted into `numbers`, ascending. `admitted` has the admitted
    /// codes of each attribute, ascending.
    pub fn admitted<'a>(&self, admitted: impl Iterator<Item = &'a [u32]>, numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.push(0);
        let mut longer = Vec::new();
        for (&values, codes) in self.values.iter().zip(admitted) {
            longer.clear();
            longer.reserve(numbers.len() * codes.len());
            for &number in numbers.iter() {
                let first = number * values as u32;
                longer.extend(codes.iter().map(|&code| first + code));
            }
            std::mem::swap(numbers, &mut longer);
        }
    }
}

/// Every row's combination.
#[derive(Debug, Clone)]
pub struct CombinedRows {
    /// The combinations that the rows are numbered by.
    pub combinations: Combinations,
    /// Row to the number of its combination.
    pub of_row: Vec<u32>,
}

impl CombinedRows {
    /// Rows by the combination they have.
    pub fn new(microdata: &Microdata, combinations: Combinations) -> Self {
        let mut of_row = vec![0u32; microdata.rows()];
        for (&attribute, &values) in combinations.attributes.iter().zip(&combinations.values) {
            for (number, &code) in of_row.iter_mut().zip(microdata.quasi_codes(attribute)) {
                *number = *number * values as u32 + code;
            }
        }
        Self { combinations, of_row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Table};

    #[test]
    fn combinations_are_numbered_and_found() {
        let rows: [&[&str]; 4] = [&["a", "x", "1"], &["b", "y", "2"], &["b", "x", "1"], &["a", "z", "2"]];
        let dataset = Dataset::of_table(Table::from_rows(&["p", "q", "s"], &rows), &["p", "q"], "s").unwrap();
        let microdata = dataset.microdata().unwrap();
        assert_eq!(Combinations::of(microdata, &[0, 1], 5), None, "2 · 3 combinations are more than 5");
        let combined = CombinedRows::new(microdata, Combinations::of(microdata, &[0, 1], 6).unwrap());
        assert_eq!(combined.of_row, [0, 4, 3, 2]);
        let mut numbers = Vec::new();
        combined.combinations.admitted([&[1u32][..], &[0, 2]].into_iter(), &mut numbers);
        assert_eq!(numbers, [3, 5], "b with x, b with z");
        combined.combinations.admitted([&[][..], &[0, 2]].into_iter(), &mut numbers);
        assert!(numbers.is_empty());
    }
}
