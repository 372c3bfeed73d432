//! Bad input: a message with file, line and column, what is wrong and what would be right; exit code 2; nothing written.

use crate::lab::{Lab, PATIENTS};

/// What `validate` says of a spec.
#[track_caller]
fn complaint(spec: &str) -> String {
    let lab = Lab::new();
    lab.write("p.yaml", spec);
    let said = lab.run(&["validate", "p.yaml"]).expect(2);
    let ran = lab.run(&["run", "p.yaml"]).expect(2);
    assert_eq!(said.err, ran.err, "run and validate say the same");
    assert!(!lab.path("reports").exists(), "nothing half-written is left behind");
    said.err.trim().to_string()
}

/// PATIENTS with one text replaced by another.
#[track_caller]
fn with(from: &str, to: &str) -> String {
    assert!(PATIENTS.contains(from));
    PATIENTS.replace(from, to)
}

#[test]
fn unknown_keys_and_wrong_types() {
    assert_eq!(
        complaint(&with("    repetitions: 5", "    repetition: 5")),
        "p.yaml:33:5: there is no key `repetition` here; did you mean `repetitions`?"
    );
    let wrong_type = complaint(&with("    repetitions: 5", "    repetitions: many"));
    assert!(wrong_type.starts_with("p.yaml:33:18: "), "{wrong_type}");
    assert_eq!(
        complaint(&with("anonlab: 1", "anonlab: 3")),
        "p.yaml:2:1: format 3 is not known; this program reads `anonlab: 1`"
    );
}

#[test]
fn names_that_do_not_exist() {
    assert_eq!(
        complaint(&with("algorithms: [anatomy]", "algorithms: [anatomi]")),
        "p.yaml:30:18: there is no algorithm `anatomi`; did you mean `anatomy`?"
    );
    assert_eq!(
        complaint(&with("measures: [queries]", "measures: [querys]")),
        "p.yaml:31:16: there is no measure `querys`; did you mean `queries`?"
    );
    assert_eq!(
        complaint(&with("datasets: [patients]", "datasets: [patient]")),
        "p.yaml:29:16: there is no dataset `patient`; did you mean `patients`?"
    );
    assert_eq!(
        complaint(&with("y: mean_relative_error", "y: mean_relativ_error")),
        "p.yaml:34:18: this figure has no metric `mean_relativ_error`; did you mean `mean_relative_error`?"
    );
    assert_eq!(
        complaint(&with("draw: {x: l,", "draw: {x: k,")),
        "p.yaml:34:12: this figure has no column `k`; did you mean `l`?"
    );
}

#[test]
fn parameters_an_algorithm_does_not_have_or_take() {
    assert_eq!(
        complaint(&with("{product: {l: [2, 3, 4]}}", "{product: {ell: [2, 3, 4]}}")).lines().next().unwrap(),
        "p.yaml:32:23: no algorithm or measure of this figure has a parameter `ell`; did you mean `l`?"
    );
    assert_eq!(
        complaint(&with("queries: 20, dim: 1", "queries: 20, dims: 1")),
        "p.yaml:25:61: there is no parameter `dims`; did you mean `dim`?"
    );
    let below = complaint(&with("[2, 3, 4]", "[1, 3, 4]"));
    assert_eq!(below, "p.yaml:32:5: anatomy: `l` must be at least 2, not 1");
}

#[test]
fn roles_that_name_absent_columns() {
    let said = complaint(&with("sensitive: disease", "sensitive: diseases"));
    assert!(said.starts_with("p.yaml:23:5: ") && said.contains("did you mean `disease`?"), "{said}");
    let said = complaint(&with("[age, sex]", "[age, sx]"));
    assert!(said.starts_with("p.yaml:22:") && said.contains("did you mean `sex`?"), "{said}");
}

#[test]
fn sweeps_of_no_cell() {
    assert_eq!(complaint(&with("[2, 3, 4]", "[]")), "p.yaml:32:23: `l` has no values, so there would be no cell");
    assert_eq!(
        complaint(&with("datasets: [patients]", "datasets: []")),
        "p.yaml:29:5: there is no dataset, so there would be no cell"
    );
}

#[test]
fn duplicate_keys_and_alias_bombs() {
    let twice = complaint(&with("    repetitions: 5", "    repetitions: 5\n    repetitions: 6"));
    assert_eq!(twice, "p.yaml:34:5: the key `repetitions` is here twice");
    let mut bomb = String::from("anonlab: 1\ntitle: t\nabout: &a [x, x, x, x, x, x, x, x, x, x]\n");
    for (name, below) in ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"]) {
        bomb += &format!("{name}: &{name} [{}]\n", vec![format!("*{below}"); 10].join(", "));
    }
    assert!(complaint(&bomb).starts_with("p.yaml:"));
}

#[test]
fn what_is_no_spec_at_all() {
    for text in ["", "just text", "[1, 2]", "{", "\0", "anonlab: 1", "a: b: c"] {
        assert!(complaint(text).starts_with("p.yaml"), "{text:?}");
    }
    let lab = Lab::new();
    let said = lab.run(&["validate", "absent.yaml"]).expect(2);
    assert!(said.err.starts_with("absent.yaml: cannot be read"), "{}", said.err);
    lab.run(&["frobnicate"]).expect(2);
}

#[test]
fn kinds_that_do_not_fit() {
    let transactions = "anonlab: 1\ntitle: T\ndatasets:\n  d: {source: {inline: \"1 2\\n2 3\\n\", format: fimi}}\nfigures:\n  f: {title: F, datasets: [d], algorithms: [anatomy], draw: {x: l, y: groups}}\n";
    assert!(complaint(transactions).contains("`anatomy` takes a table; `d` has transactions"));
}
