//! Which cells are computed again: a share or a number of them, drawn by a seed.

use rand::seq::index;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::str::FromStr;

/// How many cells to compute again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SampleSize {
    Share(CellShare),
    Cells(usize),
    All,
}

/// A share of the cells, more than nothing: `5%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellShare(pub f64);

impl FromStr for CellShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
        number
            .filter(|percent| *percent > 0.0 && *percent <= 100.0)
            .map(|percent| Self(percent / 100.0))
            .ok_or_else(|| format!("`{text}` is no share: 5% is one"))
    }
}

impl SampleSize {
    /// Of so many cells; at least one where there is one.
    pub fn of(self, cells: usize) -> usize {
        match self {
            Self::Share(CellShare(share)) => ((cells as f64 * share).ceil() as usize).clamp(1, cells.max(1)).min(cells),
            Self::Cells(wanted) => wanted.min(cells),
            Self::All => cells,
        }
    }
}

/// `checked` of `cells` numbers, sorted; each set of them is as likely as any other.
pub fn draw(cells: usize, checked: usize, seed: u64) -> Vec<usize> {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    let mut drawn = index::sample(&mut random, cells, checked.min(cells)).into_vec();
    drawn.sort_unstable();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up_and_bounded() {
        let share: CellShare = "5%".parse().unwrap();
        let of = |cells| SampleSize::Share(share).of(cells);
        assert_eq!((of(0), of(1), of(20), of(21), of(1000)), (0, 1, 1, 2, 50));
        assert_eq!(SampleSize::Cells(7).of(5), 5);
        assert_eq!(SampleSize::All.of(5), 5);
        for wrong in ["5", "0%", "101%", "x%", "", "NaN%"] {
            assert!(wrong.parse::<CellShare>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_seed_draws_the_same_and_another_seed_others() {
        assert_eq!(draw(100, 10, 1), draw(100, 10, 1));
        assert_ne!(draw(100, 10, 1), draw(100, 10, 2));
        assert_eq!(draw(5, 9, 3), [0, 1, 2, 3, 4]);
    }
}
