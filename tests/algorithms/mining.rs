//! The miner beside definitions taken literally: every itemset whose rows, listed one by one, are enough.

use anonlab::data::{Column, Dataset, HierarchyBuilder, Item, Table, Transactions};
use anonlab::mining::{
    Itemized, RuleThresholds, TableItems, Values, association_rules, count, mine, mine_closed, mine_maximal,
    mine_minimal_infrequent, mine_with_classes,
};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Itemsets with the rows that hold them.
type Found = BTreeMap<Vec<Item>, Vec<usize>>;

/// Every non-empty itemset of at most `max_len` items, not two of a group, with at least `min_support` rows.
fn literal(data: &impl Itemized, min_support: usize, max_len: usize) -> Found {
    let transactions = data.transactions();
    let rows_of = |item: Item| (0..transactions.len()).filter(move |&row| transactions.row(row).contains(&item));
    let singles: Vec<(Item, Vec<usize>)> =
        (0..transactions.items() as Item).map(|item| (item, rows_of(item).collect())).collect();
    let mut found = Found::new();
    let mut open: Vec<(Vec<Item>, Vec<usize>)> = vec![(Vec::new(), (0..transactions.len()).collect())];
    while let Some((itemset, rows)) = open.pop() {
        for (item, holding) in singles.iter().filter(|(item, _)| itemset.last().is_none_or(|last| item > last)) {
            let alike = |other: &Item| data.groups().is_some_and(|g| g[*other as usize] == g[*item as usize]);
            let rows: Vec<usize> = rows.iter().copied().filter(|row| holding.binary_search(row).is_ok()).collect();
            if itemset.len() < max_len && rows.len() >= min_support && !itemset.iter().any(alike) {
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

fn visited(data: &impl Itemized, min_support: u32, max_len: Option<usize>) -> Vec<(Vec<Item>, u32)> {
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

/// Items in groups, so that some rows hold two of one.
#[derive(Debug)]
struct Grouped {
    transactions: Transactions,
    groups: Vec<u32>,
}

impl Itemized for Grouped {
    fn transactions(&self) -> &Transactions {
        &self.transactions
    }

    fn groups(&self) -> Option<&[u32]> {
        Some(&self.groups)
    }
}

fn grouped() -> impl Strategy<Value = Grouped> {
    (small(), prop::collection::vec(0u32..4, 10)).prop_map(|(transactions, groups)| Grouped { transactions, groups })
}

fn check_frequent(data: &impl Itemized, min_support: u32, max_len: Option<usize>) -> Result<(), TestCaseError> {
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

fn check_classes(
    data: &impl Itemized,
    class_of: &[u32],
    min_support: u32,
    max_len: Option<usize>,
) -> Result<(), TestCaseError> {
    let mut found = BTreeMap::new();
    mine_with_classes(data, class_of, 3, min_support, max_len, &mut |itemset, support, counts| {
        assert_eq!(counts.iter().sum::<u32>(), support, "{itemset:?}");
        assert!(found.insert(itemset.to_vec(), counts.to_vec()).is_none(), "{itemset:?} twice");
    });
    let expected: BTreeMap<Vec<Item>, Vec<u32>> =
        literal(data, min_support.max(1) as usize, max_len.unwrap_or(usize::MAX))
            .into_iter()
            .map(|(itemset, rows)| {
                let in_class = |class| rows.iter().filter(|&&row| class_of[row] == class).count() as u32;
                (itemset, (0..3).map(in_class).collect())
            })
            .collect();
    prop_assert_eq!(found, expected);
    Ok(())
}

fn check_maximal(data: &impl Itemized, min_support: u32, max_len: Option<usize>) -> Result<(), TestCaseError> {
    let all = literal(data, min_support.max(1) as usize, max_len.unwrap_or(usize::MAX));
    let inside: BTreeSet<Vec<Item>> = all.keys().flat_map(|itemset| parts(itemset)).collect();
    let expected: Vec<_> = supports(&all).into_iter().filter(|(itemset, _)| !inside.contains(itemset)).collect();
    prop_assert_eq!(mine_maximal(data, min_support, max_len), expected);
    Ok(())
}

fn check_closed(data: &Transactions, min_support: u32) -> Result<(), TestCaseError> {
    let all = literal(data, min_support.max(1) as usize, usize::MAX);
    let inside: BTreeSet<(Vec<Item>, u32)> =
        all.iter().flat_map(|(itemset, rows)| parts(itemset).map(|part| (part, rows.len() as u32))).collect();
    let expected: Vec<_> = supports(&all).into_iter().filter(|itemset| !inside.contains(itemset)).collect();
    let mut found = Vec::new();
    mine_closed(data, min_support, &mut |itemset, support| found.push((itemset.to_vec(), support)));
    found.sort_unstable();
    prop_assert_eq!(found, expected);
    Ok(())
}

fn check_minimal(
    data: &impl Itemized,
    min_support: u32,
    max_len: Option<usize>,
    least: u32,
) -> Result<(), TestCaseError> {
    let all = literal(data, 0, max_len.unwrap_or(usize::MAX));
    let frequent = |itemset: &Vec<Item>| itemset.is_empty() || all[itemset].len() as u32 >= min_support;
    let expected: Vec<_> = supports(&all)
        .into_iter()
        .filter(|(itemset, support)| !frequent(itemset) && *support >= least && parts(itemset).all(|p| frequent(&p)))
        .collect();
    prop_assert_eq!(mine_minimal_infrequent(data, min_support, max_len, least), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn frequent_itemsets_are_found_once(data in small(), min_support in 0u32..12, max_len in max_len()) {
        check_frequent(&data, min_support, max_len)?;
    }

    #[test]
    fn no_itemset_has_two_items_of_a_group(data in grouped(), min_support in 0u32..12, max_len in max_len()) {
        check_frequent(&data, min_support, max_len)?;
        let class_of: Vec<u32> = (0..data.transactions.len()).map(|row| row as u32 % 3).collect();
        check_classes(&data, &class_of, min_support, max_len)?;
        check_maximal(&data, min_support, max_len)?;
        check_minimal(&data, min_support, max_len, 0)?;
    }

    #[test]
    fn class_counts_are_those_of_the_rows(
        data in small(), classes in prop::collection::vec(0u32..3, 24), min_support in 0u32..12, max_len in max_len(),
    ) {
        check_classes(&data, &classes[..data.len()], min_support, max_len)?;
    }

    #[test]
    fn maximal_itemsets_are_in_no_other(data in small(), min_support in 0u32..12, max_len in max_len()) {
        check_maximal(&data, min_support, max_len)?;
    }

    #[test]
    fn closed_itemsets_are_in_no_other_of_their_support(data in small(), min_support in 0u32..12) {
        check_closed(&data, min_support)?;
    }

    #[test]
    fn minimal_infrequent_itemsets_have_frequent_parts(
        data in small(), min_support in 0u32..12, max_len in max_len(), least in 0u32..3,
    ) {
        check_minimal(&data, min_support, max_len, least)?;
    }

    #[test]
    fn rules_reach_their_thresholds(
        data in small(), min_support in 0u32..8, min_confidence in 0.0..1.0f64, min_conviction in 0.0..3.0f64,
        max_antecedent in prop_oneof![Just(None), (1usize..4).prop_map(Some)], max_consequent in 1usize..4,
    ) {
        let thresholds = RuleThresholds { min_support, min_confidence, min_conviction, max_antecedent, max_consequent };
        let all = literal(&data, min_support.max(1) as usize, usize::MAX);
        let rows = data.len() as f64;
        let mut expected = Vec::new();
        for (x, x_rows) in &all {
            for (y, y_rows) in &all {
                let both: Vec<Item> = x.iter().chain(y).copied().collect::<BTreeSet<_>>().into_iter().collect();
                let Some(together) = all.get(&both) else { continue };
                let fits = x.len() <= max_antecedent.unwrap_or(usize::MAX) && y.len() <= max_consequent;
                if x.iter().any(|item| y.contains(item)) || !fits {
                    continue;
                }
                let confidence = together.len() as f64 / x_rows.len() as f64;
                let failing = x_rows.len() - together.len();
                let conviction = if failing == 0 {
                    f64::INFINITY
                } else {
                    (x_rows.len() as f64 / rows) * (1.0 - y_rows.len() as f64 / rows) / (failing as f64 / rows)
                };
                // Random thresholds are never within rounding of a ratio of small numbers, but these may be.
                if confidence >= min_confidence && conviction >= min_conviction {
                    expected.push((x.clone(), y.clone(), together.len() as u32));
                }
            }
        }
        expected.sort_unstable();
        let found: Vec<_> = association_rules(&data, &thresholds)
            .into_iter()
            .map(|rule| (rule.antecedent, rule.consequent, rule.support))
            .collect();
        prop_assert_eq!(found, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn more_items_than_a_mask_has_bits(data in wide(), min_support in 4u32..9) {
        check_frequent(&data, min_support, None)?;
        check_frequent(&data, min_support, Some(2))?;
        let class_of: Vec<u32> = (0..data.len()).map(|row| row as u32 / 3 % 3).collect();
        check_classes(&data, &class_of, min_support, None)?;
        check_maximal(&data, min_support, None)?;
        check_closed(&data, min_support)?;
        check_minimal(&data, min_support, Some(2), 1)?;
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
        check_closed(&data, min_support).unwrap();
    }
}

#[test]
fn a_table_has_one_item_of_an_attribute_in_an_itemset() {
    let table = Table::new(vec![
        Column::encode("age", &["20", "25", "30", "35", "30", "20"]),
        Column::encode("sex", &["F", "M", "M", "M", "F", "F"]),
        Column::encode("disease", &["flu", "flu", "cold", "cold", "flu", "cold"]),
    ]);
    let mut ages = HierarchyBuilder::new(["20", "25", "30", "35"].map(String::from).to_vec());
    let (twenties, thirties) = (ages.group("20s", &[0, 1]), ages.group("30s", &[2, 3]));
    ages.group("*", &[twenties, thirties]);
    let mut sexes = HierarchyBuilder::new(["F", "M"].map(String::from).to_vec());
    sexes.group("*", &[0, 1]);
    let dataset = Dataset::of_table(table, &["age", "sex"], "disease").unwrap();
    let mut microdata = dataset.microdata().unwrap().clone();
    microdata.hierarchies = vec![Some(ages.finish().unwrap()), Some(sexes.finish().unwrap())];
    let items = TableItems::new(&microdata, Values::Generalized).unwrap();
    let mut found = Vec::new();
    mine_with_classes(&items, microdata.sensitive_codes(), 2, 2, None, &mut |itemset, support, classes| {
        let labels: Vec<&str> =
            itemset.iter().map(|&item| items.transactions().labels[item as usize].as_str()).collect();
        found.push((labels.join(" "), support, classes.to_vec()));
    });
    found.sort();
    let found: Vec<String> = found.into_iter().map(|(name, support, c)| format!("{name}: {support} {c:?}")).collect();
    assert_eq!(
        found,
        [
            "age=20: 2 [1, 1]",
            "age=20 sex=F: 2 [1, 1]",
            "age=20s: 3 [1, 2]",
            "age=20s sex=F: 2 [1, 1]",
            "age=30: 2 [1, 1]",
            "age=30s: 3 [2, 1]",
            "age=30s sex=M: 2 [2, 0]",
            "sex=F: 3 [1, 2]",
            "sex=M: 3 [2, 1]",
        ]
    );
    let leaves = TableItems::new(&microdata, Values::Leaves).unwrap();
    assert_eq!(leaves.transactions().occurrences(), 12);
}
