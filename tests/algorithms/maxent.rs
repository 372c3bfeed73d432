//! The maximum-entropy audit: the paper's examples, the identities it must keep, and the literal version of it.

use super::maxent_literal::{Constraint, Constraints, constraints, maximize_entropy, qi_values};
use anonlab::audit::maxent::{
    ConstraintCounts, ConstraintReading, GroupUnits, Inference, InferenceFailure, Problem, UnitsOfProfiles, infer,
    state_groups, state_rules,
};
use anonlab::data::{Dataset, Table, Transactions};
use anonlab::lab::{LabError, Observation, Seed, Workbench};
use anonlab::measures::measure;
use anonlab::mining::Profiles;
use anonlab::publish::publisher;
use anonlab::release::{Buckets, GroupIds, Release, RuleSet, SuppressedTransactions};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use proptest::prelude::*;
use serde_json::{Value, json};

fn dataset(names: &[&str], rows: &[Vec<String>]) -> Dataset {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let (sensitive, quasi_identifiers) = names.split_last().unwrap();
    Dataset::of_table(Table::from_rows(names, &rows), quasi_identifiers, sensitive).unwrap()
}

fn words(text: &str) -> Vec<Vec<String>> {
    text.trim().lines().map(|line| line.split_whitespace().map(String::from).collect()).collect()
}

/// Figure 1 of the paper.
fn example_1() -> Dataset {
    dataset(
        &["education", "gender", "salary"],
        &words(
            "Doctorate Male 50K-\nMasters Female 50K-\nDoctorate Female 50K+\nBachelors Male 50K-\n\
             Masters Female 50K+\nDoctorate Male 50K+\nMasters Female 50K+\nDoctorate Female 50K+\n\
             Masters Female 50K+\nDoctorate Female 50K+\nMasters Female 50K+\nDoctorate Female 50K+",
        ),
    )
}

/// Figure 2 of the paper.
fn example_2() -> Dataset {
    dataset(
        &["education", "gender", "salary"],
        &words("Doctorate Female 50K+\nDoctorate Male 50K+\nMasters Female 50K-"),
    )
}

fn publish(dataset: &Dataset, parameters: Value) -> Release {
    let mut bench = Workbench::new(Seed(1), "test");
    let rules = publisher("association-rules").unwrap();
    rules.publish(dataset, parameters.as_object().unwrap(), &mut bench).unwrap()
}

fn audit(dataset: &Dataset, release: &Release, parameters: Value) -> Result<Vec<Observation>, LabError> {
    let mut bench = Workbench::new(Seed(1), "test");
    measure("maximum-entropy").unwrap().measure(dataset, Some(release), parameters.as_object().unwrap(), &mut bench)
}

fn metric(observations: &[Observation], name: &str, at: Option<&str>) -> f64 {
    let found = observations.iter().find(|seen| seen.metric == name && seen.at.as_deref() == at);
    found.unwrap_or_else(|| panic!("{name} at {at:?} is not observed")).value
}

/// P*(value | quasi-identifiers), from the table the audit leaves behind.
fn posterior(dataset: &Dataset, release: &Release, parameters: Value, qi: &[&str], value: &str) -> f64 {
    let mut bench = Workbench::new(Seed(1), "test").keeping_attachments(true);
    let audit = measure("maximum-entropy").unwrap();
    audit.measure(dataset, Some(release), parameters.as_object().unwrap(), &mut bench).unwrap();
    let [table] = bench.attachments() else { panic!("one table is attached") };
    assert_eq!(table.name, "posterior.csv");
    let text = String::from_utf8(table.bytes.clone()).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = header.iter().position(|name| *name == format!("posterior of {value}")).unwrap();
    lines.find(|line| line[..qi.len()] == *qi).unwrap()[column].parse().unwrap()
}

#[test]
fn example_1_gives_one_half() {
    let dataset = example_1();
    let parameters = json!({"support": 0.3, "confidence": 0.8, "strict_confidence": true, "exact": true});
    let release = publish(&dataset, parameters);
    let p = |parameters, qi: &[&str]| posterior(&dataset, &release, parameters, qi, "50K+");
    let without = || json!({"non_rules": "ignored"});
    assert!((p(without(), &["Doctorate", "Male"]) - 0.5).abs() < 1e-12);
    assert_eq!(p(without(), &["Doctorate", "Female"]), 1.0);
    assert!((p(without(), &["Masters", "Female"]) - 0.8).abs() < 1e-12, "8 of 9 women, 4 of them doctors");
    assert!((p(without(), &["Bachelors", "Male"]) - 0.5).abs() < 1e-12, "nothing is known of him");
    assert!((p(json!({}), &["Doctorate", "Male"]) - 0.5).abs() < 1e-12);
}

#[test]
fn example_2_leaves_one_half_to_the_model_and_nothing_to_whole_people() {
    let dataset = example_2();
    let release = publish(&dataset, json!({"support": 0.6, "confidence": 0.9, "exact": true}));
    let Release::Rules(rules) = &release else { panic!("rules are published") };
    assert_eq!(rules.rules.len(), 1);
    let p = |parameters, qi: &[&str]| posterior(&dataset, &release, parameters, qi, "50K+");
    assert_eq!(p(json!({}), &["Doctorate", "Male"]), 1.0);
    // Women with 50K+ number at most 0.9 · 2 = 1.8: that leaves the third person up to 0.8, and ½ has more entropy.
    assert!((p(json!({}), &["Masters", "Female"]) - 0.5).abs() < 1e-12);
    // But people are whole: at most one woman, and that is the first person.
    assert_eq!(p(json!({"whole_counts": true}), &["Masters", "Female"]), 0.0);
    let seen = audit(&dataset, &release, json!({"whole_counts": true})).unwrap();
    assert_eq!(metric(&seen, "determined", None), 3.0);
    // 0.9 of 2 records are exactly 0.6 of 3: each single value covers the pairs, except doctors with 50K+, who are a rule.
    assert_eq!(metric(&seen, "nar_constraints", None), 7.0);
    assert_eq!(metric(&seen, "d_overall", None), 0.0);
}

#[test]
fn rules_that_contradict_each_other_are_named() {
    let dataset = example_1();
    let parameters = json!({"support": 0.3, "confidence": 0.8, "strict_confidence": true, "exact": true});
    let Release::Rules(mut rules) = publish(&dataset, parameters) else { panic!("rules are published") };
    // 5 of 6 doctors have 50K+, but none of the women among them: 3 of 2 men would have to.
    rules.rules[2].counts = Some((4, 0));
    rules.complete = false;
    let error = audit(&dataset, &Release::Rules(rules), json!({})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the release contradicts itself; these cannot all be true: education = Doctorate ⇒ salary = 50K+ (5 of 6 \
         records); education = Doctorate ∧ gender = Female ⇒ salary = 50K+ (0 of 4 records)"
    );
    assert!(matches!(error, LabError::Input(_)));
}

/// A random table with correlations, so that rules exist.
fn tables() -> impl Strategy<Value = Dataset> {
    let row = (0u8..3, 0u8..3, 0u8..2, 0u8..10, 0u8..3);
    (prop::collection::vec(row, 3..40), 2u8..4).prop_map(|(rows, values)| {
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|&(a, b, c, luck, noise)| {
                let value = if luck < 7 { (a + c) % values } else { noise % values };
                vec![format!("a{a}"), format!("b{b}"), format!("c{c}"), format!("s{value}")]
            })
            .collect();
        dataset(&["a", "b", "c", "s"], &cells)
    })
}

fn publisher_parameters() -> impl Strategy<Value = Value> {
    (
        prop::sample::select(vec![0.021, 0.11, 0.23, 0.31]),
        prop::sample::select(vec![0.37, 0.57, 0.63, 0.83, 1.0]),
        any::<[bool; 4]>(),
        prop::option::weighted(0.2, 1usize..15),
    )
        .prop_map(|(support, confidence, [exact, distribution, round_down, empty], first)| {
            json!({
                "support": support, "confidence": confidence, "exact": exact, "sensitive_distribution": distribution,
                "round_down": round_down, "empty_antecedent": empty, "first": first,
            })
        })
}

struct Solved {
    sizes: ConstraintCounts,
    inference: Result<Inference, InferenceFailure>,
}

fn solve(dataset: &Dataset, rules: &RuleSet, reading: ConstraintReading) -> Solved {
    let microdata = dataset.microdata().unwrap();
    let profiles = Profiles::new(microdata);
    let weights = profiles.sizes().iter().map(|&size| f64::from(size)).collect();
    let mut problem = Problem::new(weights, microdata.table.columns[microdata.sensitive].cardinality());
    let sizes = state_rules(&mut problem, &profiles, &UnitsOfProfiles::Same, rules, reading).unwrap();
    Solved { sizes, inference: infer(&problem) }
}

const READING: ConstraintReading = ConstraintReading { non_rules: true, prune: true, whole_counts: false };

/// Numbers that differ by rounding alone.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn rules(dataset: &Dataset, parameters: Value) -> RuleSet {
    let Release::Rules(rules) = publish(dataset, parameters) else { panic!("rules are published") };
    rules
}

fn assert_same(found: &[f64], expected: &[f64]) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        prop_assert!((found - expected).abs() < 1e-6, "entry {} is {}, and should be {}", i, found, expected);
    }
    Ok(())
}

/// Audits rules, or so many groups, made from a table of four quasi-identifiers and a sensitive value; says so if its certificate
/// does not hold.
fn certified(rows: &[([u8; 4], u8)], groups: Option<usize>, parameters: Value, reading: Value) -> Result<(), String> {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|([a, b, c, d], value)| {
            vec![format!("a{a}"), format!("b{b}"), format!("c{c}"), format!("d{d}"), format!("s{value}")]
        })
        .collect();
    let dataset = dataset(&["a", "b", "c", "d", "s"], &cells);
    let release = match groups {
        Some(groups) => {
            let group_of = (0..rows.len()).map(|row| (row % groups.min(rows.len())) as u32).collect();
            Release::Buckets(Buckets::from_groups(dataset.microdata().unwrap(), group_of))
        }
        None => publish(&dataset, parameters),
    };
    let seen = audit(&dataset, &release, reading).map_err(|error| error.to_string())?;
    for name in ["residual", "duality_gap", "complementarity"] {
        let miss = metric(&seen, name, None);
        if miss >= 1e-7 {
            return Err(format!("{name} is {miss}"));
        }
    }
    Ok(())
}

/// Rows as five digits, the last of which is the sensitive value.
fn digits(text: &str) -> Vec<([u8; 4], u8)> {
    let row = |word: &str| match word.bytes().map(|digit| digit - b'0').collect::<Vec<_>>()[..] {
        [a, b, c, d, value] => ([a, b, c, d], value),
        _ => panic!("{word} has not five digits"),
    };
    text.split_whitespace().map(row).collect()
}

/// Newton's full steps carry multipliers so far out on this table that rounding times a multiplier is 1e-7.
#[test]
fn rules_that_depend_on_one_another_where_probabilities_lie_are_certified() {
    let rows = digits("10110 10020 10102 20010 00101 00000 20010 30000 20100 00010 11110 01112 00120 21001");
    let parameters = json!({"support": 0.1, "confidence": 0.3, "exact": false, "sensitive_distribution": true});
    certified(&rows, None, parameters, json!({"whole_counts": true, "prune": false})).unwrap();
}

/// The same of groups and of what an adversary knows beside them, exactly.
#[test]
fn knowledge_that_depends_on_itself_where_probabilities_lie_is_certified() {
    let rows = digits(
        "10113 10010 00113 31110 11102 20121 00101 01022 02000 00022 30110 20103 20011 01123 01123 22002 32120 20024 \
         00022 10110 30121 00112 21024 01101 10001 31013 00022 00014 00112 30110 10001 20103 01022 20112 21103 30110 \
         00112 21120 21002 00112 02022 02101 11012 31121 30121 00011 30003 02010 00022 20002 12102 01024 20002 21103 \
         00000 31014 00000 02022 21013 00112 21120 21001 30014 11012 22002 31003 32014 01102 02012 32010 01112 20001 \
         01022 10023 32112 20013 12102 21010 20120 20114 01112 02003 10013 31020 21024 10124 10113 01123 21103 10120 \
         30014 11012 22024 30110 10122 20103 10004 32020 22013 02003 20024 01000 00011 20013 12102 10001 01022 20001 \
         01022 11102 00011",
    );
    let reading = json!({
        "whole_counts": false, "prune": false, "knowledge": "rules", "knowledge_support": 0.05, "knowledge_confidence": 0.1,
        "knowledge_exact": true,
    });
    certified(&rows, Some(16), json!({}), reading).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    /// P* is that of a general interior-point solver on the literal constraints, to 1e-6; and the numbers of
    /// NAR-constraints and of variables in them are those of the definition.
    #[test]
    fn agrees_with_the_literal_version(
        dataset in tables(), parameters in publisher_parameters(), non_rules in any::<bool>(), prune in any::<bool>(),
    ) {
        let rules = rules(&dataset, parameters);
        let microdata = dataset.microdata().unwrap();
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let Constraints { all, nar_constraints, nar_variables } = constraints(microdata, &rules, non_rules, prune);
        let fast = solve(&dataset, &rules, ConstraintReading { non_rules, prune, ..READING });
        prop_assert_eq!((fast.sizes.nar_constraints, fast.sizes.nar_variables), (nar_constraints, nar_variables));
        let inference = fast.inference.unwrap();
        let weights: Vec<f64> = qi_values(microdata).into_values().collect();
        let Some(expected) = maximize_entropy(&weights, values, &all) else {
            return Err(TestCaseError::reject("the general solver gives up"));
        };
        assert_same(&inference.posterior(), &expected)?;
    }

    /// The same for buckets joined with rules as background knowledge.
    #[test]
    fn buckets_with_knowledge_agree_with_the_literal_version(
        dataset in tables(), groups in prop::collection::vec(0u32..4, 40), parameters in publisher_parameters(),
    ) {
        let microdata = dataset.microdata().unwrap();
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let mut numbers: Vec<u32> = groups[..microdata.rows()].to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        let group_of = groups[..microdata.rows()].iter().map(|g| numbers.binary_search(g).unwrap() as u32).collect();
        let buckets = Buckets::from_groups(microdata, group_of);
        let known = RuleSet { complete: false, ..rules(&dataset, parameters) };
        let profiles = Profiles::new(microdata);
        let release = Release::Buckets(buckets.clone());
        let GroupUnits { mut problem, units, profile_of, .. } = state_groups(&profiles, values, &release.groups(&dataset).unwrap()).unwrap();
        state_rules(&mut problem, &profiles, &units, &known, READING).unwrap();
        let inference = infer(&problem).unwrap();

        let mut all = Vec::new();
        let units_of_group = |group: usize| -> Vec<usize> {
            let mut before = 0;
            let mut sizes = buckets.members().into_iter().map(|rows| {
                rows.into_iter().map(|row| profiles.of_row()[row]).collect::<std::collections::BTreeSet<_>>().len()
            });
            for _ in 0..group {
                before += sizes.next().unwrap();
            }
            (before..before + sizes.next().unwrap()).collect()
        };
        for group in 0..buckets.groups() {
            for sensitive in 0..values as u32 {
                let count = buckets.sensitive[group].iter().find(|(value, _)| *value == sensitive).map_or(0, |found| found.1);
                let exactly = f64::from(count);
                all.push(Constraint { values: units_of_group(group), sensitive, lower: exactly, upper: exactly });
            }
        }
        for constraint in constraints(microdata, &known, false, true).all {
            let of_profiles = constraint.values;
            let is_member = |unit: &usize| of_profiles.contains(&(profile_of[*unit] as usize));
            all.push(Constraint { values: (0..profile_of.len()).filter(is_member).collect(), ..constraint });
        }
        let Some(expected) = maximize_entropy(&problem.weights, values, &all) else {
            return Err(TestCaseError::reject("the general solver gives up"));
        };
        assert_same(&inference.posterior(), &expected)?;
    }

    /// With exact rules and no NAR-constraints, D_overall = H* − H_true; so it cannot fall as fewer rules are published.
    #[test]
    fn exact_rules_leave_the_entropy_they_do_not_tell(
        dataset in tables(), support in 0.01f64..0.3, more in 0.0f64..0.2, confidence in 0.2f64..0.9, higher in 0.0f64..0.1,
        first in 1usize..20,
    ) {
        let ignored = || json!({"non_rules": "ignored"});
        let exact = |support: f64, confidence: f64, first: Option<usize>| {
            let release =
                publish(&dataset, json!({"support": support, "confidence": confidence, "exact": true, "first": first}));
            let seen = audit(&dataset, &release, ignored()).unwrap();
            let d = metric(&seen, "d_overall", None);
            let difference = metric(&seen, "entropy", None) - metric(&seen, "entropy_original", None);
            assert!(close(d, difference), "{d} is not {difference}");
            d
        };
        let all = exact(support, confidence, None);
        prop_assert!(exact(support + more, confidence, None) >= all - 1e-9);
        prop_assert!(exact(support, confidence + higher, None) >= all - 1e-9);
        let some = exact(support, confidence, Some(first));
        prop_assert!(some >= all - 1e-9);
        prop_assert!(exact(support, confidence, Some(first + 1)) <= some + 1e-9);
    }

    /// Pruning changes nothing, nor does the order of the rows.
    #[test]
    fn pruned_and_unpruned_constraints_have_the_same_answer(dataset in tables(), parameters in publisher_parameters()) {
        let rules = rules(&dataset, parameters);
        let answer = |prune| solve(&dataset, &rules, ConstraintReading { prune, ..READING }).inference.unwrap();
        let (pruned, unpruned) = (answer(true), answer(false));
        for (a, b) in pruned.posterior().iter().zip(&unpruned.posterior()) {
            prop_assert!(close(*a, *b), "{} is not {}", a, b);
        }
    }

    /// Larger tables, more values, thresholds that hit ties, buckets and knowledge: an answer is always found and certified.
    #[test]
    fn every_answer_carries_its_certificate(
        rows in prop::collection::vec((0u8..4, 0u8..3, 0u8..2, 0u8..3, 0u8..10, 0u8..5), 5..200),
        values in 2u8..6,
        support in prop::sample::select(vec![0.0, 0.01, 0.02, 0.05, 0.1, 0.25]),
        confidence in prop::sample::select(vec![0.1, 0.25, 0.3, 0.5, 0.6, 0.9, 1.0]),
        [exact, distribution, whole, prune] in any::<[bool; 4]>(),
        knowledge in prop::sample::select(vec!["none", "rules", "negative_rules", "all"]),
        groups in prop::option::of(2usize..20),
    ) {
        let parameters = json!({
            "support": support, "confidence": confidence, "exact": exact, "sensitive_distribution": distribution,
        });
        let reading = json!({
            "whole_counts": whole, "prune": prune, "knowledge": knowledge, "knowledge_support": support,
            "knowledge_confidence": confidence, "knowledge_exact": exact,
        });
        let rows = rows.into_iter().map(|(a, b, c, d, luck, noise)| {
            ([a, b, c, d], if luck < 7 { (a + c + d) % values } else { noise % values })
        });
        certified(&rows.collect::<Vec<_>>(), groups, parameters, reading).map_err(TestCaseError::fail)?;
    }

    /// Whole counts are true of the original too, so the truth stays possible and the adversary only learns more.
    #[test]
    fn whole_counts_are_consistent(dataset in tables(), parameters in publisher_parameters()) {
        let release = publish(&dataset, parameters);
        audit(&dataset, &release, json!({"whole_counts": true})).unwrap();
    }
}

#[test]
fn without_rules_everything_is_equally_likely() {
    let dataset = example_1();
    let release = publish(&dataset, json!({"support": 1.0, "confidence": 1.0}));
    let seen = audit(&dataset, &release, json!({"non_rules": "ignored", "count_unpruned": true})).unwrap();
    assert!(close(metric(&seen, "d_overall", None), 2f64.ln() - metric(&seen, "entropy_original", None)));
    assert_eq!(metric(&seen, "max_posterior", None), 0.5);
    assert_eq!(metric(&seen, "l_distinct", None), 2.0);
    assert!(close(metric(&seen, "l_entropy", None), 2.0));
    // 3 levels of education, 2 genders, 4 combinations; each with 2 salaries.
    assert_eq!(metric(&seen, "qi_values", None), 4.0);
    assert_eq!(metric(&seen, "constraints_unpruned", None), 18.0);
    assert_eq!(metric(&seen, "variables_unpruned", None), 24.0);
}

#[test]
fn dependent_equalities_that_do_not_add_up_are_named() {
    let rows = words("m x 1\nm y 0\nm y 1\nf x 0\nf x 1\nf y 1");
    let dataset = dataset(&["sex", "race", "s"], &rows);
    let mut all = rules(&dataset, json!({"support": 0.01, "confidence": 0.01, "exact": true}));
    // sex = m ⇒ s = 1 holds for 2 of 3; with 1 of 3 it is not the sum of its parts any more.
    let rule = all.rules.iter_mut().find(|rule| rule.antecedent == [(0, 1)] && rule.consequent == 1).unwrap();
    assert_eq!(rule.counts, Some((3, 2)));
    rule.counts = Some((3, 1));
    let message = audit(&dataset, &Release::Rules(all), json!({})).unwrap_err().to_string();
    assert!(message.contains("sex = m ⇒ s = 1 (1 of 3 records)"), "{message}");
    assert!(message.matches(';').count() <= 4, "few rules are named: {message}");
}

#[test]
fn buckets_alone_give_the_shares_of_their_groups() {
    let dataset = example_1();
    let microdata = dataset.microdata().unwrap();
    let groups = Buckets::from_groups(microdata, vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    let release = Release::Buckets(groups);
    let p = |qi: &[&str]| posterior(&dataset, &release, json!({}), qi, "50K+");
    assert!(close(p(&["Bachelors", "Male"]), 0.5), "3 of the 6 of group 0");
    // 1 of the 4 is in group 0, where 3 of 6 have 50K+; the others are in group 1, where all have.
    assert!(close(p(&["Doctorate", "Female"]), 0.25 * 0.5 + 0.75));
    let seen = audit(&dataset, &release, json!({})).unwrap();
    assert_eq!(metric(&seen, "steps", None), 0.0, "the start is the answer");
    let knowing = audit(&dataset, &release, json!({"knowledge": "all", "knowledge_support": 0.1})).unwrap();
    assert!(metric(&knowing, "d_overall", None) < metric(&seen, "d_overall", None));
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let dataset = example_1();
    let suppressed = Release::SuppressedTransactions(SuppressedTransactions {
        suppressed: vec![],
        transactions: Transactions::with_labels(vec![]),
    });
    let message = audit(&dataset, &suppressed, json!({})).unwrap_err().to_string();
    assert_eq!(message, "suppressed-transactions do not say who may have which sensitive value");
    let short =
        Release::Buckets(Buckets { group_of: vec![0], sensitive: vec![vec![(0, 1)]], ids: GroupIds::default() });
    let message = audit(&dataset, &short, json!({})).unwrap_err().to_string();
    assert_eq!(message, "the release has 1 row, the original 12");
}

#[test]
fn non_rules_can_be_compared() {
    let dataset = example_2();
    let release = publish(&dataset, json!({"support": 0.6, "confidence": 0.9, "exact": true}));
    let parameters = json!({"non_rules": "compared", "whole_counts": true, "top": [1, 3], "shown": 2});
    let seen = audit(&dataset, &release, parameters).unwrap();
    let at = |name, at| metric(&seen, name, Some(at));
    assert!(
        close(at("top_difference", "1"), 2f64.ln()),
        "the third person's value is told by a rule that is not there"
    );
    assert_eq!((at("top_original", "1"), at("top_posterior_with", "1")), (1.0, 1.0));
    assert!(close(at("top_posterior_without", "1"), 0.5));
    assert!(close(at("difference", "3"), 2f64.ln() / 3.0));
    assert!(close(metric(&seen, "d_overall_without_non_rules", None), 2f64.ln() / 3.0));
}

/// Adult as the paper prepares it: complete rows of the training part, eight quasi-identifiers.
fn adult() -> Dataset {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult-train",
        "quasi_identifiers": [
            "workclass", "marital_status", "occupation", "relationship", "race", "sex", "native_country", "education",
        ],
        "sensitive": "salary",
        "derive": [{"drop_missing": "all"}],
    }))
    .unwrap();
    load(&definition, &DataLocations::new(None), Seed(1)).unwrap().dataset
}

#[test]
fn the_sizes_of_adult_are_those_the_paper_prints() {
    let adult = adult();
    let release = publish(&adult, json!({}));
    let seen = audit(&adult, &release, json!({"count_unpruned": true})).unwrap();
    for (name, expected) in [
        ("qi_values", 7_722.0),
        ("constraints_unpruned", 766_582.0),
        ("variables_unpruned", 3_938_220.0),
        ("nar_constraints", 449.0),
        ("nar_variables", 281_014.0),
    ] {
        assert_eq!(metric(&seen, name, None), expected, "{name}");
    }
    let parameters = json!({"support": 0.02, "confidence": 0.6, "round_down": true, "empty_antecedent": true});
    assert_eq!(rules(&adult, parameters).rules.len(), 1_337);
    assert_eq!(rules(&adult, json!({"support": 0.02, "round_down": true})).rules.len(), 1_336);
    assert_eq!(rules(&adult, json!({"support": 0.02})).rules.len(), 1_332);
}

#[test]
fn adult_is_solved_to_nine_digits_with_and_without_pruning() {
    let adult = adult();
    let nothing = publish(&adult, json!({"confidence": 1.0}));
    let seen = audit(&adult, &nothing, json!({"non_rules": "ignored"})).unwrap();
    assert!((metric(&seen, "d_overall", None) - 0.41509).abs() < 1e-5);
    for exact in [false, true] {
        let release = publish(&adult, json!({"exact": exact}));
        let pruned = audit(&adult, &release, json!({})).unwrap();
        let unpruned = audit(&adult, &release, json!({"prune": false})).unwrap();
        for name in ["residual", "duality_gap", "complementarity"] {
            assert!(metric(&pruned, name, None) < 1e-9, "{name}");
        }
        assert_eq!(metric(&unpruned, "known_rules", None) + metric(&unpruned, "nar_constraints", None), 766_582.0);
        assert!(close(metric(&pruned, "d_overall", None), metric(&unpruned, "d_overall", None)));
    }
}
