use std::collections::BTreeMap;

/// Whether the order of a column's values means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Categorical,
    /// Every value is a number; codes follow the numbers' order.
    Numeric,
}

/// A dictionary-encoded column. Codes are dense, and their order (numeric, else by text) depends on the set of values
/// alone, so that the same rows in another order have the same codes.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
    /// Code to text. Only values that occur.
    pub values: Vec<String>,
    /// Row to code.
    pub codes: Vec<u32>,
}

impl Column {
    /// Encodes `cells`, one text a row. The column is numeric when every cell parses as a finite number.
    pub fn encode<S: AsRef<str>>(name: impl Into<String>, cells: &[S]) -> Self {
        let mut codes_of: BTreeMap<&str, u32> = cells.iter().map(|cell| (cell.as_ref(), 0)).collect();
        let numbers: Option<Vec<f64>> =
            codes_of.keys().map(|text| text.parse::<f64>().ok().filter(|number| number.is_finite())).collect();
        let mut values: Vec<&str> = codes_of.keys().copied().collect();
        let kind = match numbers {
            Some(numbers) if !numbers.is_empty() => {
                let mut order: Vec<usize> = (0..values.len()).collect();
                order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
                values = order.into_iter().map(|i| values[i]).collect();
                ColumnKind::Numeric
            }
            _ => ColumnKind::Categorical,
        };
        for (code, value) in values.iter().enumerate() {
            codes_of.insert(value, code as u32);
        }
        Self {
            name: name.into(),
            kind,
            codes: cells.iter().map(|cell| codes_of[cell.as_ref()]).collect(),
            values: values.into_iter().map(String::from).collect(),
        }
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
            ColumnKind::Numeric => self.values[code as usize].parse().ok(),
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

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    pub fn select(&self, rows: &[usize]) -> Self {
        Self { columns: self.columns.iter().map(|column| column.select(rows)).collect(), rows: rows.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn selecting_rows_shrinks_the_dictionary() {
        let table = Table::from_rows(&["a", "b"], &[&["x", "1"], &["y", "2"], &["x", "10"]]);
        let part = table.select(&[2, 0]);
        assert_eq!(part.columns[0].values, ["x"]);
        assert_eq!(part.columns[1].codes, [1, 0]);
        assert_eq!(part.rows(), 2);
    }
}
