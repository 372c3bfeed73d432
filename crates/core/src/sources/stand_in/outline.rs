//! From aggregates to an outline: how long each transaction is, how often each item occurs, and in which periods. What
//! goes together with what is not decided here.

use super::aggregates::{Aggregates, CLASSES, PERIODS, UNIT, class_of, length_classes, support_steps};
use super::measure::block_of_ids;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// Lengths, supports and periods of a stand-in. Lengths and supports have the same sum.
pub(super) struct Outline {
    /// Of each transaction, in their order.
    pub lengths: Vec<u32>,
    /// Of each item, by id.
    pub supports: Vec<u32>,
    /// The first and the last period of each item.
    pub periods: Vec<(usize, usize)>,
    /// Where the transactions of each period begin, and where the last end.
    pub period_starts: Vec<usize>,
    /// The transaction that each item is first in, where ids go by that; ascending.
    pub first_rows: Vec<usize>,
}

impl Outline {
    /// An outline of so many transactions, which may be other than were measured.
    pub fn new(of: &Aggregates, transactions: usize, rng: &mut impl Rng) -> Result<Self, String> {
        let (lengths, period_starts) = lengths(of, transactions, rng);
        let occurrences: usize = lengths.iter().map(|&length| length as usize).sum();
        let descending = supports(of, transactions, occurrences)?;
        let supports = onto_ids(of, &descending, rng);
        let first_rows = first_rows(of, transactions);
        let periods = periods(of, &supports, &first_rows, &period_starts, rng);
        Ok(Self { lengths, supports, periods, period_starts, first_rows })
    }

    /// Whether two items are there at the same time.
    pub fn meet(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.periods[a], self.periods[b]);
        a.0 <= b.1 && b.0 <= a.1
    }
}

/// The lengths of all transactions, and where each period begins.
fn lengths(of: &Aggregates, transactions: usize, rng: &mut impl Rng) -> (Vec<u32>, Vec<usize>) {
    let classes = length_classes(of.longest);
    let (mut lengths, mut starts) = (Vec::with_capacity(transactions), vec![0]);
    // Counts are scaled together, so that rounding cannot change how many there are.
    let mut measured = 0;
    for (counts, sums) in of.lengths.iter().zip(&of.length_sums) {
        let start = lengths.len();
        for (class, (&count, &sum)) in counts.iter().zip(sums).enumerate() {
            let before = scaled(measured, transactions, of.transactions);
            measured += count;
            let count_here = scaled(measured, transactions, of.transactions) - before;
            let longest = classes.get(class + 1).map_or(of.longest, |next| next - 1);
            spread(classes[class], longest, count_here, scaled(sum, count_here, count.max(1)), &mut lengths);
        }
        lengths[start..].shuffle(rng);
        starts.push(lengths.len());
    }
    stretch_longest(&mut lengths, &starts, &classes, of.longest as u32);
    (lengths, starts)
}

/// Makes the longest transaction as long as it was, at the cost of others of its class in its period where there are any.
fn stretch_longest(lengths: &mut [u32], starts: &[usize], classes: &[usize], longest: u32) {
    let Some(at) = (0..lengths.len()).max_by_key(|&at| lengths[at]) else { return };
    let from = classes.iter().rfind(|&&from| from <= lengths[at] as usize).map_or(1, |&from| from as u32);
    let mut missing = longest - lengths[at];
    lengths[at] = longest;
    let period = starts.partition_point(|&start| start <= at) - 1;
    for (i, length) in lengths[starts[period]..starts[period + 1]].iter_mut().enumerate() {
        if starts[period] + i != at && *length > from {
            let taken = missing.min(*length - from);
            *length -= taken;
            missing -= taken;
        }
    }
}

fn scaled(number: usize, by: usize, of: usize) -> usize {
    (number as u128 * by as u128 / of as u128) as usize
}

/// As many lengths as `count` between the two ends with that sum, evenly to both sides of the mean.
fn spread(shortest: usize, longest: usize, count: usize, sum: usize, lengths: &mut Vec<u32>) {
    if count == 0 {
        return;
    }
    let start = lengths.len();
    let sum = sum.clamp(shortest * count, longest * count);
    let mean = sum as f64 / count as f64;
    let half = (mean - shortest as f64).min(longest as f64 - mean);
    for i in 0..count {
        let side = (i as f64 + 0.5) / count as f64 * 2.0 - 1.0;
        lengths.push(((mean + half * side).round() as usize).clamp(shortest, longest) as u32);
    }
    let found: usize = lengths[start..].iter().map(|&length| length as usize).sum();
    adjust(&mut lengths[start..], sum as i64 - found as i64, shortest as u32, longest as u32);
}

/// Adds `missing` to the sum of the values one by one, as long as they stay between the ends; what could not be added.
fn adjust(values: &mut [u32], mut missing: i64, least: u32, most: u32) -> i64 {
    while missing != 0 {
        let before = missing;
        for value in &mut *values {
            if missing > 0 && *value < most {
                *value += 1;
                missing -= 1;
            } else if missing < 0 && *value > least {
                *value -= 1;
                missing += 1;
            }
        }
        if missing == before {
            break;
        }
    }
    missing
}

/// The items whose supports are told, by popularity.
fn told(of: &Aggregates) -> Vec<(u32, usize)> {
    let place = |at: usize| if of.popular.is_empty() { at } else { of.popular[at] };
    let mut told: Vec<(u32, usize)> =
        of.supports.iter().enumerate().map(|(at, &support)| (support, place(at))).collect();
    told.sort_by_key(|&(support, item)| (std::cmp::Reverse(support), item));
    told
}

/// Supports of all items with that sum: those told first, then the others, each descending.
fn supports(of: &Aggregates, transactions: usize, occurrences: usize) -> Result<Vec<u32>, String> {
    let mut supports: Vec<u32> = told(of).into_iter().map(|(support, _)| support).collect();
    let largest = supports.first().copied().unwrap_or(0) as usize;
    let steps = support_steps(largest);
    for step in (0..of.items_of_support.len()).rev() {
        let above = of.items_of_support.get(step + 1).copied().unwrap_or(0);
        let (count, to) = (of.items_of_support[step] - above, steps.get(step + 1).map_or(largest, |next| next - 1));
        for i in supports.len().saturating_sub(above)..count {
            // Evenly between the steps, from above.
            supports.push((to - (to - steps[step]) * (2 * i + 1) / (2 * count)) as u32);
        }
    }
    if transactions != of.transactions {
        for support in &mut supports {
            *support = (scaled(*support as usize, transactions, of.transactions) as u32).max(1);
        }
    }
    let sum: usize = supports.iter().map(|&support| support as usize).sum();
    // In proportion first, so that rare items keep their supports; their order may change by it, which does not matter.
    let told = if transactions == of.transactions { of.supports.len() } else { 0 };
    let mut missing = occurrences as i64 - sum as i64;
    let rest: i64 = supports[told..].iter().map(|&support| i64::from(support)).sum();
    let whole = missing;
    for support in &mut supports[told..] {
        let change = whole * i64::from(*support) / rest.max(1);
        let changed = (i64::from(*support) + change).clamp(1, transactions as i64);
        missing -= changed - i64::from(*support);
        *support = changed as u32;
    }
    let missing = adjust(&mut supports[told..], missing, 1, transactions as u32);
    let missing = adjust(&mut supports, missing, 1, transactions as u32);
    match missing {
        0 => Ok(supports),
        _ => Err(format!(
            "{transactions} transactions have {occurrences} occurrences: not as many as {} items need",
            of.items
        )),
    }
}

/// A sum of four even draws: near enough to a normal distribution, and the same on every machine.
fn bell(rng: &mut impl Rng) -> f64 {
    let sum: f64 = (0..4).map(|_| rng.random::<f64>()).sum();
    (sum - 2.0) * 3.0f64.sqrt()
}

/// Supports by id, with the measured popularity of blocks and likeness of neighbours.
fn onto_ids(of: &Aggregates, descending: &[u32], rng: &mut impl Rng) -> Vec<u32> {
    let (items, blocks) = (descending.len(), of.popularity_by_id.len());
    let mut supports = vec![0; items];
    let (exact, rest) = descending.split_at(of.supports.len());
    told(of).into_iter().zip(exact).for_each(|((_, id), &support)| supports[id] = support);
    let likeness = (f64::from(of.neighbours) / UNIT).clamp(-0.9, 0.9);
    let fresh = (1.0 - likeness * likeness).sqrt();
    let mut keys = Vec::with_capacity(items);
    let mut last = 0.0;
    for (block, &mean) in of.popularity_by_id.iter().enumerate() {
        let ids = block_of_ids(block, blocks, items);
        let mean = f64::from(mean) / UNIT;
        // Ranks within a block spread less the nearer its mean is to an end.
        let spread = if ids.len() > 1 { 0.45 * (mean * (1.0 - mean)).max(0.0).sqrt() } else { 0.0 };
        for id in ids {
            last = likeness * last + fresh * bell(rng);
            if supports[id] == 0 {
                keys.push((mean + spread * last, id));
            }
        }
    }
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for ((_, id), &support) in keys.into_iter().zip(rest) {
        supports[id] = support;
    }
    supports
}

/// The transactions that items are first in: between the measured numbers of items they come evenly.
fn first_rows(of: &Aggregates, transactions: usize) -> Vec<usize> {
    let mut first_rows = Vec::new();
    let (mut rows, mut items) = (0, 0);
    for (i, &grown) in of.growth.iter().enumerate() {
        let end = if i + 1 == of.growth.len() { of.transactions } else { 1 << i };
        for new in 0..grown - items {
            first_rows.push(scaled(rows + (end - rows) * new / (grown - items), transactions, of.transactions));
        }
        (rows, items) = (end, grown);
    }
    first_rows
}

/// The first and last period of each item: as many of each class of popularity as were measured, later ones at ids as
/// much larger as was measured.
fn periods(
    of: &Aggregates,
    supports: &[u32],
    first_rows: &[usize],
    period_starts: &[usize],
    rng: &mut impl Rng,
) -> Vec<(usize, usize)> {
    let mut periods = vec![(0, PERIODS - 1); supports.len()];
    for class in 0..CLASSES.len() {
        let ids: Vec<usize> = (0..supports.len()).filter(|&id| class_of(supports[id]) == class).collect();
        let slope = f64::from(of.later_ids[class]) / UNIT;
        let noise = (1.0 - slope * slope).max(0.0).sqrt();
        let place = |i: usize| (i as f64 / ids.len() as f64 - 0.5) * 12.0f64.sqrt();
        let mut keyed: Vec<(f64, usize)> =
            ids.iter().enumerate().map(|(i, &id)| (slope * place(i) + noise * bell(rng), id)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut first_seen = of.first_seen[class].clone();
        if !first_rows.is_empty() {
            // Then the order is that of the ids, and the numbers are those of the transactions.
            keyed.sort_by_key(|&(_, id)| id);
            first_seen.fill(0);
            for &id in &ids {
                let next = period_starts[1..PERIODS].partition_point(|&start| start <= first_rows[id]);
                first_seen[next] += 1;
            }
        }
        let spans = spans(&first_seen, &of.last_seen[class], rng);
        // Rounding may have moved an item to another class.
        for ((_, id), &span) in keyed.into_iter().zip(spans.iter().chain(std::iter::repeat(&(0, PERIODS - 1)))) {
            periods[id] = if supports[id] == 1 { (span.0, span.0) } else { span };
        }
    }
    periods
}

/// Pairs of a first and a last period with those totals, by the first.
fn spans(first: &[usize], last: &[usize], rng: &mut impl Rng) -> Vec<(usize, usize)> {
    let mut left = last.to_vec();
    let mut spans = Vec::new();
    // Those that begin last have the fewest ends to choose from.
    for (begin, &count) in first.iter().enumerate().rev() {
        for _ in 0..count {
            let open: usize = left[begin..].iter().sum();
            if open == 0 {
                spans.push((begin, PERIODS - 1));
                continue;
            }
            let mut at = rng.random_range(0..open as u64) as usize;
            let mut end = begin;
            while at >= left[end] {
                at -= left[end];
                end += 1;
            }
            left[end] -= 1;
            spans.push((begin, end));
        }
    }
    spans.reverse();
    spans
}
