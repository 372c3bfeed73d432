//! Tracking: what got worse is found, what did not is not, and what cannot be compared is named.

use crate::external::has;
use crate::lab::{Lab, PATIENTS, Said};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const PAIRS: &str = include_str!("programs/pairs.py");
const BINARY: &str = env!("CARGO_BIN_EXE_anonlab");

/// 400 people in a file of their own, and a program that puts neighbours into groups.
fn people() -> Lab {
    let lab = Lab::new();
    let diseases = ["flu", "cold", "asthma", "gout"];
    let mut table = "age,sex,disease\n".to_string();
    for i in 0..400 {
        let (age, sex) = (18 + i * 7 % 61, ["F", "M"][i / 3 % 2]);
        table += &format!("{age},{sex},{}\n", diseases[i % 4]);
    }
    lab.write("people.csv", &table);
    lab.write("pairs.py", PAIRS);
    lab.write(
        "people.yaml",
        "
anonlab: 1
title: People
datasets:
  people: {source: {format: csv, file: people.csv}, quasi_identifiers: [age, sex], sensitive: disease}
algorithms:
  pairs: {command: [python3, pairs.py], release: buckets, parameters: {l: 2}, randomized: false}
measures:
  queries: {measure: query-error, parameters: {queries: 200, dim: 2, sel: 0.5}}
figures:
  errors:
    title: Query error
    datasets: [people]
    algorithms: [pairs]
    measures: [queries]
    draw: {x: l, y: mean_relative_error}
",
    );
    lab
}

/// Alters a constant of the program.
fn alter(lab: &Lab, constant: &str, value: &str) {
    let text = lab.read("pairs.py");
    let old = text.lines().find(|line| line.starts_with(constant)).unwrap().to_string();
    lab.write("pairs.py", &text.replace(&old, &format!("{constant} = {value}")));
}

/// `track` on the people's spec.
fn track(lab: &Lab, arguments: &[&str]) -> Said {
    let spec = ["--spec", "people.yaml", "--allow-external", "--quiet"];
    lab.run(&[&["track"], arguments, &spec].concat())
}

/// Makes the directory a repository and commits everything in it.
fn commit(lab: &Lab) {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(lab.path("")).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        let said: Said = command.args(arguments).output().unwrap().into();
        said.expect(0);
    };
    if !lab.path(".git").exists() {
        git(&["init", "--quiet"]);
    }
    lab.write(".gitignore", "reports\ncache\n");
    git(&["add", "-A"]);
    git(&["commit", "--quiet", "-m", "x"]);
}

/// Another build: the real one, whose workers' answers go through `sed`.
fn altered_build(lab: &Lab, name: &str, sed: &str) -> String {
    let path = lab.write(name, &format!("#!/bin/sh\n{BINARY} \"$@\" | sed -e '{sed}'\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn findings(json: &str) -> Vec<serde_json::Value> {
    let report: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    report["findings"].as_array().unwrap().clone()
}

#[test]
fn what_was_recorded_is_unchanged_and_records_the_same_bytes() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["track", "record", "--spec", "p.yaml", "--into", "base"]).expect(0);
    let baseline = lab.read("base/p.csv");
    assert!(baseline.starts_with("cell,kind,name,at,value\n,run,format,,1\np,run,build,,\"rustc"), "{baseline}");
    assert!(baseline.contains("cell,verified,,\"{\"\"guarantee\"\":\"\"diversity\"\""), "{baseline}");
    assert!(!baseline.contains("seconds"), "nothing noisy unless it is asked for: {baseline}");
    for jobs in ["1", "2"] {
        let said = lab.run(&["track", "check", "--spec", "p.yaml", "--against", "base", "--fresh", "--jobs", jobs]);
        assert!(said.expect(0).out.contains("against base: unchanged or better;"));
    }
    lab.run(&["track", "record", "--spec", "p.yaml", "--into", "one.csv", "--fresh", "--out", "elsewhere"]).expect(0);
    assert_eq!(lab.read("one.csv"), baseline);
}

#[test]
fn a_change_of_an_error_by_a_hundredth_is_found() {
    if !has("python3") {
        return;
    }
    let lab = people();
    track(&lab, &["record", "--into", "base"]).expect(0);
    track(&lab, &["check", "--against", "base"]).expect(0);
    alter(&lab, "CROSSED", "8");
    let said = track(&lab, &["check", "--against", "base", "--format", "json"]).expect(1);
    let found = findings(&said.out);
    let worse = found.iter().find(|found| found["metric"] == "mean_relative_error").unwrap();
    assert_eq!((worse["verdict"].as_str(), worse["topic"].as_str()), (Some("regression"), Some("utility")));
    let change = worse["change"].as_f64().unwrap();
    assert!((0.005..0.015).contains(&change), "{change}");
    assert!(found.iter().any(|found| found["topic"] == "release" && found["verdict"] == "changed"), "{found:?}");
}

#[test]
fn a_lost_check_of_the_verifier_is_found() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let check = |binary: &str| {
        let lane = ["--lane", "exact", "--format", "json", "--quiet"];
        lab.run(&[&["track", "check", "--spec", "p.yaml", "--against", binary], &lane[..]].concat())
    };
    check(BINARY).expect(0);
    // The old build asked for one value more.
    let weaker = check(&altered_build(&lab, "stricter", r#"s/\\"l\\":2/\\"l\\":3/"#)).expect(1);
    let found = findings(&weaker.out);
    assert!(found.iter().all(|found| found["topic"] == "verifier" && found["verdict"] == "regression"), "{found:?}");
    assert!(found[0]["detail"].as_str().unwrap().contains(r#""l":3}` and is held to"#), "{found:?}");
    // The old build refused these very releases.
    let refusing = altered_build(&lab, "refusing", r#"s/"status":"ok","reason":""/"status":"invalid","reason":"no"/"#);
    let lost = check(&refusing).expect(1);
    let detail = findings(&lost.out)[0]["detail"].as_str().unwrap().to_string();
    assert_eq!(detail, "the verifier refused this very release before (no) and accepts it now");
    // And the other way round: what was accepted is refused.
    let lenient = altered_build(&lab, "lenient", r#"s/"verified":"[^}]*}"/"verified":null/"#);
    assert_eq!(findings(&check(&lenient).expect(0).out)[0]["verdict"], "improved");
}

#[test]
fn a_slowdown_by_three_tenths_is_found_and_the_same_twice_is_not() {
    if !has("python3") {
        return;
    }
    let lab = people();
    alter(&lab, "BUSY", "0.40");
    commit(&lab);
    let check = || track(&lab, &["check", "--against", "HEAD", "--lane", "noisy", "--samples", "5"]);
    let same = check();
    assert_ne!(same.code, Some(1), "{}", same.out);
    alter(&lab, "BUSY", "0.52");
    let slower = check().expect(1);
    assert!(slower.out.contains("cost cpu_seconds: people errors: pairs on people"), "{}", slower.out);
    assert!(slower.out.contains("over 10 pairs; up to ×1.1 is tolerated"), "measured again: {}", slower.out);
}

#[test]
fn what_cannot_be_compared_is_named() {
    let lab = Lab::new();
    let (table, spec) = (PATIENTS.split("inline: |\n").nth(1).unwrap(), PATIENTS);
    let table: String = table.lines().take(13).map(|line| line.trim().to_string() + "\n").collect();
    let inline = &spec[spec.find("      inline: |").unwrap()..spec.find("    quasi_identifiers").unwrap()];
    let spec = spec.replace(inline, "      file: p.csv\n");
    lab.write("p.csv", &table);
    lab.write("p.yaml", &spec);
    let run = |arguments: &[&str]| lab.run(&[&["track"], arguments, &["--spec", "p.yaml", "--quiet"]].concat());
    let check = |arguments: &[&str]| run(&[&["check", "--against", "b.csv"], arguments].concat());
    run(&["record", "--into", "b.csv"]).expect(0);
    let baseline = lab.read("b.csv");

    lab.write("p.yaml", &spec.replace("[2, 3, 4]", "[2, 3]"));
    let said = check(&[]).expect(0);
    assert!(said.out.contains("vanished cell: 5 cells like p errors: anatomy on patients, l=4"), "{}", said.out);
    check(&["--strict"]).expect(1);
    lab.write("p.yaml", &spec.replace("repetitions: 5", "repetitions: 6"));
    assert!(check(&[]).expect(0).out.contains("new cell: p errors: anatomy on patients, l=2"));
    lab.write("p.yaml", &spec);

    lab.write("b.csv", &baseline.replace(",metric,mean_relative_error,", ",metric,mean_error,"));
    let said = check(&[]).expect(0);
    assert!(
        said.out.contains("`mean_error` is gone and `mean_relative_error` has its values in 15 cells"),
        "{}",
        said.out
    );

    lab.write("b.csv", &baseline.replace("build,,\"rustc", "build,,\"mrustc"));
    let said = check(&[]).expect(0);
    assert!(
        said.out.contains("other build: all of p\n    heap and allocations were recorded with `mrustc"),
        "{}",
        said.out
    );

    lab.write("b.csv", &baseline);
    lab.write("p.csv", &table.replace("29,F", "28,F"));
    let said = check(&[]).expect(3);
    assert!(said.out.contains("other data: 15 cells like p errors"), "{}", said.out);
    assert!(said.out.contains("against b.csv: nothing comparable was measured; 0 values compared"), "{}", said.out);

    lab.write("p.csv", &table);
    run(&["record", "--into", "n.csv", "--lane", "exact,noisy", "--samples", "2"]).expect(0);
    let noisy = lab.read("n.csv");
    let machine = noisy.lines().find(|line| line.starts_with("p,run,machine,,")).unwrap().to_string();
    let against = |text: &str| {
        lab.write("n.csv", text);
        run(&["check", "--against", "n.csv", "--lane", "noisy"])
    };
    let said = against(&noisy).expect(3);
    assert!(said.out.contains("it was recorded at another time"), "{}", said.out);
    let said = against(&noisy.replace(&machine, "p,run,machine,,0123abcd")).expect(3);
    assert!(said.out.contains("other machine: all of p\n    seconds were recorded on 0123abcd"), "{}", said.out);
    let said = against(&baseline).expect(3);
    assert!(said.out.contains("not measured: all of p\n    the baseline has no seconds"), "{}", said.out);
}

#[test]
fn bad_input_is_told_from_a_regression() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let check = |against: &str| lab.run(&["track", "check", "--spec", "p.yaml", "--against", against]).expect(2).err;
    assert!(check("nowhere").contains("`nowhere` is no file, no directory and no revision"), "{}", check("nowhere"));
    lab.write("b.csv", "a,b\n1,2\n");
    assert!(check("b.csv").contains("b.csv: line 1 has 2 fields"), "{}", check("b.csv"));
    lab.write("notes.txt", "");
    assert!(
        check("notes.txt").contains("neither a baseline (*.csv) nor a capsule (*.zip) nor a program"),
        "{}",
        check("notes.txt")
    );
    std::fs::create_dir(lab.path("empty")).unwrap();
    assert!(check("empty").contains("there is no baseline (*.csv) in empty; `anonlab track record"));
    let said = lab.run(&["track", "record", "--spec", "p.yaml", "--only", "nothing"]).expect(2);
    assert!(said.err.contains("no spec has a figure `nothing`"), "{}", said.err);
    let said = lab.run(&["track", "check", "--write", "html=x"]).expect(2);
    assert!(said.err.contains("html"), "{}", said.err);
    assert!(check("/bin/true").contains("it is no anonlab, or one too old"), "{}", check("/bin/true"));
}

#[test]
fn every_format_is_written_and_parses() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["track", "record", "--spec", "p.yaml", "--into", "b.csv"]).expect(0);
    let formats =
        ["text", "markdown", "json", "junit", "github-action-benchmark", "github-action-benchmark-bigger", "bencher"];
    let writes: Vec<String> = formats.iter().map(|format| format!("--write={format}=out/{format}")).collect();
    let mut arguments = vec!["track", "check", "--spec", "p.yaml", "--against", "b.csv"];
    arguments.extend(writes.iter().map(String::as_str));
    lab.run(&arguments).expect(0);
    for json in ["json", "github-action-benchmark", "github-action-benchmark-bigger", "bencher"] {
        let text = lab.read(&format!("out/{json}"));
        serde_json::from_str::<serde_json::Value>(&text).unwrap_or_else(|error| panic!("{json}: {error}: {text}"));
    }
    assert!(lab.read("out/junit").contains("tests=\"15\" failures=\"0\""), "{}", lab.read("out/junit"));
    assert!(lab.read("out/markdown").starts_with("### ✅ anonlab track: unchanged or better"));
    assert!(lab.read("out/bencher").contains("\"p: anatomy on patients, l=2"), "{}", lab.read("out/bencher"));
}

#[test]
fn a_history_grows_by_a_revision_and_shows_where_it_changed() {
    if !has("python3") {
        return;
    }
    let lab = people();
    let history = |revision: &str| track(&lab, &["history", "h.csv", "--revision", revision]).expect(0);
    history("one");
    history("two");
    alter(&lab, "CROSSED", "200");
    let said = history("three");
    assert!(said.out.contains("3 revisions in h.csv"), "{}", said.out);
    assert!(said.out.contains("mean_relative_error: "), "{}", said.out);
    let page = lab.read("reports/trends.html");
    assert!(page.contains("Trends over revisions") && page.contains("<svg") && page.contains("change of level"));
    let lines = lab.read("h.csv");
    assert!(lines.starts_with("revision,machine,cell,metric,value\none,"), "{lines}");
    assert_eq!(lines.lines().filter(|line| line.contains(",groups,")).count(), 3);
    // Measured again, a revision is replaced.
    history("three");
    assert_eq!(lab.read("h.csv"), lines);
    let said = track(&lab, &["history", "people.yaml"]).expect(2);
    assert!(said.err.contains("so it is no history"), "{}", said.err);
    commit(&lab);
    let said = track(&lab, &["history", "h.csv"]).expect(0);
    assert!(said.out.contains("4 revisions in h.csv"), "{}", said.out);
    lab.run(&["run", "people.yaml", "--allow-external"]).expect(0);
    assert!(lab.read("reports/index.html").contains("trends.html"));
}
