//! The quadratic model of a Newton step, with multipliers that must not change sign:
//!
//! > minimize ½ dᵀSd + gᵀd, where λ + d keeps the sign of its row (rows of equalities are free).
//!
//! Free rows are eliminated first. What is left is solved by block principal pivoting (J. Kim, H. Park, "Fast Nonnegative
//! Matrix Factorization", SIAM J. Sci. Comput. 2011, after Júdice and Pires): guess which multipliers are 0, solve for the
//! others, exchange all that came out wrong, and one at a time when that goes in circles.
//!
//! Signed rows can depend on one another and still be violated: then the minimum is where some multiplier on the way of
//! the dependence reaches 0. A little damping keeps their matrix regular, so that the solver goes there.
//!
//! Cost. A Cholesky factor of the free rows, and one of the signed rows that are not 0 per exchange.

use super::cholesky::Cholesky;

/// What a row allows its multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Free,
    /// Not negative.
    Plus,
    /// Not positive.
    Minus,
}

impl Sign {
    fn forbids(self, value: f64) -> bool {
        match self {
            Self::Free => false,
            Self::Plus => value < 0.0,
            Self::Minus => value > 0.0,
        }
    }
}

/// A quadratic model over n rows.
#[derive(Debug)]
pub struct Quadratic<'a> {
    /// S, row-major; its lower triangle is used.
    pub curvature: &'a [f64],
    /// The diagonal of S before anything was subtracted from it.
    pub scale: &'a [f64],
    pub gradient: &'a [f64],
    pub multipliers: &'a [f64],
    pub signs: &'a [Sign],
    /// Damp free rows too, so that a contradiction among them makes their multipliers grow.
    pub damp_free: bool,
}

/// Damping, as a part of the diagonal: well above rounding, well below what matters.
const DAMPING: f64 = 1e-10;

impl Quadratic<'_> {
    /// The minimizing d.
    pub fn minimize(&self) -> Vec<f64> {
        let n = self.gradient.len();
        let (free, signed): (Vec<usize>, Vec<usize>) = (0..n).partition(|&row| self.signs[row] == Sign::Free);
        let factor = Cholesky::new(self.lower_triangle(&free, self.damp_free), &self.scales(&free));
        let width = signed.len();
        let mut coupling: Vec<f64> =
            free.iter().flat_map(|&row| signed.iter().map(move |&column| self.entry(row, column))).collect();
        factor.solve_lower_rows(&mut coupling, width);
        let mut gradient: Vec<f64> = free.iter().map(|&row| self.gradient[row]).collect();
        factor.solve_lower(&mut gradient);
        let mut rest = Signed {
            curvature: self.lower_triangle(&signed, true),
            scale: self.scales(&signed),
            gradient: signed.iter().map(|&row| self.gradient[row]).collect(),
            multipliers: signed.iter().map(|&row| self.multipliers[row]).collect(),
            signs: signed.iter().map(|&row| self.signs[row]).collect(),
        };
        for (line, g) in coupling.chunks_exact(width.max(1)).zip(&gradient) {
            for (i, x) in line.iter().enumerate() {
                rest.gradient[i] -= x * g;
                let row = &mut rest.curvature[i * width..][..=i];
                row.iter_mut().zip(line).for_each(|(entry, y)| *entry -= x * y);
            }
        }
        let of_signed = rest.minimize();
        let mut of_free: Vec<f64> = gradient.iter().map(|g| -g).collect();
        for (d, line) in of_free.iter_mut().zip(coupling.chunks_exact(width.max(1))) {
            *d -= line.iter().zip(&of_signed).map(|(x, d)| x * d).sum::<f64>();
        }
        factor.solve_upper(&mut of_free);
        let mut step = vec![0.0; n];
        free.iter().zip(of_free).chain(signed.iter().zip(of_signed)).for_each(|(&row, d)| step[row] = d);
        step
    }

    fn lower_triangle(&self, rows: &[usize], damped: bool) -> Vec<f64> {
        let m = rows.len();
        let mut matrix = vec![0.0; m * m];
        for (i, &row) in rows.iter().enumerate() {
            let entries = &self.curvature[row * self.gradient.len()..];
            for (entry, &column) in matrix[i * m..].iter_mut().zip(&rows[..=i]) {
                *entry = entries[column];
            }
            if damped {
                matrix[i * m + i] += DAMPING * self.scale[row];
            }
        }
        matrix
    }

    fn scales(&self, rows: &[usize]) -> Vec<f64> {
        rows.iter().map(|&row| self.scale[row]).collect()
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.curvature[row.max(column) * self.gradient.len() + row.min(column)]
    }
}

/// Exchanges of all wrong rows that may fail to reduce their number before single exchanges begin.
const PATIENCE: usize = 3;

/// Exchanges after which the step at hand must do.
const MOST_EXCHANGES: usize = 60;

/// The model without its free rows.
#[derive(Debug)]
struct Signed {
    curvature: Vec<f64>,
    scale: Vec<f64>,
    gradient: Vec<f64>,
    multipliers: Vec<f64>,
    signs: Vec<Sign>,
}

impl Signed {
    fn minimize(&self) -> Vec<f64> {
        let n = self.gradient.len();
        let mut is_zero = vec![false; n];
        let mut fewest_wrong = n + 1;
        let mut patience = PATIENCE;
        for _ in 1..MOST_EXCHANGES {
            let step = self.solve(&is_zero);
            let wrong: Vec<usize> = (0..n).filter(|&row| self.is_wrong(row, &step, &is_zero)).collect();
            let exchange = if wrong.is_empty() {
                return step;
            } else if wrong.len() < fewest_wrong {
                (fewest_wrong, patience) = (wrong.len(), PATIENCE);
                &wrong[..]
            } else if patience > 0 {
                patience -= 1;
                &wrong[..]
            } else {
                &wrong[wrong.len() - 1..]
            };
            exchange.iter().for_each(|&row| is_zero[row] = !is_zero[row]);
        }
        // Whatever the wrong rows want, they cannot have.
        let mut step = self.solve(&is_zero);
        for (row, d) in step.iter_mut().enumerate() {
            if self.signs[row].forbids(self.multipliers[row] + *d) {
                *d = -self.multipliers[row];
            }
        }
        step
    }

    /// d with the rows of `is_zero` at 0 and the others free.
    fn solve(&self, is_zero: &[bool]) -> Vec<f64> {
        let n = self.gradient.len();
        let mut step: Vec<f64> = (0..n).map(|row| if is_zero[row] { -self.multipliers[row] } else { 0.0 }).collect();
        let free: Vec<usize> = (0..n).filter(|&row| !is_zero[row]).collect();
        let moved: Vec<usize> = (0..n).filter(|&row| step[row] != 0.0).collect();
        let m = free.len();
        let mut matrix = vec![0.0; m * m];
        for (i, &row) in free.iter().enumerate() {
            for (entry, &column) in matrix[i * m..].iter_mut().zip(&free[..=i]) {
                *entry = self.curvature[row * n + column];
            }
        }
        let mut right: Vec<f64> = free
            .iter()
            .map(|&row| {
                let push: f64 = moved.iter().map(|&other| self.entry(row, other) * step[other]).sum();
                -self.gradient[row] - push
            })
            .collect();
        let scale: Vec<f64> = free.iter().map(|&row| self.scale[row]).collect();
        Cholesky::new(matrix, &scale).solve(&mut right);
        for (&row, d) in free.iter().zip(right) {
            step[row] = d;
        }
        step
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.curvature[row.max(column) * self.gradient.len() + row.min(column)]
    }

    fn is_wrong(&self, row: usize, step: &[f64], is_zero: &[bool]) -> bool {
        if !is_zero[row] {
            return self.signs[row].forbids(self.multipliers[row] + step[row]);
        }
        let pull: f64 = (0..step.len()).map(|other| self.entry(row, other) * step[other]).sum();
        // At 0 with the minimum on the allowed side: it should move.
        self.signs[row].forbids(self.gradient[row] + pull)
    }
}
