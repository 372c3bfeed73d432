//! Bad input: a message with file, line and column, what is wrong and what would be right; exit code 2; nothing written.

use crate::lab::{Lab, PATIENTS, Said};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// What `validate` says of a spec.
#[track_caller]
fn complaint(spec: &str) -> String {
    let lab = Lab::with("p.yaml", spec);
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
    for number in ["many", "18446744073709551615"] {
        assert_eq!(
            complaint(&with("    repetitions: 5", &format!("    repetitions: {number}"))),
            "p.yaml:33:18: a whole number from 0 to 4294967295 is needed"
        );
    }
    assert_eq!(
        complaint(&with("anonlab: 1", "anonlab: 3")),
        "p.yaml:2:1: format 3 is not known; this program reads `anonlab: 1`"
    );
}

#[test]
fn two_times_of_one_name() {
    let measure = |name: &str| {
        let spec = with("  queries: {measure", &format!("  {name}: {{measure"));
        complaint(&spec.replace("measures: [queries]", &format!("measures: [{name}]")))
    };
    assert_eq!(
        measure("grouping"),
        "p.yaml:31:5: `seconds.grouping` is the time of a phase of `anatomy`: give the measure `grouping` another name"
    );
    assert!(measure("verify").contains("`seconds.verify` is the time of a part of every cell"));
}

#[test]
fn what_is_no_name_no_list_and_no_mapping() {
    assert_eq!(
        complaint(&with("measures: [queries]", "measures: [{query-error: {dim: 2}}]")),
        "p.yaml:31:16: one word or text is needed here, not a list or a mapping; a measure with parameters is an entry of the spec's \
         `measures:`, and its name stands here: `measures: {mine: {measure: query-error, parameters: {dim: 2}}}`"
    );
    assert_eq!(
        complaint(&with("algorithms: [anatomy]", "algorithms: [{anatomy: {l: 2}}]")),
        "p.yaml:30:18: one word or text is needed here, not a list or a mapping; an algorithm with parameters is an entry of the spec's \
         `algorithms:`, and its name stands here: `algorithms: {mine: {publisher: anatomy, parameters: {l: 4}}}`"
    );
    assert_eq!(
        complaint(&with("algorithms: [anatomy]", "algorithms: anatomy")),
        "p.yaml:30:17: a list is needed here, as `[a, b]`"
    );
    assert_eq!(
        complaint("anonlab: 1\ndatasets: [adult]\n"),
        "p.yaml:2:11: a mapping is needed here, as `{key: value}`"
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

#[test]
fn numbers_at_their_ends_are_refused_with_the_range() {
    let limits =
        |limits: &str| complaint(&with("    repetitions: 5", &format!("    repetitions: 5\n    limits: {limits}")));
    assert!(limits("{time: 9223372036854775807s}").contains("at least 1ms and at most 8760h"));
    assert!(limits("{memory: 0.0001KB}").contains("at least 1KB and at most 1024TB"));
    let queries = complaint(&with("queries: 20", "queries: 18446744073709551615"));
    assert!(
        queries.contains("`queries` must be at least 1 and at most 10000000, not 18446744073709551615"),
        "{queries}"
    );
    let sampled = complaint(&with(
        "    sensitive: disease",
        "    sensitive: disease\n    derive: [{sample: 18446744073709551615}]",
    ));
    assert!(sampled.ends_with("must be at most 100000000, not 18446744073709551615"), "{sampled}");
    let repeated = complaint(&with("repetitions: 5", "repetitions: 4294967295"));
    assert!(repeated.contains("is run at most 1000000 times"), "{repeated}");
}

/// Seconds, not hours, and memory that does not grow with the count.
#[test]
fn plans_are_counted_before_they_are_made() {
    let swept = complaint(&with("[2, 3, 4]", "{from: 2, to: 2000000000, step: 1}"));
    assert_eq!(swept, "p.yaml:32:5: 1999999999 combinations; a sweep has at most 10000000");
    let lab = Lab::new();
    // Times are taken anew in every repetition, so that each is a cell.
    let many = with("[2, 3, 4]", "{from: 2, to: 1001, step: 1}").replace("repetitions: 5", "repetitions: 1000000");
    lab.write("p.yaml", &many.replace("y: mean_relative_error", "y: seconds"));
    for command in [&["plan", "p.yaml", "--summary"][..], &["validate", "p.yaml"], &["run", "p.yaml"]] {
        let said = lab.run(command).expect(2);
        assert!(said.err.contains("1000000000 cells, 1000000000 with the figures before it"), "{}", said.err);
        assert!(said.err.contains("are more than 10000000; fewer values"), "{}", said.err);
    }
    lab.write("p.yaml", PATIENTS);
    let said = lab.run(&["plan", "p.yaml", "--max-cells", "2"]).expect(2);
    assert!(said.err.contains("15 cells, 15 with the figures before it, are more than 2"), "{}", said.err);
    lab.run(&["plan", "p.yaml", "--max-cells", "15"]).expect(0);
    for (option, bad) in [("--jobs", "4294967296"), ("--jobs", "0"), ("--shard", "1/18446744073709551615")] {
        let said = lab.run(&["run", "p.yaml", option, bad]).expect(2);
        assert!(said.err.contains("1 to"), "{}", said.err);
    }
    let said = lab.run(&["plan", "p.yaml", "--shards", "1000000000"]).expect(2);
    assert!(said.err.contains("from 1 to 100000"), "{}", said.err);
}

#[test]
fn names_that_make_no_good_file() {
    let long = "f".repeat(101);
    let said = complaint(&with("  errors:", &format!("  {long}:")));
    assert!(said.contains("use at most 100 characters, not 101"), "{said}");
    let said = complaint(&with("  errors:", "  index.html:"));
    assert!(said.contains("it must not end with `.html`"), "{said}");
    let lab = Lab::new();
    for name in ["index.html.yaml".to_string(), format!("{}.yaml", "s".repeat(120))] {
        lab.write(&name, PATIENTS);
        let said = lab.run(&["validate", &name]).expect(2);
        assert!(said.err.contains("names a folder of the report"), "{}", said.err);
    }
}

#[test]
fn words_that_are_no_text_are_refused_by_name() {
    let lab = Lab::new();
    let word = OsStr::from_bytes(b"na\xffme.yaml");
    for command in [&[][..], &["run"], &["audit", "--original"], &["run", "p.yaml", "--out"]] {
        let said: Said = lab.command(command).arg(word).output().unwrap().into();
        let said = said.expect(2);
        assert!(said.err.starts_with("`na\\xffme.yaml` is not UTF-8"), "{command:?}: {}", said.err);
    }
}

#[test]
fn hierarchies_without_bottom_and_headers_without_end() {
    let lab = Lab::new();
    let wide: Vec<String> = (0..20_000).map(|i| format!("column-{i}")).collect();
    lab.write(
        "wide.csv",
        &format!("age,disease,{}\n1,flu{}\n2,cold{}\n", wide.join(","), ",0".repeat(20_000), ",0".repeat(20_000)),
    );
    lab.write("deep.csv", &format!("1,{}*\n2,{}*\n", "x,".repeat(20_000), "x,".repeat(20_000)));
    let spec = |tree: &str| {
        format!(
            "anonlab: 1\ntitle: T\ndatasets:\n  d:\n    source: {{file: wide.csv, format: csv}}\n    quasi_identifiers: [age]\n    sensitive: disease\n{tree}figures:\n  f: {{title: F, datasets: [d], algorithms: [anatomy], sweep: {{product: {{l: [2]}}}}, draw: {{x: l, y: groups}}}}\n"
        )
    };
    lab.write("p.yaml", &spec(""));
    lab.run(&["run", "p.yaml"]).expect(0);
    lab.write("q.yaml", &spec("    hierarchies: {age: {file: deep.csv}}\n"));
    let said = lab.run(&["validate", "q.yaml"]).expect(2);
    assert!(said.err.contains("20002 levels; a hierarchy has at most 1000"), "{}", said.err);
}

#[test]
fn files_that_are_no_hierarchy_are_named_by_line_before_anything_runs() {
    let people = "age,town,ill\n21,Aa,flu\n22,Bo,cold\n23,Ho,flu\n24,Ho,cold\n";
    for (file, text, says) in [
        (
            "town.csv",
            "Aa;north;*\nBo;north\nHo;south;*\n",
            "town.csv, line 2: 2 levels, but line 1 has 3; every line has as many, up to the root `*`",
        ),
        (
            "town.csv",
            "Aa;north;*\nBo;north;*\nHo;south;+\n",
            "town.csv, line 3: the line ends with `+`, line 1 with `*`: every line ends with the same root",
        ),
        (
            "town.csv",
            "Aa;north;*\nBo;north;*\nHo;south;*\nAa;south;*\n",
            "town.csv, line 4: `Aa` has a line already: line 1",
        ),
        (
            "town.txt",
            "distinct\n\nany has north Ho\nnorth has Aa Bo\n",
            "town.txt, line 4: `north` has its children told after it was put under `any`; write the lowest level first",
        ),
    ] {
        let lab = Lab::with("people.csv", people);
        lab.write(file, text);
        lab.write(
            "p.yaml",
            &format!(
                "anonlab: 1\ntitle: T\ndatasets:\n  d:\n    source: {{file: people.csv, format: csv}}\n    quasi_identifiers: [age, town]\n    sensitive: ill\n    hierarchies:\n      town: {{file: {file}}}\nfigures:\n  f: {{title: F, datasets: [d], algorithms: [full-domain], measures: [information-loss], sweep: {{product: {{k: [2]}}}}, draw: {{x: k, y: gcp}}}}\n"
            ),
        );
        for command in ["validate", "run", "plan"] {
            let said = lab.run(&[command, "p.yaml"]).expect(2);
            assert_eq!(said.err.trim(), format!("p.yaml:9:14: {says}"), "{command}");
        }
        assert!(!lab.path("reports").exists(), "nothing half-written is left behind");
    }
}
