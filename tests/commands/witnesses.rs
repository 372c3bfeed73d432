//! Cases behind the numbers: in a file, behind the figure, and by number where rows are nobody's business.

use crate::lab::Lab;

/// Table II of Injector, as groups that a spec gives.
fn table_2(source: &str) -> String {
    format!(
        "anonlab: 1
title: Table II
datasets:
  patients:
    source: {source}
    quasi_identifiers: [zip, sex]
    sensitive: disease
algorithms:
  table2: {{publisher: given-groups, parameters: {{groups: [1, 1, 1, 2, 2, 2, 3, 3, 3], l: 2}}}}
measures:
  attack: {{measure: background-knowledge, parameters: {{l: 2, min_exp: 0.75, generalized: false}}}}
figures:
  exposed:
    title: Exposed patients
    datasets: [patients]
    algorithms: [table2]
    measures: [attack]
    draw: {{kind: table, x: algorithm, y: vulnerable_tuples}}
"
    )
}

const ROWS: &str = "zip,sex,disease
47677,F,ovarian cancer
47602,F,ovarian cancer
47678,M,prostate cancer
47905,M,flu
47909,F,heart disease
47906,M,heart disease
47605,M,heart disease
47673,M,flu
47607,M,flu
";

#[test]
fn bob_is_shown_with_the_rule_that_exposes_him() {
    let lab = Lab::new();
    let inline = format!("{{format: csv, inline: {ROWS:?}}}");
    lab.write("t.yaml", &table_2(&inline));
    lab.run(&["run", "t.yaml", "--jobs", "1"]).expect(0);
    let witnesses = lab.read("reports/t/witnesses.csv");
    let bob = witnesses.lines().find(|line| line.contains("vulnerable_tuples")).unwrap_or_default();
    for part in [
        "row 3 of group 0",
        ",3,zip = 47678; sex = M,group 0,",
        "sex = M ⇒ ¬ disease = ovarian cancer,prostate cancer,",
    ] {
        assert!(bob.contains(part), "{part} is not in {bob}");
    }
    let page = lab.read("reports/t/index.html");
    assert!(page.contains("<details class=\"witnesses\">"), "a disclosure that needs no script");
    assert!(page.contains("sex = M ⇒ ¬ disease = ovarian cancer"), "{page}");
    assert!(page.contains("witnesses.csv"));
    // The same bytes from the store, and computed anew by several workers.
    for arguments in [&["run", "t.yaml"][..], &["run", "t.yaml", "--fresh", "--jobs", "4"]] {
        lab.run(arguments).expect(0);
        assert_eq!(lab.read("reports/t/witnesses.csv"), witnesses);
    }
    // And again where another figure alone is run.
    lab.run(&["run", "t.yaml", "--only", "exposed"]).expect(0);
    assert_eq!(lab.read("reports/t/witnesses.csv"), witnesses);
}

#[test]
fn rows_of_a_file_are_named_by_number_unless_asked_for() {
    let lab = Lab::with("own.csv", ROWS);
    let spec = table_2("{file: own.csv, format: csv}");
    lab.write("t.yaml", &format!("{spec}results: {{pass_on: [own.csv]}}\n"));
    lab.run(&["run", "t.yaml"]).expect(0);
    let by_number = lab.read("reports/t/witnesses.csv");
    assert!(by_number.contains("row 3 of group 0") && !by_number.contains("47678"), "{by_number}");
    lab.run(&["run", "t.yaml", "--show-rows"]).expect(0);
    assert!(lab.read("reports/t/witnesses.csv").contains("zip = 47678; sex = M"), "the row is said");
    assert!(lab.read("reports/t/index.html").contains("zip = 47678; sex = M"));
    for file in lab.stored("reports") {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.contains("47678"), "nothing of it is stored: {text}");
    }
    // A capsule has them by number, whatever the last run showed.
    lab.run(&["bundle", "reports/t", "-o", "t.zip"]).expect(0);
    lab.run(&["recheck", "t.zip"]).expect(0);
}
