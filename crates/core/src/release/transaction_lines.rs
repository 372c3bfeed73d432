//! The lines of a file of transactions as they are written: what stands twice in one, and in which order.

use super::form::FormFault;
use super::kind::NAMED_FAULTS;
use rustc_hash::FxHashSet;

/// Line by line, the words of a file of transactions that was read before.
pub(super) fn words(transactions: &[u8]) -> Vec<Vec<&str>> {
    let text = std::str::from_utf8(transactions).unwrap_or_default();
    text.lines().map(|line| line.split_ascii_whitespace().collect()).collect()
}

/// Words that stand more than once in their line; `says` gives the rest of the sentence for one of them.
pub(super) fn repeated(lines: &[Vec<&str>], leaks: bool, says: impl Fn(u64, &str) -> String) -> Vec<FormFault> {
    let twice = (1..).zip(lines).filter_map(|(line, words)| {
        let mut seen = FxHashSet::default();
        let word = words.iter().find(|word| !seen.insert(**word))?;
        Some(FormFault::new(leaks, says(line, word)))
    });
    twice.take(NAMED_FAULTS).collect()
}
