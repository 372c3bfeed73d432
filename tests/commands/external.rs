//! Programs of somebody's own: what they may do, and what becomes of whatever else they do.

use crate::lab::{Lab, PATIENTS};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const MISBEHAVING: &str = include_str!("programs/misbehaving.py");

/// Tests that start programs need their interpreters. On CI they must be there.
pub fn has(program: &str) -> bool {
    let found = std::process::Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success());
    assert!(found || std::env::var_os("CI").is_none(), "CI needs {program}");
    if !found {
        eprintln!("skipped: there is no {program} here");
    }
    found
}

/// PATIENTS with one algorithm a way, each a program; `limits` as YAML.
fn spec(ways: &[&str], limits: &str) -> String {
    let entries: String = ways
        .iter()
        .map(|way| {
            format!("  {way}: {{command: [python3, misbehaving.py, {way}], release: buckets, randomized: false}}\n")
        })
        .collect();
    PATIENTS
        .replace("measures:\n  queries", &format!("algorithms:\n{entries}measures:\n  queries"))
        .replace("algorithms: [anatomy]", &format!("algorithms: [{}]", ways.join(", ")))
        .replace("[2, 3, 4]", "[2]")
        .replace("    repetitions: 5", &format!("    repetitions: 1\n    limits: {limits}"))
}

pub fn lab(ways: &[&str], limits: &str) -> Lab {
    let lab = Lab::with("misbehaving.py", MISBEHAVING);
    lab.write("p.yaml", &spec(ways, limits));
    lab
}

/// Algorithm to (status, reason) of its first row.
pub fn rows(lab: &Lab, name: &str) -> BTreeMap<String, (String, String)> {
    let text = lab.read(&format!("reports/{name}/measurements.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|known| known == name).unwrap();
    let (algorithm, status, reason) = (column("algorithm"), column("status"), column("reason"));
    let mut found = BTreeMap::new();
    for record in reader.records().map(Result::unwrap) {
        let row = (record[status].to_string(), record[reason].to_string());
        found.entry(record[algorithm].to_string()).or_insert(row);
    }
    found
}

#[test]
fn too_many_processes_are_ended() {
    // With room for all of them: what they share counts for each, so that a small limit on memory would end them first.
    let lab = lab(&["processes"], "{time: 1m, memory: 16GB}");
    lab.run(&["run", "p.yaml", "--allow-external"]).expect(1);
    let (status, reason) = &rows(&lab, "p")["processes"];
    assert_eq!(status, "failed", "{reason}");
    assert!(reason.contains("started more than 256 processes"), "{reason}");
}

#[test]
fn every_misbehaviour_is_a_row_with_a_reason() {
    if !has("python3") {
        return;
    }
    let expected = [
        ("good", "ok", ""),
        ("look-around", "ok", ""),
        ("crash", "failed", "RuntimeError: lost my way"),
        ("signal", "failed", "signal: 11"),
        ("flood-output", "failed", "wrote more than 1 MB to standard output"),
        ("flood-errors", "failed", "wrote more than 16 MB to standard error"),
        ("flood-file", "failed", "wrote"),
        ("flood-files", "failed", "made more than 1000 files"),
        ("deep", "failed", "made more than 1000 files"),
        ("nameless", "failed", "wrote more than"),
        ("chatter", "failed", "line 1 of its standard output is none of"),
        ("own-quality", "failed", "reports `mean_relative_error` itself"),
        ("refuse", "failed", "not today"),
        ("nothing", "failed", "ended well but left no release: qit.csv: it is not there"),
        ("garbage", "invalid", "what it wrote is no release of buckets"),
        ("link", "failed", "left no release: qit.csv"),
        ("pipe", "failed", "qit.csv: it is no plain file"),
        ("drop", "invalid", "qit.csv: it ends after 11 of the original's 12 rows"),
        ("invent", "invalid", "qit.csv line 14: the original has only 12 rows"),
        ("alter", "invalid", "`age` is `1`, and something else in row 1 of the original"),
        ("overlap", "invalid", "qit.csv line 14: the original has only 12 rows"),
        ("other-values", "invalid", "the sensitive values of group"),
        ("row-order", "invalid", "the values of this group are in the order of its rows, which says whose they are"),
        ("not-diverse", "invalid", "has 1 distinct sensitive value, fewer than 2"),
        ("memory", "out_of_memory", "its processes held more than 100 MB"),
        ("memory-of-children", "out_of_memory", "its processes held more than 100 MB"),
    ];
    let ways = expected.map(|(way, ..)| way);
    let lab = lab(&ways, "{time: 1m, memory: 100MB}");
    let mut command = lab.command(&["run", "p.yaml", "--allow-external", "--jobs", "2"]);
    let said: crate::lab::Said = command.env("ANONLAB_TEST_SECRET", "x").output().unwrap().into();
    said.expect(1);
    let rows = rows(&lab, "p");
    for (way, status, reason) in expected {
        let (found_status, found_reason) = &rows[way];
        assert_eq!(found_status, status, "{way}: {found_reason}");
        assert!(found_reason.contains(reason), "{way}: {found_reason}");
        assert!(!reason.is_empty() || found_reason.is_empty(), "{way}: {found_reason}");
    }
    let measurements = lab.read("reports/p/measurements.csv");
    assert!(measurements.contains(",groups,,6.0"), "the program's own counter is there: {measurements}");
    assert!(measurements.contains(",mean_relative_error,,"), "measured as any other release: {measurements}");
}

#[test]
fn what_does_not_end_in_time_is_ended() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["hang", "late"], "{time: 2s, memory: 1GB}");
    lab.run(&["run", "p.yaml", "--allow-external", "--jobs", "2"]).expect(0);
    for (way, (status, reason)) in rows(&lab, "p") {
        assert_eq!((status.as_str(), reason.as_str()), ("timeout", "took longer than 2s"), "{way}");
    }
}

/// Whether some process has `word` in its command line.
pub fn runs(word: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|process| {
        std::fs::read(process.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    })
}

#[test]
fn nothing_that_a_program_starts_survives_it() {
    if !has("python3") {
        return;
    }
    for (way, status, time) in [("orphan", "ok", "1m"), ("hanging-orphan", "timeout", "3s")] {
        let lab = lab(&[way], &format!("{{time: {time}, memory: 1GB}}"));
        // What it leaves at home tells how far it came; in its jail it could not.
        let mut command = lab.command(&["run", "p.yaml", "--allow-external", "--jail", "off"]);
        let said: crate::lab::Said = command.env("HOME", lab.path("")).output().unwrap().into();
        said.expect(0);
        assert_eq!(rows(&lab, "p")[way].0, status);
        assert!(!runs(&lab.path("misbehaving.py").display().to_string()), "{way}: a child outlives its run");
    }
}

#[test]
fn a_run_that_is_interrupted_or_killed_takes_its_programs_along() {
    if !has("python3") {
        return;
    }
    for signal in [libc::SIGINT, libc::SIGKILL] {
        let lab = lab(&["hanging-orphan"], "{time: 1m, memory: 1GB}");
        let script = lab.path("misbehaving.py").display().to_string();
        let mut run = lab
            .command(&["run", "p.yaml", "--allow-external", "--jail", "off", "--quiet"])
            .env("HOME", lab.path(""))
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let wait = |what: &str, until: &dyn Fn() -> bool| {
            let start = Instant::now();
            while !until() {
                assert!(start.elapsed() < Duration::from_secs(30), "{what}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        wait("the program does not start", &|| lab.path("hangs").exists());
        // SAFETY: a signal to a process we started.
        unsafe { libc::kill(run.id() as i32, signal) };
        run.wait().unwrap();
        wait("the program outlives its run", &|| !runs(&script));
    }
}

#[test]
fn costs_are_those_of_the_whole_process_tree() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["spend"], "{time: 20s, memory: 1GB}");
    lab.run(&["run", "p.yaml", "--allow-external"]).expect(0);
    let costs = lab.read("reports/p/costs.csv");
    let cost = |metric: &str| -> f64 {
        let line =
            costs.lines().find(|line| line.contains(&format!(",{metric},"))).unwrap_or_else(|| panic!("{costs}"));
        line.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(cost("cpu_seconds") > 0.55, "{costs}");
    assert!(cost("seconds") >= 0.6, "{costs}");
    assert!(cost("peak_rss_bytes") > 80e6, "{costs}");
    assert!(!costs.contains("peak_heap_bytes,"), "{costs}");
}

#[test]
fn a_strangers_command_is_refused_by_name() {
    let lab = lab(&["good"], "{time: 4s, memory: 1GB}");
    lab.run(&["validate", "p.yaml"]).expect(0);
    for command in [
        &["run", "p.yaml"][..],
        &["plan", "p.yaml"],
        &["reproduce", "--experiments", "."],
        &["publish", "--dataset", "p.yaml:patients", "--algorithm", "p.yaml:good", "--out", "release"],
    ] {
        let said = lab.run(command).expect(2);
        let wanted = "`good` wants to run the command `python3 misbehaving.py good`";
        assert!(said.err.contains(wanted) && said.err.contains("--allow-external"), "{}", said.err);
    }
    assert!(!lab.path("reports").exists() && !lab.path("release").exists());
}

#[test]
fn publish_serves_programs_too() {
    if !has("python3") {
        return;
    }
    let lab = lab(&["good", "drop"], "{time: 4s, memory: 1GB}");
    let publish = |name: &str| {
        let (dataset, algorithm) = ("p.yaml:patients", format!("p.yaml:{name}"));
        let arguments = ["publish", "--allow-external", "--dataset", dataset, "--algorithm", &algorithm, "-p", "l=3"];
        lab.run(&[&arguments[..], &["--out", "release"]].concat())
    };
    let said = publish("good").expect(0);
    assert!(said.out.contains("verified: the release keeps 3-diversity: no sensitive value"), "{}", said.out);
    assert_eq!(lab.read("release/qit.csv").lines().count(), 13);
    let said = publish("drop").expect(1);
    assert!(said.out.contains("REFUSED by the verifier: what it wrote is no release"), "{}", said.out);
}

#[test]
fn a_changed_program_is_never_served_from_the_store() {
    let lab = Lab::new();
    let script = |groups: &str, version: &str| {
        format!(
            "if [ \"$1\" = --version ]; then echo {version}; exit; fi\nout=$(sed 's/.*\"output\":\"\\([^\"]*\\)\".*/\\1/')\n. {groups} \"$out\"\n",
        )
    };
    // One group of all twelve rows: each disease is in three of them.
    let release = "{ echo age,sex,group_id; for row in 29,F 22,F 27,M 43,M 52,F 47,M 30,M 36,M 32,M 61,F 19,F 44,M; do echo $row,1; done; } > $out/qit.csv\nprintf 'group_id,disease,count\\n1,asthma,3\\n1,cold,3\\n1,flu,3\\n1,gout,3\\n' > $out/st.csv\n";
    let helper = lab.write("helper.sh", release);
    let helper = helper.display().to_string();
    lab.write("mine.sh", &script(&helper, "1.0"));
    let entry = "algorithms:\n  mine: {command: [sh, mine.sh], release: buckets, files: [helper.sh], randomized: false}\nmeasures:\n  queries";
    let text = PATIENTS
        .replace("measures:\n  queries", entry)
        .replace("algorithms: [anatomy]", "algorithms: [mine]")
        .replace("[2, 3, 4]", "[2]");
    lab.write("p.yaml", &text);
    let computed = || {
        let said = lab.run(&["run", "p.yaml", "--allow-external"]).expect(0);
        !said.out.contains("from the store")
    };
    assert!(computed());
    assert!(!computed(), "nothing changed");
    lab.write("helper.sh", &format!("{release}# another comment\n"));
    assert!(computed(), "a file that the spec names changed");
    lab.write("mine.sh", &format!("{}# another comment\n", script(&helper, "1.0")));
    assert!(computed(), "the script changed");
    assert!(!computed());
    let version = |yaml: &str| lab.write("p.yaml", &text.replace("randomized: false", yaml));
    version("randomized: false, version: '2.0'");
    assert!(computed(), "its version changed");
    let plan = lab.run(&["plan", "p.yaml", "--allow-external"]).expect(0).out;
    let key = plan.split(' ').next().unwrap();
    let said = lab.run(&["explain", key, "--spec", "p.yaml", "--allow-external"]).expect(0).out;
    assert!(said.contains("cached") && said.contains("helper.sh") && said.contains("2.0"), "{said}");
}

#[test]
fn a_program_without_a_version_needs_one_in_the_spec() {
    let lab = Lab::with("mute.sh", "exit 7\n");
    let entry = "algorithms:\n  mute: {command: [sh, mute.sh], release: buckets}\nmeasures:\n  queries";
    lab.write(
        "p.yaml",
        &PATIENTS.replace("measures:\n  queries", entry).replace("algorithms: [anatomy]", "algorithms: [mute]"),
    );
    let said = lab.run(&["run", "p.yaml", "--allow-external"]).expect(2);
    assert!(
        said.err.starts_with("p.yaml:") && said.err.contains("mute.sh --version` ended with exit status: 7"),
        "{}",
        said.err
    );
    assert!(said.err.contains("or the spec must give `version`"), "{}", said.err);
}

#[test]
fn entries_that_make_no_sense_are_told_apart() {
    let complaint = |entry: &str| {
        let lab = Lab::new();
        let entry = format!("algorithms:\n  mine: {entry}\nmeasures:\n  queries");
        lab.write(
            "p.yaml",
            &PATIENTS.replace("measures:\n  queries", &entry).replace("algorithms: [anatomy]", "algorithms: [mine]"),
        );
        lab.run(&["validate", "p.yaml"]).expect(2).err
    };
    assert!(complaint("{command: [], release: buckets}").contains("the command is empty"));
    assert!(complaint("{command: [x]}").contains("a program needs the kind of its `release`: buckets,"));
    assert!(complaint("{command: [x], publisher: anatomy, release: buckets}").contains("not both"));
    assert!(complaint("{publisher: anatomy, files: [x]}").contains("`files` is for programs"));
    assert!(complaint("{command: [x], release: buckets, guarantee: diversty}").contains("did you mean `diversity`?"));
    assert!(complaint("{command: [x], release: buckets, parameters: {l: 1}}").contains("`l` must be at least 2"));
    assert!(complaint("{command: [x], release: rules}").contains("measures buckets"));
}
