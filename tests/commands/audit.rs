//! `audit`: releases that `publish` wrote, releases written by hand, and files that are none.

use crate::lab::{Lab, PATIENTS, Said};
use serde_json::Value;

/// Transactions with a hierarchy and a private item, and a table, in one spec.
const SALES: &str = "
anonlab: 1
title: Sales
datasets:
  sales:
    source:
      format: fimi
      inline: |
        1 2 9
        1 2
        1 3
        2 3 9
        1 2 3
        3 4
        3 4
        1 4
    hierarchy: {degree: 2}
    private: {items: [9]}
figures:
  facts:
    title: Facts
    datasets: [sales]
    measures: [transaction-statistics]
    draw: {kind: table, x: dataset, y: transactions}
";

fn published(lab: &Lab, dataset: &str, algorithm: &str, parameters: &[&str]) {
    let mut words = vec!["publish", "--dataset", dataset, "--algorithm", algorithm, "--out", algorithm];
    words.extend(parameters.iter().flat_map(|parameter| ["-p", parameter]));
    lab.run(&words).expect(0);
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out))
}

/// The value of a metric.
fn value(audit: &Value, metric: &str) -> Option<f64> {
    let measures = audit["measures"].as_array()?;
    let seen = measures.iter().flat_map(|measure| measure["observations"].as_array()).flatten();
    seen.filter(|seen| seen["metric"] == metric).find_map(|seen| seen["value"].as_f64())
}

#[test]
fn what_publish_writes_of_each_kind_is_recognized_verified_and_measured() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.write("s.yaml", SALES);
    for (dataset, algorithm, parameters, kind, kept, broken, metric) in [
        ("p.yaml:patients", "anatomy", ["l=3"].as_slice(), "buckets", "diversity:l=3", "diversity:l=5", "reached_l"),
        (
            "p.yaml:patients",
            "mondrian",
            &["k=3"],
            "generalized-table",
            "k-anonymity:k=3",
            "k-anonymity:k=13",
            "reached_k",
        ),
        (
            "s.yaml:sales",
            "aa",
            &["k=2", "m=2"],
            "generalized-transactions",
            "km-anonymity:k=2,m=2",
            "km-anonymity:k=9,m=2",
            "reached_k_of_items",
        ),
        (
            "s.yaml:sales",
            "cohesion",
            &["h=0.8", "k=2", "p=2"],
            "suppressed-transactions",
            "cohesion:h=0.8,k=2,p=2",
            "cohesion:h=0.8,k=9,p=2",
            "largest_breach_probability",
        ),
    ] {
        published(&lab, dataset, algorithm, parameters);
        let audit = |guarantee: &str| {
            lab.run(&[
                "audit",
                "--dataset",
                dataset,
                "--release",
                algorithm,
                "--guarantee",
                guarantee,
                "--format",
                "json",
            ])
        };
        let held = json(&audit(kept).expect(0));
        assert_eq!((&held["kind"], &held["holds"]), (&Value::from(kind), &Value::from(true)));
        assert!(value(&held, metric).is_some(), "{algorithm} has no {metric}: {held:#}");
        let failed = json(&audit(broken).expect(1));
        assert_eq!(failed["holds"], false);
        assert!(!failed["guarantees"][0]["faults"].as_array().unwrap().is_empty(), "{algorithm}");
        assert_eq!(failed["truth"]["holds"], true);
    }
    published(&lab, "p.yaml:patients", "association-rules", &[]);
    let said =
        lab.run(&["audit", "--dataset", "p.yaml:patients", "--release", "association-rules", "--format", "json"]);
    assert_eq!(json(&said.expect(0))["kind"], "rules");
}

const PEOPLE: &str =
    "age,zip,ill\n21,47677,flu\n22,47602,cold\n28,47678,flu\n41,47905,gout\n43,47909,flu\n47,47906,cold\n";
const RELEASE: &str = "id,ill,zip,age\n1,flu,476**,20-29\n2,cold,476**,20-29\n3,flu,476**,20-29\n4,gout,4790*,40-49\n5,flu,4790*,40-49\n6,cold,4790*,40-49\n";
const ROLES: [&str; 4] = ["--quasi-identifiers", "age,zip", "--sensitive", "ill"];

fn audit(lab: &Lab, words: &[&str]) -> Said {
    let mut all = vec!["audit", "--release", "r.csv"];
    all.extend(words);
    all.extend(ROLES);
    lab.run(&all)
}

#[test]
fn a_table_written_by_hand_says_what_was_taken_for_what() {
    let lab = Lab::with("people.csv", PEOPLE);
    lab.write("r.csv", RELEASE);
    let said = audit(&lab, &["--original", "people.csv", "--guarantee", "k-anonymity:k=3"]).expect(0);
    for words in [
        "generalized-table: what was asked for holds",
        "r.csv is one table",
        "age: `20-29` is read as [20,29]",
        "zip: `476**` is read as {47602;47677;47678}",
        "not looked at: `id`",
        "k-anonymity",
        "reached_k",
        "vulnerable_tuples",
        "gcp",
    ] {
        assert!(said.out.contains(words), "`{words}` is missing:\n{}", said.out);
    }
    let said = audit(&lab, &["--original", "people.csv", "--guarantee", "k-anonymity:k=4"]).expect(1);
    assert!(said.out.contains("does not hold") && said.out.contains("fewer than 4"), "{}", said.out);
    for (format, words) in [
        ("csv", "section,measure,parameters,name,at,value,unit,words\n"),
        ("markdown", "| section | measure | name |"),
        ("latex", "\\begin{tabular}"),
    ] {
        let said = audit(&lab, &["--original", "people.csv", "--format", format]).expect(0);
        let long = said.out.contains("\\begin{longtable}") && format == "latex";
        assert!(said.out.contains(words) || long, "{format}: {}", said.out);
    }
    audit(&lab, &["--original", "people.csv", "--report", "pages"]).expect(0);
    let page = lab.read("pages/audit.html");
    let body = page.split("<script>").next().unwrap();
    assert!(body.contains("reached_k"));
    // Columns are named for what is in them, and those with nothing are not there; what the sheet quotes is code.
    assert!(!body.contains(">at</th>") && body.contains(">case</th>"), "{body}");
    assert!(!body.contains('`'), "{body}");
    lab.write("roles.yaml", "quasi_identifiers: [age, zip]\nsensitive: ill\nhierarchies: {age: {intervals: [10]}}\n");
    lab.run(&["audit", "--original", "people.csv", "--release", "r.csv", "--roles", "roles.yaml"]).expect(0);
}

/// A count of those who have fewer than ℓ values says little without the ℓ: it is the guarantee's, or else the measure's own.
#[test]
fn what_a_measure_was_taken_with_stands_beside_it() {
    let lab = Lab::with("p.yaml", PATIENTS);
    published(&lab, "p.yaml:patients", "anatomy", &["l=3"]);
    let audit = |words: &[&str]| {
        let all =
            ["audit", "--dataset", "p.yaml:patients", "--release", "anatomy", "--measures", "background-knowledge"];
        lab.run(&[&all[..], words].concat()).expect(0).out
    };
    for (asked, l) in [(&[][..], "l=6"), (&["--guarantee", "diversity:l=3"], "l=3")] {
        let text = audit(asked);
        assert!(text.contains(&format!("  background-knowledge ({l}, ")), "{text}");
        let csv = audit(&[asked, &["--format", "csv"]].concat());
        let line = csv.lines().find(|line| line.contains(",vulnerable_tuples,")).unwrap();
        assert!(line.starts_with(&format!("audit,background-knowledge,\"{l}, ")), "{line}");
        for format in ["markdown", "latex"] {
            let told = audit(&[asked, &["--format", format]].concat());
            assert!(told.contains(&format!("measured: background-knowledge ({l}, ")), "{format}: {told}");
        }
        audit(&[asked, &["--report", "pages"]].concat());
        let page = lab.read("pages/audit.html");
        assert!(page.contains("<h3><code>background-knowledge</code></h3>"), "{page}");
        assert!(page.contains(&format!("taken with <bdi>{l}, ")), "{page}");
    }
    let kept = audit(&["--guarantee", "diversity:l=3"]);
    assert!(kept.contains("3-diversity: no sensitive value is in more than 1 of 3 rows of a group"), "{kept}");
}

/// A conjunction, and an entropy ℓ that is no whole number.
#[test]
fn a_guarantee_takes_further_requirements() {
    let lab = Lab::with("people.csv", PEOPLE);
    lab.write("r.csv", RELEASE);
    let asked =
        |guarantee: &str, exit| audit(&lab, &["--original", "people.csv", "--guarantee", guarantee]).expect(exit);
    // The classes have 2, 1 of 3 rows alike, and 1, 1, 1: entropies of ln 1.89 and ln 3.
    let kept = asked("k-anonymity:k=3,also=[{require: entropy-diversity, l: 1.8}]", 0);
    assert!(kept.out.contains("3-anonymity and entropy 1.8-diversity"), "{}", kept.out);
    let broken =
        asked("k-anonymity:k=3,also=[{require: entropy-diversity, l: 1.9}, {require: distinct-diversity, l: 2}]", 1);
    assert!(broken.out.contains("does not hold"), "{}", broken.out);
    for (guarantee, says) in [
        ("k-anonymity:k=3,also=[{require: entropy, l: 2}]", "entropy-diversity"),
        ("k-anonymity:k=3,also=[{require: entropy-diversity, l: 2}", "also"),
        ("k-anonymity:k=3,also=entropy-diversity", "also"),
    ] {
        let said = asked(guarantee, 2);
        assert!(said.err.contains(says), "{guarantee}: {}", said.err);
    }
}

/// The keys and the values that programs read: python/anonlab/_audit.py among them.
#[test]
fn the_json_is_what_programs_are_told() {
    let lab = Lab::with("people.csv", PEOPLE);
    lab.write("r.csv", RELEASE);
    let words =
        ["--original", "people.csv", "--guarantee", "k-anonymity:k=4", "--measures", "classes", "--format", "json"];
    let mut found = json(&audit(&lab, &words).expect(1));
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    for key in
        ["kind", "holds", "took", "truth", "guarantees", "measures", "unsaid", "witnesses", "release", "original"]
    {
        assert!(keys.iter().any(|known| *known == key), "{key}: {keys:?}");
    }
    let held = &found["guarantees"][0];
    assert_eq!(held["name"], "k-anonymity");
    assert_eq!(held["guarantee"]["k"], 4);
    assert!(held["faults"][0].as_str().unwrap().contains("has 3 rows, fewer than 4"), "{held:#}");
    let seen = found["measures"][0]["observations"][0].take();
    assert_eq!(found["measures"][0]["measure"], "classes");
    assert_eq!(found["measures"][0]["kind"], "utility");
    assert_eq!(
        seen,
        serde_json::json!({
            "metric": "classes", "at": null, "value": 2.0, "unit": "classes", "better": "higher",
            "about": "groups of rows that look alike, suppressed rows aside",
        })
    );
}

#[test]
fn untrue_releases_are_no_releases() {
    let lab = Lab::with("people.csv", PEOPLE);
    for (from, to, says) in [
        ("1,flu,476**,20-29", "1,cold,476**,20-29", "`ill` is `cold`, in the original `flu`"),
        ("1,flu,476**,20-29", "1,flu,476**,40-49", "does not cover the original's `21`"),
        ("1,flu,476**,20-29", "1,flu,47602,20-29", "does not cover the original's `47677`"),
    ] {
        lab.write("r.csv", &RELEASE.replacen(from, to, 1));
        let by_number = audit(&lab, &["--original", "people.csv"]).expect(1);
        assert!(by_number.out.contains("row 1") && !by_number.out.contains(says), "{}", by_number.out);
        let said = audit(&lab, &["--original", "people.csv", "--show-rows"]).expect(1);
        assert!(said.out.contains("this is no release of the original") && said.out.contains(says), "{}", said.out);
        assert!(!said.out.contains("reached_k"), "no number is taken from it: {}", said.out);
    }
}

#[test]
fn rows_may_be_in_any_order_and_fewer() {
    let lab = Lab::with("people.csv", PEOPLE);
    let mut lines: Vec<&str> = RELEASE.lines().collect();
    lines[1..].reverse();
    lines.pop();
    lab.write("r.csv", &(lines.join("\n") + "\n"));
    let short = audit(&lab, &["--original", "people.csv"]).expect(2);
    assert!(short.err.contains("r.csv: it has 5 rows, the original 6; with `--rows any`"), "{}", short.err);
    let words = ["--original", "people.csv", "--rows", "any", "--guarantee", "k-anonymity:k=2", "--format", "json"];
    let found = json(&audit(&lab, &words).expect(0));
    assert_eq!((&found["rows"]["matched"], &found["rows"]["dropped"]), (&Value::from(5), &Value::from(1)));
    // Rows 1 and 3 are alike but for what was generalized away, so either may be called dropped.
    assert!(["1", "3"].contains(&found["rows"]["dropped_rows"][0].to_string().as_str()), "{found:#}");
    assert_eq!(value(&found, "reached_k"), Some(2.0));
    lab.write("r.csv", &RELEASE.replace("gout", "flu"));
    let said = audit(&lab, &["--original", "people.csv", "--rows", "any"]).expect(1);
    assert!(said.out.contains("can come from"), "{}", said.out);
}

/// Buckets whose rows are shuffled and fewer: found again, or refuted with something to count.
#[test]
fn rows_of_buckets_may_be_in_any_order_and_fewer() {
    let lab = Lab::with("people.csv", PEOPLE);
    let audit = |qit: &str, st: &str, words: &[&str]| {
        lab.write("b/qit.csv", &format!("age,zip,group_id\n{qit}"));
        lab.write("b/st.csv", &format!("group_id,ill,count\n{st}"));
        let all = ["audit", "--original", "people.csv", "--release", "b", "--rows", "any"];
        lab.run(&[&all[..], words, &ROLES].concat())
    };
    let (qit, st) = ("41,47905,7\n22,47602,5\n21,47677,7\n43,47909,5\n", "5,cold,1\n5,flu,1\n7,flu,1\n7,gout,1\n");
    let found = json(&audit(qit, st, &["--guarantee", "diversity:l=2", "--format", "json"]).expect(0));
    assert_eq!(
        (&found["rows"]["matched"], &found["rows"]["dropped_rows"]),
        (&Value::from(4), &serde_json::json!([3, 6]))
    );
    assert_eq!((&found["truth"]["holds"], value(&found, "reached_l")), (&Value::from(true), Some(2.0)));
    let said = audit(qit, st, &["--measures", "reached-privacy"]).expect(0);
    assert!(said.out.contains("2 rows of the original dropped: row 3, 6"), "{}", said.out);
    for (st, says) in [
        ("5,cold,1\n5,gout,1\n7,flu,2\n", "1 row of group 5 (row 4) can have 0 of its values"),
        ("5,cold,1\n5,flu,1\n7,flu,1\n7,gout,2\n", "group 7 has 2 rows and 3 values"),
    ] {
        let said = audit(qit, st, &[]).expect(1);
        assert!(said.out.contains("this is no release of the original") && said.out.contains(says), "{}", said.out);
        assert!(said.out.contains("no number is taken"), "{}", said.out);
    }
    let unknown = audit("41,47906,1\n", "1,gout,1\n", &[]).expect(1);
    assert!(unknown.out.contains("has the quasi-identifiers of no original"), "{}", unknown.out);
    let unheard = audit("99,47906,1\n", "1,gout,1\n", &[]).expect(2);
    assert!(unheard.err.contains("b/qit.csv line 2: the original has no `age` of `99`"), "{}", unheard.err);
}

/// The terminal is shown what a person asks; files for programs, and `--all`, have everything.
#[test]
fn diagnostics_are_shown_on_request() {
    let lab = Lab::with("people.csv", PEOPLE);
    lab.write("r.csv", RELEASE);
    let said = |words: &[&str]| audit(&lab, &[&["--original", "people.csv"], words].concat()).expect(0).out;
    let short = said(&[]);
    for words in
        ["Guarantees reached", "What adversaries learn", "What analysts can still do", "Witnesses", "Left out: "]
    {
        assert!(short.contains(words), "{words}: {short}");
    }
    assert!(!short.contains("duality_gap") && short.contains("d_individual_largest 1 … 500"), "{short}");
    let all = said(&["--all"]);
    assert!(
        all.contains("duality_gap") && all.contains("d_individual_largest 500") && !all.contains("Left out"),
        "{all}"
    );
    assert!(said(&["--format", "csv"]).contains("duality_gap"));
}

#[test]
fn without_the_original_it_is_said_what_can_be_said() {
    let lab = Lab::with("r.csv", RELEASE);
    let found = json(&audit(&lab, &["--guarantee", "k-anonymity:k=3", "--format", "json"]).expect(0));
    assert!(found.get("truth").is_none(), "nobody knows what is true of an original that is not there: {found:#}");
    assert_eq!(found["form"]["holds"], true);
    assert_eq!((value(&found, "reached_k"), value(&found, "reached_l")), (Some(3.0), Some(2.0)));
    let unsaid: Vec<&str> = found["unsaid"].as_array().unwrap().iter().filter_map(|one| one["of"].as_str()).collect();
    assert!(unsaid.contains(&"information-loss") && unsaid.contains(&"query-error"), "{unsaid:?}");
    audit(&lab, &["--guarantee", "k-anonymity:k=4"]).expect(1);
    // As ARX writes it, with semicolons between the fields and commas in the cells.
    lab.write("arx.csv", "age;ill\n[20, 30[;flu\n[20, 30[;cold\n*;gout\n*;flu\n*;flu\n");
    let arx = ["audit", "--release", "arx.csv", "--quasi-identifiers", "age", "--sensitive", "ill", "--format", "json"];
    assert_eq!(value(&json(&lab.run(&arx).expect(0)), "reached_k"), Some(2.0));
    lab.write("s.yaml", SALES);
    published(&lab, "s.yaml:sales", "aa", &["k=2", "m=2"]);
    let km = ["audit", "--release", "aa", "--guarantee", "km-anonymity:k=2,m=2"];
    lab.run(&km).expect(0);
    lab.write("p.yaml", PATIENTS);
    published(&lab, "p.yaml:patients", "anatomy", &["l=3"]);
    lab.run(&["audit", "--release", "anatomy", "--guarantee", "diversity:l=3"]).expect(0);
    lab.run(&["audit", "--release", "anatomy", "--guarantee", "diversity:l=5"]).expect(1);
}

#[test]
fn bad_input_is_named_with_its_place_and_a_remedy() {
    let lab = Lab::with("people.csv", PEOPLE);
    let huge = format!("age,zip,ill\n{},*,flu\n", "9".repeat(3_000_000));
    for (release, says) in [
        ("age,zip,ill\n21,*\n", "r.csv, line 2: 2 fields for the 3 columns of the header"),
        ("age,zip,ill\n2\u{0}1,*,flu\n", "r.csv, line 2: "),
        ("age,zipp,ill\n21,*,flu\n", "r.csv, line 1: the release has no column `zip`; is `zipp` meant?"),
        ("age,zip,ill\n\"21,*,flu\n", "r.csv, line 2: a quote that is never closed"),
        ("", "r.csv, line 1: it is empty"),
        ("age,zip,ill\n21,*,flue\n", "r.csv, line 2: the original has no `ill` of `flue`; did you mean `flu`?"),
        (&huge, "r.csv, line 2: "),
    ] {
        lab.write("r.csv", release);
        let said = audit(&lab, &["--original", "people.csv"]).expect(2);
        assert!(said.err.len() < 1000, "a message of {} bytes", said.err.len());
        assert!(said.err.contains(says), "{says}: {}", said.err.chars().take(500).collect::<String>());
        assert!(said.out.is_empty());
    }
    for (release, says) in [
        ("age,age,zip,ill\n*,*,*,flu\n", "r.csv, line 1: two columns are called `age`"),
        ("age,zip,ill\n", "r.csv, line 2: it has no rows"),
    ] {
        lab.write("r.csv", release);
        let alone = audit(&lab, &[]).expect(2);
        assert!(alone.err.contains(says), "{says}: {}", alone.err);
    }
    std::fs::write(lab.path("r.csv"), b"age,zip,ill\n\xff,*,flu\n").unwrap();
    assert!(audit(&lab, &["--original", "people.csv"]).expect(2).err.contains("r.csv, line 2: not UTF-8 text"));
    lab.write("r.csv", RELEASE);
    for (words, says) in [
        (["--original", "peeple.csv"], "peeple.csv: "),
        (["--original", "."], "it is a directory"),
        (["--guarantee", "k-anonimity:k=3"], "did you mean `k-anonymity`?"),
        (["--measures", "riskk"], "there is no measure `riskk`; did you mean `risk`?"),
    ] {
        let mut all = vec!["--original", "people.csv"];
        if words[0] == "--original" {
            all.clear();
        }
        all.extend(words);
        let said = audit(&lab, &all).expect(2);
        assert!(said.err.contains(says), "{says}: {}", said.err);
    }
    let said = lab.run(&[
        "audit",
        "--original",
        "people.csv",
        "--release",
        "r.csv",
        "--quasi-identifiers",
        "agee",
        "--sensitive",
        "ill",
    ]);
    assert!(said.expect(2).err.contains("agee"));
    let pipe = lab.path("pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for words in
        [["--original", "pipe.csv", "--release", "r.csv"], ["--original", "people.csv", "--release", "pipe.csv"]]
    {
        let said = lab.run(&[&["audit"][..], &words, &ROLES].concat()).expect(2);
        assert!(said.err.contains("no regular file"), "{}", said.err);
    }
}

/// A finished release beside an algorithm that runs: rows of its own, verified, and computed again when its bytes change.
#[test]
fn finished_releases_join_comparisons() {
    let lab = Lab::new();
    let people: String = PEOPLE.lines().map(|line| format!("        {line}\n")).collect();
    let spec = format!(
        "anonlab: 1\ntitle: Theirs\ndatasets:\n  people:\n    source:\n      format: csv\n      inline: |\n{people}    quasi_identifiers: [age, zip]\n    sensitive: ill\nalgorithms:\n  theirs: {{files: theirs, release: generalized-table, parameters: {{k: 3}}}}\n  mondrian: {{parameters: {{k: 3}}}}\n  grouped: {{publisher: given-groups, files: groups.txt, parameters: {{l: 2}}}}\nmeasures: {{reached: {{measure: reached-privacy}}}}\nfigures:\n  k:\n    title: k\n    datasets: [people]\n    algorithms: [theirs, mondrian, grouped]\n    measures: [reached]\n    draw: {{kind: table, x: algorithm, y: reached_k}}\n"
    );
    lab.write("t.yaml", &spec);
    lab.write("theirs/table.csv", RELEASE);
    lab.write("groups.txt", "1\n1\n2\n2\n1\n2\n");
    lab.run(&["run", "t.yaml", "--quiet"]).expect(0);
    let rows = lab.read("reports/t/measurements.csv");
    for algorithm in ["theirs", "mondrian", "grouped"] {
        let found =
            rows.lines().any(|line| line.contains(algorithm) && line.contains("reached_k") && line.contains("ok"));
        assert!(found, "{algorithm}: {rows}");
    }
    lab.write("theirs/table.csv", &RELEASE.replacen("20-29", "21", 1));
    let said = lab.run(&["run", "t.yaml", "--quiet"]).expect(1);
    let rows = lab.read("reports/t/measurements.csv");
    assert!(rows.contains("fewer than 3"), "{rows}\n{}", said.err);
    std::fs::remove_file(lab.path("theirs/table.csv")).unwrap();
    let said = lab.run(&["run", "t.yaml", "--quiet"]).expect(2);
    assert!(said.err.contains("t.yaml") && said.err.contains("there is no release in it"), "{}", said.err);
}

/// The files of experiments/audit, and the answers of the papers.
#[test]
fn the_papers_examples_are_answered_as_printed() {
    let lab = Lab::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/audit");
    let audit = |example: &str, original: &str, asked: &[&str]| {
        let file = |name: &str| root.join(example).join(name).display().to_string();
        let (original, roles, release) = (file(original), file("roles.yaml"), file("release"));
        let words = ["audit", "--format", "json", "--original", &original, "--roles", &roles, "--release", &release];
        lab.run(&[&words[..], asked].concat())
    };
    let bob = ["--guarantee", "matching-diversity:l=2,min_exp=0.75,generalized=false"];
    let found = json(&audit("injector-table-2", "original.csv", &bob).expect(1));
    assert_eq!(found["truth"]["holds"], true, "{found:#}");
    let witness = &found["witnesses"][0];
    assert_eq!((&witness["row"], &witness["left"][0]), (&Value::from(3), &Value::from("Prostate Cancer")), "{found:#}");
    let km = ["--guarantee", "km-anonymity:k=2,m=2"];
    let found = json(&audit("km-figure-2a", "original.dat", &km).expect(1));
    assert_eq!(found["guarantees"][0]["faults"][0], "{a1, a2} is in 1 transaction, fewer than 2");
    assert_eq!(found["witnesses"][0]["rows"], serde_json::json!([4]));
    audit("km-figure-2b", "original.dat", &km).expect(0);
    let found = json(&audit("cohesion-figure-1", "original.dat", &["--guarantee", "cohesion:h=0.5,k=3,p=3"]).expect(1));
    let moles = found["witnesses"].as_array().unwrap();
    let of_a_and_e = |mole: &&Value| mole["itemset"] == serde_json::json!(["a", "e"]);
    assert_eq!(moles.iter().find(of_a_and_e).map(|mole| &mole["rows"]), Some(&serde_json::json!([1])), "{found:#}");
    let posteriors = ["--measures", "maximum-entropy:posteriors=true"];
    let found = json(&audit("maxent-example-1", "original.csv", &posteriors).expect(0));
    let seen = found["measures"][0]["observations"].as_array().unwrap();
    let doctor = seen.iter().find(|seen| seen["metric"] == "posterior" && seen["at"] == "Doctorate, Male: 50K+");
    let posterior = doctor.and_then(|seen| seen["value"].as_f64()).unwrap_or(f64::NAN);
    assert!((posterior - 0.5).abs() < 1e-9, "{posterior}: {found:#}");
}

#[test]
fn what_a_release_says_by_its_form_is_found() {
    let lab = Lab::with("s.yaml", SALES);
    published(&lab, "s.yaml:sales", "aa", &["k=2", "m=1"]);
    let lines = lab.read("aa/transactions.dat");
    let audit = |lines: &str, exit| {
        lab.write("aa/transactions.dat", lines);
        json(&lab.run(&["audit", "--dataset", "s.yaml:sales", "--release", "aa", "--format", "json"]).expect(exit))
    };
    assert_eq!(audit(&lines, 0)["form"]["holds"], true);
    // One that stands twice says that two items were below its node.
    let first = lines.split_whitespace().next().unwrap();
    let twice = audit(&format!("{first} {lines}"), 1);
    assert_eq!((&twice["form"]["holds"], &twice["truth"]["holds"]), (&false.into(), &true.into()));
    let fault = twice["form"]["faults"][0].as_str().unwrap();
    assert!(fault.starts_with(&format!("transactions.dat, line 1: `{first}` stands there more than once")), "{fault}");
    // An order of somebody's own is told, and proves nothing.
    let mut turned: Vec<String> = lines.lines().map(String::from).collect();
    turned[0] = turned[0].split(' ').rev().collect::<Vec<_>>().join(" ");
    let odd = audit(&format!("{}\n", turned.join("\n")), 0);
    assert_eq!(odd["form"]["holds"], true);
    let took = odd["took"].to_string();
    assert!(took.contains("its numbers are in no order that everybody knows"), "{took}");
}

/// Two sensitive columns: each must be protected alone, unless they are combined; with the original and without.
#[test]
fn of_several_sensitive_columns_the_one_that_fails_is_named() {
    let lab = Lab::new();
    let people =
        "age,illness,job\n21,flu,cook\n22,cold,cook\n23,gout,cook\n31,flu,cook\n32,cold,clerk\n33,gout,farmer\n";
    lab.write("people.csv", people);
    let cell = |line: &str| match line.split_at(2) {
        ("ag", _) => line.to_string(),
        (age, rest) => format!("{}{rest}", if age < "30" { "21-23" } else { "31-33" }),
    };
    let release: String = people.lines().map(|line| cell(line) + "\n").collect();
    lab.write("anonymized.csv", &release);
    let guarantee = ["--guarantee", "l-diversity:k=3,l=3", "--measures", "reached-privacy", "--format", "json"];
    let roles = ["--release", "anonymized.csv", "--quasi-identifiers", "age", "--sensitive", "illness,job"];
    for original in [&["--original", "people.csv"][..], &[]] {
        let words = [&["audit"], original, &roles, &guarantee].concat();
        let alone = json(&lab.run(&words).expect(1));
        assert_eq!(
            alone["guarantees"][0]["faults"],
            serde_json::json!(["`job`: the class of row 1 has a single sensitive value, fewer than 3"])
        );
        let seen = alone["measures"][0]["observations"].as_array().unwrap();
        let reached = |at: &str| {
            seen.iter().find(|seen| seen["metric"] == "reached_l" && seen["at"] == at).unwrap()["value"].as_f64()
        };
        assert_eq!((reached("illness"), reached("job")), (Some(3.0), Some(1.0)));
        let together = json(&lab.run(&[&words[..], &["--combine-sensitive"]].concat()).expect(0));
        assert_eq!(value(&together, "reached_l"), Some(3.0));
    }
    // What a publisher makes of such data keeps each; its file has a column for each.
    lab.write(
        "s.yaml",
        &PATIENTS.replace("sensitive: disease", "sensitive: [disease, sex]").replace("[age, sex]", "[age]"),
    );
    published(&lab, "s.yaml:patients", "mondrian", &["k=2", "l=2"]);
    assert!(lab.read("mondrian/table.csv").starts_with("age,disease,sex\n"));
    let words = ["audit", "--dataset", "s.yaml:patients", "--release", "mondrian", "--measures", "reached-privacy"];
    let said = lab.run(&[&words[..], &["--guarantee", "l-diversity:k=2,l=2", "--format", "json"]].concat()).expect(0);
    assert!(said.out.contains("\"at\": \"sex\""), "{}", said.out);
}
