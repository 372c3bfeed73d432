//! The second derivatives of the dual, with the rows of blocks eliminated.
//!
//! A class adds weight · (diag p − p pᵀ) over its slots, spread over the rows that hold them. Rows of a block (a bucket)
//! meet only classes of that block, so their part of the matrix is block-diagonal: each block is factored by itself, and
//! what remains is a dense matrix over the working rows that reach everywhere.
//!
//! Cost. Per class the square of the rows that hold it; per block its rows times the square of the working rows it meets.

use super::super::lists::Lists;
use super::cholesky::Cholesky;
use super::dual::{Dual, DualPoint};
use std::ops::Range;

/// The second derivatives as they are.
pub const UNDAMPED: f64 = 0.0;

/// Rows in blocks, and the classes they hold; never changes while solving.
#[derive(Debug)]
pub struct Blocks {
    rows: Lists,
    classes: Lists,
    /// Row to its place among the rows of its block.
    place_of_row: Vec<u32>,
    /// Classes in no block.
    others: Vec<u32>,
}

impl Blocks {
    pub fn new(dual: &Dual) -> Self {
        fn pairs(block_of: &[Option<u32>]) -> impl Iterator<Item = (u32, u32)> + Clone {
            block_of.iter().zip(0u32..).filter_map(|(block, item)| Some(((*block)?, item)))
        }
        let rows = Lists::new(dual.blocks(), pairs(&dual.block_of_row));
        let mut place_of_row = vec![0; dual.rows()];
        for block in 0..rows.len() {
            for (place, &row) in (0..).zip(rows.get(block)) {
                place_of_row[row as usize] = place;
            }
        }
        let classes = Lists::new(dual.blocks(), pairs(&dual.block_of_class));
        let others =
            (0..).zip(&dual.block_of_class).filter(|(_, block)| block.is_none()).map(|(class, _)| class).collect();
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

const NOT_MET: u32 = u32::MAX;

impl Eliminated {
    /// `place_of` is the block's row that holds a slot, `gradient` that of the block's rows, `damping` that of
    /// `Curvature::new`; `column_of` is scratch space
    /// over the working rows, all of it `NOT_MET`.
    fn new(
        classes: &[ClassAt<'_>],
        place_of: impl Fn(usize) -> Option<usize>,
        mut gradient: Vec<f64>,
        damping: f64,
        column_of: &mut [u32],
    ) -> Self {
        let own = gradient.len();
        let mut met = Vec::new();
        for &place in classes.iter().flat_map(|class| (0..class.slots.len()).flat_map(|i| class.of_slot(i))) {
            if column_of[place as usize] == NOT_MET {
                column_of[place as usize] = met.len() as u32;
                met.push(place);
            }
        }
        let mut matrix = vec![0.0; own * own];
        let mut coupling = vec![0.0; own * met.len()];
        for class in classes {
            let rows: Vec<Option<usize>> = class.slots.clone().map(&place_of).collect();
            for (i, a) in rows.iter().enumerate().filter_map(|(i, row)| Some((i, (*row)?))) {
                for (j, b) in rows.iter().enumerate() {
                    let second = class.second(i, j);
                    if let Some(b) = b {
                        matrix[a * own + b] += second;
                    }
                    for &place in class.of_slot(j) {
                        coupling[a * met.len() + column_of[place as usize] as usize] += second;
                    }
                }
                matrix[a * own + a] += damping * class.weight;
            }
        }
        met.iter().for_each(|&place| column_of[place as usize] = NOT_MET);
        let scale: Vec<f64> = (0..own).map(|i| matrix[i * own + i]).collect();
        let factor = Cholesky::new(matrix, &scale);
        factor.solve_lower_rows(&mut coupling, met.len());
        factor.solve_lower(&mut gradient);
        Self { factor, coupling, met, gradient }
    }
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

/// One class at a point, with the working rows that hold its slots.
struct ClassAt<'a> {
    /// Slot to the places of the working rows that hold it.
    places: &'a Lists,
    slots: Range<usize>,
    /// Of the slots.
    probabilities: &'a [f64],
    weight: f64,
}

impl ClassAt<'_> {
    fn of_slot(&self, i: usize) -> &[u32] {
        self.places.get(self.slots.start + i)
    }

    /// Second derivative of the class's part of the dual by two slots' exponents.
    fn second(&self, i: usize, j: usize) -> f64 {
        let p = self.probabilities;
        if i == j {
            // 1 − p, without cancellation where p is almost 1.
            let rest: f64 = (0..p.len()).filter(|&other| other != i).map(|other| p[other]).sum();
            self.weight * p[i] * rest
        } else {
            -self.weight * p[i] * p[j]
        }
    }

    fn add_to(&self, matrix: &mut [f64], scale: &mut [f64], damping: f64) {
        let n = scale.len();
        for i in 0..self.slots.len() {
            let rows = self.of_slot(i);
            let own = self.second(i, i);
            for (k, &row) in rows.iter().enumerate() {
                let line = &mut matrix[row as usize * n..][..n];
                rows[..=k].iter().for_each(|&column| line[column as usize] += own);
                line[row as usize] += damping * self.weight;
                scale[row as usize] += own;
            }
            for j in (0..i).filter(|&j| !self.of_slot(j).is_empty()) {
                let mixed = self.second(i, j);
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
    /// `working` are the rows in play that are in no block; rows of blocks always are. `misses` has the gradient. `damping`
    /// adds so much of the records that a row holds to its diagonal: where the probabilities of a row are nearly 0 and 1
    /// its second derivative is next to nothing, and a step without damping next to infinite.
    pub fn new(dual: &Dual, blocks: &Blocks, point: &DualPoint, working: &[u32], misses: &[f64], damping: f64) -> Self {
        let n = working.len();
        let slots = |&row: &u32| dual.slots_of_row.get(row as usize);
        let pairs = (0u32..).zip(working).flat_map(|(place, row)| slots(row).iter().map(move |&slot| (slot, place)));
        let places = Lists::new(dual.slots(), pairs);
        let class_at = |class: u32| {
            let slots = dual.slots_of_class(class as usize);
            let probabilities = &point.probabilities[slots.clone()];
            ClassAt { places: &places, slots, probabilities, weight: dual.weights[class as usize] }
        };
        let mut this = Self {
            matrix: vec![0.0; n * n],
            scale: vec![0.0; n],
            gradient: working.iter().map(|&row| misses[row as usize]).collect(),
            eliminated: Vec::with_capacity(blocks.rows.len()),
        };
        for &class in &blocks.others {
            class_at(class).add_to(&mut this.matrix, &mut this.scale, damping);
        }
        let mut column_of = vec![NOT_MET; n];
        for block in 0..blocks.rows.len() {
            let classes: Vec<ClassAt<'_>> = blocks.classes.get(block).iter().map(|&class| class_at(class)).collect();
            for class in &classes {
                class.add_to(&mut this.matrix, &mut this.scale, damping);
            }
            let rows = blocks.rows.get(block);
            let place_of = |slot: usize| Some(blocks.place_of_row[dual.block_row_of_slot[slot]? as usize] as usize);
            let gradient = rows.iter().map(|&row| misses[row as usize]).collect();
            let eliminated = Eliminated::new(&classes, place_of, gradient, damping, &mut column_of);
            this.subtract(&eliminated);
            this.eliminated.push(eliminated);
        }
        this
    }

    /// Takes away what the rows of a block account for.
    fn subtract(&mut self, eliminated: &Eliminated) {
        let Eliminated { coupling, met, gradient, .. } = eliminated;
        let n = self.gradient.len();
        for (line, g) in coupling.chunks_exact(met.len().max(1)).zip(gradient) {
            for (k, (&a, x)) in met.iter().zip(line).enumerate() {
                self.gradient[a as usize] -= x * g;
                for (&b, y) in met[..=k].iter().zip(line) {
                    self.matrix[a.max(b) as usize * n + a.min(b) as usize] -= x * y;
                }
            }
        }
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
