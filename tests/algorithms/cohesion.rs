//! (h,k,p)-cohesion: the paper's running example, and the publishers beside the literal versions.

use super::cohesion_literal::{Edge, Literal, PaperBorder, Set, subsets, suppressed_by_borders};
use anonlab::data::{Dataset, Transactions};
use anonlab::lab::{LabError, Seed, Workbench};
use anonlab::publish::publisher;
use anonlab::release::{Release, SuppressedTransactions, Verdict, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

const RUNNING_EXAMPLE: [&[&str]; 7] = [
    &["a", "b", "e", "f", "s1"],
    &["c", "e", "f", "g", "s2"],
    &["a", "b", "g", "s3"],
    &["a", "b", "f", "g", "s2"],
    &["a", "b", "d", "g", "s2"],
    &["e", "f", "g", "s1"],
    &["b", "e", "f", "g", "s3"],
];

/// Items a to g are 0 to 6, s1 to s3 are 7 to 9, in both worlds.
fn running_example() -> (Dataset, Literal) {
    let transactions = Transactions::from_labels(&RUNNING_EXAMPLE.map(<[_]>::to_vec));
    let rows = transactions.rows().map(|row| row.iter().map(|item| 1 << item).sum()).collect();
    let literal = Literal {
        rows,
        public: 0b0111_1111,
        private: 0b11 << 8 | 1 << 7,
        h: (1, 2),
        k: 3,
        p: 3,
        k_prime: 4,
        p_prime: 99,
    };
    (Dataset::of_transactions(transactions, None, &[7, 8, 9]), literal)
}

fn set(names: &str) -> Set {
    names.bytes().map(|name| 1 << (name - b'a')).sum()
}

fn publish(name: &str, dataset: &Dataset, parameters: &Value) -> Result<(SuppressedTransactions, Workbench), LabError> {
    let mut bench = Workbench::new(Seed(1), "test");
    let publisher = publisher(name).unwrap();
    let parameters = parameters.as_object().unwrap();
    let release = publisher.publish(dataset, parameters, &mut bench)?;
    let guarantee = publisher.guarantee(parameters)?;
    assert_eq!(verify(dataset, &release, &guarantee).unwrap(), Verdict::Private, "{name} {parameters:?}");
    let Release::Suppressed(release) = release else { panic!("{name} suppresses items") };
    Ok((release, bench))
}

fn suppressed(name: &str, dataset: &Dataset, parameters: &Value) -> Set {
    publish(name, dataset, parameters).unwrap().0.suppressed.iter().map(|item| 1 << item).sum()
}

#[test]
fn example_1_moles_and_nuggets() {
    let (_, data) = running_example();
    assert!(data.is_mole(set("ae")) && data.is_mole(set("ag")));
    assert_eq!((data.support(set("ae")), data.support(set("ag"))), (1, 3));
    // Exactly h, so not above it.
    assert!(!data.is_mole(set("g")));
    assert!(["a", "ab", "bg"].iter().all(|names| data.nuggets(data.public).contains(&set(names))));
    assert_eq!(data.left_at_first(), set("abefg"));
}

#[test]
fn figure_3_the_mole_border() {
    let (_, data) = running_example();
    let border = PaperBorder::of_moles(&data, data.left_at_first());
    let mut edges = Vec::new();
    for (upper, lowers) in [
        ("ae", &["abef"][..]),
        ("be", &["abef", "befg"]),
        ("af", &["abef", "abfg"]),
        ("ag", &["abfg"]),
        ("bfg", &["befg", "abfg"]),
    ] {
        edges.extend(lowers.iter().map(|lower| Edge(set(upper), set(lower))));
    }
    edges.sort();
    let mut found = border.edges.clone();
    found.sort();
    assert_eq!(found, edges);
    // Example 2, where the paper prints ae for aef; abef is covered, but too long for a mole.
    let cover = |names: &str| edges.iter().filter(|edge| edge.covers(set(names))).count();
    assert_eq!(cover("ae"), 1);
    assert!(Edge(set("ae"), set("abef")).covers(set("aef")) && Edge(set("af"), set("abef")).covers(set("aef")));
    assert!(cover("abef") > 0 && !data.is_mole(set("abef")));
}

#[test]
fn example_3_three_moles_with_ag() {
    let (_, data) = running_example();
    assert_eq!(PaperBorder::of_moles(&data, data.left_at_first()).count(set("ag")), 3);
}

#[test]
fn example_4_edge_difference() {
    let difference = Edge(set("ae"), set("adefg")).difference(Edge(set("ae"), set("ade")));
    assert_eq!(difference, [Edge(set("aef"), set("adefg")), Edge(set("aeg"), set("adefg"))]);
}

#[test]
fn the_running_example_keeps_its_best_items() {
    let (dataset, data) = running_example();
    let parameters = json!({"h": 0.5, "k": 3, "p": 3, "k_prime": 4});
    let (release, bench) = publish("cohesion", &dataset, &parameters).unwrap();
    let found: Set = release.suppressed.iter().map(|item| 1 << item).sum();
    assert_eq!(found, data.suppressed());
    assert_eq!(found, suppressed_by_borders(&data));
    let counters = bench.counters();
    assert_eq!((counters["minimal_moles"], counters["maximal_transactions"]), (5.0, 3.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Theorems 2 and 3 and the recursion: the same counts as by enumeration.
    #[test]
    fn edges_count_what_they_cover(edges in prop::collection::vec((0u32..64, 0u32..64), 1..7), x in 0u32..64, longest in 0usize..7) {
        let edges: Vec<Edge> = edges.into_iter().map(|(lower, upper)| Edge(lower & upper, upper)).collect();
        for (&a, &b) in edges.iter().zip(&edges[1..]) {
            let both = |set| a.covers(set) && b.covers(set);
            prop_assert!(subsets(63).all(|set| both(set) == a.intersection(b).is_some_and(|edge| edge.covers(set))));
            if a.intersection(b).is_some() {
                let difference = a.difference(b);
                let left = |set| a.covers(set) && !b.covers(set);
                prop_assert!(subsets(63).all(|set| left(set) == difference.iter().any(|edge| edge.covers(set))));
            }
        }
        let counted = |set: &Set| x & !set == 0 && set.count_ones() as usize <= longest && edges.iter().any(|edge| edge.covers(*set));
        let expected = subsets(63).filter(counted).count();
        prop_assert_eq!(PaperBorder::from_edges(edges.clone(), longest).count(x), expected);
    }
}

/// Up to 7 public and 3 private items, and parameters for which a cohesion exists.
fn small_data() -> impl Strategy<Value = Literal> {
    let rows = prop::collection::vec((0u32..128, 0u32..128, 0u32..8, 0u32..8), 1..24);
    (rows, 1usize..=10, 2usize..5, 1usize..5, 1usize..6, 1usize..5)
        .prop_map(|(rows, tenths, k, p, k_prime, p_prime)| {
            // Both bits of a pair must be set for an item to occur: about a quarter of the cells.
            let rows = rows.into_iter().map(|(a, b, c, d)| a & b | (c & d) << 7).collect();
            let p_prime = if p_prime == 4 { 99 } else { p_prime };
            Literal { rows, public: 127, private: 7 << 7, h: (tenths, 10), k, p, k_prime, p_prime }
        })
        .prop_filter("no cohesion exists", Literal::has_cohesion)
}

fn dataset(data: &Literal) -> Dataset {
    let mut transactions = Transactions::with_labels((0..10).map(|item| item.to_string()).collect());
    for &row in &data.rows {
        transactions.push((0..10).filter(|item| row >> item & 1 == 1));
    }
    Dataset::of_transactions(transactions, None, &[7, 8, 9])
}

fn parameters(data: &Literal) -> Value {
    let p_prime = (data.p_prime < 99).then_some(data.p_prime);
    json!({"h": data.h.0 as f64 / 10.0, "k": data.k, "p": data.p, "k_prime": data.k_prime, "p_prime": p_prime})
}
