//! The inner loops of the dense search, compiled twice: for any CPU, and for one with AVX2, BMI2 and POPCNT.
//!
//! Counters are packed: [`Narrow`] puts four 16-bit counters into a word, [`Wide`] two 32-bit ones. Sums never carry
//! from one counter into the next because no counter can exceed the support of the whole node, which the caller keeps
//! within [`Lanes::MAX`]; so adding words adds counters, and the compiler vectorizes plain loops over words.

#![allow(unsafe_code)]

/// How many counters share a word.
pub(super) trait Lanes {
    /// Bits of a counter.
    const BITS: u32;
    /// Counters of a word.
    const LANES: usize = 64 / Self::BITS as usize;
    /// The largest count: the top bit stays free for comparisons.
    const MAX: u32 = u32::MAX >> (33 - Self::BITS);
    /// A one in each counter.
    const ONES: u64;
}

/// Four 16-bit counters a word.
pub(super) struct Narrow;

/// Two 32-bit counters a word.
pub(super) struct Wide;

impl Lanes for Narrow {
    const BITS: u32 = 16;
    const ONES: u64 = 0x0001_0001_0001_0001;
}

impl Lanes for Wide {
    const BITS: u32 = 32;
    const ONES: u64 = 0x0000_0001_0000_0001;
}

/// The counter `index` of packed counters.
#[inline]
pub(super) fn counter<L: Lanes>(words: &[u64], index: usize) -> u32 {
    let lane = words[index / L::LANES] >> (index % L::LANES * L::BITS as usize);
    lane as u32 & (u32::MAX >> (32 - L::BITS))
}

/// Asks for an element to be brought into the cache; a hint that is without effect where there is no such instruction.
#[inline(always)]
pub(super) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = slice.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of an element; SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// A word with a one in each counter whose bit is set in the low bits of the index.
const fn spread<L: Lanes>() -> [u64; 16] {
    let mut words = [0; 16];
    let mut bits = 0;
    while bits < 1 << L::LANES {
        let mut lane = 0;
        while lane < L::LANES {
            if bits >> lane & 1 == 1 {
                words[bits] |= 1 << (lane as u32 * L::BITS);
            }
            lane += 1;
        }
        bits += 1;
    }
    words
}

/// Moves the bits of a mask that are set in `keep` together, at the low end.
trait Compress: Copy {
    fn new(keep: u64) -> Self;
    fn compress(self, mask: u64) -> u64;
}

/// Six rounds of moving bits by powers of two (Hacker's Delight, 7-4), the moves computed once for `keep`.
#[derive(Clone, Copy)]
struct Rounds {
    keep: u64,
    moves: [u64; 6],
}

impl Compress for Rounds {
    #[inline]
    fn new(keep: u64) -> Self {
        let mut left = keep;
        // Bit i of `below` tells whether an odd number of bits to drop lies below i.
        let mut below = !keep << 1;
        let mut moves = [0; 6];
        for (round, moved) in moves.iter_mut().enumerate() {
            let mut parity = below;
            for shift in [1, 2, 4, 8, 16, 32] {
                parity ^= parity << shift;
            }
            *moved = parity & left;
            left = (left ^ *moved) | (*moved >> (1 << round));
            below &= !parity;
        }
        Self { keep, moves }
    }

    #[inline]
    fn compress(self, mask: u64) -> u64 {
        let mut mask = mask & self.keep;
        for (round, moved) in self.moves.iter().enumerate() {
            let moving = mask & moved;
            mask = (mask ^ moving) | (moving >> (1 << round));
        }
        mask
    }
}

/// The CPU's own instruction.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Pext(u64);

#[cfg(target_arch = "x86_64")]
impl Compress for Pext {
    #[inline(always)]
    fn new(keep: u64) -> Self {
        Self(keep)
    }

    #[inline(always)]
    fn compress(self, mask: u64) -> u64 {
        // SAFETY: only the BMI2 variants of the kernels use this type.
        unsafe { std::arch::x86_64::_pext_u64(mask, self.0) }
    }
}

/// Which variant of the inner loops this CPU runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernels {
    #[cfg(target_arch = "x86_64")]
    modern: bool,
}

impl Kernels {
    pub(super) fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            modern: is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt"),
        }
    }
}

/// Defines a method of [`Kernels`] that runs `body` in the variant of this CPU.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident $(<$lanes:ident>)? ($($arg:ident: $type:ty),*) $(-> $result:ty)?, $body:ident, $portable:ty, $modern:ty) => {
        impl Kernels {
            $(#[$doc])*
            #[inline]
            pub(super) fn $name $(<$lanes: Lanes>)? (self, $($arg: $type),*) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                if self.modern {
                    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                    fn modern $(<$lanes: Lanes>)? ($($arg: $type),*) $(-> $result)? {
                        $body::<$($lanes,)? $modern>($($arg),*)
                    }
                    // SAFETY: `detect` found every one of these features.
                    return unsafe { modern $(::<$lanes>)? ($($arg),*) };
                }
                $body::<$($lanes,)? $portable>($($arg),*)
            }
        }
    };
}

kernel! {
    /// Adds up, for each bit of the masks, the weights of the rows that have it together with each higher bit (and
    /// with itself): row `bit` of `pairs` starts at word `bit * stride`.
    pair_counts<L>(masks: &[u64], weights: &[u32], stride: usize, pairs: &mut [u64]), pair_counts, Rounds, Pext
}
kernel! {
    /// The rows that have `bit`, reduced to the bits of `keep`; rows with fewer than two of those are left out and
    /// neighbours that became equal are merged. Returns how many rows were written. `into_masks` and `into_weights`
    /// have room for one row more than `masks` has; the first place is not used.
    project(masks: &[u64], weights: &[u32], bit: u32, keep: u64, into_masks: &mut [u64], into_weights: &mut [u32]) -> usize,
    project, Rounds, Pext
}
kernel! {
    /// The masks that have `bit`, reduced to the bits of `keep`.
    select(masks: &[u64], bit: u32, keep: u64, into: &mut Vec<u64>), select, Rounds, Pext
}
kernel! {
    /// For each subset of the bits of `keep`, the weight of the rows with `bit` that have all of the subset.
    subset_supports<L>(masks: &[u64], weights: &[u32], bit: u32, keep: u64, table: &mut [u64]), subset_supports, Rounds, Pext
}
kernel! {
    /// Adds to `sizes[n]` how many subsets of n bits have at least `min_support` in a table of [`Self::subset_supports`].
    count_by_size<L>(table: &[u64], min_support: u32, sizes: &mut [u64; MAX_TABLE_BITS + 1]), count_by_size, Rounds, Pext
}

/// The pairs of a row of so many bits are counted one by one.
const FEW_BITS: u32 = 4;

/// The most bits a table of subsets has.
pub(super) const MAX_TABLE_BITS: usize = 12;

#[inline(always)]
fn pair_counts<L: Lanes, C: Compress>(masks: &[u64], weights: &[u32], stride: usize, pairs: &mut [u64]) {
    let ones = const { spread::<L>() };
    let mut spread = [0; 32];
    let spread = &mut spread[..stride];
    for (&mask, &weight) in masks.iter().zip(weights) {
        if mask.count_ones() <= FEW_BITS {
            let mut rest = mask;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let mut above = rest;
                while above != 0 {
                    let other = above.trailing_zeros() as usize;
                    above &= above - 1;
                    let lane = other % L::LANES * L::BITS as usize;
                    pairs[bit * stride + other / L::LANES] += u64::from(weight) << lane;
                }
            }
            continue;
        }
        let mut rest = mask;
        for word in spread.iter_mut() {
            *word = ones[rest as usize & ((1 << L::LANES) - 1)] * u64::from(weight);
            rest >>= L::LANES;
        }
        let mut rest = mask;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let first = bit / L::LANES;
            for (count, &add) in pairs[bit * stride + first..(bit + 1) * stride].iter_mut().zip(&spread[first..]) {
                *count += add;
            }
        }
    }
}

#[inline(always)]
fn project<C: Compress>(
    masks: &[u64],
    weights: &[u32],
    bit: u32,
    keep: u64,
    into_masks: &mut [u64],
    into_weights: &mut [u32],
) -> usize {
    let compress = C::new(keep);
    let (mut filled, mut last, mut sum) = (0, 0, 0);
    let into_weights = &mut into_weights[..into_masks.len()];
    for (&mask, &weight) in masks.iter().zip(weights) {
        let reduced = compress.compress(mask);
        // Without branches: whether a row has the bit is close to a coin toss.
        let wanted = mask >> bit & 1 == 1 && reduced & reduced.wrapping_sub(1) != 0;
        let fresh = wanted && reduced != last;
        filled += usize::from(fresh);
        sum = if fresh { 0 } else { sum } + if wanted { weight } else { 0 };
        last = if wanted { reduced } else { last };
        into_masks[filled] = last;
        into_weights[filled] = sum;
    }
    filled
}

#[inline(always)]
fn select<C: Compress>(masks: &[u64], bit: u32, keep: u64, into: &mut Vec<u64>) {
    let compress = C::new(keep);
    into.clear();
    into.extend(masks.iter().filter(|&&mask| mask >> bit & 1 == 1).map(|&mask| compress.compress(mask)));
}

#[inline(always)]
fn subset_supports<L: Lanes, C: Compress>(masks: &[u64], weights: &[u32], bit: u32, keep: u64, table: &mut [u64]) {
    let compress = C::new(keep);
    table.fill(0);
    for (&mask, &weight) in masks.iter().zip(weights) {
        let index = compress.compress(mask) as usize;
        let weight = if mask >> bit & 1 == 1 { u64::from(weight) } else { 0 };
        table[index / L::LANES] += weight << (index % L::LANES * L::BITS as usize);
    }
    sum_over_supersets::<L>(table);
}

/// Adds to each subset's counter those of its supersets, bit by bit: first the bits within a word, then those across.
#[inline(always)]
fn sum_over_supersets<L: Lanes>(table: &mut [u64]) {
    for word in table.iter_mut() {
        if L::LANES == 4 {
            *word += *word >> 16 & 0x0000_ffff_0000_ffff;
        }
        *word += *word >> 32;
    }
    let mut half = 1;
    while half < table.len() {
        for block in table.chunks_exact_mut(2 * half) {
            let (without, with) = block.split_at_mut(half);
            for (sum, add) in without.iter_mut().zip(with) {
                *sum += *add;
            }
        }
        half *= 2;
    }
}

#[inline(always)]
fn count_by_size<L: Lanes, C: Compress>(table: &[u64], min_support: u32, sizes: &mut [u64; MAX_TABLE_BITS + 1]) {
    // A counter of at least `min_support` gets its top bit set by this addend.
    let addend = (u64::from(L::MAX) + 1 - u64::from(min_support)) * L::ONES;
    let mut by_word = [0u64; MAX_TABLE_BITS + 1];
    for (index, word) in table.iter().enumerate() {
        by_word[index.count_ones() as usize & 15] += (word + addend) >> (L::BITS - 1) & L::ONES;
    }
    for (size, flags) in by_word.iter().enumerate() {
        for lane in 0..L::LANES {
            let count = flags >> (lane as u32 * L::BITS) & (u64::MAX >> (64 - L::BITS));
            if count > 0 {
                sizes[size + lane.count_ones() as usize] += count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both variants; on another CPU, the portable one twice.
    fn variants() -> [Kernels; 2] {
        let portable = Kernels {
            #[cfg(target_arch = "x86_64")]
            modern: false,
        };
        [portable, Kernels::detect()]
    }

    fn literally_compressed(mask: u64, keep: u64) -> u64 {
        let kept = (0..64).filter(|bit| keep >> bit & 1 == 1).map(|bit| mask >> bit & 1);
        kept.enumerate().fold(0, |compressed, (place, bit)| compressed | bit << place)
    }

    fn rows() -> impl Strategy<Value = (Vec<u64>, Vec<u32>)> {
        // Masks of few and of many bits.
        let mask = (any::<u64>(), any::<u64>(), any::<bool>())
            .prop_map(|(a, b, few)| if few { a & b & a >> 7 } else { a | b });
        prop::collection::vec((mask, 1u32..40), 0..40).prop_map(|rows| rows.into_iter().unzip())
    }

    fn check_counts<L: Lanes>(masks: &[u64], weights: &[u32], bit: u32, keep: u64) -> Result<(), TestCaseError> {
        let stride = 64 / L::LANES;
        let weight_of = |wanted: u64| -> u32 {
            masks.iter().zip(weights).filter(|(mask, _)| *mask & wanted == wanted).map(|(_, weight)| weight).sum()
        };
        let places: Vec<u32> = (0..64).filter(|place| keep >> place & 1 == 1).collect();
        for kernels in variants() {
            let mut pairs = vec![0; 64 * stride];
            kernels.pair_counts::<L>(masks, weights, stride, &mut pairs);
            for (low, high) in [(0, 1), (3, 40), (17, 63), (62, 63), (5, 6)] {
                let count = counter::<L>(&pairs[low * stride..(low + 1) * stride], high);
                prop_assert_eq!(count, weight_of(1 << low | 1 << high));
            }
            let mut table = vec![u64::MAX; (1usize << places.len()).div_ceil(L::LANES)];
            kernels.subset_supports::<L>(masks, weights, bit, keep, &mut table);
            let mut frequent = [0; MAX_TABLE_BITS + 1];
            for subset in 0..1usize << places.len() {
                let chosen = places.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
                let support = weight_of(chosen.fold(1 << bit, |wanted, (_, place)| wanted | 1 << place));
                prop_assert_eq!(counter::<L>(&table, subset), support);
                frequent[subset.count_ones() as usize] += u64::from(support >= 9);
            }
            let mut sizes = [0; MAX_TABLE_BITS + 1];
            kernels.count_by_size::<L>(&table, 9, &mut sizes);
            prop_assert_eq!(sizes, frequent);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_variants_do_what_is_said((masks, weights) in rows(), bit in 0u32..64, keep in any::<u64>(), few in prop::collection::vec(0u32..64, 2..7)) {
            let few = few.into_iter().fold(0, |keep, bit| keep | 1 << bit);
            check_counts::<Narrow>(&masks, &weights, bit, few)?;
            check_counts::<Wide>(&masks, &weights, bit, few)?;
            let mut expected: Vec<(u64, u32)> = Vec::new();
            let with_bit = || masks.iter().zip(&weights).filter(|(mask, _)| *mask >> bit & 1 == 1);
            for (&mask, &weight) in with_bit() {
                match (literally_compressed(mask, keep), expected.last_mut()) {
                    (reduced, _) if reduced.count_ones() < 2 => {}
                    (reduced, Some(last)) if last.0 == reduced => last.1 += weight,
                    (reduced, _) => expected.push((reduced, weight)),
                }
            }
            for kernels in variants() {
                let (mut into_masks, mut into_weights) = (vec![7; masks.len() + 1], vec![7; masks.len() + 1]);
                let rows = kernels.project(&masks, &weights, bit, keep, &mut into_masks, &mut into_weights);
                let projected: Vec<(u64, u32)> =
                    into_masks[1..=rows].iter().copied().zip(into_weights[1..=rows].iter().copied()).collect();
                prop_assert_eq!(&projected, &expected);
                let mut selected = Vec::new();
                kernels.select(&masks, bit, keep, &mut selected);
                let literal: Vec<u64> = with_bit().map(|(&mask, _)| literally_compressed(mask, keep)).collect();
                prop_assert_eq!(selected, literal);
            }
        }
    }
}
