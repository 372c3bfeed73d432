//! Sets of numbers told apart by a 128-bit sum of their members' hashes: equal sets have equal sums in any order, and
//! different ones do not, for all the data a machine can hold.

use std::iter::Sum;
use std::ops::AddAssign;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Fingerprint(u128);

impl Fingerprint {
    pub fn of(number: u32) -> Self {
        let low = mixed(u64::from(number).wrapping_add(0x9e37_79b9_7f4a_7c15));
        let high = mixed(low ^ 0xd1b5_4a32_d192_ed03);
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

/// The finalizer of SplitMix64.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl AddAssign for Fingerprint {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl Sum for Fingerprint {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut sum = Self::default();
        parts.for_each(|part| sum += part);
        sum
    }
}
