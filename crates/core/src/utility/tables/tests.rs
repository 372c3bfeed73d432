//! Measures of generalized tables on tables small enough for a pencil, and against scans of all rows.

use crate::data::{Dataset, Hierarchy, Microdata, Table};
use crate::lab::{Seed, Workbench};
use crate::measures::measure;
use crate::publish::publisher;
use crate::release::Release;
use crate::release::generalized_table::{CellColumn, Domain, GeneralizedCell, GeneralizedTable, Interval};
use crate::sources::{DataLocations, DatasetDefinition, load};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Ages, towns and illnesses.
fn dataset(rows: &[(u8, u8, u8)]) -> Dataset {
    let text: Vec<[String; 3]> =
        rows.iter().map(|(a, t, s)| [a.to_string(), format!("t{t}"), format!("s{s}")]).collect();
    let cells: Vec<Vec<&str>> = text.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
    Dataset::of_table(Table::from_rows(&["age", "town", "ill"], &cells), &["age", "town"], "ill").unwrap()
}

fn observe(name: &str, dataset: &Dataset, table: &GeneralizedTable, given: Value) -> Vec<(String, f64)> {
    let release = Release::GeneralizedTable(table.clone());
    let given = given.as_object().unwrap().clone();
    let mut bench = Workbench::new(Seed(1), "test");
    let observed = measure(name).unwrap().measure(dataset, Some(&release), &given, &mut bench).unwrap();
    let name = |metric: String, at: Option<String>| at.map_or(metric.clone(), |at| format!("{metric}.{at}"));
    observed.into_iter().map(|one| (name(one.metric.to_string(), one.at), one.value)).collect()
}

fn value(observed: &[(String, f64)], name: &str) -> f64 {
    observed.iter().find(|(metric, _)| metric == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// Six rows: two of ages 20 and 24 in any town, three of age 30 in t0 or t1, and a suppressed one.
fn example() -> (Dataset, GeneralizedTable) {
    let dataset = dataset(&[(20, 0, 0), (24, 2, 1), (30, 0, 0), (30, 1, 0), (30, 1, 1), (60, 2, 1)]);
    let mut table = GeneralizedTable::identity(dataset.microdata().unwrap());
    let young = GeneralizedCell::Interval(Interval::closed(20.0, 24.0));
    table.columns[0] = CellColumn { cells: vec![young, GeneralizedCell::Value(2)], of_row: vec![0, 0, 1, 1, 1, 0] };
    table.columns[1] = CellColumn {
        cells: vec![GeneralizedCell::Any, GeneralizedCell::Set(vec![0, 1])],
        of_row: vec![0, 0, 1, 1, 1, 0],
    };
    table.suppress(|row| row == 5);
    (dataset, table)
}

#[test]
fn six_rows_by_pencil() {
    let (dataset, table) = example();
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    let risk = observe("risk", &dataset, &table, json!({"bound": 0.4}));
    near(value(&risk, "highest_risk"), 0.5);
    near(value(&risk, "average_risk"), 2.0 / 5.0);
    near(value(&risk, "average_risk_over_classes"), (0.5 + 1.0 / 3.0) / 2.0);
    near(value(&risk, "records_at_risk"), 2.0 / 5.0);
    near(value(&risk, "highest_risk_suppressed_class"), 1.0);
    let classes = observe("classes", &dataset, &table, json!({"k": 2}));
    near(value(&classes, "classes"), 2.0);
    near(value(&classes, "mean_class_size"), 2.5);
    near(value(&classes, "normalized_class_size"), 1.25);
    near(value(&classes, "discernibility"), 4.0 + 9.0 + 6.0);
    near(value(&classes, "discernibility_suppressed_class"), 4.0 + 9.0 + 1.0);
    near(value(&classes, "suppressed"), 100.0 / 6.0);
    let loss = observe("information-loss", &dataset, &table, json!({}));
    // Ages run from 20 to 60; two rows lose 4 of 40 years, the suppressed one everything.
    near(value(&loss, "attribute_ncp.age"), (2.0 * 0.1 + 1.0) / 6.0);
    near(value(&loss, "attribute_ncp.town"), (2.0 * 1.0 + 3.0 * 2.0 / 3.0 + 1.0) / 6.0);
    near(value(&loss, "gcp"), (1.2 + 5.0) / 12.0);
    near(value(&loss, "gcp_by_leaves"), (2.0 * 0.5 + 1.0 + 5.0) / 12.0);
    near(value(&loss, "cells_kept"), 100.0 * 3.0 / 12.0);
    let reached = observe("reached-privacy", &dataset, &table, json!({}));
    near(value(&reached, "reached_k"), 2.0);
    near(value(&reached, "reached_l"), 2.0);
    near(value(&reached, "reached_alpha"), 2.0 / 3.0);
    // Halves of the whole; two thirds are 1/6 off.
    near(value(&reached, "reached_t"), 1.0 / 6.0);
    near(value(&reached, "reached_beta"), 1.0 / 3.0);
    near(value(&reached, "reached_delta"), 1.5f64.ln());
}

#[test]
fn the_ends_lose_nothing_and_everything() {
    let (dataset, _) = example();
    let microdata = dataset.microdata().unwrap();
    let identity = GeneralizedTable::identity(microdata);
    for (name, metric) in
        [("information-loss", "gcp"), ("kl-divergence", "kl_divergence"), ("kl-divergence", "kl_divergence_quasi")]
    {
        assert_eq!(value(&observe(name, &dataset, &identity, json!({})), metric), 0.0, "{metric}");
    }
    let mut nothing = identity;
    nothing.columns.iter_mut().for_each(|column| column.cells.fill(GeneralizedCell::Any));
    assert_eq!(value(&observe("information-loss", &dataset, &nothing, json!({})), "gcp"), 1.0);
    // Every combination of 4 ages and 3 towns is taken for equally likely.
    let found = value(&observe("kl-divergence", &dataset, &nothing, json!({})), "kl_divergence_quasi");
    let entropy = -(4.0 * (1.0 / 6.0 * (1.0f64 / 6.0).ln()) + 1.0 / 3.0 * (1.0f64 / 3.0).ln());
    assert!((found - (12f64.ln() - entropy)).abs() < 1e-12);
}

#[test]
fn a_learner_learns_what_the_table_still_says() {
    // The illness follows from the town alone.
    let rows: Vec<(u8, u8, u8)> = (0..200).map(|i| ((i % 7) as u8, (i % 3) as u8, u8::from(i % 3 == 0))).collect();
    let dataset = dataset(&rows);
    let identity = GeneralizedTable::identity(dataset.microdata().unwrap());
    let seen = observe("classification", &dataset, &identity, json!({}));
    assert_eq!((value(&seen, "accuracy"), value(&seen, "accuracy_original")), (100.0, 100.0));
    let mut blind = identity.clone();
    blind.columns.iter_mut().for_each(|column| column.cells.fill(GeneralizedCell::Any));
    let seen = observe("classification", &dataset, &blind, json!({}));
    assert_eq!(value(&seen, "accuracy"), value(&seen, "accuracy_majority"));
    assert!(value(&seen, "accuracy") < 80.0);
    let mut without_ages = identity;
    without_ages.columns[0].cells.fill(GeneralizedCell::Any);
    assert_eq!(value(&observe("classification", &dataset, &without_ages, json!({})), "accuracy"), 100.0);
}

/// Of a rule that only the release has, the witness knows its confidence in the original: one in three of either age, not none.
#[test]
fn an_invented_rule_is_shown_with_its_true_confidence() {
    let dataset = dataset(&[(1, 0, 0), (1, 0, 1), (1, 0, 1), (2, 0, 0), (2, 0, 0), (2, 0, 1)]);
    let mut table = GeneralizedTable::identity(dataset.microdata().unwrap());
    table.columns[0] = CellColumn { cells: vec![GeneralizedCell::Any], of_row: vec![0; 6] };
    let release = Release::GeneralizedTable(table);
    let given = json!({"min_support": 0.1}).as_object().unwrap().clone();
    let mut bench = Workbench::new(Seed(1), "test").wanting_witnesses(true);
    measure("identification-error").unwrap().measure(&dataset, Some(&release), &given, &mut bench).unwrap();
    let invented = bench.witnesses().iter().filter(|witness| witness.of == "false_positives");
    let told: Vec<_> = invented.map(|witness| (witness.by.concat(), witness.value, witness.against)).collect();
    let expected = ["age = 1 ⇒ ill = s0", "age = 2 ⇒ ill = s1"];
    assert_eq!(told, expected.map(|rule| (rule.to_string(), Some(0.5), Some(1.0 / 3.0))));
}

/// Counts of all conjunctions of the three columns by scanning rows, whose ages may be `*`.
fn scanned(rows: &[(u8, u8, u8)], starred: &[bool], ages: f64, age: Option<u8>, town: Option<u8>, ill: u8) -> f64 {
    let part = |(i, row): (usize, &(u8, u8, u8))| {
        let by_age = match age {
            Some(_) if starred[i] => 1.0 / ages,
            Some(age) => f64::from(u8::from(row.0 == age)),
            None => 1.0,
        };
        if town.is_none_or(|town| row.1 == town) && row.2 == ill { by_age } else { 0.0 }
    };
    rows.iter().enumerate().map(part).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// An analyst's counts are those of spreading every row, asked one by one or all frequent ones at once; exact tables
    /// give the confidences and rules of the original.
    #[test]
    fn released_counts_are_those_of_spread_rows(
        rows in prop::collection::vec((0u8..4, 0u8..3, 0u8..3), 4..30),
        starred in prop::collection::vec(any::<bool>(), 30),
    ) {
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let mut table = GeneralizedTable::identity(microdata);
        let any = table.columns[0].cells.len() as u32;
        table.columns[0].cells.push(GeneralizedCell::Any);
        for row in (0..rows.len()).filter(|&row| starred[row]) {
            table.columns[0].of_row[row] = any;
        }
        let text = |column: usize, code: u32| microdata.table.columns[column].values[code as usize].trim_start_matches(['t', 's']).parse::<u8>().unwrap();
        let counts = super::ReleasedCounts::new(microdata, &table);
        let release = Release::GeneralizedTable(table);
        let mut answers = release.counts(&dataset).unwrap();
        let mut wrong = Vec::new();
        counts.visit(2, 0.0, &mut |conditions, all, of_value| {
            let asked = |i: usize| conditions.iter().find(|one| one.0 == i).map(|one| text(i, one.1));
            let (age, town) = (asked(0), asked(1));
            let (again, of_value_again) = counts.of(conditions);
            let quasi: Vec<crate::release::Admitted> = conditions
                .iter()
                .map(|&(attribute, code)| crate::release::Admitted { attribute, values: vec![code] })
                .collect();
            for (value, &count) in of_value.iter().enumerate() {
                let wanted = scanned(&rows, &starred, any as f64, age, town, text(2, value as u32));
                let sensitive: Vec<bool> = (0..of_value.len()).map(|other| other == value).collect();
                let query = crate::release::CountQuery { quasi: &quasi, records: crate::release::Records::Listed(&[]), sensitive: &sensitive };
                for found in [count, of_value_again[value], answers.count(&query)] {
                    if (found - wanted).abs() > 1e-9 {
                        wrong.push((conditions.to_vec(), value, found, wanted));
                    }
                }
            }
            assert!((all - again).abs() < 1e-9 && (all - of_value.iter().sum::<f64>()).abs() < 1e-9);
            true
        });
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
        let identity = GeneralizedTable::identity(microdata);
        let given = json!({"min_support": 0.1, "min_conviction": 0.5});
        let identified = observe("identification-error", &dataset, &identity, given.clone());
        prop_assert_eq!((value(&identified, "false_positives"), value(&identified, "false_negatives")), (0.0, 0.0));
        prop_assert!(value(&observe("confidence-error", &dataset, &identity, given), "confidence_error") < 1e-9);
    }

    /// The divergence is that of comparing every original row with every released one.
    #[test]
    fn divergence_is_that_of_all_pairs(
        rows in prop::collection::vec((0u8..5, 0u8..3, 0u8..3), 2..20),
        halves in prop::collection::vec(any::<bool>(), 20),
    ) {
        let dataset = dataset(&rows);
        let microdata = dataset.microdata().unwrap();
        let mut table = GeneralizedTable::identity(microdata);
        let any = table.columns[0].cells.len() as u32;
        table.columns[0].cells.push(GeneralizedCell::Any);
        for (cell, &half) in table.columns[0].of_row.iter_mut().zip(&halves) {
            if half {
                *cell = any;
            }
        }
        let ages = any as f64;
        let expected = |age: u8, town: u8, ill: Option<u8>| rows.iter().enumerate().filter(|(_, row)| {
            row.1 == town && ill.is_none_or(|ill| row.2 == ill)
        }).map(|(i, row)| if halves[i] { 1.0 / ages } else { f64::from(u8::from(row.0 == age)) }).sum::<f64>();
        let n = rows.len() as f64;
        let (mut full, mut quasi) = (0.0, 0.0);
        for &(age, town, ill) in &rows {
            let same = rows.iter().filter(|row| **row == (age, town, ill)).count() as f64;
            full += (same / expected(age, town, Some(ill))).ln() / n;
            let same = rows.iter().filter(|row| (row.0, row.1) == (age, town)).count() as f64;
            quasi += (same / expected(age, town, None)).ln() / n;
        }
        let found = observe("kl-divergence", &dataset, &table, json!({}));
        prop_assert!((value(&found, "kl_divergence") - full.max(0.0)).abs() < 1e-9);
        prop_assert!((value(&found, "kl_divergence_quasi") - quasi.max(0.0)).abs() < 1e-9);
    }
}

/// Mondrian at k = 5 on Adult, with nodes of hierarchies, which lose more, and with sets; and what were lost if only ≤ v | > v were
/// tried, as the head of `mondrian` says, by a literal recursion that agrees with ours where both forms are.
#[test]
fn mondrian_on_adult_needs_the_second_form_of_the_split() {
    let attributes = ["age", "workclass", "education", "marital_status", "race", "sex"];
    let gcp = |source: &str, has_hierarchies: bool| {
        let tree = |name: &str| (name.to_string(), json!(format!("adult/{name}")));
        let trees: serde_json::Map<String, Value> =
            attributes.iter().filter(|_| has_hierarchies).map(|name| tree(name)).collect();
        let definition: DatasetDefinition = serde_json::from_value(json!({
            "source": source, "quasi_identifiers": attributes, "sensitive": "occupation",
            "derive": [{"drop_missing": "all"}], "hierarchies": trees,
        }))
        .unwrap();
        let dataset = load(&definition, &DataLocations::new(None), Seed(1)).unwrap().dataset;
        let mondrian = publisher("mondrian").unwrap();
        let given = mondrian.complete(json!({"k": 5}).as_object().unwrap()).unwrap();
        let release = mondrian.publish(&dataset, &given, &mut Workbench::new(Seed(1), "test")).unwrap();
        let Release::GeneralizedTable(table) = &release else { panic!("a table") };
        let gcp = value(&observe("information-loss", &dataset, table, json!({})), "gcp");
        (dataset, gcp)
    };
    let rounded = |gcp: f64| format!("{gcp:.3}");
    let (with_trees, with_nodes) = gcp("adult-train", true);
    assert_eq!(with_trees.microdata().unwrap().rows(), 30_162);
    let (train, with_sets) = gcp("adult-train", false);
    let (both_parts, of_both) = gcp("adult", false);
    assert_eq!(both_parts.microdata().unwrap().rows(), 45_222);
    let literal = |dataset: &Dataset, forms| strict_mondrian_gcp(dataset.microdata().unwrap(), 5, forms);
    assert!((literal(&with_trees, 2).of_nodes - with_nodes).abs() < 1e-9);
    assert!((literal(&train, 2).of_sets - with_sets).abs() < 1e-9);
    assert!((literal(&both_parts, 2).of_sets - of_both).abs() < 1e-9);
    assert_eq!([with_nodes, with_sets, of_both].map(rounded), ["0.044", "0.026", "0.022"]);
    let [one_form, two_forms] = [1, 2].map(|forms| {
        let losses = literal(&with_trees, forms);
        [rounded(losses.of_nodes), rounded(losses.of_sets)]
    });
    assert_eq!((one_form, two_forms), (["0.352", "0.261"].map(String::from), ["0.044", "0.022"].map(String::from)));
}

/// The GCP where a region's categories are published as their lowest common node, and where they are as a set.
struct Losses {
    of_nodes: f64,
    of_sets: f64,
}

/// The leaves below `node` from left to right.
fn leaves_from_left(tree: &Hierarchy, node: u32) -> Vec<u32> {
    match tree.children(node) {
        [] => vec![node],
        children => children.iter().flat_map(|&child| leaves_from_left(tree, child)).collect(),
    }
}

/// Strict Mondrian as the paper prints it; of the two forms of a split at the median v, ≤ v | > v and < v | ≥ v, only the first
/// `forms` are tried.
fn strict_mondrian_gcp(microdata: &Microdata, k: usize, forms: usize) -> Losses {
    let domains = Domain::all(microdata);
    // Numbers by their values, categories by the leaves of their hierarchy or else by text.
    let code_at = |domain: &Domain<'_>| match domain.hierarchy {
        Some(tree) if domain.range().is_none() => leaves_from_left(tree, tree.root()),
        _ => (0..domain.values() as u32).collect(),
    };
    let code_at: Vec<Vec<u32>> = domains.iter().map(code_at).collect();
    let place = |i: usize, code: u32| code_at[i].iter().position(|&known| known == code).unwrap() as u32;
    let place_of: Vec<Vec<u32>> = domains
        .iter()
        .enumerate()
        .map(|(i, domain)| (0..domain.values() as u32).map(|code| place(i, code)).collect())
        .collect();
    let place = |i: usize, row: usize| place_of[i][microdata.quasi_codes(i)[row] as usize];
    // A width is a part of the whole range: of numbers by their values, of categories by their places.
    let scale = |i: usize, place: u32| domains[i].number(code_at[i][place as usize]).unwrap_or(f64::from(place));
    let range = |i: usize, first: u32, last: u32| scale(i, last) - scale(i, first);
    let (mut open, mut losses) =
        (vec![(0..microdata.rows()).collect::<Vec<usize>>()], Losses { of_nodes: 0.0, of_sets: 0.0 });
    while let Some(region) = open.pop() {
        let occurring = |i: usize| {
            let mut places: Vec<u32> = region.iter().map(|&row| place(i, row)).collect();
            places.sort_unstable();
            let median = places[(places.len() - 1) / 2];
            places.dedup();
            (places, median)
        };
        let of_region: Vec<(Vec<u32>, u32)> = (0..domains.len()).map(occurring).collect();
        let width = |i: usize| {
            let places = &of_region[i].0;
            range(i, places[0], places[places.len() - 1]) / range(i, 0, code_at[i].len() as u32 - 1)
        };
        let mut order: Vec<usize> = (0..domains.len()).filter(|&i| of_region[i].0.len() > 1).collect();
        order.sort_by(|&a, &b| width(b).total_cmp(&width(a)));
        let splits = order.iter().flat_map(|&i| (0..forms).map(move |form| (i, form)));
        let split = splits.into_iter().find_map(|(i, form)| {
            let median = of_region[i].1;
            let is_left = |row: &usize| place(i, *row) < median + u32::from(form == 0);
            let (left, right): (Vec<usize>, Vec<usize>) = region.iter().partition(|row| is_left(row));
            (left.len() >= k && right.len() >= k).then_some([left, right])
        });
        match split {
            Some(sides) => open.extend(sides),
            None => {
                let share = region.len() as f64 / (microdata.rows() * domains.len()) as f64;
                for (i, domain) in domains.iter().enumerate().filter(|&(i, _)| of_region[i].0.len() > 1) {
                    let codes: Vec<u32> = of_region[i].0.iter().map(|&place| code_at[i][place as usize]).collect();
                    let node = domain.hierarchy.filter(|_| domain.range().is_none()).map(|tree| {
                        let covers = |node: &u32| codes.iter().all(|&code| tree.covers(*node, code));
                        tree.leaves_under(tree.path_to_root(codes[0]).find(covers).unwrap())
                    });
                    let of_values = |values: usize| match domain.range() {
                        Some(_) => width(i),
                        None => values as f64 / domain.values() as f64,
                    };
                    losses.of_nodes += share * of_values(node.unwrap_or(codes.len()));
                    losses.of_sets += share * of_values(codes.len());
                }
            }
        }
    }
    losses
}
