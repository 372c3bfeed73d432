//! Measures the aggregate statistics of transactions.

use super::aggregates::{Aggregates, CLASSES, Fit, PERIODS, UNIT, class_of, length_classes, period_of, support_steps};
use super::ids;
use crate::data::{Together, Transactions, together};

/// Blocks of ids whose popularity is told.
const BLOCKS: usize = 256;
/// So many items have their supports told one by one; of more, only the most popular.
const ALL_TOLD: usize = 4096;
const POPULAR: usize = 512;

impl Aggregates {
    /// Measures everything but the fit, which stays as it is by default.
    pub fn of(transactions: &Transactions) -> Self {
        let supports = transactions.supports();
        let longest = transactions.longest();
        let classes = length_classes(longest);
        let mut lengths = vec![vec![0; classes.len()]; PERIODS];
        let mut length_sums = lengths.clone();
        let mut seen: Vec<Option<(usize, usize)>> = vec![None; supports.len()];
        for (index, row) in transactions.rows().enumerate() {
            let period = period_of(index, transactions.len());
            if let Some(class) = classes.iter().rposition(|&from| from <= row.len()) {
                lengths[period][class] += 1;
                length_sums[period][class] += row.len();
            }
            for &item in row {
                let (_, last) = seen[item as usize].get_or_insert((period, period));
                *last = period;
            }
        }
        let (mut first_seen, mut last_seen) =
            (vec![vec![0; PERIODS]; CLASSES.len()], vec![vec![0; PERIODS]; CLASSES.len()]);
        let mut first_of_class: Vec<Vec<f64>> = vec![Vec::new(); CLASSES.len()];
        for (&support, seen) in supports.iter().zip(&seen) {
            if let Some((first, last)) = *seen {
                first_seen[class_of(support)][first] += 1;
                last_seen[class_of(support)][last] += 1;
                first_of_class[class_of(support)].push(first as f64);
            }
        }
        let mut descending = supports.clone();
        descending.sort_unstable_by(|a, b| b.cmp(a));
        let largest = descending.first().copied().unwrap_or(0);
        let at_least = |step: usize| descending.partition_point(|&support| support as usize >= step);
        let all = supports.len() <= ALL_TOLD;
        let popular = if all { Vec::new() } else { most_popular(&supports) };
        let told = if all { supports.clone() } else { popular.iter().map(|&item| supports[item]).collect() };
        let (popularity_by_id, neighbours) = if all { (Vec::new(), 0) } else { popularity(&supports) };
        let Together { pairs, triples, triple_pairs, by_distance } = together(transactions, None);
        let lift =
            |(found, expected): (f64, f64)| if expected > 0.0 { (found / expected * UNIT).round() as u32 } else { 0 };
        Aggregates {
            transactions: transactions.len(),
            items: supports.len(),
            longest,
            occurrences: transactions.occurrences(),
            lengths,
            length_sums,
            ids: ids::steps(&transactions.labels),
            popular,
            supports: told,
            items_of_support: if all {
                Vec::new()
            } else {
                support_steps(largest as usize).into_iter().map(at_least).collect()
            },
            popularity_by_id,
            neighbours,
            growth: growth(transactions),
            first_seen,
            last_seen,
            later_ids: first_of_class.iter().map(|first| thousandths(correlation_with_order(first))).collect(),
            lift_by_distance: by_distance.into_iter().map(lift).collect(),
            pairs,
            triples,
            triple_pairs,
            fit: Fit::default(),
        }
    }
}

/// The places of the most popular items, ascending.
fn most_popular(supports: &[u32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..supports.len()).collect();
    places.sort_by_key(|&item| (std::cmp::Reverse(supports[item]), item));
    places.truncate(POPULAR);
    places.sort_unstable();
    places
}

/// How many items the first 1, 2, 4, … transactions have, and all; nothing where ids do not go by first appearance.
pub(super) fn growth(transactions: &Transactions) -> Vec<usize> {
    let (mut growth, mut items) = (Vec::new(), 0);
    for (row, number) in transactions.rows().zip(1usize..) {
        for &item in row {
            match (item as usize).cmp(&items) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => items += 1,
                std::cmp::Ordering::Greater => return Vec::new(),
            }
        }
        if number.is_power_of_two() || number == transactions.len() {
            growth.push(items);
        }
    }
    growth
}

fn thousandths(share: f64) -> i32 {
    (share * UNIT).round() as i32
}

/// The mean rank of support in blocks of ids, and the correlation of what neighbours have beyond it.
fn popularity(supports: &[u32]) -> (Vec<u32>, i32) {
    let items = supports.len();
    let mut order: Vec<usize> = (0..items).collect();
    order.sort_by_key(|&item| supports[item]);
    let mut ranks = vec![0.0; items];
    for (rank, &item) in order.iter().enumerate() {
        ranks[item] = (rank as f64 + 0.5) / items as f64;
    }
    let blocks = items.min(BLOCKS);
    let (mut means, mut beyond) = (Vec::with_capacity(blocks), Vec::with_capacity(items));
    for block in 0..blocks {
        let ranks = &ranks[block_of_ids(block, blocks, items)];
        let mean = ranks.iter().sum::<f64>() / ranks.len() as f64;
        means.push((mean * UNIT).round() as u32);
        beyond.extend(ranks.iter().map(|rank| rank - mean));
    }
    let squares: f64 = beyond.iter().map(|value| value * value).sum();
    let products: f64 = beyond.windows(2).map(|pair| pair[0] * pair[1]).sum();
    (means, if squares > 0.0 { thousandths(products / squares) } else { 0 })
}

pub(super) fn block_of_ids(block: usize, blocks: usize, items: usize) -> std::ops::Range<usize> {
    block * items / blocks..(block + 1) * items / blocks
}

/// Pearson's correlation of values with their places.
fn correlation_with_order(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let (mean, middle) = (values.iter().sum::<f64>() / n.max(1.0), (n - 1.0) / 2.0);
    let (mut products, mut places, mut squares) = (0.0, 0.0, 0.0);
    for (place, value) in values.iter().enumerate() {
        let (place, value) = (place as f64 - middle, value - mean);
        products += place * value;
        places += place * place;
        squares += value * value;
    }
    if places * squares > 0.0 { products / (places * squares).sqrt() } else { 0.0 }
}
