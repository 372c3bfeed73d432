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

/// An entropy of ln 2 takes two different values, one of ln 2.5 three: this is the ℓ that the adversary is asked about.
#[test]
fn an_audit_takes_whole_values_from_entropies() {
    let lab = Lab::new();
    let head = PATIENTS.split("measures:").next().unwrap();
    let spec = format!(
        "{head}algorithms:
  entropy: {{publisher: mondrian, parameters: {{k: 1, l: 2, diversity: entropy}}}}
  both: {{publisher: mondrian, parameters: {{k: 1, l: 2, also: [{{require: entropy-diversity, l: 2.5}}]}}}}
measures: {{attack: {{measure: background-knowledge, parameters: {{min_exp: 0.99, generalized: false}}}}}}
figures:
  exposed:
    title: Exposed tuples
    datasets: [patients]
    algorithms: [entropy, both]
    measures: [attack]
    draw: {{kind: bar, x: algorithm, y: vulnerable_tuples}}
"
    );
    lab.write("p.yaml", &spec);
    lab.run(&["run", "p.yaml"]).expect(0);
    assert_eq!(rows(&lab), [("entropy".into(), 0.0, String::new()), ("both".into(), 0.0, String::new())]);
    lab.run(&["publish", "--dataset", "p.yaml:patients", "--algorithm", "p.yaml:both", "--out", "r"]).expect(0);
    let audited = |guarantee: &str| {
        let words =
            ["audit", "--dataset", "p.yaml:patients", "--release", "r", "--guarantee", guarantee, "--format", "json"];
        let said: serde_json::Value = serde_json::from_str(&lab.run(&words).expect(0).out).unwrap();
        let measures = said["measures"].as_array().unwrap();
        measures.iter().find(|one| one["measure"] == "background-knowledge").unwrap()["parameters"]["l"].clone()
    };
    assert_eq!(audited("l-diversity:l=2,diversity=entropy"), 2);
    // One value is no promise: the adversary's own ℓ stands.
    assert_eq!(audited("l-diversity:l=1"), 6);
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
    // A line of the page breaks neither before nor after "=".
    let page = lab.read("reports/p/index.html").replace('\u{a0}', " ");
    assert!(page.contains(&format!("two: {note}")));
}
