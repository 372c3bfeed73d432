//! Entropy ℓ-diversity (A. Machanavajjhala et al., ICDE 2006): the entropy of every class is at least ln ℓ.
//!
//! A class of n rows with counts nᵢ has entropy ln ℓ exactly when nⁿ = ℓⁿ·Πnᵢ^nᵢ, which happens (ℓ values, equally
//! frequent) and is decided by comparing the primes of both sides. Otherwise the logarithms decide.

use super::super::ClassGroup;
use super::{known_rows, telling};
use crate::lab::Decimal;
use crate::lab::math::{exp, ln};
use std::collections::BTreeMap;

/// The largest ℓ: e to the power of the smallest entropy of a class. Not rounded to a whole number.
pub fn entropy_diversity(groups: &[ClassGroup]) -> Option<f64> {
    telling(groups).map(diversity_of).min_by(f64::total_cmp)
}

/// e to the power of the entropy; a whole number where it is one exactly.
fn diversity_of(group: &ClassGroup) -> f64 {
    let found = exp(entropy(group));
    let whole = found.round();
    let is_whole = (found - whole).abs() < 1e-9 * whole && Decimal::of(whole).is_some_and(|l| is_exactly(group, l));
    if is_whole { whole } else { found }
}

fn entropy(group: &ClassGroup) -> f64 {
    let rows = known_rows(group) as f64;
    // A sum of terms that are all positive: nothing cancels.
    group.values.iter().map(|&(_, count)| f64::from(count) / rows * ln(rows / f64::from(count))).sum()
}

/// Whether the class has an entropy of at least ln ℓ.
pub fn entropy_reaches(group: &ClassGroup, l: Decimal) -> bool {
    let wanted = ln(l.as_f64());
    let difference = entropy(group) - wanted;
    if difference.abs() > 1e-9 * wanted.abs().max(1.0) {
        return difference > 0.0;
    }
    difference >= 0.0 || is_exactly(group, l)
}

/// Whether nⁿ = ℓⁿ·Πnᵢ^nᵢ.
fn is_exactly(group: &ClassGroup, l: Decimal) -> bool {
    let rows = known_rows(group);
    let mut exponents: BTreeMap<u64, i64> = BTreeMap::new();
    let mut multiply = |number: u64, times: i64| {
        for (prime, power) in primes(number) {
            *exponents.entry(prime).or_default() += power * times;
        }
    };
    let (numerator, places) = l.parts();
    multiply(rows, rows as i64);
    multiply(numerator, -(rows as i64));
    multiply(10, i64::from(places) * rows as i64);
    for &(_, count) in &group.values {
        multiply(count.into(), -i64::from(count));
    }
    exponents.values().all(|&exponent| exponent == 0)
}

/// The primes of a number above 0 with their powers.
fn primes(mut number: u64) -> Vec<(u64, i64)> {
    let mut found = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= number {
        let mut power = 0;
        while number.is_multiple_of(divisor) {
            number /= divisor;
            power += 1;
        }
        if power > 0 {
            found.push((divisor, power));
        }
        divisor += 1;
    }
    if number > 1 {
        found.push((number, 1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(counts: &[u32]) -> ClassGroup {
        ClassGroup { rows: counts.iter().sum(), values: (0..).zip(counts.iter().copied()).collect(), first_row: 0 }
    }

    #[test]
    fn equal_shares_have_exactly_the_entropy_of_their_number() {
        for l in 1..60u32 {
            for times in [1, 3, 7, 1000] {
                let equal = group(&vec![times; l as usize]);
                assert_eq!(entropy_diversity(std::slice::from_ref(&equal)), Some(f64::from(l)));
                assert!(entropy_reaches(&equal, Decimal::of(l.into()).unwrap()), "{l} values {times} times");
                let barely_more = Decimal::of(f64::from(l) * (1.0 + 1e-8)).unwrap();
                assert!(l == 1 || !entropy_reaches(&equal, barely_more), "{l} values {times} times");
            }
        }
        // (2, 1, 1): an entropy of 1.5·ln 2, so 2√2.
        assert!((entropy_diversity(&[group(&[2, 1, 1])]).unwrap() - 8f64.sqrt()).abs() < 1e-12);
        assert!(entropy_reaches(&group(&[2, 1, 1]), Decimal::of(2.8).unwrap()));
        assert!(!entropy_reaches(&group(&[2, 1, 1]), Decimal::of(2.83).unwrap()));
    }
}
