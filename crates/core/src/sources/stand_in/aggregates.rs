//! The aggregate statistics a lifelike stand-in is generated from: some thousand whole numbers a data set, in
//! `datasets/statistics/`. None of them tells what a transaction holds; of an item they tell its number in the public file
//! and how often it occurs, since draws of private items, orders and reductions go by that number.
//!
//! Time is cut into ten equal parts of the transactions, because real data drifts: new items come, lengths change.

use crate::sources::BasketStatistics;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Parts that the transactions are cut into, in their order.
pub(super) const PERIODS: usize = 10;
/// Supports from which on an item belongs to the next class of popularity.
pub(super) const CLASSES: [u32; 3] = [1, 20, 200];
/// Whole numbers stand for shares of this.
pub(super) const UNIT: f64 = 1000.0;

/// Counts of real transactions that a stand-in is generated from. None of them names a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregates {
    /// Transactions.
    pub transactions: usize,
    /// Different items.
    pub items: usize,
    /// Items in the longest transaction.
    pub longest: usize,
    /// Items of all transactions together.
    pub occurrences: usize,
    /// For each period: how many transactions there are of each class of lengths (`length_classes`).
    pub lengths: Vec<Vec<usize>>,
    /// For each period: the items in the transactions of each class of lengths together.
    pub length_sums: Vec<Vec<usize>>,
    /// The items' ids where they are numbers (`ids`): differences, each with how many successive ids have it.
    pub ids: Vec<(u64, u32)>,
    /// The items whose supports are told, by their places among the ids; none where all are.
    pub popular: Vec<usize>,
    /// Supports by id.
    pub supports: Vec<u32>,
    /// Where not all supports are told: how many items have at least the support of each step (`support_steps`).
    pub items_of_support: Vec<usize>,
    /// The same: the mean rank of support in successive blocks of items by id, in thousandths; the most popular item is
    /// near 1000.
    pub popularity_by_id: Vec<u32>,
    /// The same: the correlation of neighbours' ranks beyond that, in thousandths.
    pub neighbours: i32,
    /// Where ids are given in the order of first appearance: how many items the first 1, 2, 4, … transactions have.
    pub growth: Vec<usize>,
    /// For each class of popularity: how many of its items are first seen in each period.
    pub first_seen: Vec<Vec<usize>>,
    /// For each class of popularity: how many of its items are last seen in each period.
    pub last_seen: Vec<Vec<usize>>,
    /// For each class of popularity: the correlation of the id and the period of first sight, in thousandths.
    pub later_ids: Vec<i32>,
    /// Pairs by the distance of their ids (1, 2 to 3, 4 to 7, …): how much more often they occur than independence has it,
    /// in thousandths.
    pub lift_by_distance: Vec<u32>,
    /// How many pairs occur at least as often as each of [`THRESHOLDS`](crate::data::THRESHOLDS).
    pub pairs: Vec<usize>,
    /// How many triples of such pairs as occur at least `triple_pairs` times occur at least as often as each of them.
    pub triples: Vec<usize>,
    /// Pairs of the frequent items among which triples were counted.
    pub triple_pairs: u32,
    /// The generator's settings that come nearest to these numbers.
    pub fit: Fit,
}

/// How a transaction gets its next item, in thousandths: as an earlier one has it, as a companion of an item it has, or
/// whatever is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// How often short transactions copy an item of an earlier one.
    pub copy_short: u32,
    /// How often those of 64 items and more do.
    pub copy_long: u32,
    /// How often the next copy is from the same transaction as the last.
    pub stay: u32,
    /// How often what is not copied is a companion of an item that is there.
    pub companion: u32,
    /// How many companions are near by id, rather than popular.
    pub near: u32,
    /// How fast companions lose importance: the exponent of Zipf's law.
    pub skew: u32,
    /// How far an item may run ahead of its schedule, in square roots of its support.
    pub ahead: u32,
    /// How many items the largest families of companions have; not in thousandths.
    pub family: u32,
}

impl Default for Fit {
    fn default() -> Self {
        Self {
            copy_short: 80,
            copy_long: 300,
            stay: 900,
            companion: 900,
            near: 700,
            skew: 1200,
            ahead: 6000,
            family: 8,
        }
    }
}

/// The lower ends of the classes of lengths: one by one to 8, then in steps of three tenths.
pub(super) fn length_classes(longest: usize) -> Vec<usize> {
    steps(8, |length| (length * 13 / 10).max(length + 1), longest)
}

/// Supports at which items are counted: one by one to 16, then in steps of a seventh.
pub(super) fn support_steps(largest: usize) -> Vec<usize> {
    steps(16, |support| (support * 8 / 7).max(support + 1), largest)
}

fn steps(one_by_one: usize, next: impl Fn(usize) -> usize, largest: usize) -> Vec<usize> {
    let mut steps: Vec<usize> = (1..=one_by_one.min(largest)).collect();
    while let Some(&last) = steps.last()
        && last >= one_by_one
        && next(last) <= largest
    {
        steps.push(next(last));
    }
    steps
}

/// The class of popularity of an item.
pub(super) fn class_of(support: u32) -> usize {
    CLASSES.iter().rposition(|&from| from <= support).unwrap_or(0)
}

/// The period of a transaction.
pub(super) fn period_of(transaction: usize, transactions: usize) -> usize {
    transaction * PERIODS / transactions
}

impl Aggregates {
    /// The sizes that papers print.
    pub fn sizes(&self) -> BasketStatistics {
        let Self { transactions, items, longest, occurrences, .. } = *self;
        BasketStatistics { transactions, items, longest, mean: occurrences as f64 / transactions.max(1) as f64 }
    }

    /// The text of a file in `datasets/statistics/`: JSON with one line a statistic.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).expect("whole numbers always serialize");
        let lines: Vec<String> =
            value.as_object().into_iter().flatten().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    /// The same but for the fit.
    pub fn measured_alike(&self, other: &Self) -> bool {
        Self { fit: other.fit, ..self.clone() } == *other
    }
}

/// Names as in specs, `.` before a part.
const FILES: [(&str, &str); 7] = [
    ("bms-webview-1", include_str!("../../../datasets/statistics/bms-webview-1.json")),
    ("bms-webview-2", include_str!("../../../datasets/statistics/bms-webview-2.json")),
    ("bms-pos.a", include_str!("../../../datasets/statistics/bms-pos.a.json")),
    ("bms-pos", include_str!("../../../datasets/statistics/bms-pos.json")),
    ("retail", include_str!("../../../datasets/statistics/retail.json")),
    ("t10i4d100k", include_str!("../../../datasets/statistics/t10i4d100k.json")),
    ("mushroom", include_str!("../../../datasets/statistics/mushroom.json")),
];

// By way of a JSON value, as parameters are read: one reader less to compile.
static EMBEDDED: LazyLock<Vec<(&'static str, Aggregates)>> = LazyLock::new(|| {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text);
    let read = |text: &str| value(text).and_then(serde_json::from_value).expect("a test reads them all");
    FILES.iter().map(|&(name, text)| (name, read(text))).collect()
});

/// The statistics of a data set, or of one part of it.
pub fn aggregates(name: &str, part: Option<&str>) -> Option<&'static Aggregates> {
    let key = part.map_or_else(|| name.to_string(), |part| format!("{name}.{part}"));
    EMBEDDED.iter().find(|(name, _)| *name == key).map(|(_, aggregates)| aggregates)
}

/// Every data set and part with statistics.
pub fn all_aggregates() -> impl Iterator<Item = (&'static str, &'static Aggregates)> {
    EMBEDDED.iter().map(|(name, aggregates)| (*name, aggregates))
}
