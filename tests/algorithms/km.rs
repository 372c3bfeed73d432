//! k^m-anonymity: the paper's running example, and the fast publishers beside the algorithms as printed.

use anonlab::data::{Dataset, Hierarchy, HierarchyBuilder, NodeId, Transactions};
use anonlab::lab::{Seed, Workbench};
use anonlab::publish::publisher;
use anonlab::release::{Cut, GeneralizedTransactions, Guarantee, PrivacyVerdict, Release, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A hierarchy of uneven fan-out and depth over `labels`: `choices` say how many neighbours go under one parent (none:
/// the node itself moves up a level).
fn uneven_hierarchy(labels: &[String], choices: &[u8]) -> Hierarchy {
    let mut builder = HierarchyBuilder::new(labels.to_vec());
    let mut level: Vec<NodeId> = (0..labels.len() as NodeId).collect();
    let mut choices = choices.iter();
    for height in 0..3 {
        let mut above = Vec::new();
        let mut rest = &level[..];
        while !rest.is_empty() {
            let size = (*choices.next().unwrap_or(&2) as usize).min(rest.len());
            let (run, others) = rest.split_at(size.max(1));
            let moves_up = size == 0;
            let name = format!("{height}.{}", above.len());
            above.push(if moves_up { run[0] } else { builder.group(name, run) });
            rest = others;
        }
        level = above;
    }
    builder.group("ALL", &level);
    builder.finish().unwrap()
}

/// Figures 1 and 2a.
fn running_example() -> (Transactions, Hierarchy) {
    let rows = [&["a1", "b1", "b2"][..], &["a2", "b1"], &["a2", "b1", "b2"], &["a1", "a2", "b2"]];
    let transactions = Transactions::from_labels(&rows.map(<[_]>::to_vec));
    let mut builder = HierarchyBuilder::new(transactions.labels.clone());
    let a = builder.group("A", &[0, 1]);
    let b = builder.group("B", &[2, 3]);
    builder.group("ALL", &[a, b]);
    (transactions, builder.finish().unwrap())
}

struct Published {
    cut: Vec<NodeId>,
    transactions: Transactions,
    tree_nodes: Option<f64>,
}

fn publish(name: &str, data: &(Transactions, Hierarchy), k: usize, m: usize) -> Published {
    let dataset = Dataset::of_transactions(data.0.clone(), Some(data.1.clone()), &[]);
    let mut bench = Workbench::new(Seed(1), "test");
    let publisher = publisher(name).unwrap();
    let mut parameters = json!({"k": k, "m": m});
    if publisher.parameters().iter().any(|parameter| parameter.name == "count_tree_nodes") {
        parameters["count_tree_nodes"] = json!(true);
    }
    match publisher.publish(&dataset, parameters.as_object().unwrap(), &mut bench).unwrap() {
        Release::GeneralizedTransactions(release) => Published {
            cut: release.cut,
            transactions: release.transactions,
            tree_nodes: bench.counters().get("tree_nodes").copied(),
        },
        other => panic!("{} is no release of transactions", other.kind()),
    }
}

const ALL: [&str; 8] = ["oa", "da", "aa", "oa-printed", "da-printed", "aa-printed", "aa-refined", "optimal"];

/// The information loss of a cut times |I| and the number of occurrences, item by item.
fn loss(data: &(Transactions, Hierarchy), cut: &[NodeId]) -> usize {
    let published = |item| cut.iter().copied().find(|&node| data.1.covers(node, item)).unwrap();
    let leaves = |&item: &u32| data.1.leaves_under(published(item));
    data.0.rows().flatten().map(leaves).filter(|&leaves| leaves > 1).sum()
}

/// Whether the data published through the cut is k^m-anonymous.
fn is_anonymous(data: &(Transactions, Hierarchy), cut: &[NodeId], k: usize, m: usize) -> bool {
    let dataset = Dataset::of_transactions(data.0.clone(), Some(data.1.clone()), &[]);
    let cut = Cut::new(&data.1, cut).unwrap();
    let release = Release::GeneralizedTransactions(GeneralizedTransactions::through(&cut, &data.1, &data.0));
    verify(&dataset, &release, &Guarantee::KmAnonymity { k, m }).unwrap() == PrivacyVerdict::Private
}

#[test]
fn figure_2_is_what_all_of_them_publish() {
    let data = running_example();
    // 2.5/11 of |I| = 4 times 11 occurrences.
    assert_eq!(loss(&data, &[2, 3, 4]), 10);
    for name in ALL {
        let published = publish(name, &data, 2, 2);
        assert_eq!(published.cut, [2, 3, 4], "{name}");
        assert_eq!(published.transactions.labels, ["b1", "b2", "A"]);
        let rows: Vec<_> = published.transactions.rows().collect();
        assert_eq!(rows, [&[0, 1, 2][..], &[0, 2], &[0, 1, 2], &[1, 2]], "{name}");
    }
}

#[test]
fn what_it_is_not_defined_for_is_refused_by_name() {
    let (transactions, hierarchy) = running_example();
    let refused = |transactions: &Transactions, hierarchy: Option<&Hierarchy>, parameters: Value| {
        let dataset = Dataset::of_transactions(transactions.clone(), hierarchy.cloned(), &[]);
        let messages = ALL.map(|name| {
            let mut bench = Workbench::new(Seed(1), "test");
            let parameters = parameters.as_object().unwrap();
            publisher(name).unwrap().publish(&dataset, parameters, &mut bench).unwrap_err().to_string()
        });
        assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
        messages[0].clone()
    };
    let with_hierarchy = |parameters| refused(&transactions, Some(&hierarchy), parameters);
    assert_eq!(with_hierarchy(json!({"k": 0})), "`k` must be at least 1, not 0");
    assert_eq!(with_hierarchy(json!({"m": 0})), "`m` must be at least 1, not 0");
    assert_eq!(
        with_hierarchy(json!({"k": 5})),
        "k is 5, and the data has only 4 transactions; k^m-anonymity needs at least k"
    );
    assert_eq!(
        refused(&transactions, None, json!({"k": 2})),
        "`transactions` has no hierarchy over its items; k^m-anonymity needs one, by degree or from a file"
    );
    let other = Transactions::from_labels(&[vec!["a1", "c"], vec!["a2", "b1"]]);
    assert_eq!(
        refused(&other, Some(&hierarchy), json!({"k": 2})),
        "item `c` is not in the hierarchy of `transactions`"
    );
    let empty = Transactions::from_labels(&[vec!["a1", "a2"], vec![], vec!["b1", "b2"]]);
    assert_eq!(
        refused(&empty, Some(&hierarchy), json!({"k": 2})),
        "transaction 2 is empty; k^m-anonymity is defined for non-empty transactions"
    );
}

#[test]
fn a_search_out_of_time_publishes_a_refined_cut_and_what_it_has_proven() {
    let (transactions, hierarchy) = running_example();
    let dataset = Dataset::of_transactions(transactions, Some(hierarchy), &[]);
    let run = |time_limit: Value| {
        let mut bench = Workbench::new(Seed(1), "test");
        let parameters = json!({"k": 2, "m": 2, "time_limit": time_limit});
        let release = publisher("optimal").unwrap().publish(&dataset, parameters.as_object().unwrap(), &mut bench);
        let Release::GeneralizedTransactions(release) = release.unwrap() else { panic!("no release of transactions") };
        let counter = |name| bench.counters()[name];
        (release.cut, counter("lower_bound"), counter("gap"), counter("proven"))
    };
    assert_eq!(run(json!(0)), (vec![2, 3, 4], 0.0, 1.0, 0.0));
    assert_eq!(run(Value::Null), (vec![2, 3, 4], 2.5 / 11.0, 0.0, 1.0));
    assert_eq!(run(json!(1e300)), (vec![2, 3, 4], 2.5 / 11.0, 0.0, 1.0));
}

fn any_data() -> impl Strategy<Value = (Transactions, Hierarchy)> {
    let rows = prop::collection::vec(prop::collection::btree_set(0u32..9, 1..6), 3..24);
    (rows, prop::collection::vec(0u8..5, 24)).prop_map(|(rows, choices)| {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u32::to_string).collect()).collect();
        let transactions = Transactions::from_labels(&rows);
        let hierarchy = uneven_hierarchy(&transactions.labels, &choices);
        (transactions, hierarchy)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_fast_aa_is_the_printed_one(data in any_data(), k in 1usize..4, m in 1usize..5) {
        let (fast, printed) = (publish("aa", &data, k, m), publish("aa-printed", &data, k, m));
        prop_assert_eq!(fast.cut, printed.cut);
        prop_assert_eq!(fast.tree_nodes, printed.tree_nodes);
    }

    #[test]
    fn the_fast_da_is_the_printed_one(data in any_data(), k in 1usize..4, m in 1usize..5) {
        let (fast, printed) = (publish("da", &data, k, m), publish("da-printed", &data, k, m));
        prop_assert_eq!(fast.cut, printed.cut);
        prop_assert_eq!(fast.tree_nodes, printed.tree_nodes);
    }

    #[test]
    fn the_fast_oa_is_the_printed_one(data in any_data(), k in 1usize..4, m in 1usize..4) {
        let (fast, printed) = (publish("oa", &data, k, m), publish("oa-printed", &data, k, m));
        prop_assert_eq!(fast.cut, printed.cut);
        prop_assert_eq!(fast.tree_nodes, printed.tree_nodes);
    }

    #[test]
    fn the_optimum_is_that_of_oa_and_the_refined_aa_is_between(data in any_data(), k in 1usize..4, m in 1usize..5) {
        let loss = |name| loss(&data, &publish(name, &data, k, m).cut);
        let (optimal, oa, refined, aa) = (loss("optimal"), loss("oa"), loss("aa-refined"), loss("aa"));
        prop_assert_eq!(optimal, oa);
        prop_assert!(oa <= refined && refined <= aa);
    }

    #[test]
    fn no_step_down_from_a_refined_or_optimal_cut_is_anonymous(data in any_data(), k in 2usize..4, m in 1usize..4) {
        for name in ["oa", "aa-refined", "optimal"] {
            let published = publish(name, &data, k, m).cut;
            for &node in published.iter().filter(|&&node| !data.1.is_leaf(node)) {
                let below = published.iter().filter(|&&other| other != node).chain(data.1.children(node));
                let finer: Vec<NodeId> = below.copied().collect();
                prop_assert!(!is_anonymous(&data, &finer, k, m), "{} publishes {:?}", name, published);
            }
        }
    }

    #[test]
    fn every_release_is_verified(data in any_data(), k in 1usize..4, m in 1usize..6) {
        let dataset = Dataset::of_transactions(data.0.clone(), Some(data.1.clone()), &[]);
        for name in ALL {
            let published = publish(name, &data, k, m);
            let release = GeneralizedTransactions { cut: published.cut, transactions: published.transactions };
            let verdict = verify(&dataset, &Release::GeneralizedTransactions(release), &Guarantee::KmAnonymity { k, m }).unwrap();
            prop_assert_eq!(verdict, PrivacyVerdict::Private, "{}", name);
        }
    }
}
