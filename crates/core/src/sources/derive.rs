//! From a source's rows to a dataset's: the steps of a definition, in order.
//!
//! Steps choose rows; the rows are copied once, at the end. Values and items that no longer occur leave the domain then,
//! so that `modulo` ranks an item among all ids of its source wherever it stands in the list.

use super::DataError;
use super::definition::{DatasetDefinition, Missing, ModuloOf, Step};
use super::formats::RawTable;
use crate::data::{Item, Table, Transactions};
use crate::lab::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What the steps leave.
pub(super) struct Derived<T> {
    pub data: T,
    /// How many rows there were after each step.
    pub left: Vec<usize>,
    /// Which rows of the source these are; None when they are all of them.
    pub chosen: Option<Vec<usize>>,
}

/// The table with the rows the steps leave, and the columns `used` alone, in that order.
pub(super) fn derive_table(
    raw: &RawTable,
    definition: &DatasetDefinition,
    used: &[usize],
    seed: Seed,
) -> Derived<Table> {
    let table = Table::new(used.iter().map(|&column| raw.table.columns[column].clone()).collect());
    let mut rows = KeptRows::new(table.rows());
    let mut left = Vec::with_capacity(definition.derive.len());
    for (i, step) in definition.derive.iter().enumerate() {
        match step {
            Step::DropMissing(Missing::All) => rows.keep(&raw.complete),
            Step::DropMissing(Missing::Used) => rows.keep(&complete_rows(&table)),
            Step::Modulo(_) => {}
            step => rows.choose(step, || sampling(definition, i, seed)),
        }
        left.push(rows.chosen.len());
    }
    match rows.is_all {
        true => Derived { data: table, left, chosen: None },
        false => Derived { data: table.select(&rows.chosen), left, chosen: Some(rows.chosen) },
    }
}

/// The transactions the steps leave, over the items that occur in them.
pub(super) fn derive_transactions(
    mut transactions: Transactions,
    definition: &DatasetDefinition,
    seed: Seed,
) -> Result<Derived<Transactions>, DataError> {
    let mut rows = KeptRows::new(transactions.len());
    let mut left = Vec::with_capacity(definition.derive.len());
    for (i, step) in definition.derive.iter().enumerate() {
        match step {
            Step::Modulo(n) => {
                // Items are numbered in the order of their ids: the number is the rank.
                let ids: Vec<u64> = match definition.modulo_of {
                    ModuloOf::Rank => (0..transactions.items() as u64).collect(),
                    ModuloOf::Id => whole_ids(&transactions)?,
                };
                let residues: Vec<u64> = ids.into_iter().map(|id| id % (*n).max(1) as u64).collect();
                let mut remaining = residues.clone();
                remaining.sort_unstable();
                remaining.dedup();
                let place = |residue: &u64| remaining.partition_point(|known| known < residue) as Item;
                let new_item: Vec<Item> = residues.iter().map(place).collect();
                let labels = remaining.iter().map(u64::to_string).collect();
                transactions = transactions.relabel(|item| new_item[item as usize], labels);
            }
            Step::DropMissing(_) => {}
            step => rows.choose(step, || sampling(definition, i, seed)),
        }
        left.push(rows.chosen.len());
    }
    if !rows.is_all {
        transactions = transactions.select(&rows.chosen);
    }
    let chosen = (!rows.is_all).then_some(rows.chosen);
    Ok(Derived { data: transactions.without_absent_items(), left, chosen })
}

/// The ids of all items as numbers.
fn whole_ids(transactions: &Transactions) -> Result<Vec<u64>, DataError> {
    let id = |label: &String| {
        let told = || format!("`modulo_of: id` needs ids that are whole numbers, and `{label}` is none");
        label.parse::<u64>().map_err(|_| DataError::fault("modulo_of", told()))
    };
    transactions.labels.iter().map(id).collect()
}

/// Whether each row has a value in every column.
fn complete_rows(table: &Table) -> Vec<bool> {
    let mut complete = vec![true; table.rows()];
    for column in &table.columns {
        for missing in column.missing_codes() {
            for (complete, &code) in complete.iter_mut().zip(&column.codes) {
                *complete &= code != missing;
            }
        }
    }
    complete
}

/// The stream of the `i`-th step. The size of the sample is no part of it, so that smaller samples are part of larger ones.
fn sampling(definition: &DatasetDefinition, i: usize, seed: Seed) -> ChaCha8Rng {
    seed.stream("dataset sample", &(&definition.source, &definition.part, definition.seed, i))
}

struct KeptRows {
    chosen: Vec<usize>,
    /// Nothing was dropped or drawn so far.
    is_all: bool,
}

impl KeptRows {
    fn new(rows: usize) -> Self {
        Self { chosen: (0..rows).collect(), is_all: true }
    }

    fn keep(&mut self, kept: &[bool]) {
        let before = self.chosen.len();
        self.chosen.retain(|&row| kept[row]);
        self.is_all &= self.chosen.len() == before;
    }

    fn choose(&mut self, step: &Step, rng: impl FnOnce() -> ChaCha8Rng) {
        match *step {
            Step::First(n) => {
                self.is_all &= n >= self.chosen.len();
                self.chosen.truncate(n);
            }
            Step::Sample(n) => self.sample(n, &mut rng()),
            Step::SampleShare(share) => {
                let n = (share * self.chosen.len() as f64).round() as usize;
                self.sample(n, &mut rng());
            }
            Step::DropMissing(_) | Step::Modulo(_) => {}
        }
    }

    fn sample(&mut self, n: usize, rng: &mut ChaCha8Rng) {
        let rows = self.chosen.len();
        if rows == 0 {
            return;
        }
        self.is_all = false;
        let mut places: Vec<usize> = if n > rows {
            (0..n).map(|_| rng.random_range(0..rows as u64) as usize).collect()
        } else {
            let mut places: Vec<usize> = (0..rows).collect();
            for i in 0..n {
                places.swap(i, rng.random_range(i as u64..rows as u64) as usize);
            }
            places.truncate(n);
            places
        };
        places.sort_unstable();
        self.chosen = places.into_iter().map(|place| self.chosen[place]).collect();
    }
}
