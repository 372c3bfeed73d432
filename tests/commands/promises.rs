//! The promises of the design, each with a test that would fail if it were broken.

use crate::lab::{Lab, PATIENTS};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Enough cells that a run can be caught half-way.
fn many_cells() -> String {
    PATIENTS.replace("repetitions: 5", "repetitions: 40")
}

/// Waits until some cells are in the store, but not all.
fn wait_until_half_way(lab: &Lab, out: &str) {
    let start = Instant::now();
    while lab.stored(out).len() < 10 {
        assert!(start.elapsed() < Duration::from_secs(30), "the run does not get going");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_same_bytes_whatever_the_number_of_jobs() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--jobs", "1", "--out", "one"]).expect(0);
    lab.run(&["run", "p.yaml", "--jobs", "2", "--out", "two"]).expect(0);
    let measurements = lab.read("one/p/measurements.csv");
    assert_eq!(measurements, lab.read("two/p/measurements.csv"));
    assert!(measurements.lines().count() > 3 * 5, "{measurements}");
    assert!(measurements.starts_with("figure,dataset,origin,algorithm,l,"), "{measurements}");
}

/// The threads of a worker all tell where they are, and none waits for the one that will answer.
#[test]
fn one_cell_with_many_measures_on_idle_cores_ends_and_gives_the_same_bytes() {
    let names: Vec<String> = (1..=8).map(|name| format!("q{name}")).collect();
    let measure = |name: &String| format!("  {name}: {{measure: query-error, parameters: {{queries: 200, dim: 1}}}}\n");
    let measures: String = names.iter().map(measure).collect();
    let spec = format!(
        "anonlab: 1\ntitle: t\nlimits: {{time: 20s}}\ndatasets:\n  many:\n    \
         source: {{synthetic: {{rows: 3000, columns: {{a: 9, b: 4, s: 7}}}}}}\n    \
         quasi_identifiers: [a, b]\n    sensitive: s\nmeasures:\n{measures}figures:\n  f:\n    title: f\n    \
         datasets: [many]\n    algorithms: [anatomy]\n    measures: [{}]\n    \
         sweep: {{product: {{l: [3]}}}}\n    draw: {{x: l, y: mean_relative_error}}\n",
        names.join(", ")
    );
    let lab = Lab::with("p.yaml", &spec);
    for out in ["one", "many"] {
        let jobs = if out == "one" { "1" } else { "8" };
        let said = lab.run(&["run", "p.yaml", "--jobs", jobs, "--out", out]).expect(0);
        assert!(!said.out.contains("timed out"), "--jobs {jobs}: {}", said.out);
    }
    assert_eq!(lab.read("one/p/measurements.csv"), lab.read("many/p/measurements.csv"));
}

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let lab = Lab::with("p.yaml", &many_cells());
    lab.run(&["run", "p.yaml", "--out", "whole"]).expect(0);
    let mut run =
        lab.command(&["run", "p.yaml", "--out", "killed", "--jobs", "1"]).stderr(Stdio::null()).spawn().unwrap();
    wait_until_half_way(&lab, "killed");
    run.kill().unwrap();
    run.wait().unwrap();
    let finished = lab.stored("killed").len();
    assert!((10..120).contains(&finished), "{finished} of 120 cells were done when it was killed");
    let said = lab.run(&["run", "p.yaml", "--out", "killed"]).expect(0);
    assert!(said.out.contains("from the store"), "{}", said.out);
    assert_eq!(lab.read("whole/p/measurements.csv"), lab.read("killed/p/measurements.csv"));
}

#[test]
fn an_interrupted_run_removes_its_workers_and_says_how_to_go_on() {
    let lab = Lab::with("p.yaml", &many_cells());
    let run = lab
        .command(&["run", "p.yaml", "--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    wait_until_half_way(&lab, "reports");
    // SAFETY: a signal to a process we started.
    unsafe { libc::kill(run.id() as i32, libc::SIGINT) };
    let said: crate::lab::Said = run.wait_with_output().unwrap().into();
    let said = said.expect(130);
    assert!(said.err.contains("of 120 cells are done and kept"), "{}", said.err);
    assert!(said.err.contains("The same command goes on from there"), "{}", said.err);
    lab.run(&["run", "p.yaml"]).expect(0);
}

#[test]
fn another_seed_gives_other_numbers_and_the_same_seed_the_same() {
    let lab = Lab::with("p.yaml", PATIENTS);
    for (seed, out) in [("7", "a"), ("7", "b"), ("8", "c")] {
        lab.run(&["run", "p.yaml", "--seed", seed, "--out", out]).expect(0);
    }
    assert_eq!(lab.read("a/p/measurements.csv"), lab.read("b/p/measurements.csv"));
    assert_ne!(lab.read("a/p/measurements.csv"), lab.read("c/p/measurements.csv"));
}

#[test]
fn a_new_sweep_point_changes_no_other_cell() {
    let lab = Lab::with("p.yaml", &PATIENTS.replace("[2, 3, 4]", "[2, 4]"));
    lab.run(&["run", "p.yaml"]).expect(0);
    let before = lab.read("reports/p/measurements.csv");
    lab.write("p.yaml", PATIENTS);
    let said = lab.run(&["run", "p.yaml"]).expect(0);
    assert!(said.out.contains("10 of them from the store"), "{}", said.out);
    let after = lab.read("reports/p/measurements.csv");
    for row in before.lines() {
        assert!(after.lines().any(|other| other == row), "{row} is gone");
    }
}

#[test]
fn what_is_expected_is_expected_of_whole_figures() {
    let lab = Lab::with(
        "p.yaml",
        &PATIENTS.replace(
            "repetitions: 5",
            "repetitions: 1
    quick: {sweep: {product: {l: [2]}}}
    claims: [{says: Twelve rows make few groups, metric: groups, is: {at_most: 6}, expected: fails, because: of the rows}]",
        ),
    );
    let whole = lab.run(&["run", "p.yaml"]).expect(1).out;
    assert!(whole.contains("p, errors: holds as the spec stands, against expectation: Twelve rows"), "{whole}");
    let small = lab.run(&["run", "p.yaml", "--quick"]).expect(0).out;
    assert!(small.contains("in the small variant, against expectation: Twelve rows"), "{small}");
    lab.run(&["run", "p.yaml", "--quick", "--strict"]).expect(1);
}

#[test]
fn every_planned_cell_leaves_a_row() {
    let lab = Lab::with("p.yaml", &PATIENTS.replace("[2, 3, 4]", "[2, 5]").replace("repetitions: 5", "repetitions: 1"));
    lab.run(&["run", "p.yaml"]).expect(1);
    let measurements = lab.read("reports/p/measurements.csv");
    assert!(measurements.contains(",failed,\"not 5-eligible: the most frequent disease, `asthma`"), "{measurements}");

    lab.write("t.yaml", &PATIENTS.replace("repetitions: 5", "repetitions: 1\n    limits: {time: 1ms, memory: 1GB}"));
    // In a store of its own: what is already known under a longer limit is known.
    lab.run(&["run", "t.yaml", "--out", "hurried"]).expect(0);
    assert_eq!(lab.read("hurried/t/measurements.csv").matches(",timeout,took longer than 1ms").count(), 3);
    lab.run(&["run", "t.yaml", "--out", "hurried", "--strict"]).expect(1);

    lab.write("m.yaml", &PATIENTS.replace("repetitions: 5", "repetitions: 1\n    limits: {time: 1m, memory: 20KB}"));
    lab.run(&["run", "m.yaml", "--out", "cramped"]).expect(0);
    let measurements = lab.read("cramped/m/measurements.csv");
    assert_eq!(measurements.matches(",out_of_memory,needed more than 20 KB of heap").count(), 3, "{measurements}");
}

#[test]
fn a_damaged_entry_is_noticed_and_computed_anew() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml"]).expect(0);
    let before = lab.read("reports/p/measurements.csv");
    let entry = &lab.stored("reports")[3];
    let mut bytes = std::fs::read(entry).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x20;
    std::fs::write(entry, bytes).unwrap();
    let said = lab.run(&["run", "p.yaml"]).expect(0);
    assert!(said.out.contains("15 cells, 14 of them from the store"), "{}", said.out);
    assert_eq!(before, lab.read("reports/p/measurements.csv"));
}

#[test]
fn two_runs_in_one_directory_do_not_meet() {
    let lab = Lab::with("p.yaml", &many_cells());
    let mut first =
        lab.command(&["run", "p.yaml", "--jobs", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until_half_way(&lab, "reports");
    let second = lab.run(&["run", "p.yaml"]).expect(2);
    let expected = format!("another run (process {}) is writing to reports", first.id());
    assert!(second.err.contains(&expected), "{}", second.err);
    assert!(first.wait().unwrap().success());
}

#[test]
fn a_disk_that_takes_no_more_is_an_error_not_a_truncated_file() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--out", "sound"]).expect(0);
    let mut command = lab.command(&["run", "p.yaml", "--out", "full"]);
    // A limit on the size of files fails writes as a full disk does, without a disk to fill.
    // SAFETY: both calls are safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            let limit = libc::rlimit { rlim_cur: 600, rlim_max: 600 };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        });
    }
    let said: crate::lab::Said = command.output().unwrap().into();
    let said = said.expect(2);
    assert!(said.err.contains("cannot write"), "{}", said.err);
    assert!(!lab.path("full/p/measurements.csv").exists());
    // With room again, the same command ends as if nothing had happened.
    lab.run(&["run", "p.yaml", "--out", "full"]).expect(0);
    assert_eq!(lab.read("sound/p/measurements.csv"), lab.read("full/p/measurements.csv"));
}

#[test]
fn explain_tells_why_a_cell_is_cached_or_will_run() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let key = |said: &str| said.lines().next().unwrap().split(' ').next().unwrap().to_string();
    let plan = lab.run(&["plan", "p.yaml"]).expect(0).out;
    assert!(plan.contains("15 cells in 1 figure, 15 of them distinct: 0 cached, 15 to run; no estimate"), "{plan}");
    let cell = key(&plan);
    let before = lab.run(&["explain", &cell, "--spec", "p.yaml"]).expect(0).out;
    assert!(before.contains("will run: nothing is stored under its key"), "{before}");
    lab.run(&["run", "p.yaml"]).expect(0);
    let after = lab.run(&["explain", &cell, "--spec", "p.yaml"]).expect(0).out;
    assert!(after.contains("cached: it ended `ok`"), "{after}");
    for field in ["dataset", "data", "publisher", "parameters", "measures", "repetition", "seed", "code"] {
        assert!(after.lines().any(|line| line.trim_start().starts_with(field)), "{field} is not in\n{after}");
    }
    let other = lab.run(&["plan", "p.yaml", "--seed", "9"]).expect(0).out;
    let said = lab.run(&["explain", &key(&other), "--spec", "p.yaml", "--seed", "9"]).expect(0).out;
    assert!(said.contains("will run: seed changed since it last ended `ok`"), "{said}");
    let plan = lab.run(&["plan", "p.yaml", "--seed", "9", "--summary"]).expect(0).out;
    assert!(plan.contains("15 to run, about"), "{plan}");
}

#[test]
fn a_changed_row_of_data_is_another_cell() {
    let lab = Lab::with("data.csv", "age,disease\n1,flu\n2,cold\n3,flu\n4,cold\n");
    let spec = PATIENTS.split("  patients:\n").next().unwrap().to_string()
        + "  patients:\n    source: {file: data.csv, format: csv}\n    quasi_identifiers: [age]\n    sensitive: disease\n"
        + "figures:\n  f: {title: F, datasets: [patients], algorithms: [{}], sweep: {product: {l: [2]}}, draw: {x: l, y: groups}}\n";
    lab.write("p.yaml", &spec.replace("{}", "anatomy"));
    lab.run(&["run", "p.yaml"]).expect(0);
    let again = lab.run(&["run", "p.yaml"]).expect(0);
    assert!(again.out.contains("1 cell, 1 of them from the store"), "{}", again.out);
    lab.write("data.csv", "age,disease\n1,flu\n2,cold\n3,flu\n5,cold\n");
    let changed = lab.run(&["run", "p.yaml"]).expect(0);
    assert!(!changed.out.contains("from the store"), "{}", changed.out);
}
