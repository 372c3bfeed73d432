//! Inputs that are nearly right: those of a corpus, with a few things changed.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What breaks parsers, put in anywhere.
const WORDS: [&[u8]; 32] = [
    b"0",
    b"-1",
    b"1e999",
    b"NaN",
    b"18446744073709551615",
    b"9223372036854775808",
    b"99999999999999999999999",
    b"0.0001",
    b"null",
    b"~",
    b"{}",
    b"[]",
    b"[",
    b"}",
    b"\"",
    b"'",
    b"\\",
    b": ",
    b"- ",
    b"\n",
    b"\r\n",
    b"\t",
    b"*",
    b"&a",
    b"*a",
    b"<<: ",
    b",",
    b";",
    b"\0",
    b"\xff\xfe",
    "\u{feff}".as_bytes(),
    "ﷺ\u{202e}".as_bytes(),
];

/// Longer inputs find nothing that shorter ones do not, and take longer.
const LONGEST: usize = 1 << 16;

pub struct Mutator {
    rng: ChaCha8Rng,
    corpus: Vec<Vec<u8>>,
}

impl Mutator {
    pub fn new(seed: u64, corpus: Vec<Vec<u8>>) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), corpus }
    }

    pub fn next(&mut self) -> Vec<u8> {
        let mut input = self.corpus.choose(&mut self.rng).cloned().unwrap_or_default();
        for _ in 0..self.rng.random_range(1..=4) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (start, end) = self.span(input.len());
        match self.rng.random_range(0..8) {
            0 if !input.is_empty() => {
                let at = start.min(input.len() - 1);
                input[at] ^= 1 << self.rng.random_range(0..8);
            }
            1 => drop(input.drain(start..end)),
            2 => {
                let copy = input[start..end].to_vec();
                let times = self.rng.random_range(1..50);
                input.splice(start..start, copy.iter().copied().cycle().take(copy.len() * times));
            }
            3 | 4 => {
                let word = WORDS.choose(&mut self.rng).copied().unwrap_or_default();
                input.splice(start..start, word.iter().copied());
            }
            5 => {
                let word = WORDS.choose(&mut self.rng).copied().unwrap_or_default();
                input.splice(start..end, word.iter().copied());
            }
            6 => {
                let other = self.corpus.choose(&mut self.rng).cloned().unwrap_or_default();
                let (from, to) = self.span(other.len());
                input.splice(start..end, other[from..to].iter().copied());
            }
            _ => self.swap_lines(input),
        }
    }

    /// A stretch of up to a few dozen bytes.
    fn span(&mut self, length: usize) -> (usize, usize) {
        let start = self.rng.random_range(0..=length);
        (start, (start + self.rng.random_range(0..40)).min(length))
    }

    fn swap_lines(&mut self, input: &mut Vec<u8>) {
        let mut lines: Vec<Vec<u8>> = input.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let (a, b) = (self.rng.random_range(0..lines.len()), self.rng.random_range(0..lines.len()));
        lines.swap(a, b);
        *input = lines.join(&b'\n');
    }
}
