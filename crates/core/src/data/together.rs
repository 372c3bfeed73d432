//! How often two and three items are in one transaction.
//!
//! Cost. Every pair of items of a transaction is counted once, and every triple of frequent enough pairs.

use super::{Item, Transactions};
use rustc_hash::FxHashMap;

/// Supports at which items, pairs and triples are counted.
pub const THRESHOLDS: [u32; 13] = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
/// Triples are counted of pairs that occur so often that no more than this many counts are needed.
const MOST_TRIPLES: u64 = 40_000_000;

type Counts = FxHashMap<u64, u32>;

/// How often sets of two and three items occur.
pub struct Together {
    /// Frequent pairs by support.
    pub pairs: Vec<usize>,
    /// Frequent triples by support.
    pub triples: Vec<usize>,
    /// Triples were counted of pairs that occur at least so often.
    pub triple_pairs: u32,
    /// By the distance of ids, in powers of two: the share of all pairs, and what independence would have.
    pub by_distance: Vec<(f64, f64)>,
}

/// Counts pairs, and triples of pairs that occur at least `triple_pairs` times: by default so often that they can be counted.
pub fn together(transactions: &Transactions, triple_pairs: Option<u32>) -> Together {
    let pairs = pairs(transactions);
    let triple_pairs = triple_pairs.unwrap_or_else(|| countable(transactions, &pairs));
    let triples = triples(transactions, &pairs, triple_pairs);
    Together {
        pairs: at_thresholds(pairs.values()),
        triples: at_thresholds(triples.values()),
        triple_pairs,
        by_distance: by_distance(&pairs, &transactions.supports()),
    }
}

fn key(a: Item, b: Item) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

fn pairs(transactions: &Transactions) -> Counts {
    let mut counts = Counts::default();
    for row in transactions.rows() {
        for (i, &a) in row.iter().enumerate() {
            for &b in &row[i + 1..] {
                *counts.entry(key(a, b)).or_default() += 1;
            }
        }
    }
    counts
}

/// The least support of pairs that leaves few enough triples to count.
fn countable(transactions: &Transactions, pairs: &Counts) -> u32 {
    let candidates = [5, 20, 50, 200, 1000];
    let few = |&least: &u32| {
        let mut triples = 0u64;
        for row in transactions.rows().filter(|row| row.len() > 2) {
            let mut frequent = 0u64;
            for (i, &a) in row.iter().enumerate() {
                frequent += row[i + 1..].iter().filter(|&&b| pairs[&key(a, b)] >= least).count() as u64;
            }
            // As if the frequent pairs were all pairs of as many items as that takes.
            triples += frequent * ((2 * frequent) as f64).sqrt() as u64 / 3;
            if triples > MOST_TRIPLES {
                return false;
            }
        }
        true
    };
    candidates.iter().copied().find(few).unwrap_or(candidates[candidates.len() - 1])
}

fn triples(transactions: &Transactions, pairs: &Counts, least: u32) -> FxHashMap<(Item, Item, Item), u32> {
    let mut counts = FxHashMap::default();
    let (mut frequent, mut items) = (Vec::new(), Vec::new());
    for row in transactions.rows().filter(|row| row.len() > 2) {
        let n = row.len();
        frequent.clear();
        frequent.resize(n * n, false);
        for i in 0..n {
            for j in i + 1..n {
                frequent[i * n + j] = pairs[&key(row[i], row[j])] >= least;
            }
        }
        for i in 0..n {
            items.clear();
            items.extend((i + 1..n).filter(|&j| frequent[i * n + j]));
            for (at, &j) in items.iter().enumerate() {
                for &k in items[at + 1..].iter().filter(|&&k| frequent[j * n + k]) {
                    *counts.entry((row[i], row[j], row[k])).or_default() += 1;
                }
            }
        }
    }
    counts
}

fn at_thresholds<'a>(counts: impl Iterator<Item = &'a u32>) -> Vec<usize> {
    let mut sets = vec![0; THRESHOLDS.len()];
    for count in counts {
        if let Some(at) = THRESHOLDS.iter().rposition(|threshold| threshold <= count) {
            sets[at] += 1;
        }
    }
    for at in (1..sets.len()).rev() {
        sets[at - 1] += sets[at];
    }
    sets
}

/// Shares of pairs by the distance of their ids in powers of two, as found and under independence.
fn by_distance(pairs: &Counts, supports: &[u32]) -> Vec<(f64, f64)> {
    let classes = (supports.len().max(2) - 1).ilog2() as usize + 1;
    let mut found = vec![0u64; classes];
    for (&pair, &count) in pairs {
        let distance = (pair & 0xffff_ffff) - (pair >> 32);
        found[distance.ilog2() as usize] += u64::from(count);
    }
    let mut before = vec![0u64];
    for &support in supports {
        before.push(before[before.len() - 1] + u64::from(support));
    }
    let mut expected = vec![0.0; classes];
    for (item, &support) in supports.iter().enumerate() {
        for (class, expected) in expected.iter_mut().enumerate() {
            let (from, to) = (item + (1 << class), (item + (2 << class)).min(supports.len()));
            if from < to {
                *expected += f64::from(support) * (before[to] - before[from]) as f64;
            }
        }
    }
    let (all_found, all_expected) = (found.iter().sum::<u64>().max(1) as f64, expected.iter().sum::<f64>());
    let share = |(found, expected): (u64, f64)| (found as f64 / all_found, expected / all_expected.max(1.0));
    found.into_iter().zip(expected).map(share).collect()
}
