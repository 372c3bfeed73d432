//! The second derivatives of the dual, with the rows of blocks eliminated.
//!
//! A class adds weight · (diag p − p pᵀ) over its slots, spread over the rows that hold them. Rows of a block (a bucket)
//! meet only classes of that block, so their part of the matrix is block-diagonal: each block is factored by itself, and
//! what remains is a dense matrix over the working rows that reach everywhere.
//!
//! Cost. Per class the square of the rows that hold it; per block its rows times the square of the working rows it meets.

use super::cholesky::Cholesky;
use super::dual::{Dual, Lists, Point};

/// Rows in blocks, and the classes they hold; never changes while solving.
#[derive(Debug)]
pub struct Blocks {
    rows: Lists,
    classes: Lists,
    /// Row to its place among the rows of its block.
    place_of_row: Vec<Option<u32>>,
    /// Classes in no block.
    others: Vec<u32>,
}

impl Blocks {
    pub fn new(dual: &Dual) -> Self {
        let blocks = dual.block_of_row.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let rows_with_block = dual.block_of_row.iter().zip(0u32..).filter_map(|(block, row)| Some(((*block)?, row)));
        let rows = Lists::new(blocks, rows_with_block);
        let mut place_of_row = vec![None; dual.rows()];
        for block in 0..blocks {
            for (place, &row) in (0..).zip(rows.get(block)) {
                place_of_row[row as usize] = Some(place);
            }
        }
        let block_of_class: Vec<Option<u32>> = dual
            .slots_by_class()
            .map(|(mut slots, _)| {
                slots.find_map(|slot| {
                    dual.rows_of_slot.get(slot).iter().find_map(|&row| dual.block_of_row[row as usize])
                })
            })
            .collect();
        let classes_with_block =
            block_of_class.iter().zip(0u32..).filter_map(|(block, class)| Some(((*block)?, class)));
        let classes = Lists::new(blocks, classes_with_block);
        let others = (0..).zip(&block_of_class).filter(|(_, block)| block.is_none()).map(|(class, _)| class).collect();
        Self { rows, classes, place_of_row, others }
    }
}

/// A block's rows, eliminated.
#[derive(Debug)]
struct Eliminated {
    factor: Cholesky,
    /// L⁻¹ times the block's coupling to the working rows in `met`, row-major.
    coupling: Vec<f64>,
    /// Working rows, by place.
    met: Vec<u32>,
    /// L⁻¹ times the gradient of the block's rows.
    gradient: Vec<f64>,
}

/// The quadratic model at a point, over the working rows.
#[derive(Debug)]
pub struct Curvature {
    /// Row-major, lower triangle, over the working rows.
    pub matrix: Vec<f64>,
    /// Its diagonal before blocks were eliminated.
    pub scale: Vec<f64>,
    /// Over the working rows.
    pub gradient: Vec<f64>,
    eliminated: Vec<Eliminated>,
}

/// The working rows that hold the slots of one class, by place.
struct ClassRows<'a> {
    dual: &'a Dual,
    place_of: &'a [u32],
    /// One list after the other.
    places: Vec<u32>,
    /// Slot of the class to the end of its list.
    ends: Vec<usize>,
    probabilities: &'a [f64],
}

const NOT_WORKING: u32 = u32::MAX;

impl<'a> ClassRows<'a> {
    fn gather(&mut self, slots: std::ops::Range<usize>, probabilities: &'a [f64]) {
        self.places.clear();
        self.ends.clear();
        self.probabilities = &probabilities[slots.clone()];
        for slot in slots {
            let rows = self.dual.rows_of_slot.get(slot).iter();
            self.places.extend(rows.map(|&row| self.place_of[row as usize]).filter(|&place| place != NOT_WORKING));
            self.ends.push(self.places.len());
        }
    }

    fn slots(&self) -> usize {
        self.ends.len()
    }

    fn of_slot(&self, slot: usize) -> &[u32] {
        let start = if slot == 0 { 0 } else { self.ends[slot - 1] };
        &self.places[start..self.ends[slot]]
    }

    /// Second derivative of the class's ln Z by two slots' exponents.
    fn second(&self, i: usize, j: usize) -> f64 {
        let p = self.probabilities;
        if i == j {
            // 1 − p, without cancellation where p is almost 1.
            let rest: f64 = (0..p.len()).filter(|&other| other != i).map(|other| p[other]).sum();
            p[i] * rest
        } else {
            -p[i] * p[j]
        }
    }

    fn add_to(&self, matrix: &mut [f64], scale: &mut [f64], weight: f64) {
        let n = scale.len();
        for i in 0..self.slots() {
            let rows = self.of_slot(i);
            let own = weight * self.second(i, i);
            for (k, &row) in rows.iter().enumerate() {
                let line = &mut matrix[row as usize * n..][..n];
                rows[..=k].iter().for_each(|&column| line[column as usize] += own);
                scale[row as usize] += own;
            }
            for j in (0..i).filter(|&j| !self.of_slot(j).is_empty()) {
                let mixed = weight * self.second(i, j);
                for &a in rows {
                    for &b in self.of_slot(j) {
                        matrix[a.max(b) as usize * n + a.min(b) as usize] += mixed;
                    }
                }
            }
        }
    }
}

impl Curvature {
    /// `working` are the rows in play that are in no block; rows of blocks always are. `misses` has the gradient.
    pub fn new(dual: &Dual, blocks: &Blocks, point: &Point, working: &[u32], misses: &[f64]) -> Self {
        let n = working.len();
        let mut place_of = vec![NOT_WORKING; dual.rows()];
        for (place, &row) in (0..).zip(working) {
            place_of[row as usize] = place;
        }
        let mut this = Self {
            matrix: vec![0.0; n * n],
            scale: vec![0.0; n],
            gradient: working.iter().map(|&row| misses[row as usize]).collect(),
            eliminated: Vec::with_capacity(blocks.rows.len()),
        };
        let mut rows =
            ClassRows { dual, place_of: &place_of, places: Vec::new(), ends: Vec::new(), probabilities: &[] };
        for &class in &blocks.others {
            let class = class as usize;
            rows.gather(dual.slot_starts[class]..dual.slot_starts[class + 1], &point.probabilities);
            rows.add_to(&mut this.matrix, &mut this.scale, dual.weights[class]);
        }
        let mut column_of = vec![NOT_WORKING; n];
        for block in 0..blocks.rows.len() {
            this.eliminate(blocks, block, &mut rows, point, misses, &mut column_of);
        }
        this
    }

    fn eliminate<'a>(
        &mut self,
        blocks: &Blocks,
        block: usize,
        rows: &mut ClassRows<'a>,
        point: &'a Point,
        misses: &[f64],
        column_of: &mut [u32],
    ) {
        let dual = rows.dual;
        let n = self.gradient.len();
        let own = blocks.rows.get(block).len();
        // Which working rows the block meets.
        let mut met = Vec::new();
        for &class in blocks.classes.get(block) {
            let class = class as usize;
            rows.gather(dual.slot_starts[class]..dual.slot_starts[class + 1], &point.probabilities);
            for &place in &rows.places {
                if column_of[place as usize] == NOT_WORKING {
                    column_of[place as usize] = met.len() as u32;
                    met.push(place);
                }
            }
        }
        let mut matrix = vec![0.0; own * own];
        let mut coupling = vec![0.0; own * met.len()];
        for &class in blocks.classes.get(block) {
            let (class, weight) = (class as usize, dual.weights[class as usize]);
            let slots = dual.slot_starts[class]..dual.slot_starts[class + 1];
            rows.gather(slots.clone(), &point.probabilities);
            rows.add_to(&mut self.matrix, &mut self.scale, weight);
            let block_row: Vec<Option<u32>> = slots
                .map(|slot| dual.rows_of_slot.get(slot).iter().find_map(|&row| blocks.place_of_row[row as usize]))
                .collect();
            for (i, a) in block_row.iter().enumerate().filter_map(|(i, row)| Some((i, (*row)? as usize))) {
                for (j, b) in block_row.iter().enumerate() {
                    let second = weight * rows.second(i, j);
                    if let Some(b) = b {
                        matrix[a * own + *b as usize] += second;
                    }
                    for &place in rows.of_slot(j) {
                        coupling[a * met.len() + column_of[place as usize] as usize] += second;
                    }
                }
            }
        }
        met.iter().for_each(|&place| column_of[place as usize] = NOT_WORKING);
        let scale: Vec<f64> = (0..own).map(|i| matrix[i * own + i]).collect();
        let factor = Cholesky::new(matrix, &scale);
        factor.solve_lower_rows(&mut coupling, met.len());
        let mut gradient: Vec<f64> = blocks.rows.get(block).iter().map(|&row| misses[row as usize]).collect();
        factor.solve_lower(&mut gradient);
        for (line, g) in coupling.chunks_exact(met.len().max(1)).zip(&gradient) {
            for (k, (&a, x)) in met.iter().zip(line).enumerate() {
                self.gradient[a as usize] -= x * g;
                for (&b, y) in met[..=k].iter().zip(line) {
                    self.matrix[a.max(b) as usize * n + a.min(b) as usize] -= x * y;
                }
            }
        }
        self.eliminated.push(Eliminated { factor, coupling, met, gradient });
    }

    /// The step of all rows, from the step of the working rows.
    pub fn expand(&self, dual: &Dual, blocks: &Blocks, working: &[u32], step: &[f64]) -> Vec<f64> {
        let mut full = vec![0.0; dual.rows()];
        for (&row, &d) in working.iter().zip(step) {
            full[row as usize] = d;
        }
        for (block, eliminated) in self.eliminated.iter().enumerate() {
            let mut own: Vec<f64> = eliminated.gradient.iter().map(|g| -g).collect();
            for (d, line) in own.iter_mut().zip(eliminated.coupling.chunks_exact(eliminated.met.len().max(1))) {
                *d -= eliminated.met.iter().zip(line).map(|(&place, x)| x * step[place as usize]).sum::<f64>();
            }
            eliminated.factor.solve_upper(&mut own);
            for (&row, d) in blocks.rows.get(block).iter().zip(own) {
                full[row as usize] = d;
            }
        }
        full
    }
}
