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
        if !(0.0..=1.0).contains(&number) {
            return None;
        }
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().ok()?;
        let places = fraction.len() as i32 - exponent.parse::<i32>().ok()?;
        Some(Self { digits, places: u32::try_from(places).ok()? })
    }

    /// The largest whole number that is at most this share of `count`.
    pub fn floor_of(self, count: u64) -> u64 {
        let product = u128::from(self.digits) * u128::from(count);
        // 17 digits times 20 are less than 10^38: with more places the share is below one.
        10u128.checked_pow(self.places).map_or(0, |scale| (product / scale) as u64)
    }
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

    proptest! {
        #[test]
        fn fractions_of_a_thousand_are_exact(thousandths in 0u64..=1000, count in 0u64..1_000_000_000) {
            let share: f64 = format!("0.{thousandths:03}").parse().unwrap();
            let share = if thousandths == 1000 { 1.0 } else { share };
            prop_assert_eq!(Decimal::share(share).unwrap().floor_of(count), thousandths * count / 1000);
        }
    }
}
