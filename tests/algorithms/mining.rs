//! The miner beside definitions taken literally: every itemset whose rows, listed one by one, are enough.

use anonlab::data::{Item, Transactions};
use anonlab::mining::{count, mine, mine_maximal};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Itemsets with the rows that hold them.
type Found = BTreeMap<Vec<Item>, Vec<usize>>;

/// Every non-empty itemset of at most `max_len` items with at least `min_support` rows.
fn literal(transactions: &Transactions, min_support: usize, max_len: usize) -> Found {
    let rows_of = |item: Item| (0..transactions.len()).filter(move |&row| transactions.row(row).contains(&item));
    let singles: Vec<(Item, Vec<usize>)> =
        (0..transactions.items() as Item).map(|item| (item, rows_of(item).collect())).collect();
    let mut found = Found::new();
    let mut open: Vec<(Vec<Item>, Vec<usize>)> = vec![(Vec::new(), (0..transactions.len()).collect())];
    while let Some((itemset, rows)) = open.pop() {
        for (item, holding) in singles.iter().filter(|(item, _)| itemset.last().is_none_or(|last| item > last)) {
            let rows: Vec<usize> = rows.iter().copied().filter(|row| holding.binary_search(row).is_ok()).collect();
            if itemset.len() < max_len && rows.len() >= min_support {
                let larger: Vec<Item> = itemset.iter().copied().chain([*item]).collect();
                found.insert(larger.clone(), rows.clone());
                open.push((larger, rows));
            }
        }
    }
    found
}

/// The itemset without one of its items, for each of them.
fn parts(itemset: &[Item]) -> impl Iterator<Item = Vec<Item>> {
    (0..itemset.len())
        .map(|left_out| itemset.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, &item)| item).collect())
}

fn supports(found: &Found) -> Vec<(Vec<Item>, u32)> {
    found.iter().map(|(itemset, rows)| (itemset.clone(), rows.len() as u32)).collect()
}

fn visited(data: &Transactions, min_support: u32, max_len: Option<usize>) -> Vec<(Vec<Item>, u32)> {
    let mut found = Vec::new();
    mine(data, min_support, max_len, &mut |itemset, support| found.push((itemset.to_vec(), support)));
    found.sort_unstable();
    found
}

fn transactions(items: usize, rows: &[Vec<Item>]) -> Transactions {
    let mut transactions = Transactions::with_labels((0..items).map(|item| item.to_string()).collect());
    rows.iter().for_each(|row| transactions.push(row.iter().copied()));
    transactions
}

/// Few items, in rows of any density.
fn small() -> impl Strategy<Value = Transactions> {
    (1usize..=10, 1u32..=9).prop_flat_map(|(items, tenths)| {
        let row = prop::collection::vec(prop::bool::weighted(f64::from(tenths) / 10.0), items)
            .prop_map(|bits| (0..).zip(bits).filter(|(_, bit)| *bit).map(|(item, _)| item).collect::<Vec<Item>>());
        prop::collection::vec(row, 0..=24).prop_map(move |rows| transactions(items, &rows))
    })
}

/// More items than a mask has bits, most of them beside one that is in all rows.
fn wide() -> impl Strategy<Value = Transactions> {
    let row = prop::collection::btree_set(1u32..140, 0..24);
    prop::collection::vec(row, 30..=60).prop_map(|rows| {
        let rows: Vec<Vec<Item>> = rows.into_iter().map(|row| row.into_iter().chain([0]).collect()).collect();
        transactions(140, &rows)
    })
}

fn max_len() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![Just(None), (0usize..5).prop_map(Some)]
}

fn check_frequent(data: &Transactions, min_support: u32, max_len: Option<usize>) -> Result<(), TestCaseError> {
    let expected = literal(data, min_support.max(1) as usize, max_len.unwrap_or(usize::MAX));
    prop_assert_eq!(visited(data, min_support, max_len), supports(&expected));
    let mut sizes: Vec<BigUint> = Vec::new();
    for itemset in expected.keys() {
        sizes.resize(sizes.len().max(itemset.len() + 1), BigUint::ZERO);
        sizes[itemset.len()] += 1u32;
    }
    prop_assert_eq!(count(data, min_support, max_len), sizes);
    Ok(())
}

fn check_maximal(data: &Transactions, min_support: u32, max_len: Option<usize>) -> Result<(), TestCaseError> {
    let all = literal(data, min_support.max(1) as usize, max_len.unwrap_or(usize::MAX));
    let inside: BTreeSet<Vec<Item>> = all.keys().flat_map(|itemset| parts(itemset)).collect();
    let expected: Vec<_> = supports(&all).into_iter().filter(|(itemset, _)| !inside.contains(itemset)).collect();
    prop_assert_eq!(mine_maximal(data, min_support, max_len), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frequent_itemsets_are_found_once(data in small(), min_support in 0u32..12, max_len in max_len()) {
        check_frequent(&data, min_support, max_len)?;
    }

    #[test]
    fn maximal_itemsets_are_in_no_other(data in small(), min_support in 0u32..12, max_len in max_len()) {
        check_maximal(&data, min_support, max_len)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn more_items_than_a_mask_has_bits(data in wide(), min_support in 4u32..9) {
        check_frequent(&data, min_support, None)?;
        check_frequent(&data, min_support, Some(2))?;
        check_maximal(&data, min_support, None)?;
    }
}

/// Counters of 16 bits do not hold these supports.
#[test]
fn supports_above_sixteen_bits() {
    let patterns: [&[Item]; 5] = [&[0, 1, 2, 3], &[0, 2, 3, 4, 5], &[1, 2, 3, 4], &[0, 1, 4, 5], &[2, 5]];
    let rows: Vec<Vec<Item>> = (0..100_000).map(|i| patterns[i % 7 % 5].to_vec()).collect();
    let data = transactions(6, &rows);
    for min_support in [14_000, 30_000, 50_000] {
        check_frequent(&data, min_support, None).unwrap();
        check_maximal(&data, min_support, None).unwrap();
    }
}
