//! Which rows of a generalized table nobody can tell apart.

use super::{Cover, Domain, GeneralizedTable, SuppressedIf};
use crate::data::Microdata;
use rustc_hash::FxHashMap;

/// The classes of a table: rows whose cells cover the same in every column.
///
/// Cost. One hash lookup a row, after one number for the covers of each cell.
#[derive(Debug, Clone)]
pub struct Classes {
    /// Row to its class, numbered by first appearance; None for a suppressed row. Suppressed rows are never here, whatever
    /// they count as: `groups` says that.
    pub of_row: Vec<Option<u32>>,
    /// Class to the place of its cover in `covers`, column by column.
    pub cells: Vec<Vec<u32>>,
    /// Column by column, the different covers.
    pub covers: Vec<Vec<Cover>>,
    /// Column by column, how many values the original has.
    pub values: Vec<usize>,
    /// Class to its rows, and to the first of them.
    pub sizes: Vec<u32>,
    /// Class to the first of its rows.
    pub first_row: Vec<u32>,
    /// The suppressed rows, ascending.
    pub suppressed: Vec<u32>,
}

impl Classes {
    /// `table` has the shape of `microdata`.
    pub fn new(microdata: &Microdata, table: &GeneralizedTable, suppressed_if: SuppressedIf) -> Self {
        let domains = Domain::all(microdata);
        let mut covers = Vec::with_capacity(table.columns.len());
        let mut cover_of_cell = Vec::with_capacity(table.columns.len());
        for (column, domain) in table.columns.iter().zip(&domains) {
            let mut places: FxHashMap<Cover, u32> = FxHashMap::default();
            let mut known = Vec::new();
            let of_cell: Vec<u32> = column
                .cells
                .iter()
                .map(|cell| {
                    let cover = domain.cover(cell);
                    *places.entry(cover).or_insert_with_key(|cover| {
                        known.push(cover.clone());
                        known.len() as u32 - 1
                    })
                })
                .collect();
            covers.push(known);
            cover_of_cell.push(of_cell);
        }
        let mut classes = Self {
            of_row: Vec::with_capacity(table.rows()),
            cells: Vec::new(),
            covers,
            values: domains.iter().map(Domain::values).collect(),
            sizes: Vec::new(),
            first_row: Vec::new(),
            suppressed: Vec::new(),
        };
        let is_star: Vec<Vec<bool>> = classes
            .covers
            .iter()
            .zip(&classes.values)
            .map(|(covers, &values)| covers.iter().map(|cover| cover.len() == values).collect())
            .collect();
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut key = vec![0; table.columns.len()];
        for row in 0..table.rows() {
            for ((part, column), of_cell) in key.iter_mut().zip(&table.columns).zip(&cover_of_cell) {
                *part = of_cell[column.of_row[row] as usize];
            }
            let has_value = table.sensitive[row].is_some() && suppressed_if == SuppressedIf::Everything;
            if !has_value && key.iter().zip(&is_star).all(|(&cover, is_star)| is_star[cover as usize]) {
                classes.of_row.push(None);
                classes.suppressed.push(row as u32);
                continue;
            }
            let class = match known.get(&key) {
                Some(&class) => class,
                None => {
                    let class = classes.sizes.len() as u32;
                    known.insert(key.clone(), class);
                    classes.cells.push(key.clone());
                    classes.sizes.push(0);
                    classes.first_row.push(row as u32);
                    class
                }
            };
            classes.sizes[class as usize] += 1;
            classes.of_row.push(Some(class));
        }
        classes
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether every row is suppressed.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// What class `class` covers in column `i`.
    pub fn cover(&self, class: usize, i: usize) -> &Cover {
        &self.covers[i][self.cells[class][i] as usize]
    }

    /// Whether class `class` has a star in column `i`: a cell that covers every value, whatever its text.
    pub fn is_star(&self, class: usize, i: usize) -> bool {
        self.cover(class, i).len() == self.values[i]
    }

    /// The sensitive values of each class with their counts, ascending by code.
    pub fn histograms(&self, sensitive: &[Option<u32>]) -> Vec<Vec<(u32, u32)>> {
        let rows = self.of_row.iter().zip(sensitive);
        histograms(self.len(), rows.filter_map(|(class, value)| Some(((*class)?, (*value)?))))
    }
}

/// Counts (class, value) pairs; each class's values ascending.
pub(super) fn histograms(classes: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<Vec<(u32, u32)>> {
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable();
    let mut values = vec![Vec::new(); classes];
    for run in pairs.chunk_by(|a, b| a == b) {
        let (class, value) = run[0];
        values[class as usize].push((value, run.len() as u32));
    }
    values
}
