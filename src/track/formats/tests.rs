use super::*;
use crate::track::exact::{compare, tests::snapshot};

/// A comparison with something under every heading.
fn comparison() -> (Comparison, Snapshot) {
    let (before, mut after) = (snapshot(), snapshot());
    let mut cells = after.cells.values_mut();
    let first = cells.next().unwrap();
    first.metrics.insert(("mean_relative_error".into(), String::new()), 0.505);
    first.metrics.insert(("groups".into(), String::new()), 90.0);
    first.title = "anatomy on <adult> & \"co\" | l=2".into();
    let second = cells.next().unwrap();
    second.costs.insert("peak_heap_bytes".into(), vec![900_000.0]);
    second.costs.insert("seconds".into(), vec![0.01, 0.03, 0.02]);
    second.data.clear();
    (compare(&before, &after), after)
}

fn rendered(format: Format) -> String {
    let (comparison, measured) = comparison();
    let outcome = Outcome::of(&comparison, false);
    render(format, &Report { against: "baselines", comparison: &comparison, measured: &measured, outcome })
}

#[test]
fn text() {
    insta::assert_snapshot!(rendered(Format::Text), @"");
}

#[test]
fn markdown() {
    insta::assert_snapshot!(rendered(Format::Markdown), @"");
}

#[test]
fn json() {
    insta::assert_snapshot!(rendered(Format::Json), @"");
}

#[test]
fn junit() {
    insta::assert_snapshot!(rendered(Format::Junit), @"");
}

#[test]
fn github_action_benchmark() {
    insta::assert_snapshot!(rendered(Format::GithubActionBenchmark), @"");
    assert_eq!(rendered(Format::GithubActionBenchmarkBigger), "[]\n");
}

#[test]
fn bencher() {
    insta::assert_snapshot!(rendered(Format::Bencher), @"");
}

#[test]
fn outcomes() {
    let same = compare(&snapshot(), &snapshot());
    assert_eq!(Outcome::of(&same, true), Outcome::Well);
    assert_eq!(Outcome::of(&comparison().0, false), Outcome::Regression);
    let mut fewer = snapshot();
    fewer.cells.pop_first();
    assert_eq!(Outcome::of(&compare(&snapshot(), &fewer), false), Outcome::Well);
    assert_eq!(Outcome::of(&compare(&snapshot(), &fewer), true), Outcome::Open);
    assert_eq!(Outcome::of(&compare(&snapshot(), &Snapshot::default()), false), Outcome::NothingComparable);
}
