use std::cmp::Ordering;

/// A number as somebody wrote it: 0.8 is exactly 8/10, not the binary fraction nearest to it. For thresholds that data can
/// meet exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// At most 17 digits: no `f64` needs more to be told apart from its neighbours.
    digits: u64,
    /// The value is `digits` / 10^`places`.
    places: u32,
}

impl Decimal {
    /// The shortest decimal that reads as `number`; None for numbers that are not between 0 and 1.
    pub fn share(number: f64) -> Option<Self> {
        if (0.0..=1.0).contains(&number) { Self::of(number) } else { None }
    }

    /// The shortest decimal that reads as `number`; None for numbers that are not between 0 and 10^15.
    pub fn of(number: f64) -> Option<Self> {
        if !(0.0..=1e15).contains(&number) {
            return None;
        }
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
        let places = fraction.len() as i32 - exponent.parse::<i32>().ok()?;
        Some(match u32::try_from(places) {
            Ok(places) => Self { digits, places },
            // 2e3 has no places: its zeros become digits.
            Err(_) => Self { digits: digits.checked_mul(10u64.checked_pow(places.unsigned_abs())?)?, places: 0 },
        })
    }

    /// The nearest binary fraction: what it was made of.
    pub fn as_f64(self) -> f64 {
        format!("{}e-{}", self.digits, self.places).parse().unwrap_or(0.0)
    }

    /// The value is the first divided by 10 to the power of the second.
    pub fn parts(self) -> (u64, u32) {
        (self.digits, self.places)
    }

    /// Compares with `numerator` / `denominator`, exactly.
    pub fn compare(self, numerator: u128, denominator: u128) -> Ordering {
        match 10u128.checked_pow(self.places) {
            Some(scale) => wide_product(self.digits.into(), denominator).cmp(&wide_product(numerator, scale)),
            // A number below 10^-21: only 0 and fractions with enormous denominators come near.
            None if numerator == 0 => self.digits.cmp(&0),
            None => self.as_f64().total_cmp(&(numerator as f64 / denominator as f64)),
        }
    }

    /// The largest whole number that is at most this share of `count`; the largest there is, where it is beyond that.
    pub fn floor_of(self, count: u64) -> u64 {
        let product = u128::from(self.digits) * u128::from(count);
        // 17 digits times 20 are less than 10^38: with more places the share is below one.
        let scale = 10u128.checked_pow(self.places);
        scale.map_or(0, |scale| u64::try_from(product / scale).unwrap_or(u64::MAX))
    }
}

/// a · b as its upper and its lower 128 bits.
pub fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 64);
    let other_middle = a_low * b_high + (middle & LOW);
    (a_high * b_high + (middle >> 64) + (other_middle >> 64), (other_middle << 64) | (low & LOW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_what_was_written() {
        let floor = |share, count| Decimal::share(share).unwrap().floor_of(count);
        // 0.7 · 10 is 7; the binary 0.7 times 10 is, too, but 0.29 · 100 is 28.999…96 in binary.
        assert_eq!((floor(0.7, 10), floor(0.29, 100), floor(0.58, 100)), (7, 29, 58));
        assert_eq!((floor(1.0, 7), floor(0.0, 7), floor(0.5, 7), floor(1e-300, u64::MAX)), (7, 0, 3, 0));
        assert_eq!(floor(0.999_999_999_999_999_9, u64::MAX), 18_446_744_073_709_549_770);
        assert!([1.5, -0.1, f64::NAN, f64::INFINITY].into_iter().all(|number| Decimal::share(number).is_none()));
    }

    #[test]
    fn numbers_above_one_are_what_was_written() {
        let compare = |number, numerator, denominator| Decimal::of(number).unwrap().compare(numerator, denominator);
        assert_eq!(compare(2.5, 5, 2), Ordering::Equal);
        assert_eq!(compare(2000.0, 6000, 3), Ordering::Equal);
        assert_eq!(compare(0.1, 1, 10), Ordering::Equal);
        assert_eq!(compare(0.3, 3_000_000_000_000_000_000_001, 10_000_000_000_000_000_000_000), Ordering::Less);
        assert_eq!((compare(1e-300, 0, 1), compare(1e-300, 1, u128::MAX)), (Ordering::Greater, Ordering::Less));
        assert!([1e16, -1.0, f64::NAN].into_iter().all(|number| Decimal::of(number).is_none()));
        assert_eq!(Decimal::of(0.1).map(Decimal::as_f64), Some(0.1));
        let floor = |number, count| Decimal::of(number).unwrap().floor_of(count);
        assert_eq!(
            (floor(2.5, 3), floor(1e15, 18_000), floor(1e15, 20_000)),
            (7, 18_000_000_000_000_000_000, u64::MAX)
        );
    }

    proptest! {
        #[test]
        fn wide_products_are_those_of_big_integers(a in any::<u128>(), b in any::<u128>()) {
            let (high, low) = wide_product(a, b);
            let big = num_bigint::BigUint::from(a) * num_bigint::BigUint::from(b);
            prop_assert_eq!(big, (num_bigint::BigUint::from(high) << 128u32) + num_bigint::BigUint::from(low));
        }

        #[test]
        fn fractions_of_a_thousand_are_exact(thousandths in 0u64..=1000, count in 0u64..1_000_000_000) {
            let share: f64 = format!("0.{thousandths:03}").parse().unwrap();
            let share = if thousandths == 1000 { 1.0 } else { share };
            prop_assert_eq!(Decimal::share(share).unwrap().floor_of(count), thousandths * count / 1000);
        }
    }
}
