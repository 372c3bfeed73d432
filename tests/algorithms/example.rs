//! The publisher of `docs/adding-an-algorithm.md` does what the page says, and the page shows this very code.

use crate::example_publisher::{Consecutive, ConsecutiveParameters};
use anonlab::data::{Dataset, Table};
use anonlab::lab::{Seed, Workbench, describe_parameters, read_parameters};
use anonlab::publish::Publisher;
use anonlab::release::{PrivacyVerdict, verify};
use serde_json::json;

fn dataset(values: &[&str]) -> Dataset {
    let rows: Vec<[&str; 2]> = values.iter().map(|value| ["30", *value]).collect();
    let rows: Vec<&[&str]> = rows.iter().map(|row| row.as_slice()).collect();
    Dataset::of_table(Table::from_rows(&["age", "illness"], &rows), &["age"], "illness").unwrap()
}

#[test]
fn it_publishes_and_the_verifier_agrees() {
    let dataset = dataset(&["flu", "cold", "gout", "flu", "cold", "flu"]);
    let parameters = ConsecutiveParameters { l: 2 };
    let mut bench = Workbench::new(Seed(1), "test");
    let release = Consecutive::publish(&dataset, &parameters, &mut bench).unwrap();
    assert_eq!(verify(&dataset, &release, &Consecutive::guarantee(&parameters)).unwrap(), PrivacyVerdict::Private);
    assert_eq!(bench.counters()["groups"], 3.0);
}

#[test]
fn what_it_cannot_do_is_an_error_with_a_reason() {
    let dataset = dataset(&["flu", "flu", "cold", "gout"]);
    let error = Consecutive::publish(&dataset, &ConsecutiveParameters { l: 2 }, &mut Workbench::new(Seed(1), "test"));
    assert_eq!(error.unwrap_err().to_string(), "from row 1 on, 2 rows have fewer than 2 different values");
}

#[test]
fn its_parameters_document_themselves() {
    let described = describe_parameters::<ConsecutiveParameters>();
    assert_eq!(described[0].about, "ℓ: the number of distinct sensitive values every group must have.");
    let given = json!({"l": 1}).as_object().unwrap().clone();
    let error = read_parameters::<ConsecutiveParameters>(&given).unwrap_err();
    assert_eq!(error.to_string(), "`l` must be at least 2, not 1");
}

#[test]
fn the_page_shows_the_code_that_is_compiled() {
    let page = include_str!("../../docs/adding-an-algorithm.md");
    let code = include_str!("example_publisher.rs").replace("anonlab::", "crate::");
    let shown = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(shown, code, "copy tests/algorithms/example_publisher.rs into the page");
}
