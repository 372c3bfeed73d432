//! Whether generalized transactions are what they say and k^m-anonymous. What a cut is it shares with the publishers, not how sets
//! are counted: supports are taken by recursive projection of the published transactions, from a table of bits where they are
//! dense, which is what a cut for m > 1 leaves of real data, and from a prefix tree where they are not.

use super::violated::Violated;
use super::{Cut, GeneralizedTransactions, bit_table, prefix_tree};
use crate::data::{Baskets, Hierarchy, Item, NodeId, Transactions};
use crate::lab::{LabError, Witness, counted};
use crate::release::kind::NAMED_FAULTS;

/// The ways in which `release` is not `original` seen through a cut, or not k^m-anonymous.
pub(super) fn km_faults(
    original: &Baskets,
    release: &GeneralizedTransactions,
    k: usize,
    m: usize,
) -> Result<Vec<Witness>, LabError> {
    let Some(hierarchy) = &original.hierarchy else {
        return Err(LabError::input("the original has no hierarchy over its items to check the cut with"));
    };
    let faults = mapping_faults(hierarchy, &original.transactions, release);
    if !faults.is_empty() {
        return Ok(faults);
    }
    let violated = minimal(&release.transactions, violated_itemsets(&release.transactions, k, m), k);
    Ok(violated.iter().map(|violated| describe(&release.transactions, violated, k, m)).collect())
}

fn describe(transactions: &Transactions, violated: &Violated, k: usize, m: usize) -> Witness {
    let Violated { set, support } = violated;
    let names: Vec<&str> = set.iter().map(|&item| transactions.labels[item as usize].as_str()).collect();
    let says = format!("{{{}}} is in {}, fewer than {k}", names.join(", "), counted(support, "transaction"));
    Witness::of(format!("{k}^{m}-anonymity"), says)
        .itemset(names)
        .among(with_all(transactions, set))
        .number(*support as f64)
        .against(k as f64)
}

/// The transactions that have all of `set`, ascending.
fn with_all<'a>(transactions: &'a Transactions, set: &'a [Item]) -> impl Iterator<Item = usize> + 'a {
    let rows = transactions.rows().enumerate();
    rows.filter(|(_, row)| set.iter().all(|item| row.contains(item))).map(|(index, _)| index)
}

/// The violated sets without the items that they are violated without, too; each once.
fn minimal(transactions: &Transactions, violated: Vec<Violated>, k: usize) -> Vec<Violated> {
    let mut minimal: Vec<Violated> = Vec::with_capacity(violated.len());
    for Violated { mut set, mut support } in violated {
        let mut place = 0;
        // Fewer items are in more transactions: what cannot be left out now cannot be left out later.
        while place < set.len() && set.len() > 1 {
            let mut fewer = set.clone();
            fewer.remove(place);
            match with_all(transactions, &fewer).take(k).count() {
                enough if enough == k => place += 1,
                few => (set, support) = (fewer, few as u64),
            }
        }
        if minimal.iter().all(|known| known.set != set) {
            minimal.push(Violated { set, support });
        }
    }
    minimal
}

/// Every item under exactly one node of the cut, and every transaction the original one mapped through it.
fn mapping_faults(hierarchy: &Hierarchy, original: &Transactions, release: &GeneralizedTransactions) -> Vec<Witness> {
    let cut = match Cut::new(hierarchy, &release.cut) {
        Ok(cut) => cut,
        Err(error) => return vec![Witness::of(Witness::TRUTH, error.to_string())],
    };
    let published = &release.transactions;
    if published.items() != release.cut.len() {
        let (nodes, items) = (counted(release.cut.len(), "node"), counted(published.items(), "item"));
        let says = format!("the cut has {nodes}, the release {items}");
        return vec![Witness::of(Witness::TRUTH, says)];
    }
    if published.len() != original.len() {
        let (is, should) = (published.len(), original.len());
        let says = format!("the release has {}, the original {should}", counted(is, "transaction"));
        return vec![Witness::of(Witness::TRUTH, says).number(is as f64).against(should as f64)];
    }
    let mut mapped = Vec::new();
    let mut shown = Vec::new();
    // The first node that is there and should not be, or should be there and is not.
    let wrong_node = |(original, published): (&[Item], &[Item])| {
        mapped.clear();
        mapped.extend(original.iter().map(|&item| cut.node_of(item)));
        mapped.sort_unstable();
        mapped.dedup();
        shown.clear();
        shown.extend(published.iter().map(|&item| release.cut[item as usize]));
        shown.sort_unstable();
        if mapped == shown {
            return None;
        }
        let invented = shown.iter().find(|node| !mapped.contains(node)).map(|&node| (node, true));
        let lost = || mapped.iter().find(|node| !shown.contains(node)).map(|&node| (node, false));
        Some(invented.or_else(lost))
    };
    let wrong = original.rows().zip(published.rows()).map(wrong_node).enumerate();
    let fault = |(row, wrong): (usize, Option<Option<(NodeId, bool)>>)| {
        let says = format!("transaction {} is not the original one mapped through the cut", row + 1);
        let witness = Witness::of(Witness::TRUTH, says).row(row);
        Some(match wrong? {
            Some((node, true)) => witness.by([format!("`{}` is there and should not be", hierarchy.label(node))]),
            Some((node, false)) => witness.by([format!("`{}` should be there and is not", hierarchy.label(node))]),
            None => witness.by(["a node is there twice".to_string()]),
        })
    };
    wrong.filter_map(fault).take(NAMED_FAULTS).collect()
}

/// The first few sets of at most `m` items that are in some transactions, but in fewer than `k`, with their supports.
fn violated_itemsets(transactions: &Transactions, k: usize, m: usize) -> Vec<Violated> {
    let longest = transactions.rows().map(<[_]>::len).max().unwrap_or(0);
    let cells = transactions.len() as f64 * transactions.items() as f64;
    // A bit for each transaction and item is then no more than the transactions themselves take.
    if transactions.occurrences() as f64 * 32.0 >= cells {
        bit_table::violated_itemsets(transactions, k as u64, m.min(longest))
    } else {
        prefix_tree::violated_itemsets(transactions, k as u64, m.min(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, HierarchyBuilder};
    use crate::release::{Guarantee, Release, verify};
    use proptest::prelude::*;

    fn faults(release: GeneralizedTransactions, original: &Transactions, hierarchy: &Hierarchy) -> Vec<String> {
        let dataset = Dataset::of_transactions(original.clone(), Some(hierarchy.clone()), &[]);
        let promise = Guarantee::KmAnonymity { k: 2, m: 2 };
        let verdict = verify(&dataset, &Release::GeneralizedTransactions(release), &promise).unwrap();
        verdict.witnesses().iter().map(|witness| witness.says.clone()).collect()
    }

    fn figure_2() -> (Transactions, Hierarchy) {
        let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
        let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
        let mut builder = HierarchyBuilder::new(transactions.labels.clone());
        let a = builder.group("A", &[0, 1]);
        let b = builder.group("B", &[2, 3]);
        builder.group("ALL", &[a, b]);
        (transactions, builder.finish().unwrap())
    }

    #[test]
    fn figure_2b_is_anonymous_and_figure_2a_is_not() {
        let (original, hierarchy) = figure_2();
        let through = |nodes: &[u32]| {
            GeneralizedTransactions::through(&Cut::new(&hierarchy, nodes).unwrap(), &hierarchy, &original)
        };
        assert!(faults(through(&[4, 2, 3]), &original, &hierarchy).is_empty());
        assert!(faults(through(&[6]), &original, &hierarchy).is_empty());
        assert_eq!(
            faults(through(&[0, 1, 2, 3]), &original, &hierarchy),
            ["{a1, a2} is in 1 transaction, fewer than 2", "{a1, b1} is in 1 transaction, fewer than 2"]
        );
    }

    #[test]
    fn a_release_that_is_not_the_original_through_its_cut_is_refused() {
        let (original, hierarchy) = figure_2();
        let good = GeneralizedTransactions::through(&Cut::new(&hierarchy, &[2, 3, 4]).unwrap(), &hierarchy, &original);
        let changed = |rows: &[&[u32]], cut: &[u32]| {
            let mut transactions = Transactions::with_labels(good.transactions.labels.clone());
            rows.iter().for_each(|row| transactions.push(row.iter().copied()));
            faults(GeneralizedTransactions { cut: cut.to_vec(), transactions }, &original, &hierarchy)
        };
        let rows: Vec<&[u32]> = good.transactions.rows().collect();
        assert!(changed(&rows, &[2, 3, 4]).is_empty());
        assert_eq!(changed(&rows[1..], &[2, 3, 4]), ["the release has 3 transactions, the original 4"]);
        assert_eq!(changed(&rows, &[2, 4]), ["item `b2` is under no node of the cut"]);
        assert_eq!(changed(&rows, &[6]), ["the cut has 1 node, the release 3 items"]);
        let dropped = [rows[0], &[0], rows[2], rows[3]];
        assert_eq!(changed(&dropped, &[2, 3, 4]), ["transaction 2 is not the original one mapped through the cut"]);
    }

    proptest! {
        #[test]
        fn violated_sets_are_found_whenever_there_are_some(
            rows in prop::collection::vec(prop::collection::btree_set(0u32..6, 1..5), 1..14),
            k in 1usize..4,
            m in 1usize..5,
        ) {
            let mut transactions = Transactions::with_labels((0..6).map(|item| item.to_string()).collect());
            rows.iter().for_each(|row| transactions.push(row.iter().copied()));
            let support = |set: u32| {
                let holds = |row: &&std::collections::BTreeSet<u32>| (0..6).all(|i| set >> i & 1 == 0 || row.contains(&i));
                rows.iter().filter(holds).count()
            };
            let violates = |set: u32| set.count_ones() as usize <= m && (1..k).contains(&support(set));
            for found in [
                bit_table::violated_itemsets(&transactions, k as u64, m.min(4)),
                prefix_tree::violated_itemsets(&transactions, k as u64, m.min(4)),
            ] {
                prop_assert_eq!((1u32..64).any(violates), !found.is_empty());
                let bits = |set: &[Item]| set.iter().fold(0, |bits, item| bits | 1 << item);
                for Violated { set, support: count } in &found {
                    prop_assert!(violates(bits(set)));
                    prop_assert_eq!(support(bits(set)) as u64, *count);
                }
                for Violated { set, support: count } in minimal(&transactions, found, k) {
                    prop_assert!(violates(bits(&set)));
                    prop_assert_eq!(support(bits(&set)) as u64, count);
                    for item in &set {
                        // The empty set is in every transaction, and no set of items.
                        let others = bits(&set) & !(1 << item);
                        prop_assert!(others == 0 || !violates(others), "{:?} without {} is violated", set, item);
                    }
                }
            }
        }
    }
}
