//! (h,k,p)-cohesion: the paper's running example, and the publishers beside the literal versions.

use super::cohesion_literal::{Literal, Set};
use anonlab::data::{Dataset, Transactions};
use anonlab::lab::{LabError, Seed, Workbench};
use anonlab::publish::publisher;
use anonlab::release::{PrivacyVerdict, Release, SuppressedTransactions, verify};
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
    assert_eq!(verify(dataset, &release, &guarantee).unwrap(), PrivacyVerdict::Private, "{name} {parameters:?}");
    let Release::SuppressedTransactions(release) = release else { panic!("{name} suppresses items") };
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
fn the_running_example_keeps_its_best_items() {
    let (dataset, data) = running_example();
    let parameters = json!({"h": 0.5, "k": 3, "p": 3, "k_prime": 4});
    let (release, bench) = publish("cohesion", &dataset, &parameters).unwrap();
    let found: Set = release.suppressed.iter().map(|item| 1 << item).sum();
    assert_eq!(found, data.suppressed());
    assert_eq!(suppressed("cohesion-printed", &dataset, &parameters), found);
    let counters = bench.counters();
    assert_eq!((counters["minimal_moles"], counters["maximal_transactions"]), (5.0, 3.0));
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Figure 2 by the definitions, by borders, by borders as printed, and by enumeration: one answer.
    #[test]
    fn the_border_gives_the_answer_of_the_enumeration(data in small_data()) {
        let expected = data.suppressed();
        let (dataset, parameters) = (dataset(&data), parameters(&data));
        prop_assert_eq!(suppressed("cohesion", &dataset, &parameters), expected);
        prop_assert_eq!(suppressed("cohesion-enumerate", &dataset, &parameters), expected);
        prop_assert_eq!(suppressed("cohesion-printed", &dataset, &parameters), expected);
    }

    /// The counters say what is there.
    #[test]
    fn counters_count_the_borders(data in small_data()) {
        let (dataset, parameters) = (dataset(&data), parameters(&data));
        let left = data.left_at_first();
        let (_, bench) = publish("cohesion", &dataset, &parameters).unwrap();
        let moles = data.moles(left);
        let is_minimal = |mole: &&Set| !moles.iter().any(|part| part != *mole && part & !**mole == 0);
        prop_assert_eq!(bench.counters()["minimal_moles"], moles.iter().filter(is_minimal).count() as f64);
        let (_, bench) = publish("cohesion-enumerate", &dataset, &parameters).unwrap();
        let all = data.moles(left).len() + data.nuggets(left).len();
        prop_assert_eq!(bench.counters()["materialized_itemsets"], all as f64);
    }

    /// The optimum is the optimum, and so never worse than the greedy answers.
    #[test]
    fn no_cohesion_keeps_more_nuggets_than_the_optimum(data in small_data()) {
        let (dataset, parameters) = (dataset(&data), parameters(&data));
        let kept = |suppressed: Set| data.nuggets(data.public & !suppressed).len();
        let optimum = kept(suppressed("cohesion-optimal", &dataset, &parameters));
        prop_assert_eq!(optimum, data.most_nuggets());
        prop_assert!(kept(data.suppressed()) <= optimum);
        let privacy = json!({"h": parameters["h"], "k": parameters["k"], "p": parameters["p"]});
        for name in ["cohesion-items", "cohesion-minimal-moles"] {
            prop_assert!(kept(suppressed(name, &dataset, &privacy)) <= optimum, "{}", name);
        }
    }

    /// The verifier says of any suppression what the definitions say.
    #[test]
    fn the_verifier_agrees_with_the_definitions(data in small_data(), suppressed in 0u32..128) {
        let dataset = dataset(&data);
        let release = SuppressedTransactions::suppressing(
            &dataset.baskets().unwrap().transactions,
            (0..7).filter(|item| suppressed >> item & 1 == 1),
        );
        let guarantee = publisher("cohesion").unwrap().guarantee(parameters(&data).as_object().unwrap()).unwrap();
        let verdict = verify(&dataset, &Release::SuppressedTransactions(release), &guarantee).unwrap();
        let coherent = data.moles(data.public & !suppressed).is_empty();
        prop_assert_eq!(verdict == PrivacyVerdict::Private, coherent, "{:?}", verdict);
    }
}

#[test]
fn counts_beyond_64_bits_are_exact() {
    // One nugget of 164 items; only x is in moles, with each of the 163 others.
    let long: Vec<String> = (0..163).map(|item| item.to_string()).collect();
    let mut rows: Vec<Vec<String>> = vec![long.clone(); 4];
    rows.push(long.iter().cloned().chain(["163".to_string()]).collect());
    rows.extend(vec![vec!["163".to_string()]; 3]);
    let dataset = Dataset::of_transactions(Transactions::from_labels(&rows), None, &[]);
    let parameters = json!({"k": 2, "p": 3, "k_prime": 2});
    let (release, _) = publish("cohesion", &dataset, &parameters).unwrap();
    assert_eq!(release.suppressed, [163]);
    let (release, _) = publish("cohesion-optimal", &dataset, &parameters).unwrap();
    assert_eq!(release.suppressed, [163]);
}

#[test]
fn parameters_outside_their_bounds_are_refused() {
    let (dataset, _) = running_example();
    let refused = |name: &str, parameters: Value| publish(name, &dataset, &parameters).unwrap_err().to_string();
    assert_eq!(refused("cohesion", json!({"h": 0.0})), "`h` must be above 0 and at most 1, not 0.0");
    assert_eq!(refused("cohesion", json!({"h": 1.5})), "`h` must be above 0 and at most 1, not 1.5");
    assert_eq!(refused("cohesion-items", json!({"k": 1})), "`k` must be at least 2, not 1");
    assert_eq!(refused("cohesion-optimal", json!({"p": 0})), "`p` must be at least 1, not 0");
    assert_eq!(refused("cohesion-enumerate", json!({"k_prime": 0})), "`k_prime` must be at least 1, not 0");
    assert_eq!(refused("cohesion", json!({"p_prime": 0})), "`p_prime` must be at least 1, not 0");
}

#[test]
fn data_without_any_cohesion_is_refused_by_name() {
    let (dataset, _) = running_example();
    let refused = |parameters: Value| publish("cohesion", &dataset, &parameters).unwrap_err();
    assert_eq!(
        refused(json!({"k": 8})).to_string(),
        "no (0.8, 8, 4)-cohesion exists: the data has 7 transactions, fewer than k = 8"
    );
    let error = refused(json!({"h": 0.4, "k": 3, "p": 2}));
    assert!(matches!(error, LabError::Unreachable(_)));
    assert_eq!(
        error.to_string(),
        "no (0.4, 3, 2)-cohesion exists: the private item `s2` is in 3 of 7 transactions, a probability of 0.4286 above \
         h = 0.4 for whoever knows nothing; h must be at least that, or the item public"
    );
}

#[test]
fn empty_and_all_private_transactions_stay() {
    let rows = [&["a", "s"][..], &["a"], &["s"], &[], &["a"], &["b"]];
    let dataset = Dataset::of_transactions(Transactions::from_labels(&rows.map(<[_]>::to_vec)), None, &[2]);
    // The share of s is 2/6 among all, 1/3 with a; b is in one transaction.
    for name in ["cohesion", "cohesion-enumerate", "cohesion-optimal"] {
        let parameters = json!({"h": 0.34, "k": 3, "p": 2, "k_prime": 1});
        let (release, _) = publish(name, &dataset, &parameters).unwrap();
        assert_eq!(release.suppressed, [1], "{name}");
        let expected: [&[u32]; 6] = [&[0, 2], &[0], &[2], &[], &[0], &[]];
        assert_eq!(release.transactions.rows().collect::<Vec<_>>(), expected);
    }
    // A little less h: a, too, must go, since one of three is above 0.33 even where two of six were allowed.
    let error = publish("cohesion", &dataset, &json!({"h": 0.33, "k": 3, "p": 2, "k_prime": 1})).unwrap_err();
    assert!(error.to_string().contains("`s` is in 2 of 6 transactions"));
}

#[test]
fn data_without_private_or_public_items_is_published() {
    let rows = [vec!["a", "b"], vec!["a", "b"], vec!["a", "c"]];
    let transactions = Transactions::from_labels(&rows);
    let parameters = json!({"k": 2, "p": 2, "k_prime": 1});
    for name in ["cohesion", "cohesion-enumerate", "cohesion-optimal"] {
        let none_private = Dataset::of_transactions(transactions.clone(), None, &[]);
        assert_eq!(publish(name, &none_private, &parameters).unwrap().0.suppressed, [2], "{name}");
        let all_private = Dataset::of_transactions(transactions.clone(), None, &[0, 1, 2]);
        let parameters = json!({"h": 1.0, "k": 2, "p": 2, "k_prime": 1});
        assert!(publish(name, &all_private, &parameters).unwrap().0.suppressed.is_empty(), "{name}");
    }
}

#[test]
fn an_optimum_out_of_reach_is_no_answer() {
    let (dataset, _) = running_example();
    let parameters = json!({"h": 0.5, "k": 3, "p": 3, "k_prime": 1, "max_nodes": 1});
    let error = publish("cohesion-optimal", &dataset, &parameters).unwrap_err();
    assert!(matches!(error, LabError::NoAnswer(_)), "{error}");
    assert!(error.to_string().starts_with("no optimum within 1 nodes; the best cohesion so far keeps "));
}

#[test]
fn the_verifier_names_what_is_wrong() {
    let (dataset, _) = running_example();
    let original = &dataset.baskets().unwrap().transactions;
    let guarantee =
        publisher("cohesion").unwrap().guarantee(json!({"h": 0.5, "k": 3, "p": 3}).as_object().unwrap()).unwrap();
    let faults =
        |release: SuppressedTransactions| match verify(&dataset, &Release::SuppressedTransactions(release), &guarantee)
        {
            Ok(PrivacyVerdict::Broken(faults)) => faults.into_iter().map(|fault| fault.says).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
    let suppressing = |items: &[u32]| SuppressedTransactions::suppressing(original, items.iter().copied());
    assert_eq!(faults(suppressing(&[0, 1, 2, 4, 5, 6])), ["{d} is in 1 transaction, fewer than 3"]);
    assert_eq!(faults(suppressing(&[2, 3, 4, 5])), ["{a, g} is in 3 transactions, 2 of them with `s2`: above 0.5"]);
    assert_eq!(faults(suppressing(&[0, 1, 2, 3, 4, 5, 6, 7])), ["the private item `s1` is suppressed"]);

    let mut partial = suppressing(&[0, 2, 3, 4]);
    partial.suppressed.pop();
    assert_eq!(faults(partial)[0], "transaction 1 is not the original one less the suppressed items");
    let short = original.select(&[0, 1, 2]);
    let short = SuppressedTransactions { suppressed: vec![], transactions: short };
    assert_eq!(faults(short), ["the release has 3 transactions, the original 7"]);
    let other = Transactions::from_labels(&[vec!["a"]]);
    let other = SuppressedTransactions { suppressed: vec![], transactions: other };
    assert_eq!(faults(other), ["the items of the release are not those of the original"]);
    let beyond = SuppressedTransactions { suppressed: vec![99], transactions: original.clone() };
    assert_eq!(faults(beyond), ["item 99 is suppressed, but the original has 10 items"]);
}
