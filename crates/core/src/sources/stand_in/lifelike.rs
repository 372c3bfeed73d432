//! Generator 3: transactions with the aggregate statistics of real ones.
//!
//! The outline says how long each transaction is and how often each item occurs. Every occurrence of an item is due at some
//! place, evenly over the periods in which the item is seen. A transaction takes what is due first, and then, one item
//! after the other, with the probabilities of the fit: an item of an earlier transaction of like length that shares an
//! item with it (so that sets of any size come again, and crawlers resemble crawlers); a companion of an item it has (a
//! fixed list for each item: its family of like popularity, ids near by, popular items; the first ones most often); or again what is due. Items taken
//! early fall out when they come due. So lengths and supports are met exactly, and only what goes together is drawn.
//!
//! The same description gives the same transactions on any machine: random numbers are ChaCha's, and floats are only
//! added, multiplied, divided, and rooted; powers are libm's.
//!
//! Cost. Linear in the occurrences but for sorting them by when they are due.

use super::aggregates::{Aggregates, Fit, UNIT};
use super::outline::Outline;
use super::{LifelikeParameters, ids};
use crate::data::{Item, Transactions, together};
use crate::lab::Seed;
use crate::lab::math::powf;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

/// Companions of an item.
const COMPANIONS: usize = 32;
/// How many less popular items the members of a family are looked for among.
const CANDIDATES: usize = 64;
/// How often, in thousandths, a companion is one of the first item.
const FIRST: u32 = 700;
/// Earlier transactions that are remembered of each item and class of lengths.
const REMEMBERED: usize = 4096;
/// Classes of lengths by powers of two: 1, 2 to 3, 4 to 7, …, 64 and more.
const SIZES: usize = 7;

pub(super) fn generate(parameters: &LifelikeParameters, of: &Aggregates) -> Result<Transactions, String> {
    let mut rng = Seed(parameters.seed).stream("lifelike", &(super::LIFELIKE, of, parameters.transactions));
    let outline = Outline::new(of, parameters.transactions, &mut rng)?;
    let mut filling = Filling::new(&outline, of, rng);
    for row in 0..outline.lengths.len() {
        filling.fill(row);
    }
    filling.settle();
    Ok(Transactions::from_parts(filling.offsets, filling.items, ids::labels(&of.ids, of.items)))
}

/// A share in thousandths as a bound for 32 random bits.
fn odds(thousandths: u32) -> u64 {
    (u64::from(thousandths.min(1000)) << 32) / 1000
}

struct Filling<'a> {
    outline: &'a Outline,
    fit: Fit,
    rng: ChaCha8Rng,
    /// Items by when they are due.
    due: Vec<Item>,
    at: usize,
    /// How many occurrences of an item were taken before they were due, and how many may be.
    ahead: Vec<u32>,
    may_be_ahead: Vec<u32>,
    /// How many occurrences of an item have not come due yet.
    coming: Vec<u32>,
    /// Came due when the transaction had it already.
    waiting: Vec<Item>,
    /// The last transaction an item was put into.
    last_row: Vec<u32>,
    companions: Vec<Item>,
    /// Bounds for 32 random bits: which companion.
    companion_odds: [u64; COMPANIONS],
    /// Earlier transactions of each item and class of lengths.
    remembered: Vec<Vec<u32>>,
    period: usize,
    /// The item that is to appear next, where ids go by first appearance.
    newcomer: usize,
    offsets: Vec<usize>,
    items: Vec<Item>,
}

impl<'a> Filling<'a> {
    fn new(outline: &'a Outline, of: &Aggregates, mut rng: ChaCha8Rng) -> Self {
        let items = outline.supports.len();
        let due = due(outline, &mut rng);
        let companions = companions(outline, of, &due, &mut rng);
        let may = |&support: &u32| 1 + (f64::from(of.fit.ahead) / UNIT * f64::from(support).sqrt()) as u32;
        Self {
            fit: of.fit,
            may_be_ahead: outline.supports.iter().map(may).collect(),
            coming: outline.supports.clone(),
            companion_odds: companion_odds(f64::from(of.fit.skew) / UNIT),
            offsets: vec![0],
            items: Vec::with_capacity(due.len()),
            at: 0,
            ahead: vec![0; items],
            waiting: Vec::new(),
            last_row: vec![u32::MAX; items],
            remembered: vec![Vec::new(); items * SIZES],
            period: 0,
            newcomer: 0,
            outline,
            rng,
            due,
            companions,
        }
    }

    fn chance(&mut self, odds: u64) -> bool {
        u64::from(self.rng.next_u32()) < odds
    }

    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.rng.next_u32()) * n as u64) >> 32) as usize
    }

    /// One of so many items from `start` on.
    fn item_of(&mut self, start: usize, count: usize) -> Item {
        let at = start + self.below(count);
        self.items[at]
    }

    /// An item of an earlier transaction, one that may be taken if there is any.
    fn item_like(&mut self, earlier: usize, row: usize) -> usize {
        let (from, to) = (self.offsets[earlier], self.offsets[earlier + 1]);
        let start = self.below(to - from);
        let item = |i: usize| self.items[from + (start + i) % (to - from)] as usize;
        (0..to - from).map(item).find(|&item| self.may_take(item, row)).unwrap_or_else(|| item(0))
    }

    fn fill(&mut self, row: usize) {
        while row >= self.outline.period_starts[self.period + 1] {
            self.period += 1;
        }
        let length = self.outline.lengths[row] as usize;
        let start = self.items.len();
        let size = (length.max(1).ilog2() as usize).min(SIZES - 1);
        let long = size as u32;
        let copy = odds((self.fit.copy_short * (6 - long) + self.fit.copy_long * long) / 6);
        let (stay, companion) = (odds(self.fit.stay), odds(self.fit.companion));
        self.introduce(row, length);
        let mut model = None;
        let mut patience = 4 * length + 20;
        while self.items.len() < start + length {
            let here = self.items.len() - start;
            let mut found = None;
            if here > 0 && patience > 0 {
                if self.chance(copy) {
                    if model.is_none() || !self.chance(stay) {
                        let item = self.item_of(start, here);
                        let earlier = item as usize * SIZES + size;
                        let count = self.remembered[earlier].len();
                        let at = self.below(count);
                        model = self.remembered[earlier].get(at).map(|&row| row as usize);
                    }
                    found = model.map(|earlier| self.item_like(earlier, row));
                } else if self.chance(companion) {
                    // Mostly of the first one: what a transaction is about.
                    let near_first = self.chance(odds(FIRST));
                    let item = self.item_of(start, if near_first { 1 } else { here }) as usize;
                    let bits = u64::from(self.rng.next_u32());
                    let rank = self.companion_odds.iter().position(|&bound| bits < bound).unwrap_or(0);
                    found = Some(self.companions[item * COMPANIONS + rank] as usize);
                }
                if let Some(item) = found {
                    if !self.may_take(item, row) {
                        patience -= 1;
                        continue;
                    }
                    self.ahead[item] += 1;
                }
            }
            let Some(item) = found.or_else(|| self.next_due(row)) else { break };
            self.last_row[item] = row as u32;
            self.items.push(item as Item);
        }
        self.offsets.push(self.items.len());
        if length > 1 {
            self.remember(start, row, size);
        }
    }

    /// Puts in the items that are to appear here first.
    fn introduce(&mut self, row: usize, length: usize) {
        let mut room = length;
        while room > 0 && self.outline.first_rows.get(self.newcomer).is_some_and(|&first| first <= row) {
            let item = self.newcomer;
            match self.waiting.iter().position(|&waiting| waiting as usize == item) {
                Some(at) => drop(self.waiting.swap_remove(at)),
                None => self.ahead[item] += 1,
            }
            self.last_row[item] = row as u32;
            self.items.push(item as Item);
            self.newcomer += 1;
            room -= 1;
        }
    }

    fn has_appeared(&self, item: usize) -> bool {
        self.outline.first_rows.is_empty() || item < self.newcomer
    }

    fn may_take(&self, item: usize, row: usize) -> bool {
        self.last_row[item] != row as u32
            && self.has_appeared(item)
            && self.ahead[item] < self.may_be_ahead[item]
            && self.ahead[item] < self.coming[item]
            && self.outline.periods[item].0 <= self.period
    }

    /// What is due and not yet in the transaction.
    fn next_due(&mut self, row: usize) -> Option<usize> {
        let fits = |&item: &Item| self.last_row[item as usize] != row as u32 && self.has_appeared(item as usize);
        if let Some(at) = self.waiting.iter().position(fits) {
            return Some(self.waiting.swap_remove(at) as usize);
        }
        while let Some(&item) = self.due.get(self.at) {
            self.at += 1;
            self.coming[item as usize] -= 1;
            if self.ahead[item as usize] > 0 {
                self.ahead[item as usize] -= 1;
            } else if self.last_row[item as usize] == row as u32 || !self.has_appeared(item as usize) {
                self.waiting.push(item);
            } else {
                return Some(item as usize);
            }
        }
        None
    }

    fn remember(&mut self, start: usize, row: usize, size: usize) {
        for at in start..self.items.len() {
            let list = self.items[at] as usize * SIZES + size;
            if self.remembered[list].len() < REMEMBERED {
                self.remembered[list].push(row as u32);
            } else {
                let place = self.below(REMEMBERED);
                self.remembered[list][place] = row as u32;
            }
        }
    }

    /// What waits at the end belongs into earlier transactions, whose items fill the last ones.
    fn settle(&mut self) {
        let wanted = |row: usize| self.outline.lengths[row] as usize;
        let short: Vec<usize> = (0..self.outline.lengths.len())
            .filter(|&row| self.offsets[row + 1] - self.offsets[row] < wanted(row))
            .collect();
        if short.is_empty() {
            return;
        }
        let mut rows: Vec<Vec<Item>> =
            self.offsets.windows(2).map(|ends| self.items[ends[0]..ends[1]].to_vec()).collect();
        for row in short {
            // Chains of exchanges are short; the bound is for data that has hardly any freedom.
            let mut patience = 10_000;
            while rows[row].len() < self.outline.lengths[row] as usize
                && patience > 0
                && let Some(item) = self.waiting.pop()
            {
                patience -= 1;
                if !rows[row].contains(&item) {
                    rows[row].push(item);
                    continue;
                }
                let start = self.below(rows.len());
                let others = || (0..rows.len()).map(|i| (start + i) % rows.len()).filter(|&i| !rows[i].contains(&item));
                let direct = others().find_map(|other| {
                    let place = rows[other].iter().position(|given| !rows[row].contains(given))?;
                    Some((other, place))
                });
                let any = others().find(|&other| !rows[other].is_empty());
                if let Some((other, place)) = direct {
                    let given = std::mem::replace(&mut rows[other][place], item);
                    rows[row].push(given);
                } else if let Some(other) = any {
                    // What it gives waits instead, and may fit elsewhere.
                    let place = self.below(rows[other].len());
                    let given = std::mem::replace(&mut rows[other][place], item);
                    self.waiting.push(given);
                }
            }
        }
        self.items = rows.concat();
        self.offsets = vec![0];
        self.offsets.extend(rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        }));
    }
}

/// Every occurrence of every item, by when it is due: the first in its first period, the last in its last one, the others
/// evenly between.
fn due(outline: &Outline, rng: &mut impl Rng) -> Vec<Item> {
    let mut ends = vec![0u64];
    for starts in outline.period_starts.windows(2) {
        let here: u64 = outline.lengths[starts[0]..starts[1]].iter().map(|&length| u64::from(length)).sum();
        ends.push(ends[ends.len() - 1] + here);
    }
    let mut row_starts = vec![0u64];
    if !outline.first_rows.is_empty() {
        row_starts.extend(outline.lengths.iter().scan(0u64, |end, &length| {
            *end += u64::from(length);
            Some(*end)
        }));
    }
    let mut within = |from: u64, to: u64| from + ((u64::from(rng.next_u32()) * (to - from)) >> 32);
    let mut due = Vec::with_capacity(ends[ends.len() - 1] as usize);
    for (item, (&support, &(first, last))) in outline.supports.iter().zip(&outline.periods).enumerate() {
        let (mut begin, end, support) = (ends[first], ends[last + 1], u64::from(support));
        if let Some(&row) = outline.first_rows.get(item) {
            begin = row_starts[row];
        }
        for i in 0..support {
            let place = match i {
                0 if support > 1 => within(begin, ends[first + 1]),
                _ if i + 1 == support && i > 0 => within(ends[last], end),
                _ => {
                    let at = |i: u64| begin + (u128::from(end - begin) * u128::from(i) / u128::from(support)) as u64;
                    within(at(i), at(i + 1))
                }
            };
            due.push(place << 32 | item as u64);
        }
    }
    due.sort_unstable();
    due.into_iter().map(|due| due as Item).collect()
}

/// The companions of every item, the most important first: its family, then neighbours by id and popular items.
fn companions(outline: &Outline, of: &Aggregates, due: &[Item], rng: &mut impl Rng) -> Vec<Item> {
    let items = outline.supports.len();
    let nearness = nearness(of);
    let near = odds(of.fit.near);
    let families = families(outline, of.fit, rng);
    let mut companions = Vec::with_capacity(items * COMPANIONS);
    for (item, family) in families.into_iter().enumerate() {
        companions.extend(family.iter().copied().take(COMPANIONS));
        while companions.len() < (item + 1) * COMPANIONS {
            let by_id = u64::from(rng.next_u32()) < near;
            let mut best: Option<(usize, u32)> = None;
            // The most popular of three neighbours; the first popular item that is there at the same time.
            for _ in 0..3 {
                let other = if by_id {
                    neighbour(item, items, &nearness, rng)
                } else {
                    Some(due[((u64::from(rng.next_u32()) * due.len() as u64) >> 32) as usize] as usize)
                };
                let Some(other) = other.filter(|&other| other != item) else { continue };
                let worth = if outline.meet(item, other) { outline.supports[other] } else { 0 };
                if best.is_none_or(|(_, most)| if by_id { worth > most } else { most == 0 }) {
                    best = Some((other, worth));
                }
            }
            companions.push(best.map_or(item, |(other, _)| other) as Item);
        }
    }
    companions
}

/// Small groups of items of like popularity that are there at the same time, often near by id: what each item has beside
/// it. Sets of popular items that occur together again and again come from them.
fn families(outline: &Outline, fit: Fit, rng: &mut impl Rng) -> Vec<Vec<Item>> {
    let (items, near) = (outline.supports.len(), odds(fit.near));
    let mut by_popularity: Vec<usize> = (0..items).collect();
    by_popularity.sort_by_key(|&item| std::cmp::Reverse(outline.supports[item]));
    let mut families: Vec<Vec<Item>> = vec![Vec::new(); items];
    let mut taken = vec![false; items];
    for at in 0..items {
        let first = by_popularity[at];
        if taken[first] {
            continue;
        }
        taken[first] = true;
        let mut family = vec![first];
        let size = rng.random_range(2..=fit.family.max(2)) as usize;
        while family.len() < size {
            let free = |item: &&usize| !taken[**item] && outline.meet(first, **item);
            let candidates: Vec<usize> =
                by_popularity[at + 1..].iter().take(CANDIDATES).filter(free).copied().collect();
            let Some(last) = candidates.len().checked_sub(1) else { break };
            let chosen = if u64::from(rng.next_u32()) < near {
                candidates.iter().copied().min_by_key(|&item| item.abs_diff(first))
            } else {
                candidates.get(rng.random_range(0..=last as u32) as usize).copied()
            };
            let Some(chosen) = chosen else { break };
            taken[chosen] = true;
            family.push(chosen);
        }
        for &item in &family {
            families[item] = family.iter().filter(|&&other| other != item).map(|&other| other as Item).collect();
        }
    }
    families
}

/// Bounds for 32 random bits: how far apart in powers of two, by what pairs have beyond independence.
fn nearness(of: &Aggregates) -> Vec<u64> {
    let excess = |&lift: &u32| u64::from(lift.saturating_sub(UNIT as u32));
    // Independence has twice as many pairs in each class as in the one before.
    let weights: Vec<u64> = of.lift_by_distance.iter().enumerate().map(|(i, lift)| excess(lift) << i.min(20)).collect();
    let total: u64 = weights.iter().sum();
    let mut sum = 0;
    let bound = |weight: &u64| {
        sum += weight;
        ((u128::from(sum) << 32) / u128::from(total.max(1))) as u64
    };
    if total == 0 { vec![1 << 32] } else { weights.iter().map(bound).collect() }
}

fn neighbour(item: usize, items: usize, nearness: &[u64], rng: &mut impl Rng) -> Option<usize> {
    let bits = u64::from(rng.next_u32());
    let class = nearness.iter().position(|&bound| bits < bound).unwrap_or(0);
    let distance = (1 << class) + rng.random_range(0..1u32 << class) as usize;
    let other = if rng.next_u32() & 1 == 0 { item.checked_sub(distance) } else { item.checked_add(distance) };
    other.filter(|&other| other < items)
}

fn companion_odds(skew: f64) -> [u64; COMPANIONS] {
    let weights: Vec<f64> = (1..=COMPANIONS).map(|rank| 1.0 / powf(rank as f64, skew)).collect();
    let total: f64 = weights.iter().sum();
    let mut sum = 0.0;
    std::array::from_fn(|rank| {
        sum += weights[rank];
        (sum / total * (1u64 << 32) as f64) as u64
    })
}

/// How far generated transactions are from the statistics: squares of the logarithms of quotients, of pairs and triples by
/// how often they occur and of lifts of near ids.
pub(super) fn distance(of: &Aggregates, made: &Transactions) -> f64 {
    use crate::lab::math::ln;
    let found = together(made, Some(of.triple_pairs));
    let apart = |a: f64, b: f64| {
        let quotient = ln((a + 1.0) / (b + 1.0));
        quotient * quotient
    };
    let counts = |wanted: &[usize], found: &[usize]| -> f64 {
        let told = wanted.iter().zip(found).filter(|(wanted, _)| **wanted >= 20);
        told.map(|(&wanted, &found)| apart(wanted as f64, found as f64)).sum()
    };
    let lifts = of.lift_by_distance.iter().zip(&found.by_distance).take(6).map(|(&wanted, &(share, expected))| {
        if expected > 0.0 { apart(f64::from(wanted), share / expected * UNIT) } else { 0.0 }
    });
    counts(&of.pairs, &found.pairs) + 0.5 * counts(&of.triples, &found.triples) + 0.3 * lifts.sum::<f64>()
}
