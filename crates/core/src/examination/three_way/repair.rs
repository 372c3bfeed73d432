//! Swaps values within groups until every kind has its own: a local search, which may find a way and never says that there
//! is none.
//!
//! Each group's values are dealt out to its rows as they come. Then some kinds have a value too often and others too rarely. A row
//! that has one its kind has too often, drawn at random, swaps with another row of its group unless that makes things worse; now
//! and then even so ("focused Metropolis search", S. Seitz, M. Alava, P. Orponen, 2005). What is wrong moves on with such swaps
//! until it meets its opposite.
//!
//! Cost. A step is a few lookups; there are at most [`STEPS_A_ROW`] a row. On Adult's 46,033 rows with three or six
//! quasi-identifiers in groups of five, 130 to 1,400 a row were needed.

use super::problem::{Counted, ThreeWay, ValueShare};
use crate::lab::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const STEPS_A_ROW: u64 = 5_000;
/// Beyond so many steps in all it is not tried any longer.
const MOST_STEPS: u64 = 200_000_000;
/// One in so many swaps that make one row more wrong is done; of those that make two, the square of it.
const WORSE_DONE: u32 = 500;
/// Kinds times values, which take some 40 bytes each.
const MOST_CELLS: usize = 8_000_000;

/// A way to give every row a value, if one is found.
pub fn repaired(problem: &ThreeWay) -> Option<Vec<ValueShare>> {
    let mut repair = Repair::new(problem)?;
    let steps = (repair.rows.len() as u64 * STEPS_A_ROW).min(MOST_STEPS);
    let mut rng = Seed(0).stream("repair", &());
    for _ in 0..steps {
        if repair.too_often.list.is_empty() {
            return Some(repair.shares());
        }
        repair.step(&mut rng);
    }
    None
}

/// A kind with a value.
#[derive(Clone, Default)]
struct KindWithValue {
    wanted: u32,
    /// The rows that have it.
    rows: Vec<u32>,
}

impl KindWithValue {
    /// Whether so many more would be more than wanted.
    fn is_over_with(&self, more: usize) -> i32 {
        i32::from(self.rows.len() + more > self.wanted as usize)
    }
}

#[derive(Clone, Copy)]
struct Row {
    kind: u32,
    group: u32,
    value: u32,
    /// Its place in its cell.
    place: u32,
}

struct Repair {
    /// The different values; rows have places in this list.
    values: Vec<u32>,
    /// Kind by kind, one for each value.
    cells: Vec<KindWithValue>,
    rows: Vec<Row>,
    /// The rows of each group lie together: where they start, and one past the last.
    group_start: Vec<u32>,
    too_often: Marked,
}

/// A set of cells to draw from.
struct Marked {
    list: Vec<u32>,
    place: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Marked {
    fn set(&mut self, cell: usize, is: bool) {
        let place = self.place[cell];
        match (is, place) {
            (true, NOWHERE) => {
                self.place[cell] = self.list.len() as u32;
                self.list.push(cell as u32);
            }
            (false, place) if place != NOWHERE => {
                self.list.swap_remove(place as usize);
                if let Some(&moved) = self.list.get(place as usize) {
                    self.place[moved as usize] = place;
                }
                self.place[cell] = NOWHERE;
            }
            _ => {}
        }
    }
}

impl Repair {
    /// None where it would take too much room.
    fn new(problem: &ThreeWay) -> Option<Self> {
        let mut values: Vec<u32> = problem.kinds.iter().flatten().map(|&(value, _)| value).collect();
        values.sort_unstable();
        values.dedup();
        let cells = problem.kinds.len() * values.len();
        if cells > MOST_CELLS {
            return None;
        }
        let number = |value: u32| values.partition_point(|&known| known < value);
        let mut repair = Self {
            cells: vec![KindWithValue::default(); cells],
            rows: Vec::new(),
            group_start: vec![0],
            too_often: Marked { list: Vec::new(), place: vec![NOWHERE; cells] },
            values: values.clone(),
        };
        for (kind, wanted) in problem.kinds.iter().enumerate() {
            for &(value, count) in wanted {
                repair.cells[kind * values.len() + number(value)].wanted = count;
            }
        }
        let each = |list: &[Counted]| -> Vec<u32> {
            list.iter().flat_map(|&(what, count)| std::iter::repeat_n(what, count as usize)).collect()
        };
        for (group, of_group) in (0..).zip(&problem.groups) {
            for (kind, value) in each(&of_group.rows).into_iter().zip(each(&of_group.values)) {
                repair.rows.push(Row { kind, group, value: number(value) as u32, place: 0 });
                repair.enter(repair.rows.len() - 1);
            }
            repair.group_start.push(repair.rows.len() as u32);
        }
        (0..cells).for_each(|cell| repair.mark(cell));
        Some(repair)
    }

    fn cell(&self, kind: u32, value: u32) -> usize {
        kind as usize * self.values.len() + value as usize
    }

    fn mark(&mut self, cell: usize) {
        self.too_often.set(cell, self.cells[cell].is_over_with(0) > 0);
    }

    /// Puts a row into the cell of its value.
    fn enter(&mut self, row: usize) {
        let cell = self.cell(self.rows[row].kind, self.rows[row].value);
        let rows = &mut self.cells[cell].rows;
        self.rows[row].place = rows.len() as u32;
        rows.push(row as u32);
    }

    fn leave(&mut self, row: usize) {
        let Row { kind, value, place, .. } = self.rows[row];
        let cell = self.cell(kind, value);
        let rows = &mut self.cells[cell].rows;
        rows.swap_remove(place as usize);
        if let Some(&moved) = rows.get(place as usize) {
            self.rows[moved as usize].place = place;
        }
    }

    /// Perhaps one swap, of a row of a cell that has too many.
    fn step(&mut self, rng: &mut ChaCha8Rng) {
        let draw = |rng: &mut ChaCha8Rng, list: &[u32]| list[rng.random_range(0..list.len())] as usize;
        let cell = draw(rng, &self.too_often.list);
        let row = draw(rng, &self.cells[cell].rows);
        let group = self.rows[row].group as usize;
        let other = rng.random_range(self.group_start[group]..self.group_start[group + 1]) as usize;
        let (a, b) = (self.rows[row], self.rows[other]);
        if a.kind == b.kind || a.value == b.value {
            return;
        }
        let [from, others] = [self.cell(a.kind, a.value), self.cell(b.kind, b.value)];
        let [mine, theirs] = [self.cell(a.kind, b.value), self.cell(b.kind, a.value)];
        let over = |cell: usize, more: usize| self.cells[cell].is_over_with(more);
        let worse = over(mine, 1) + over(theirs, 1) - over(from, 0) - over(others, 0);
        if (0..worse).any(|_| rng.random_range(0..WORSE_DONE) > 0) {
            return;
        }
        for (row, value) in [(row, b.value), (other, a.value)] {
            self.leave(row);
            self.rows[row].value = value;
            self.enter(row);
        }
        [from, others, mine, theirs].into_iter().for_each(|cell| self.mark(cell));
    }

    fn shares(&self) -> Vec<ValueShare> {
        let share = |row: &Row| {
            let value = self.values[row.value as usize];
            ValueShare { group: row.group, kind: row.kind, value, rows: 1 }
        };
        self.rows.iter().map(share).collect()
    }
}
