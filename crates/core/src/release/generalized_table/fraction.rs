use crate::lab::{Decimal, wide_product};
use std::cmp::Ordering;

/// An exact ratio of whole numbers, as counts give them. Never reduced: comparing needs no more than products.
#[derive(Debug, Clone, Copy)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u128,
    /// Above 0.
    pub denominator: u128,
}

impl Fraction {
    /// A denominator of 0 is read as 1: an empty table is at no distance from anything.
    pub fn new(numerator: u128, denominator: u128) -> Self {
        Self { numerator, denominator: denominator.max(1) }
    }

    /// The nearest number; an infinite one where nothing is below the line.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Compares with a number as it was written.
    pub fn compare(self, number: Decimal) -> Ordering {
        number.compare(self.numerator, self.denominator).reverse()
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        wide_product(self.numerator, other.denominator).cmp(&wide_product(other.numerator, self.denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_are_thirds_and_decimals_are_as_written() {
        assert_eq!(Fraction::new(1, 3), Fraction::new(1 << 100, 3 << 100));
        assert!(Fraction::new(u128::MAX, u128::MAX - 1) > Fraction::new(1, 1));
        // 0.3 is 3/10, which the binary fraction nearest to it is not.
        let three_tenths = Decimal::of(0.3).unwrap();
        assert_eq!(Fraction::new(3, 10).compare(three_tenths), Ordering::Equal);
        assert_eq!(
            Fraction::new(300_000_000_000_000_001, 1_000_000_000_000_000_000).compare(three_tenths),
            Ordering::Greater
        );
        assert_eq!(Fraction::new(1, 3).compare(Decimal::of(0.333_333).unwrap()), Ordering::Greater);
        assert_eq!(Fraction::new(5, 2).compare(Decimal::of(2.5).unwrap()), Ordering::Equal);
    }
}
