//! Programs that keep to the protocol: the built-in publishers behind it, the skeletons, the worked examples.

use crate::external::has;
use crate::lab::Lab;
use std::path::Path;

const ANONLAB: &str = env!("CARGO_BIN_EXE_anonlab");

/// Runs the conformance suite.
fn check(lab: &Lab, release: &str, guarantee: Option<&str>, command: &[&str]) -> crate::lab::Said {
    let mut arguments = vec!["algorithms", "check", "--time", "2m", "--release", release];
    arguments.extend(guarantee.iter().flat_map(|guarantee| ["--guarantee", guarantee]));
    arguments.push("--command");
    arguments.extend(command);
    lab.run(&arguments)
}

#[test]
fn every_built_in_publisher_passes_behind_the_protocol() {
    let lab = Lab::new();
    let list = lab.run(&["algorithms", "list"]).expect(0).out;
    let mut checked = 0;
    for line in list.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Groups that a spec gives by hand fit the rows of that spec alone, and the two ends of generalization promise nothing.
        let promises_nothing = ["given-groups", "identity", "everything-generalized"].contains(&words[0]);
        if words[1] != "publisher" || promises_nothing {
            continue;
        }
        let guarantee = words[0].starts_with("injector").then_some("matching-diversity");
        let said = check(&lab, words[3], guarantee, &[ANONLAB, "external", words[0]]);
        assert!(!said.out.contains("FAIL"), "{}: {}{}", words[0], said.out, said.err);
        said.expect(0);
        checked += 1;
    }
    assert!(checked >= 6, "{list}");
}

#[test]
fn the_suite_tells_what_is_wrong() {
    if !has("python3") {
        return;
    }
    let lab = Lab::with("misbehaving.py", include_str!("programs/misbehaving.py"));
    let said = check(&lab, "buckets", None, &["python3", "misbehaving.py", "good"]).expect(1);
    assert!(said.out.contains("pass  --version"), "{}", said.out);
    assert!(said.out.contains("pass  plain"), "{}", said.out);
    assert!(said.out.contains("pass  the same seed"), "{}", said.out);
    assert!(said.out.contains("FAIL  one row"), "it never refuses: {}", said.out);
    let slip = check(&lab, "bucket", None, &["python3"]).expect(2);
    assert!(slip.err.contains("did you mean `buckets`?"), "{}", slip.err);
    let absent = check(&lab, "buckets", None, &["no-such-program"]).expect(2);
    assert!(absent.err.contains("there is no program `no-such-program`"), "{}", absent.err);
}

/// Writes a skeleton, checks it, and runs the spec that comes with it.
fn skeleton(language: &str, release: &str, command: &[&str]) {
    let lab = Lab::new();
    let new = ["algorithms", "new", "--lang", language, "--release", release, "mine"];
    let said = lab.run(&new).expect(0);
    assert!(said.out.contains("anonlab algorithms check"), "{}", said.out);
    assert!(lab.run(&new).expect(2).err.contains("is there already"));
    if language == "rust" {
        let compiled = std::process::Command::new("rustc").args(["-O", "mine.rs"]).current_dir(lab.path("")).output();
        let compiled = compiled.unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        assert!(compiled.stderr.is_empty(), "{}", String::from_utf8_lossy(&compiled.stderr));
    }
    let said = check(&lab, release, None, command);
    assert!(!said.out.contains("FAIL"), "{language} {release}: {}", said.out);
    said.expect(0);
    lab.run(&["validate", "mine.yaml"]).expect(0);
    lab.run(&["run", "mine.yaml", "--allow-external", "--quick", "--strict"]).expect(0);
    let compared =
        lab.run(&["compare", "mine.yaml", "--allow-external", "--quick", "--baseline", "mine"]).expect(0).out;
    assert!(compared.contains("compared with mine"), "{compared}");
}

#[test]
fn python_skeletons_work() {
    if has("python3") {
        for release in ["buckets", "generalized-table", "generalized-transactions", "suppressed-transactions", "rules"]
        {
            skeleton("python", release, &["python3", "mine.py"]);
        }
    }
}

#[test]
fn rust_skeletons_work() {
    if has("rustc") {
        for release in ["buckets", "generalized-table"] {
            skeleton("rust", release, &["./mine"]);
        }
    }
}

#[test]
fn r_skeletons_work() {
    // R is on few machines; CI installs it (scripts/install-interpreters.sh).
    let ready = std::process::Command::new("Rscript").args(["-e", "library(jsonlite)"]).output();
    if ready.is_ok_and(|said| said.status.success()) {
        for release in ["buckets", "generalized-table"] {
            skeleton("r", release, &["Rscript", "mine.R"]);
        }
    } else {
        assert!(std::env::var_os("CI").is_none(), "there is no R with jsonlite here: scripts/install-interpreters.sh");
        eprintln!("skipped: there is no R with jsonlite here");
    }
}

#[test]
fn skeletons_that_do_not_exist_are_told() {
    let lab = Lab::new();
    let said = lab.run(&["algorithms", "new", "--lang", "rust", "--release", "rules", "mine"]).expect(2);
    assert!(said.err.contains("there is one in Python"), "{}", said.err);
    let said = lab.run(&["algorithms", "new", "--lang", "python", "../mine"]).expect(2);
    assert!(said.err.contains("begin with a letter"), "{}", said.err);
}

#[test]
fn the_worked_examples_pass_and_are_compared_with_their_peers() {
    if !has("python3") || !has("perl") {
        return;
    }
    let lab = Lab::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/external");
    for name in ["mondrian.py", "aa.pl", "external.yaml"] {
        lab.write(name, &std::fs::read_to_string(folder.join(name)).unwrap());
    }
    for (release, command) in [("buckets", ["python3", "mondrian.py"]), ("generalized-transactions", ["perl", "aa.pl"])]
    {
        let said = check(&lab, release, None, &command);
        assert!(!said.out.contains("FAIL"), "{}", said.out);
        said.expect(0);
    }
    lab.run(&["run", "external.yaml", "--allow-external", "--quick", "--strict"]).expect(0);
    let text = lab.run(&["compare", "reports/external"]).expect(0).out;
    assert!(text.contains("median_relative_error") && text.contains("mondrian"), "{text}");
    assert!(text.contains("Pareto front on adult"), "{text}");
    let csv = lab.run(&["compare", "reports/external", "--metric", "ncp", "--format", "csv", "--over", "dataset,k"]);
    let csv = csv.expect(0).out;
    assert!(csv.starts_with("metric,better,dataset,k,contender,"), "{csv}");
    // The same algorithm in two languages: equal in every pair.
    let perl: Vec<&str> = csv.lines().filter(|line| line.contains("aa-perl")).collect();
    assert!(!perl.is_empty() && perl.iter().all(|line| line.ends_with("same") || line.contains("true,")), "{csv}");
    let json = lab.run(&["compare", "reports/external", "--format", "json"]).expect(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["metrics"].as_array().is_some_and(|metrics| metrics.len() > 3), "{json}");
    let markdown = lab.run(&["compare", "reports/external", "--format", "markdown"]).expect(0).out;
    assert!(markdown.contains("|---|"), "{markdown}");
}

#[test]
fn comparisons_of_nothing_are_told() {
    let lab = Lab::with("p.yaml", crate::lab::PATIENTS);
    let said = lab.run(&["compare", "p.yaml"]).expect(2);
    assert!(
        said.err.contains("none of the 15 cells has an answer in reports: 15 have not run")
            && said.err.contains("anonlab run p.yaml"),
        "{}",
        said.err
    );
    lab.run(&["run", "p.yaml"]).expect(0);
    let said = lab.run(&["compare", "p.yaml"]).expect(2);
    assert!(said.err.contains("reported by two algorithms"), "{}", said.err);
    let said = lab.run(&["compare", "reports"]).expect(2);
    assert!(said.err.contains("there are experiments below it: reports/p"), "{}", said.err);
}
