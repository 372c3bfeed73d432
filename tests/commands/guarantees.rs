//! A measure looks for what the release promises, and says so where a spec asks it to look for something else.

use crate::lab::{Lab, PATIENTS};

/// Two releases with guarantees of their own and the audit that shares their ℓ.
fn audited(measures: &str) -> String {
    let head = PATIENTS.split("measures:").next().unwrap();
    format!(
        "{head}algorithms:
  two: {{publisher: anatomy, parameters: {{l: 2}}}}
  four: {{publisher: anatomy, parameters: {{l: 4}}}}
{measures}
figures:
  exposed:
    title: Exposed tuples
    datasets: [patients]
    algorithms: [two, four]
    measures: [attack]
    draw: {{kind: bar, x: algorithm, y: vulnerable_tuples}}
"
    )
}

/// (algorithm, value, note) of each row of the metric.
fn rows(lab: &Lab) -> Vec<(String, f64, String)> {
    let text = lab.read("reports/p/measurements.csv");
    let mut lines = csv::Reader::from_reader(text.as_bytes());
    let heads = lines.headers().unwrap().clone();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    lines
        .records()
        .map(Result::unwrap)
        .filter(|row| &row[at("metric")] == "vulnerable_tuples")
        .map(|row| (row[at("algorithm")].to_string(), row[at("value")].parse().unwrap(), row[at("note")].to_string()))
        .collect()
}

#[test]
fn an_audit_takes_l_from_the_release_it_looks_at() {
    let lab = Lab::new();
    // Nothing is known to the adversary: no rule has an expectation of 0.99.
    lab.write(
        "p.yaml",
        &audited(
            "measures: {attack: {measure: background-knowledge, parameters: {min_exp: 0.99, generalized: false}}}",
        ),
    );
    lab.run(&["run", "p.yaml"]).expect(0);
    assert_eq!(rows(&lab), [("two".into(), 0.0, String::new()), ("four".into(), 0.0, String::new())]);
    assert!(!lab.read("reports/p/index.html").contains("but the release guarantees"));
}

#[test]
fn an_audit_of_something_else_is_said_in_the_row_and_in_the_report() {
    let lab = Lab::new();
    let measures =
        "measures: {attack: {measure: background-knowledge, parameters: {l: 4, min_exp: 0.99, generalized: false}}}";
    lab.write("p.yaml", &audited(measures));
    lab.run(&["run", "p.yaml"]).expect(0);
    let note = "attack takes l = 4, but the release guarantees l = 2";
    let rows = rows(&lab);
    assert_eq!((rows[0].0.as_str(), rows[0].2.as_str()), ("two", note));
    assert!(rows[0].1 > 0.0, "a release that promises 2 values does not give everybody 4");
    assert_eq!((rows[1].0.as_str(), rows[1].2.as_str()), ("four", ""));
    assert!(lab.read("reports/p/index.html").contains(&format!("two: {note}")));
}
