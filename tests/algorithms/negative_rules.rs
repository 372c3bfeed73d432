//! Negative rules against brute force: every antecedent, every value, a scan of the table for each.

use anonlab::data::{Content, Dataset, Hierarchy, HierarchyBuilder, Microdata, Table};
use anonlab::mining::{NegativeRuleParameters, NegativeRules, Quantitative};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A table with a numeric and a categorical quasi-identifier, each under a hierarchy of two inner levels.
fn dataset(rows: &[(u8, u8, u8)]) -> Dataset {
    let text: Vec<[String; 3]> =
        rows.iter().map(|&(age, job, s)| [(20 + 3 * age).to_string(), format!("job{job}"), format!("s{s}")]).collect();
    let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    let table = Table::from_rows(&["age", "job", "s"], &cells);
    let mut dataset = Dataset::of_table(table, &["age", "job"], "s").unwrap();
    let Content::Table(microdata) = &mut dataset.content else { unreachable!() };
    microdata.hierarchies = microdata
        .quasi_identifiers
        .iter()
        .map(|&column| Some(pairs(&microdata.table.columns[column].values)))
        .collect();
    dataset
}

/// Neighbours in pairs, pairs in pairs, the rest under the root; a value left over has a parent of its own.
fn pairs(labels: &[String]) -> Hierarchy {
    let mut builder = HierarchyBuilder::new(labels.to_vec());
    let mut level: Vec<u32> = (0..labels.len() as u32).collect();
    for height in 1..3 {
        level = level.chunks(2).enumerate().map(|(i, pair)| builder.group(format!("L{height}.{i}"), pair)).collect();
    }
    builder.group("*", &level);
    builder.finish().unwrap()
}

/// What one attribute can be asked: a label and the codes under it. Those that cover all codes, or the same as another, are
/// no questions.
fn questions(microdata: &Microdata, attribute: usize, generalized: bool) -> Vec<(String, BTreeSet<u32>)> {
    let column = &microdata.table.columns[microdata.quasi_identifiers[attribute]];
    let mut questions: Vec<(String, BTreeSet<u32>)> = (0..column.cardinality() as u32)
        .map(|code| (column.values[code as usize].clone(), BTreeSet::from([code])))
        .collect();
    if let Some(tree) = microdata.hierarchies[attribute].as_ref().filter(|_| generalized) {
        for node in tree.leaves() as u32..tree.root() {
            let codes: BTreeSet<u32> = tree.leaves_of(node).into_iter().collect();
            if questions.iter().all(|(_, others)| *others != codes) {
                questions.push((tree.label(node).to_string(), codes));
            }
        }
    }
    questions.retain(|(_, codes)| codes.len() < column.cardinality());
    questions
}

/// How much a code belongs to the question: wholly or not, or with fuzzy edges of `reach` times the range.
fn membership(microdata: &Microdata, attribute: usize, codes: &BTreeSet<u32>, code: u32, reach: Option<f64>) -> f64 {
    let column = &microdata.table.columns[microdata.quasi_identifiers[attribute]];
    let number = |code: u32| column.values[code as usize].parse::<f64>().ok();
    match (reach, number(0), number(column.cardinality() as u32 - 1)) {
        (Some(reach), Some(low), Some(high)) if high > low => codes
            .iter()
            .map(|&inside| {
                let distance = (number(inside).unwrap() - number(code).unwrap()).abs() / (high - low);
                (1.0 - distance / reach).max(0.0)
            })
            .fold(0.0, f64::max),
        _ => f64::from(u8::from(codes.contains(&code))),
    }
}

/// Rule text to whether it is redundant, and what each row cannot take.
fn by_brute_force(
    microdata: &Microdata,
    parameters: &NegativeRuleParameters,
) -> (BTreeMap<String, bool>, Vec<BTreeSet<u32>>) {
    let rows = microdata.rows();
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let reach = (parameters.quantitative == Quantitative::Fuzzy).then_some(parameters.fuzzy_reach);
    // Conjunctions of at most one question per attribute.
    let mut antecedents: Vec<Vec<(usize, String, BTreeSet<u32>)>> = vec![Vec::new()];
    for attribute in 0..microdata.quasi_identifiers.len() {
        for i in 0..antecedents.len() {
            for (label, codes) in questions(microdata, attribute, parameters.generalized) {
                let mut longer = antecedents[i].clone();
                longer.push((attribute, label, codes));
                antecedents.push(longer);
            }
        }
    }
    antecedents.retain(|x| !x.is_empty() && x.len() <= parameters.rule_length);
    let mut rules = Vec::new();
    for x in &antecedents {
        for value in 0..sensitive.cardinality() as u32 {
            let (mut count, mut exceptions) = (0.0, 0.0);
            for row in 0..rows {
                let weight: f64 = x
                    .iter()
                    .map(|(a, _, codes)| membership(microdata, *a, codes, microdata.quasi_codes(*a)[row], reach))
                    .product();
                count += weight;
                exceptions += if microdata.sensitive_codes()[row] == value { weight } else { 0.0 };
            }
            let share = sensitive.histogram()[value as usize] as f64 / rows as f64;
            let expectation = 1.0 - (1.0 - share).powf(count);
            if count > 0.0
                && expectation >= parameters.min_exp
                && exceptions / count <= 1.0 - parameters.min_conf + 1e-12
            {
                rules.push((x, value));
            }
        }
    }
    let mut found = BTreeMap::new();
    let mut cannot_take = vec![BTreeSet::new(); rows];
    for &(x, value) in &rules {
        let covers = |general: &Vec<(usize, String, BTreeSet<u32>)>| {
            general.iter().all(|(a, _, codes)| x.iter().any(|(b, _, inner)| a == b && codes.is_superset(inner)))
        };
        let redundant = rules.iter().any(|&(other, same)| same == value && other != x && covers(other));
        let conditions: Vec<String> = x
            .iter()
            .map(|(a, label, _)| format!("{} = {label}", microdata.table.columns[microdata.quasi_identifiers[*a]].name))
            .collect();
        found.insert(format!("{} ⇒ ¬ s = {}", conditions.join(" ∧ "), sensitive.values[value as usize]), redundant);
        for (row, set) in cannot_take.iter_mut().enumerate() {
            let satisfies = x.iter().all(|(a, _, codes)| codes.contains(&microdata.quasi_codes(*a)[row]));
            if satisfies && microdata.sensitive_codes()[row] != value {
                set.insert(value);
            }
        }
    }
    (found, cannot_take)
}

fn rows() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    let row = (0u8..7, 0u8..5, 0u8..4, 0u8..4)
        .prop_map(|(age, job, s, skew)| (age, job, if skew > 0 { (age / 2 + s % 2) % 4 } else { s }));
    prop::collection::vec(row, 1..50)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn rules_and_incompatible_values_are_those_of_brute_force(
        rows in rows(),
        min_exp in 0.2f64..0.95,
        min_conf in prop_oneof![Just(1.0), 0.6f64..1.0],
        rule_length in 1usize..4,
        generalized in any::<bool>(),
        fuzzy in any::<bool>(),
        fuzzy_reach in 0.1f64..0.6,
    ) {
        let quantitative = if fuzzy { Quantitative::Fuzzy } else { Quantitative::Crisp };
        let parameters = NegativeRuleParameters { min_exp, min_conf, rule_length, generalized, quantitative, fuzzy_reach, redundant: true };
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let mined = NegativeRules::mine(microdata, &parameters).unwrap();
        let (expected, cannot_take) = by_brute_force(microdata, &parameters);
        let found: BTreeMap<String, bool> =
            mined.rules.iter().map(|rule| (mined.describe(rule), rule.redundant)).collect();
        prop_assert_eq!(found.len(), mined.rules.len());
        prop_assert_eq!(&found, &expected);
        let incompatible = mined.incompatibilities();
        for (row, expected) in cannot_take.iter().enumerate() {
            prop_assert_eq!(&incompatible.of(row).iter().collect::<BTreeSet<_>>(), expected);
        }
        // Left out, redundant rules are not listed and forbid what they forbade.
        let brief = NegativeRules::mine(microdata, &NegativeRuleParameters { redundant: false, ..parameters }).unwrap();
        prop_assert_eq!(brief.rules.len(), expected.values().filter(|&&redundant| !redundant).count());
        let still = brief.incompatibilities();
        prop_assert!((0..rows.len()).all(|row| still.of(row) == incompatible.of(row)));
    }
}

#[test]
fn rules_are_written_as_csv() {
    let rows: Vec<(u8, u8, u8)> = (0..20).map(|i| (i % 2, 0, i % 2)).collect();
    let dataset = dataset(&rows);
    let rules = NegativeRules::mine(dataset.microdata().unwrap(), &NegativeRuleParameters::default()).unwrap();
    assert_eq!(
        String::from_utf8(rules.to_csv()).unwrap(),
        "antecedent,forbidden_value,count,exceptions,expectation,confidence,redundant\n\
         age = 20,s1,10,0,0.9990234375,1,false\n\
         age = 23,s0,10,0,0.9990234375,1,false\n"
    );
}
