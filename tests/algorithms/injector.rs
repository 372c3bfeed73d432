//! Injector: the paper's examples, and the fast bucketization against the literal one.

use crate::injector_literal::{Choice, Tuple, bucketize, valid_values};
use anonlab::data::{Dataset, Table};
use anonlab::lab::{LabError, Seed, Workbench};
use anonlab::measures::measure;
use anonlab::mining::{NegativeRuleParameters, NegativeRules};
use anonlab::publish::publisher;
use anonlab::release::{Buckets, Guarantee, PrivacyVerdict, Release, verify};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn parameters(json: Value) -> Map<String, Value> {
    match json {
        Value::Object(map) => map,
        other => panic!("{other} is not an object"),
    }
}

fn publish(dataset: &Dataset, algorithm: &str, given: Value) -> Result<Buckets, LabError> {
    let given = parameters(given);
    let mut bench = Workbench::new(Seed(1), "test");
    let algorithm = publisher(algorithm).unwrap();
    let Release::Buckets(buckets) = algorithm.publish(dataset, &given, &mut bench)? else { unreachable!() };
    let guarantee = algorithm.guarantee(&given).unwrap();
    assert_eq!(verify(dataset, &Release::Buckets(buckets.clone()), &guarantee).unwrap(), PrivacyVerdict::Private);
    Ok(buckets)
}

/// The background-knowledge audit: vulnerable by matching, and by elimination.
fn vulnerable(dataset: &Dataset, buckets: Buckets, given: Value) -> (f64, f64) {
    let mut bench = Workbench::new(Seed(1), "test");
    let audit = measure("background-knowledge").unwrap();
    let observed = audit.measure(dataset, Some(&Release::Buckets(buckets)), &parameters(given), &mut bench).unwrap();
    (observed[0].value, observed[1].value)
}

/// Table I.
fn patients() -> Dataset {
    let rows: [&[&str]; 9] = [
        &["47677", "29", "F", "Ovarian Cancer"],
        &["47602", "22", "F", "Ovarian Cancer"],
        &["47678", "27", "M", "Prostate Cancer"],
        &["47905", "43", "M", "Flu"],
        &["47909", "52", "F", "Heart Disease"],
        &["47906", "47", "M", "Heart Disease"],
        &["47605", "30", "M", "Heart Disease"],
        &["47673", "36", "M", "Flu"],
        &["47607", "32", "M", "Flu"],
    ];
    let table = Table::from_rows(&["ZIP Code", "Age", "Sex", "Disease"], &rows);
    Dataset::of_table(table, &["ZIP Code", "Age", "Sex"], "Disease").unwrap()
}

#[test]
fn group_1_of_table_2_gives_bob_away_and_injector_never_builds_it() {
    let dataset = patients();
    let microdata = dataset.microdata().unwrap();
    let rules = NegativeRuleParameters { min_exp: 0.75, generalized: false, ..Default::default() };
    let mined = NegativeRules::mine(microdata, &rules).unwrap();
    assert_eq!(mined.to_string(), "Sex = M ⇒ ¬ Disease = Ovarian Cancer\n");

    let table_2 = Buckets::from_groups(microdata, vec![0, 0, 0, 1, 1, 1, 2, 2, 2]);
    let diverse = Guarantee::Diversity { l: 2 };
    let release = Release::Buckets(table_2.clone());
    // Ovarian cancer is two of the three values of group 1, so even Anatomy would not print this one.
    assert_ne!(verify(&dataset, &release, &diverse).unwrap(), PrivacyVerdict::Private);
    let promise = Guarantee::MatchingDiversity { l: 2, rules: rules.clone() };
    let verdict = verify(&dataset, &release, &promise).unwrap();
    assert_eq!(verdict.reason(), "in group 0, the rules leave row 3 only 1 possible value of 2");
    let [bob] = verdict.witnesses() else { panic!("{verdict:?}") };
    assert_eq!((bob.row, bob.group.as_deref()), (Some(3), Some("group 0")));
    assert_eq!(bob.by, ["Sex = M ⇒ ¬ Disease = Ovarian Cancer"]);
    assert_eq!(bob.left, ["Prostate Cancer"]);
    // By elimination Bob has prostate cancer; then the women have what is left.
    let given = json!({"l": 2, "min_exp": 0.75, "generalized": false});
    assert_eq!(vulnerable(&dataset, table_2, given.clone()), (3.0, 1.0));

    for algorithm in ["injector", "injector-balanced"] {
        for l in [2, 3] {
            let given = json!({"l": l, "min_exp": 0.75, "generalized": false});
            let buckets = publish(&dataset, algorithm, given.clone()).unwrap();
            assert_eq!(vulnerable(&dataset, buckets.clone(), given), (0.0, 0.0), "{algorithm}, ℓ = {l}");
            assert!(!buckets.members().contains(&vec![0, 1, 2]), "{algorithm}, ℓ = {l}");
        }
    }
}

#[test]
fn the_only_female_passes_the_simple_requirement_and_fails_matching_diversity() {
    let group: [&[&str]; 4] = [&["F", "ovarian cancer"], &["M", "flu"], &["M", "cold"], &["M", "asthma"]];
    let rows: Vec<&[&str]> = (0..16).map(|row| group[row % 4]).collect();
    let dataset = Dataset::of_table(Table::from_rows(&["sex", "disease"], &rows), &["sex"], "disease").unwrap();
    let microdata = dataset.microdata().unwrap();
    let buckets = Buckets::from_groups(microdata, (0..16).map(|row| row / 4).collect());
    // The rule holds in the table; each group has one female, ovarian cancer once, and ℓ = 3 other values.
    let given = json!({"l": 3, "generalized": false});
    assert_eq!(vulnerable(&dataset, buckets.clone(), given), (4.0, 0.0));
    let rules = NegativeRuleParameters { generalized: false, ..Default::default() };
    let PrivacyVerdict::Broken(faults) =
        verify(&dataset, &Release::Buckets(buckets), &Guarantee::MatchingDiversity { l: 3, rules }).unwrap()
    else {
        panic!("it gives the female away")
    };
    assert_eq!(faults[0].says, "in group 0, the rules leave row 1 only 1 possible value of 3");
    assert_eq!(faults.len(), 4);
}

#[test]
fn bad_input_is_named() {
    let refused = |dataset: &Dataset, given: Value| publish(dataset, "injector", given).unwrap_err().to_string();
    let dataset = patients();
    assert_eq!(refused(&dataset, json!({"l": 1})), "`l` must be at least 2, not 1");
    assert_eq!(refused(&dataset, json!({"l": 2, "min_exp": 0})), "`min_exp` must be above 0 and below 1, not 0");
    assert_eq!(refused(&dataset, json!({"l": 2, "min_exp": 1})), "`min_exp` must be above 0 and below 1, not 1");
    assert_eq!(refused(&dataset, json!({"l": 2, "min_conf": 0})), "`min_conf` must be above 0 and at most 1, not 0");
    assert_eq!(refused(&dataset, json!({"l": 2, "rule_length": 0})), "`rule_length` must be at least 1, not 0");
    assert_eq!(
        refused(&dataset, json!({"l": 2, "min_ex": 1})),
        "there is no parameter `min_ex`; did you mean `min_exp`?"
    );
    assert_eq!(
        refused(&dataset, json!({"l": 2})),
        "`ZIP Code` has no hierarchy: give it one, or set `generalized` to false for rules about plain values"
    );
    assert_eq!(
        refused(&dataset, json!({"l": 5, "generalized": false})),
        "matching 5-diversity cannot be reached: even among all rows, the rules leave row 1 only 4 possible values of Disease (Flu, Heart Disease, Ovarian Cancer, Prostate Cancer)"
    );
    let empty = Dataset::of_table(Table::from_rows(&["a", "s"], &[]), &["a"], "s").unwrap();
    assert_eq!(refused(&empty, json!({"l": 2, "generalized": false})), "the table has no rows");
}

/// More than half of the rows have p, which Anatomy refuses at ℓ = 2; two possible values everybody can have all the same.
#[test]
fn the_guarantee_decides_and_not_the_most_frequent_value() {
    let rows: [&[&str]; 5] = [&["a", "p"], &["b", "p"], &["a", "p"], &["b", "q"], &["a", "q"]];
    let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
    assert!(publish(&dataset, "anatomy", json!({"l": 2})).is_err());
    for algorithm in ["injector", "injector-balanced"] {
        // `publish` verifies it.
        let buckets = publish(&dataset, algorithm, json!({"l": 2, "generalized": false})).unwrap();
        assert_eq!(buckets.sensitive.len(), 2, "{algorithm}: {:?}", buckets.group_of);
    }
    let guarantee = Guarantee::MatchingDiversity { l: 2, rules: Default::default() };
    assert!(anonlab::release::check_reachable(&dataset, &guarantee).is_ok());
}

#[test]
fn what_cannot_be_reached_is_said() {
    // Every a has x or y and every b z or w, and the rules know it.
    let group: [&[&str]; 4] = [&["a", "x"], &["a", "y"], &["b", "z"], &["b", "w"]];
    let rows: Vec<&[&str]> = (0..40).map(|row| group[row % 4]).collect();
    let dataset = Dataset::of_table(Table::from_rows(&["q", "s"], &rows), &["q"], "s").unwrap();
    let error = publish(&dataset, "injector", json!({"l": 3, "generalized": false})).unwrap_err();
    assert!(matches!(error, LabError::Unreachable(_)));
    assert_eq!(
        error.to_string(),
        "matching 3-diversity cannot be reached: even among all rows, the rules leave row 1 only 2 possible values of s (x, y)"
    );
    assert!(publish(&dataset, "injector", json!({"l": 2, "generalized": false})).is_ok());
}

/// Figure 3 on the training part of Adult, with intervals of 5 years.
#[test]
fn rules_of_adult_are_those_the_paper_found() {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult-train",
        "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
        "sensitive": "occupation",
        "derive": [{"drop_missing": "used"}],
        "hierarchies": {
            "age": "adult/age-5", "workclass": "adult/workclass", "education": "adult/education",
            "marital_status": "adult/marital_status", "race": "adult/race", "sex": "adult/sex",
        },
    }))
    .unwrap();
    let dataset = load(&definition, &DataLocations::new(None), Seed(1)).unwrap().dataset;
    assert_eq!(dataset.microdata().unwrap().rows(), 30_718);
    let mut bench = Workbench::new(Seed(1), "test");
    let census = |min_exp: f64, bench: &mut Workbench| -> Vec<f64> {
        let given = parameters(json!({"min_exp": min_exp}));
        let observed = measure("negative-rules").unwrap().measure(&dataset, None, &given, bench).unwrap();
        observed.iter().map(|observation| (observation.value * 100.0).round() / 100.0).collect()
    };
    // The third is the fewest values that somebody may still have: 11 of 14.
    assert_eq!(census(0.95, &mut bench), [15.0, 5.0, 11.0, 0.05, 96.18, 1.82, 1.95, 0.0, 0.0]);
    let rules: Vec<f64> = [0.75, 0.80, 0.85, 0.90].map(|min_exp| census(min_exp, &mut bench)[0]).to_vec();
    assert_eq!(rules, [42.0, 38.0, 32.0, 22.0]);
}

fn dataset_of(rows: &[[u8; 3]]) -> Dataset {
    let text: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(u8::to_string).collect()).collect();
    let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    Dataset::of_table(Table::from_rows(&["a", "b", "s"], &cells), &["a", "b"], "s").unwrap()
}

/// Rows in which what somebody has depends on what he is, so that there are rules.
fn correlated_rows() -> impl Strategy<Value = Vec<[u8; 3]>> {
    let row = (0u8..4, 0u8..3, 0u8..5, 0u8..8).prop_map(|(a, b, s, skew)| {
        let s = if skew < 5 { (a + b + s % 3) % 6 } else { s };
        [a, b, s]
    });
    prop::collection::vec(row, 4..70)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Same groups under the same tie-breaks, and a refusal exactly where the whole table as one group is not diverse.
    #[test]
    fn fast_and_literal_bucketization_give_the_same_groups(
        rows in correlated_rows(),
        l in 2usize..5,
        min_exp in 0.3f64..0.95,
        min_conf in prop_oneof![3 => Just(1.0), 1 => 0.7f64..1.0],
        rule_length in 1usize..3,
    ) {
        let dataset = dataset_of(&rows);
        let microdata = dataset.microdata().unwrap();
        let rules = NegativeRuleParameters { min_exp, min_conf, rule_length, generalized: false, ..Default::default() };
        let incompatible = NegativeRules::mine(microdata, &rules).unwrap().incompatibilities();
        let tuples: Vec<Tuple> = (0..rows.len())
            .map(|row| Tuple {
                value: microdata.sensitive_codes()[row],
                cannot_take: incompatible.of(row).iter().collect(),
            })
            .collect();
        for (algorithm, choice) in [
            ("injector", Choice::AsPrinted),
            ("injector", Choice::AsPrintedByRow),
            ("injector-balanced", Choice::EvenPace),
        ] {
            let given = json!({"l": l, "min_exp": min_exp, "min_conf": min_conf, "rule_length": rule_length, "generalized": false});
            let mut with_ties = given.clone();
            if choice == Choice::AsPrintedByRow {
                with_ties["ties"] = json!("rows");
            }
            match publish(&dataset, algorithm, with_ties) {
                Ok(buckets) => {
                    let mut group_of = vec![0; rows.len()];
                    for (group, members) in bucketize(&tuples, l, choice).iter().enumerate() {
                        members.iter().for_each(|&t| group_of[t] = group as u32);
                    }
                    prop_assert_eq!(&buckets.group_of, &group_of);
                    let (vulnerable, by_elimination) = vulnerable(&dataset, buckets, given);
                    prop_assert_eq!((vulnerable, by_elimination), (0.0, 0.0));
                }
                Err(error) if error.to_string().starts_with("matching") => {
                    let all: Vec<usize> = (0..tuples.len()).collect();
                    prop_assert!(all.iter().any(|&t| valid_values(&tuples, &all, t).len() < l));
                }
                Err(error) => prop_assert!(error.to_string().starts_with("not "), "{}", error),
            }
        }
    }

    /// The verifier and the audit, which share no code but the rules, agree with Figure 1 on any buckets.
    #[test]
    fn verifier_and_audit_agree_with_figure_1(
        rows in correlated_rows(),
        groups in 1u32..12,
        l in 2usize..5,
        min_conf in prop_oneof![3 => Just(1.0), 1 => 0.7f64..1.0],
    ) {
        let dataset = dataset_of(&rows);
        let microdata = dataset.microdata().unwrap();
        let rules = NegativeRuleParameters { min_exp: 0.5, min_conf, generalized: false, ..Default::default() };
        let incompatible = NegativeRules::mine(microdata, &rules).unwrap().incompatibilities();
        let buckets = Buckets::from_groups(microdata, (0..rows.len() as u32).map(|row| row % groups.min(rows.len() as u32)).collect());
        let tuples: Vec<Tuple> = (0..rows.len())
            .map(|row| Tuple { value: microdata.sensitive_codes()[row], cannot_take: incompatible.of(row).iter().collect() })
            .collect();
        let exposed: usize = buckets
            .members()
            .iter()
            .map(|group| (0..group.len()).filter(|&i| valid_values(&tuples, group, i).len() < l).count())
            .sum();
        let release = Release::Buckets(buckets.clone());
        let verdict = verify(&dataset, &release, &Guarantee::MatchingDiversity { l, rules }).unwrap();
        prop_assert_eq!(verdict == PrivacyVerdict::Private, exposed == 0);
        let given = json!({"l": l, "min_exp": 0.5, "min_conf": min_conf, "generalized": false});
        prop_assert_eq!(vulnerable(&dataset, buckets, given).0, exposed as f64);
    }
}
