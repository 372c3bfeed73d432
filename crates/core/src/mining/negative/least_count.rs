use crate::lab::math::ln;
use crate::lab::{Decimal, wide_product};
use std::cmp::Ordering;

/// How near to a whole number a count must be for the question to arise whether it is one. Far more than logarithms are off.
const NEAR: f64 = 1e-9;

/// The fewest rows that an antecedent needs so that a value which `count` of `rows` rows have would be seen among them with
/// probability `min_exp`: the least C with 1 − (1 − P)^C ≥ min_exp. Between whole numbers only where rows belong to an
/// antecedent in part.
pub(super) fn least_count(count: u64, rows: u64, min_exp: f64) -> f64 {
    if count == 0 {
        return f64::INFINITY;
    }
    let least = ln(1.0 - min_exp) / ln(1.0 - count as f64 / rows as f64);
    let whole = least.round();
    // A value that everybody has is always seen.
    if !(1.0..f64::from(u32::MAX)).contains(&whole) || (least - whole).abs() > NEAR * whole {
        return least;
    }
    match share_left(count, rows, whole as u32, min_exp) {
        Some(Ordering::Less | Ordering::Equal) => whole,
        Some(Ordering::Greater) => least.max(whole.next_up()),
        None => least,
    }
}

/// Compares (1 − P)^C with 1 − min_exp, for the decimal as it is written. None where the numbers are too large: there is no
/// tie then, for a power that is a short decimal has a denominator that is a small power of 10.
fn share_left(count: u64, rows: u64, power: u32, min_exp: f64) -> Option<Ordering> {
    let (digits, places) = Decimal::share(min_exp)?.parts();
    let scale = 10u128.checked_pow(places)?;
    let (left, of) = (rows - count, rows);
    let common = greatest_common_divisor(left, of);
    let (left, of) = (u128::from(left / common), u128::from(of / common));
    let (left, of) = (left.checked_pow(power)?, of.checked_pow(power)?);
    Some(wide_product(left, scale).cmp(&wide_product(scale - u128::from(digits), of)))
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    #[test]
    fn an_expectation_of_exactly_the_least_is_enough() {
        // 1 − 0.8² is 0.36.
        assert_eq!(least_count(1, 5, 0.36), 2.0);
        assert!(least_count(1, 5, 0.360_000_000_1) > 2.0);
        assert_eq!(least_count(1, 2, 0.875), 3.0);
        assert_eq!(least_count(1, 10, 0.1), 1.0);
        assert_eq!(least_count(7, 7, 0.9), 0.0, "whoever has only one value has it");
        assert_eq!(least_count(0, 7, 0.9), f64::INFINITY, "a value that nobody has is never expected");
    }

    proptest! {
        /// Against integers of any size: whatever count of rows is asked about, it is on the right side.
        #[test]
        fn it_decides_as_big_integers_do(count in 1u64..20, more in 1u64..20, thousandths in 1u64..1000, asked in 1u32..60) {
            let rows = count + more;
            let min_exp: f64 = format!("0.{thousandths:03}").parse().unwrap();
            let enough = BigUint::from(more).pow(asked) * 1000u32 <= BigUint::from(1000 - thousandths) * BigUint::from(rows).pow(asked);
            prop_assert_eq!(f64::from(asked) >= least_count(count, rows, min_exp), enough);
        }
    }
}
