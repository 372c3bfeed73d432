//! Witnesses are what they say: each is checked again literally, on random data, and nothing smaller would do.

use anonlab::data::{Dataset, HierarchyBuilder, Item, Table, Transactions};
use anonlab::lab::{Seed, Witness, Workbench};
use anonlab::measures::measure;
use anonlab::release::{
    Buckets, Cut, GeneralizedTransactions, Guarantee, PrivacyVerdict, Release, SuppressedTransactions, verify,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn measured(name: &str, dataset: &Dataset, release: &Release, given: &Value) -> Option<Vec<Witness>> {
    let audit = measure(name).unwrap();
    let complete = audit.complete(given.as_object().unwrap()).unwrap();
    let mut bench = Workbench::new(Seed(1), "test").wanting_witnesses(true);
    audit.measure(dataset, Some(release), &complete, &mut bench).ok()?;
    Some(bench.witnesses().to_vec())
}

fn baskets(rows: &[BTreeSet<u32>], items: u32) -> Transactions {
    let mut transactions = Transactions::with_labels((0..items).map(|item| format!("i{item}")).collect());
    rows.iter().for_each(|row| transactions.push(row.iter().copied()));
    transactions
}

/// The items of a witness by their numbers.
fn numbers(witness: &Witness) -> Vec<Item> {
    witness.itemset.iter().flatten().map(|name| name[1..].parse().unwrap()).collect()
}

fn with_all(rows: &[BTreeSet<u32>], set: &[Item]) -> Vec<u64> {
    (1..).zip(rows).filter(|(_, row)| set.iter().all(|item| row.contains(item))).map(|(number, _)| number).collect()
}

/// Every proper part of a set.
fn parts(set: &[Item]) -> Vec<Vec<Item>> {
    let part = |bits: u32| set.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1).map(|(_, &item)| item);
    (0..(1u32 << set.len()) - 1).map(|bits| part(bits).collect()).collect()
}

fn rows(items: u32) -> impl Strategy<Value = Vec<BTreeSet<u32>>> {
    prop::collection::vec(prop::collection::btree_set(0..items, 1..5), 1..12)
}

proptest! {
    #[test]
    fn violated_itemsets_are_in_too_few_transactions_and_no_part_is(rows in rows(6), k in 2usize..4, m in 1usize..4) {
        let transactions = baskets(&rows, 6);
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let halves = [builder.group("L", &[0, 1, 2]), builder.group("R", &[3, 4, 5])];
        builder.group("ALL", &halves);
        let hierarchy = builder.finish().unwrap();
        let bottom = GeneralizedTransactions::through(&Cut::bottom(&hierarchy), &hierarchy, &transactions);
        let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
        let promise = Guarantee::KmAnonymity { k, m };
        let verdict = verify(&dataset, &Release::GeneralizedTransactions(bottom), &promise).unwrap();
        for witness in verdict.witnesses() {
            let set = numbers(witness);
            let among = with_all(&rows, &set);
            prop_assert!((1..k).contains(&among.len()) && set.len() <= m, "{:?}", witness);
            prop_assert_eq!(witness.value, Some(among.len() as f64));
            prop_assert_eq!(&witness.among, &among);
            for part in parts(&set).iter().filter(|part| !part.is_empty()) {
                prop_assert!(with_all(&rows, part).len() >= k, "{:?} of {:?}", part, witness);
            }
        }
    }

    #[test]
    fn moles_break_k_or_h_and_no_part_does(rows in rows(7), k in 1usize..4, p in 1usize..4) {
        let transactions = baskets(&rows, 7);
        let (private, h) = ([5, 6], 0.5);
        let dataset = Dataset::of_transactions(transactions.clone(), None, &private);
        let release = SuppressedTransactions::suppressing(&transactions, []);
        let release = Release::SuppressedTransactions(release);
        let verdict = verify(&dataset, &release, &Guarantee::Cohesion { h, k, p }).unwrap();
        let is_mole = |set: &[Item]| {
            let among = with_all(&rows, set);
            let with = |item: &u32| among.iter().filter(|&&row| rows[row as usize - 1].contains(item)).count();
            among.len() < k || private.iter().any(|item| with(item) * 2 > among.len())
        };
        for witness in verdict.witnesses() {
            let set = numbers(witness);
            prop_assert!(set.len() <= p && is_mole(&set), "{:?}", witness);
            prop_assert_eq!(&witness.among[..], &with_all(&rows, &set)[..witness.among.len()]);
            if let Some(item) = &witness.private_item {
                let item = &item[1..].parse().unwrap();
                let among = with_all(&rows, &set);
                let with = among.iter().filter(|&&row| rows[row as usize - 1].contains(item)).count();
                prop_assert_eq!(witness.value, Some(with as f64 / among.len() as f64));
            }
            for part in parts(&set) {
                prop_assert!(!is_mole(&part), "{:?} of {:?}", part, witness);
            }
        }
        // The adversary's measure finds the same shares.
        let witnesses = measured("breach-probability", &dataset, &release, &json!({"h": h, "p": p})).unwrap();
        prop_assert_eq!(&witnesses, &measured("breach-probability", &dataset, &release, &json!({"h": h, "p": p})).unwrap());
        for witness in witnesses {
            let share = |set: &[Item]| {
                let among = with_all(&rows, set);
                let item = &witness.private_item.as_ref().unwrap()[1..].parse().unwrap();
                among.iter().filter(|&&row| rows[row as usize - 1].contains(item)).count() as f64 / among.len() as f64
            };
            let set = numbers(&witness);
            prop_assert_eq!(witness.value, Some(share(&set)));
            for part in parts(&set).iter().filter(|part| !part.is_empty()) {
                prop_assert!(share(part) < share(&set), "{:?} says as much as {:?}", part, witness);
            }
        }
    }

    #[test]
    fn exposed_rows_can_have_the_values_left_and_no_others(
        people in prop::collection::vec((0u32..3, 0u32..4), 4..11),
        width in 2usize..5,
    ) {
        let (q, s) = (["a", "b", "c"], ["w", "x", "y", "z"]);
        let rows: Vec<[&str; 2]> = people.iter().map(|&(i, j)| [q[i as usize], s[j as usize]]).collect();
        let rows: Vec<&[&str]> = rows.iter().map(<[_; 2]>::as_slice).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
        let groups: Vec<u32> = (0..people.len()).map(|row| (row / width) as u32).collect();
        let release = Release::Buckets(Buckets::from_groups(dataset.microdata().unwrap(), groups.clone()));
        let given = json!({"l": 3, "min_exp": 0.5, "generalized": false});
        let witnesses = measured("background-knowledge", &dataset, &release, &given).unwrap();
        prop_assert_eq!(&witnesses, &measured("background-knowledge", &dataset, &release, &given).unwrap());
        prop_assert!(!witnesses.is_empty() && witnesses.len() <= Witness::MOST + 1);
        // A rule forbids (q, s) where nobody has both and s would be expected among the rows of q.
        let n = people.len() as f64;
        let forbidden = |(i, j): (u32, u32)| {
            let of_q = people.iter().filter(|one| one.0 == i).count() as i32;
            let share = people.iter().filter(|one| one.1 == j).count() as f64 / n;
            !people.contains(&(i, j)) && 1.0 - (1.0 - share).powi(of_q) >= 0.5 - 1e-12
        };
        for witness in witnesses {
            let row = witness.row.unwrap() as usize - 1;
            let members: Vec<usize> = (0..people.len()).filter(|&other| groups[other] == groups[row]).collect();
            let mut values: Vec<u32> = members.iter().map(|&other| people[other].1).collect();
            values.sort_unstable();
            let mut left: BTreeSet<&str> = BTreeSet::new();
            assignments(&values, &mut Vec::new(), &mut |assigned| {
                if members.iter().zip(assigned).all(|(&other, &value)| !forbidden((people[other].0, value))) {
                    let own = members.iter().position(|&other| other == row).unwrap();
                    left.insert(s[assigned[own] as usize]);
                }
            });
            let found: BTreeSet<&str> = witness.left.iter().map(String::as_str).collect();
            prop_assert_eq!(&found, &left, "{:?}", &witness);
            let group_values: BTreeSet<u32> = values.iter().copied().collect();
            // Each value that is gone has one reason.
            prop_assert_eq!(witness.by.len(), group_values.len() - left.len());
        }
    }

    #[test]
    fn poor_groups_have_the_values_that_are_told(people in prop::collection::vec((0u32..3, 0u32..4), 1..12), l in 2usize..4) {
        let rows: Vec<[String; 2]> = people.iter().map(|&(i, j)| [format!("q{i}"), format!("v{j}")]).collect();
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
        let groups: Vec<u32> = (0..people.len()).map(|row| (row / 3) as u32).collect();
        let release = Release::Buckets(Buckets::from_groups(dataset.microdata().unwrap(), groups));
        let verdict = verify(&dataset, &release, &Guarantee::DistinctValues { l }).unwrap();
        let poor = people.chunks(3).filter(|group| group.iter().map(|one| one.1).collect::<BTreeSet<_>>().len() < l);
        prop_assert_eq!(verdict == PrivacyVerdict::Private, poor.count() == 0);
        for witness in verdict.witnesses() {
            let values: BTreeSet<u32> = witness.among.iter().map(|&row| people[row as usize - 1].1).collect();
            prop_assert!(values.len() < l);
            let told: BTreeSet<String> = values
                .iter()
                .map(|value| {
                    let count = witness.among.iter().filter(|&&row| people[row as usize - 1].1 == *value).count();
                    format!("v{value} ×{count}")
                })
                .collect();
            prop_assert_eq!(told, witness.left.iter().cloned().collect::<BTreeSet<_>>());
        }
    }
}

/// Every way to give the values, one to each member.
fn assignments(values: &[u32], given: &mut Vec<usize>, visit: &mut impl FnMut(&[u32])) {
    if given.len() == values.len() {
        visit(&given.iter().map(|&i| values[i]).collect::<Vec<_>>());
        return;
    }
    for i in 0..values.len() {
        if !given.contains(&i) {
            given.push(i);
            assignments(values, given, visit);
            given.pop();
        }
    }
}
