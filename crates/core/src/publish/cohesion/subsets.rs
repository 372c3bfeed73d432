//! W of one edge (Section 5.2): how many subsets of at most r of n items there are, exactly, whatever their number.
//!
//! Counts are kept modulo 2^(64·words), with so many words that no final count reaches the modulus; then sums and
//! differences of any size and order end exactly right. For p up to 6 one word does; 2^164 subsets take three.

use num_bigint::BigUint;

#[derive(Debug)]
pub(super) struct Subsets {
    pub words: usize,
    most_room: usize,
    /// For each n the counts for r = 0, …, min(n, most_room), words of each from the lowest.
    counts: Vec<u64>,
    /// Where the counts for n begin.
    starts: Vec<usize>,
}

impl Subsets {
    /// For up to `most_items` items and `most_room` of them at once; `bits` is how many bits a final count can have.
    pub fn new(most_items: usize, most_room: usize, bits: usize) -> Self {
        let words = bits / 64 + 1;
        let most_room = most_room.min(most_items);
        let mut table = Self { words, most_room, counts: Vec::new(), starts: Vec::new() };
        for n in 0..=most_items {
            table.starts.push(table.counts.len());
            for r in 0..=n.min(most_room) {
                let at = table.counts.len();
                table.counts.resize(at + words, 0);
                if n == 0 {
                    table.counts[at] = 1;
                } else {
                    // The last item is left out, or taken and leaves room for one less.
                    table.accumulate(at, n - 1, r);
                    if r > 0 {
                        table.accumulate(at, n - 1, r - 1);
                    }
                }
            }
        }
        table
    }

    fn accumulate(&mut self, at: usize, n: usize, r: usize) {
        let from = self.place(n, r);
        let (before, sum) = self.counts.split_at_mut(at);
        add(&mut sum[..self.words], &before[from..from + self.words]);
    }

    fn place(&self, n: usize, r: usize) -> usize {
        self.starts[n] + r.min(n).min(self.most_room) * self.words
    }

    /// W: the number of subsets of at most `r` of `n` items.
    pub fn of(&self, n: usize, r: usize) -> &[u64] {
        let place = self.place(n, r);
        &self.counts[place..place + self.words]
    }
}

pub(super) fn add(sum: &mut [u64], term: &[u64]) {
    let mut carry = false;
    for (digit, &other) in sum.iter_mut().zip(term) {
        let (partial, first) = digit.overflowing_add(other);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        *digit = total;
        carry = first | second;
    }
}

pub(super) fn subtract(sum: &mut [u64], term: &[u64]) {
    let mut borrow = false;
    for (digit, &other) in sum.iter_mut().zip(term) {
        let (partial, first) = digit.overflowing_sub(other);
        let (total, second) = partial.overflowing_sub(u64::from(borrow));
        *digit = total;
        borrow = first | second;
    }
}

pub(super) fn to_number(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// How many bits the number of subsets of at most `longest` items of any of these sets can have.
pub(super) fn bits_of_union(sets: impl Iterator<Item = usize>, longest: usize) -> usize {
    let bits = |n: usize| (usize::BITS - n.leading_zeros()) as usize;
    let (number, largest) = sets.fold((0, 0), |(number, largest), size| (number + 1, largest.max(size)));
    // At most 2^n subsets, and at most (n + 1)^longest choices of an item or none.
    bits(number) + largest.min(longest.saturating_mul(bits(largest + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_enormous_counts_are_exact() {
        let table = Subsets::new(164, 164, 170);
        assert_eq!(to_number(table.of(4, 2)), BigUint::from(11u32));
        assert_eq!(to_number(table.of(0, 0)), BigUint::from(1u32));
        assert_eq!(to_number(table.of(3, 9)), BigUint::from(8u32));
        assert_eq!(to_number(table.of(164, 164)), BigUint::from(1u32) << 164);
        // All but the whole set.
        assert_eq!(to_number(table.of(164, 163)), (BigUint::from(1u32) << 164) - 1u32);
    }

    #[test]
    fn sums_may_pass_the_modulus_on_the_way() {
        let mut sum = [3, 0];
        subtract(&mut sum, &[5, 1]);
        add(&mut sum, &[7, 1]);
        assert_eq!(sum, [5, 0]);
    }

    #[test]
    fn bits_are_enough() {
        for (sizes, longest) in [(vec![202; 1967], 4), (vec![3], 9), (vec![164, 150], usize::MAX), (vec![], 3)] {
            let bits = bits_of_union(sizes.iter().copied(), longest);
            let most = sizes.iter().copied().max().unwrap_or(0);
            let table = Subsets::new(most, longest, 400);
            let total: BigUint = sizes.iter().map(|&n| to_number(table.of(n, longest))).sum();
            assert!(total.bits() as usize <= bits, "{sizes:?}");
        }
    }
}
