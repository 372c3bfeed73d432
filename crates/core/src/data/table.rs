use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Whether the order of a column's values means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Names, in the order of the definition or of their text.
    Categorical,
    /// Every value that is not missing is a number; codes follow the numbers' order.
    Numeric,
}

/// A dictionary-encoded column. Codes are dense, and their order (numeric, else by text) depends on the set of values
/// alone, so that the same rows in another order have the same codes.
///
/// A missing value is a value like any other (`?` or nothing) until a derivation drops its rows; in a numeric column it
/// comes after the numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The column's name.
    pub name: String,
    /// Whether its values are numbers or names.
    pub kind: ColumnKind,
    /// Code to text. Only values that occur.
    pub values: Vec<String>,
    /// Row to code.
    pub codes: Vec<u32>,
}

/// What stands for a missing value, besides nothing.
pub const MISSING: &str = "?";

/// Whether a cell says that nothing is known.
pub fn is_missing(cell: &str) -> bool {
    cell.is_empty() || cell == MISSING
}

/// Encodes a column cell by cell, in one pass over the rows.
#[derive(Debug, Default)]
pub struct ColumnBuilder<'a> {
    codes_of: FxHashMap<Cow<'a, str>, u32>,
    codes: Vec<u32>,
}

impl<'a> ColumnBuilder<'a> {
    /// Adds the cell of the next row.
    pub fn push(&mut self, cell: Cow<'a, str>) {
        // Codes of first appearance; `finish` puts them into the order of the values.
        let next = self.codes_of.len() as u32;
        let code = match self.codes_of.get(&cell) {
            Some(&code) => code,
            None => *self.codes_of.entry(cell).or_insert(next),
        };
        self.codes.push(code);
    }

    /// The column is numeric when every cell that is not missing parses as a finite number.
    pub fn finish(self, name: impl Into<String>) -> Column {
        let Self { codes_of, mut codes } = self;
        let mut values: Vec<(Cow<'a, str>, u32)> = codes_of.into_iter().collect();
        values.sort_unstable();
        let numbers: Option<Vec<f64>> = values.iter().map(|(value, _)| sorting_number(value)).collect();
        let kind = match numbers {
            Some(numbers) if numbers.iter().any(|number| number.is_finite()) => {
                let mut numbered: Vec<_> = numbers.into_iter().zip(values).collect();
                // Stable: equal numbers written differently stay in the order of their text.
                numbered.sort_by(|(a, _), (b, _)| a.total_cmp(b));
                values = numbered.into_iter().map(|(_, value)| value).collect();
                ColumnKind::Numeric
            }
            _ => ColumnKind::Categorical,
        };
        let mut new_code = vec![0; values.len()];
        for (code, (_, provisional)) in values.iter().enumerate() {
            new_code[*provisional as usize] = code as u32;
        }
        for code in &mut codes {
            *code = new_code[*code as usize];
        }
        Column {
            name: name.into(),
            kind,
            values: values.into_iter().map(|(value, _)| value.into_owned()).collect(),
            codes,
        }
    }
}

/// Missing values come last; None for what is neither missing nor a number.
fn sorting_number(value: &str) -> Option<f64> {
    if is_missing(value) {
        return Some(f64::INFINITY);
    }
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Column {
    /// Encodes `cells`, one text a row.
    pub fn encode<S: AsRef<str>>(name: impl Into<String>, cells: &[S]) -> Self {
        let mut builder = ColumnBuilder::default();
        for cell in cells {
            builder.push(Cow::Borrowed(cell.as_ref()));
        }
        builder.finish(name)
    }

    /// The codes that stand for a missing value.
    pub fn missing_codes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.values.len() as u32).filter(|&code| is_missing(&self.values[code as usize]))
    }

    /// The text in `row`.
    pub fn text(&self, row: usize) -> &str {
        &self.values[self.codes[row] as usize]
    }

    /// The code of a value, if it occurs.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.values.iter().position(|known| known == value).map(|code| code as u32)
    }

    /// The number a code of a numeric column stands for.
    pub fn number(&self, code: u32) -> Option<f64> {
        match self.kind {
            ColumnKind::Numeric => self.values.get(code as usize)?.parse().ok(),
            ColumnKind::Categorical => None,
        }
    }

    /// The number of distinct values.
    pub fn cardinality(&self) -> usize {
        self.values.len()
    }

    /// How many rows have each code.
    pub fn histogram(&self) -> Vec<usize> {
        let mut counts = vec![0; self.values.len()];
        for &code in &self.codes {
            counts[code as usize] += 1;
        }
        counts
    }

    /// The column with `rows` alone, in that order; values that no longer occur leave the dictionary.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut new_code = vec![u32::MAX; self.values.len()];
        for &row in rows {
            new_code[self.codes[row] as usize] = 0;
        }
        let mut values = Vec::new();
        for (code, text) in self.values.iter().enumerate() {
            if new_code[code] == 0 {
                new_code[code] = values.len() as u32;
                values.push(text.clone());
            }
        }
        let codes = rows.iter().map(|&row| new_code[self.codes[row] as usize]).collect();
        Self { name: self.name.clone(), kind: self.kind, values, codes }
    }
}

/// Columns of equal length.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// All of the same length.
    pub columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// # Panics
    /// When columns differ in length: a loader's error, never the data's.
    pub fn new(columns: Vec<Column>) -> Self {
        let rows = columns.first().map_or(0, |column| column.codes.len());
        assert!(columns.iter().all(|column| column.codes.len() == rows), "columns of one table have one length");
        Self { columns, rows }
    }

    /// A table from rows of text, for tests and examples.
    pub fn from_rows(names: &[&str], rows: &[&[&str]]) -> Self {
        let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<_>>();
        Self::new(names.iter().enumerate().map(|(i, name)| Column::encode(*name, &column(i))).collect())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The position of the column of that name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// These rows alone, in this order.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self { columns: self.columns.iter().map(|column| column.select(rows)).collect(), rows: rows.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numeric_columns_keep_their_order_and_others_sort_by_text() {
        let age = Column::encode("age", &["9", "100", "9", "20"]);
        assert_eq!((age.kind, age.values.join(" ")), (ColumnKind::Numeric, "9 20 100".to_string()));
        assert_eq!(age.codes, [0, 2, 0, 1]);
        let sex = Column::encode("sex", &["M", "F", "M"]);
        assert_eq!((sex.kind, sex.codes.clone()), (ColumnKind::Categorical, vec![1, 0, 1]));
        assert_eq!(sex.text(1), "F");
    }

    #[test]
    fn missing_values_do_not_hide_numbers() {
        let age = Column::encode("age", &["9", "?", "100", ""]);
        assert_eq!((age.kind, age.values.join(",")), (ColumnKind::Numeric, "9,100,,?".to_string()));
        assert_eq!(age.missing_codes().collect::<Vec<_>>(), [2, 3]);
        assert_eq!((age.number(1), age.number(2)), (Some(100.0), None));
        assert_eq!(Column::encode("none", &["?", "?"]).kind, ColumnKind::Categorical);
    }

    proptest! {
        /// Encoding loses nothing, codes are dense, and they do not depend on the order of the rows.
        #[test]
        fn encoding_round_trips(cells in prop::collection::vec("[a-c0-9?]{0,2}", 0..40)) {
            let column = Column::encode("c", &cells);
            let decoded: Vec<&str> = (0..cells.len()).map(|row| column.text(row)).collect();
            prop_assert_eq!(&decoded, &cells);
            prop_assert!(column.histogram().iter().all(|&count| count > 0));
            let reversed: Vec<&String> = cells.iter().rev().collect();
            prop_assert_eq!(Column::encode("c", &reversed).values, column.values);
        }
    }

    #[test]
    fn selecting_rows_shrinks_the_dictionary() {
        let table = Table::from_rows(&["a", "b"], &[&["x", "1"], &["y", "2"], &["x", "10"]]);
        let part = table.select(&[2, 0]);
        assert_eq!(part.columns[0].values, ["x"]);
        assert_eq!(part.columns[1].codes, [1, 0]);
        assert_eq!(part.rows(), 2);
    }
}
