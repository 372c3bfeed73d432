//! Dense Cholesky factors of symmetric, at least nearly semidefinite matrices, in row-major lower triangles.
//!
//! Equalities that depend on one another make the matrix singular. A pivot that is only rounding is taken as infinite: its
//! unknown becomes 0, which is as good as any value when the right side has nothing to say about it either.
//!
//! Cost. n³/3 multiplications, in tiles that stay in registers, in lanes as wide as the machine has them; lanes are added up
//! in a fixed order and nothing is fused, so that every machine gives the same bits.

#![allow(unsafe_code)]

/// A pivot below this part of its diagonal is rounding. A row with such a pivot that does say something of its own says it
/// about so small a share of the records that it may be missed.
const ROUNDING: f64 = 1e-12;

/// Columns factored together: what stays in the first-level cache with a tile of rows.
const PANEL: usize = 48;

/// Sums of products are kept in so many parts.
const LANES: usize = 4;

#[derive(Debug, Clone, Default)]
pub struct Cholesky {
    /// L, row-major; what is above the diagonal is not used.
    factor: Vec<f64>,
    n: usize,
}

impl Cholesky {
    /// Factors the matrix whose lower triangle `matrix` has. `scale` is the diagonal before anything was subtracted from
    /// it: what rounding is measured by.
    pub fn new(matrix: Vec<f64>, scale: &[f64]) -> Self {
        let n = scale.len();
        debug_assert_eq!(matrix.len(), n * n);
        let mut this = Self { factor: matrix, n };
        this.run(&scale.iter().map(|diagonal| diagonal * ROUNDING).collect::<Vec<_>>());
        this
    }

    fn run(&mut self, tiny: &[f64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[target_feature(enable = "avx2")]
            fn wide(this: &mut Cholesky, tiny: &[f64]) {
                this.factorize(tiny);
            }
            // SAFETY: the feature was found.
            return unsafe { wide(self, tiny) };
        }
        self.factorize(tiny);
    }

    #[inline(always)]
    fn factorize(&mut self, tiny: &[f64]) {
        let n = self.n;
        for start in (0..n).step_by(PANEL) {
            let end = (start + PANEL).min(n);
            self.subtract_earlier(start, end);
            for (column, &tiny) in (start..end).zip(&tiny[start..end]) {
                self.factor_column(start, column, tiny);
            }
            self.divide_panel(start, end);
        }
    }

    /// Takes what earlier columns account for from the columns `start..end`, on and below the diagonal.
    #[inline(always)]
    fn subtract_earlier(&mut self, start: usize, end: usize) {
        let n = self.n;
        if start == 0 {
            return;
        }
        // The rows of the panel itself are both sides of the product; a copy keeps the borrow checker and the cache happy.
        let panel: Vec<f64> = (start..end).flat_map(|row| &self.factor[row * n..row * n + start]).copied().collect();
        let mut rows = self.factor[start * n..].chunks_exact_mut(n);
        let mut next = start;
        loop {
            let quad: [Option<&mut [f64]>; 4] = std::array::from_fn(|_| rows.next());
            match quad {
                [Some(a), Some(b), Some(c), Some(d)] => {
                    let mut quad = [a, b, c, d];
                    let columns = end.min(next + 4) - start;
                    subtract_products(&mut quad, &panel, start, columns);
                    next += 4;
                }
                rest => {
                    for row in rest.into_iter().flatten() {
                        let columns = end.min(next + 1) - start;
                        subtract_products(&mut [row], &panel, start, columns);
                        next += 1;
                    }
                    return;
                }
            }
        }
    }

    /// One column of a panel, for the rows of the panel.
    #[inline(always)]
    fn factor_column(&mut self, start: usize, column: usize, tiny: f64) {
        let n = self.n;
        let (above, row) = self.factor.split_at_mut(column * n);
        let row = &mut row[..n];
        for j in start..column {
            let earlier = &above[j * n..][..n];
            let product = dot(&row[start..j], &earlier[start..j]);
            row[j] = (row[j] - product) / earlier[j];
        }
        let pivot = row[column] - dot(&row[start..column], &row[start..column]);
        row[column] = if pivot > tiny { pivot.sqrt() } else { f64::INFINITY };
    }

    /// The columns of a panel, for the rows below it.
    #[inline(always)]
    fn divide_panel(&mut self, start: usize, end: usize) {
        let n = self.n;
        let (above, below) = self.factor.split_at_mut(end * n);
        for row in below.chunks_exact_mut(n) {
            for j in start..end {
                let earlier = &above[j * n..][..n];
                let product = dot(&row[start..j], &earlier[start..j]);
                row[j] = (row[j] - product) / earlier[j];
            }
        }
    }

    /// Whether the unknown only repeats what earlier ones say.
    pub fn is_dependent(&self, i: usize) -> bool {
        self.factor[i * self.n + i].is_infinite()
    }

    /// L⁻¹ b, in place.
    pub fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let row = &self.factor[i * self.n..][..self.n];
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
    }

    /// L⁻¹ B for a matrix of `width` columns, in place, row-major.
    pub fn solve_lower_rows(&self, b: &mut [f64], width: usize) {
        for i in 0..self.n {
            let row = &self.factor[i * self.n..][..self.n];
            let (earlier, own) = b.split_at_mut(i * width);
            let own = &mut own[..width];
            for (line, l) in earlier.chunks_exact(width.max(1)).zip(row) {
                own.iter_mut().zip(line).for_each(|(b, x)| *b -= l * x);
            }
            own.iter_mut().for_each(|b| *b /= row[i]);
        }
    }

    /// L⁻ᵀ b, in place.
    pub fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            let row = &self.factor[i * self.n..][..self.n];
            b[i] /= row[i];
            let x = b[i];
            b[..i].iter_mut().zip(row).for_each(|(b, l)| *b -= l * x);
        }
    }

    /// (L Lᵀ)⁻¹ b, in place.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }
}

/// row[start + j] −= row[..start] · panel[j] for the first `columns` rows of the panel, each `start` long.
#[inline(always)]
fn subtract_products<const ROWS: usize>(rows: &mut [&mut [f64]; ROWS], panel: &[f64], start: usize, columns: usize) {
    let mut lines = panel.chunks_exact(start);
    let mut j = 0;
    while j < columns {
        match (lines.next(), if j + 1 < columns { lines.next() } else { None }) {
            (Some(first), Some(second)) => {
                let left = std::array::from_fn(|i| &rows[i][..start]);
                let products = tile::<ROWS, 2>(left, [first, second]);
                for (row, product) in rows.iter_mut().zip(products) {
                    row[start + j] -= product[0];
                    row[start + j + 1] -= product[1];
                }
            }
            (Some(first), None) => {
                let left = std::array::from_fn(|i| &rows[i][..start]);
                let products = tile::<ROWS, 1>(left, [first]);
                for (row, product) in rows.iter_mut().zip(products) {
                    row[start + j] -= product[0];
                }
            }
            (None, _) => return,
        }
        j += 2;
    }
}

/// All products of some rows with some others.
#[inline(always)]
fn tile<const A: usize, const B: usize>(left: [&[f64]; A], right: [&[f64]; B]) -> [[f64; B]; A] {
    let (left, right) = (left.map(|row| row.as_chunks::<LANES>()), right.map(|row| row.as_chunks::<LANES>()));
    let chunks = left[0].0.len();
    let (left_chunks, right_chunks) = (left.map(|row| &row.0[..chunks]), right.map(|row| &row.0[..chunks]));
    let mut lanes = [[[0.0f64; LANES]; B]; A];
    for k in 0..chunks {
        for i in 0..A {
            for j in 0..B {
                for lane in 0..LANES {
                    lanes[i][j][lane] += left_chunks[i][k][lane] * right_chunks[j][k][lane];
                }
            }
        }
    }
    let mut products = [[0.0; B]; A];
    for i in 0..A {
        for j in 0..B {
            let rest: f64 = left[i].1.iter().zip(right[j].1).map(|(x, y)| x * y).sum();
            products[i][j] = add_up(lanes[i][j]) + rest;
        }
    }
    products
}

#[inline(always)]
fn add_up(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    tile([a], [&b[..a.len()]])[0][0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gram(vectors: &[Vec<f64>]) -> Vec<f64> {
        vectors
            .iter()
            .flat_map(|a| vectors.iter().map(move |b| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>()))
            .collect()
    }

    fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
        matrix.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    }

    fn pseudo_random(n: usize, dimensions: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
        };
        (0..n).map(|_| (0..dimensions).map(|_| next()).collect()).collect()
    }

    proptest! {
        #[test]
        fn wide_and_narrow_lanes_give_the_same_bits(n in 1usize..140, seed in any::<u64>()) {
            let matrix = gram(&pseudo_random(n, n + 20, seed));
            let mut narrow = Cholesky { factor: matrix.clone(), n };
            narrow.factorize(&vec![0.0; n]);
            let mut as_the_machine_has_them = Cholesky { factor: matrix, n };
            as_the_machine_has_them.run(&vec![0.0; n]);
            let bits = |cholesky: Cholesky| cholesky.factor.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(narrow), bits(as_the_machine_has_them));
        }

        #[test]
        fn solves_regular_systems(n in 1usize..140, seed in any::<u64>()) {
            let matrix = gram(&pseudo_random(n, n + 20, seed));
            let x: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 3.0).collect();
            let mut b = times(&matrix, &x);
            let scale: Vec<f64> = (0..n).map(|i| matrix[i * n + i]).collect();
            Cholesky::new(matrix, &scale).solve(&mut b);
            for (found, expected) in b.iter().zip(&x) {
                prop_assert!((found - expected).abs() < 1e-6, "{} instead of {}", found, expected);
            }
        }

        /// More vectors than dimensions: the matrix is singular, and the answer still solves the system.
        #[test]
        fn solves_singular_but_consistent_systems(n in 5usize..120, seed in any::<u64>()) {
            let matrix = gram(&pseudo_random(n, n / 2 + 1, seed));
            let b = times(&matrix, &vec![1.0; n]);
            let mut x = b.clone();
            let scale: Vec<f64> = (0..n).map(|i| matrix[i * n + i]).collect();
            Cholesky::new(matrix.clone(), &scale).solve(&mut x);
            for (found, expected) in times(&matrix, &x).iter().zip(&b) {
                prop_assert!((found - expected).abs() < 1e-6, "{} instead of {}", found, expected);
            }
        }
    }
}
