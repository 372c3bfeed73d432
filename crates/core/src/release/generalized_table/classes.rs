//! Which rows of a generalized table nobody can tell apart.

use super::{Cover, Domain, GeneralizedCell, GeneralizedTable, SuppressedIf};
use crate::data::{DistinctRows, Microdata};
use rustc_hash::FxHashMap;

/// The classes of a table: rows whose cells cover the same in every column.
///
/// Cost. A pass over the rows with a lookup in each, after one number for the covers of each cell.
#[derive(Debug, Clone)]
pub struct Classes {
    /// Row to its class, numbered by first appearance; [`SUPPRESSED`] for a suppressed row.
    of_row: Vec<u32>,
    /// Class by class and column by column, the place of its cover in `covers`.
    cells: Vec<u32>,
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

/// The class of no row.
const SUPPRESSED: u32 = u32::MAX;

impl Classes {
    /// `table` has the shape of `microdata`.
    pub fn new(microdata: &Microdata, table: &GeneralizedTable, suppressed_if: SuppressedIf) -> Self {
        let domains = Domain::all(microdata);
        let (covers, cover_of_cell): (Vec<_>, Vec<_>) =
            table.columns.iter().zip(&domains).map(|(column, domain)| different_covers(&column.cells, domain)).unzip();
        let mut classes = Self {
            of_row: Vec::new(),
            cells: Vec::new(),
            covers,
            values: domains.iter().map(Domain::values).collect(),
            sizes: Vec::new(),
            first_row: Vec::new(),
            suppressed: Vec::new(),
        };
        let columns = table.columns.iter().zip(&cover_of_cell).zip(&classes.covers);
        let distinct = DistinctRows::new(
            table.rows(),
            columns.map(|((column, of_cell), covers)| {
                (column.of_row.iter().map(|&cell| of_cell[cell as usize]), covers.len())
            }),
        );
        let covers_of = |row: usize| {
            table.columns.iter().zip(&cover_of_cell).map(move |(column, of_cell)| of_cell[column.of_row[row] as usize])
        };
        // Equal covers have one place, so that one combination at most has stars throughout.
        let is_star = |(i, place): (usize, u32)| classes.covers[i][place as usize].len() == classes.values[i];
        let stars = distinct.first_row.iter().position(|&row| covers_of(row as usize).enumerate().all(is_star));
        let is_suppressed = |row: usize| table.sensitive[row].is_none() || suppressed_if != SuppressedIf::Everything;
        let mut class_of: Vec<Option<u32>> = vec![None; distinct.len()];
        // What the rows have together becomes their class in place.
        let mut of_row = distinct.of_row;
        for (row, place) in of_row.iter_mut().enumerate() {
            let combination = std::mem::replace(place, SUPPRESSED) as usize;
            if stars == Some(combination) && is_suppressed(row) {
                classes.suppressed.push(row as u32);
                continue;
            }
            let class = *class_of[combination].get_or_insert_with(|| {
                classes.cells.extend(covers_of(row));
                classes.sizes.push(0);
                classes.first_row.push(row as u32);
                classes.sizes.len() as u32 - 1
            });
            classes.sizes[class as usize] += 1;
            *place = class;
        }
        Self { of_row, ..classes }
    }

    /// The class of a row; None of a suppressed one. Suppressed rows are never in a class, whatever they count as: `groups` says that.
    pub fn of_row(&self, row: usize) -> Option<u32> {
        Some(self.of_row[row]).filter(|&class| class != SUPPRESSED)
    }

    /// Row by row, its class; None of a suppressed one.
    pub fn of_rows(&self) -> impl Iterator<Item = Option<u32>> + Clone {
        self.of_row.iter().map(|&class| Some(class).filter(|&class| class != SUPPRESSED))
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether every row is suppressed.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The places of what class `class` covers in `covers`, column by column.
    pub fn cells(&self, class: usize) -> &[u32] {
        let columns = self.covers.len();
        &self.cells[class * columns..(class + 1) * columns]
    }

    /// What class `class` covers in column `i`.
    pub fn cover(&self, class: usize, i: usize) -> &Cover {
        &self.covers[i][self.cells(class)[i] as usize]
    }

    /// Whether class `class` has a star in column `i`: a cell that covers every value, whatever its text.
    pub fn is_star(&self, class: usize, i: usize) -> bool {
        self.cover(class, i).len() == self.values[i]
    }

    /// The sensitive values of each class with their counts, ascending by code.
    pub fn histograms(&self, sensitive: &[Option<u32>]) -> Vec<Vec<(u32, u32)>> {
        let rows = self.of_rows().zip(sensitive);
        histograms(self.len(), rows.filter_map(|(class, value)| Some((class?, (*value)?))))
    }
}

/// The different covers of cells, and the place of each cell's among them.
fn different_covers(cells: &[GeneralizedCell], domain: &Domain<'_>) -> (Vec<Cover>, Vec<u32>) {
    let mut places: FxHashMap<Cover, u32> = FxHashMap::default();
    let mut different = Vec::new();
    let place = |cell: &GeneralizedCell| {
        *places.entry(domain.cover(cell)).or_insert_with_key(|cover| {
            different.push(cover.clone());
            different.len() as u32 - 1
        })
    };
    let of_cell = cells.iter().map(place).collect();
    (different, of_cell)
}

/// Counts (class, value) pairs; each class's values ascending.
pub(super) fn histograms(classes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<Vec<(u32, u32)>> {
    // The values of all classes, one class after the other: `ends` first tells where each begins.
    let mut ends = vec![0usize; classes + 1];
    pairs.clone().for_each(|(class, _)| ends[class as usize + 1] += 1);
    (0..classes).for_each(|class| ends[class + 1] += ends[class]);
    let mut values = vec![0; ends[classes]];
    for (class, value) in pairs {
        let end = &mut ends[class as usize];
        values[*end] = value;
        *end += 1;
    }
    let mut start = 0;
    let counted = |&end: &usize| {
        let of_class = &mut values[start..end];
        start = end;
        of_class.sort_unstable();
        of_class.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect()
    };
    ends[..classes].iter().map(counted).collect()
}
