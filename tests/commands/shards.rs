//! The same sweep in parts: shards that any engine can run, and `collect` that puts them together.

use crate::lab::{Lab, PATIENTS};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Stdio;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The keys of each shard, as `plan` tells them.
fn shards(lab: &Lab, of: &str) -> Vec<BTreeSet<String>> {
    let said = lab.run(&["plan", "p.yaml", "--shards", of, "--format", "json"]).expect(0).out;
    let keys = |shard: &Value| {
        let keys = shard["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_string());
        keys.collect::<BTreeSet<String>>()
    };
    json(&said)["shards"].as_array().unwrap().iter().map(keys).collect()
}

#[test]
fn shards_part_the_plan_and_do_not_depend_on_what_is_stored() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let parts = shards(&lab, "4");
    assert_eq!(parts.iter().map(BTreeSet::len).collect::<Vec<_>>(), [4, 4, 4, 3]);
    let plan = json(&lab.run(&["plan", "p.yaml", "--format", "json"]).expect(0).out);
    let all: BTreeSet<String> =
        plan["cells"].as_array().unwrap().iter().map(|cell| cell["key"].as_str().unwrap().to_string()).collect();
    assert_eq!((parts.concat_len(), parts.iter().flatten().cloned().collect()), (15, all));
    lab.run(&["run", "p.yaml", "--shard", "2/4"]).expect(0);
    assert_eq!(parts, shards(&lab, "4"));
    assert_eq!(lab.stored("reports").len(), 4);
    let stored: BTreeSet<String> =
        lab.stored("reports").iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_string()).collect();
    assert_eq!(stored, parts[1]);
    let text = lab.run(&["plan", "p.yaml", "--shards", "2"]).expect(0).out;
    assert!(text.contains("anonlab run p.yaml --shard 2/2 --out reports"), "{text}");
    assert_eq!(shards(&lab, "20").iter().filter(|part| part.is_empty()).count(), 5, "more shards than cells");
}

trait ConcatLen {
    fn concat_len(&self) -> usize;
}

impl ConcatLen for Vec<BTreeSet<String>> {
    fn concat_len(&self) -> usize {
        self.iter().map(BTreeSet::len).sum()
    }
}

#[test]
fn shards_in_one_directory_at_the_same_time_end_with_the_bytes_of_one_run() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--out", "whole"]).expect(0);
    let start = |shard: &str| {
        let arguments = ["run", "p.yaml", "--shard", shard, "--out", "parts", "--quiet"];
        lab.command(&arguments).stdout(Stdio::null()).spawn().unwrap()
    };
    // The second one twice: the same batch run twice is counted once.
    let running: Vec<_> = ["1/3", "2/3", "2/3", "3/3"].into_iter().map(start).collect();
    for mut shard in running {
        assert!(shard.wait().unwrap().success());
    }
    assert!(!lab.path("parts/p/measurements.csv").exists(), "shards write nothing but cells");
    let said = lab.run(&["collect", "parts"]).expect(0);
    assert!(said.out.contains("15 cells, 15 of them from the store"), "{}", said.out);
    assert_eq!(lab.read("whole/p/measurements.csv"), lab.read("parts/p/measurements.csv"));
    assert_eq!(lab.read("whole/p/claims.csv"), lab.read("parts/p/claims.csv"));
    lab.run(&["collect", "parts"]).expect(0);
}

#[test]
fn collecting_tells_which_shards_lack_cells_and_ends_with_3() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--out", "whole"]).expect(0);
    lab.run(&["run", "p.yaml", "--shard", "1/3", "--out", "parts"]).expect(0);
    let said = lab.run(&["collect", "parts"]).expect(3);
    assert!(said.out.contains("p: 5 of 15 cells done, 10 missing"), "{}", said.out);
    assert!(said.out.contains("incomplete shards: 2/3, 3/3"), "{}", said.out);
    assert!(!lab.path("parts/p").exists(), "a report of a part would be read as one of the whole");
    for shard in ["2/3", "3/3"] {
        lab.run(&["run", "p.yaml", "--shard", shard, "--out", "parts"]).expect(0);
    }
    // An entry that was cut off is as good as none.
    let entry = &lab.stored("parts")[4];
    let bytes = std::fs::read(entry).unwrap();
    std::fs::write(entry, &bytes[..bytes.len() / 2]).unwrap();
    let said = lab.run(&["collect", "parts"]).expect(3);
    assert!(said.out.contains("14 of 15 cells done, 1 missing"), "{}", said.out);
    for shard in ["1/3", "2/3", "3/3"] {
        lab.run(&["run", "p.yaml", "--shard", shard, "--out", "parts"]).expect(0);
    }
    lab.run(&["collect", "parts"]).expect(0);
    assert_eq!(lab.read("whole/p/measurements.csv"), lab.read("parts/p/measurements.csv"));
}

#[test]
fn directories_of_machines_that_share_nothing_are_merged() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--seed", "7", "--out", "whole"]).expect(0);
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        lab.run(&["run", "p.yaml", "--seed", "7", "--shard", shard, "--out", out]).expect(0);
    }
    let said = lab.run(&["collect", "all", "--from", "one"]).expect(3);
    assert!(said.err.contains("one: 8 cells taken over"), "{}", said.err);
    let said = lab.run(&["collect", "all", "--from", "one", "--from", "two"]).expect(0);
    assert!(said.err.contains("one: 0 cells taken over"), "{}", said.err);
    assert_eq!(lab.read("whole/p/measurements.csv"), lab.read("all/p/measurements.csv"));
    assert!(lab.run(&["collect", "all", "--from", "nowhere"]).expect(2).err.contains("no directory nowhere"));
}

#[test]
fn a_spec_that_is_edited_meanwhile_is_collected_as_it_was() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--shard", "1/1"]).expect(0);
    lab.write("p.yaml", "anonlab: 1\ntitle: [");
    lab.run(&["collect", "reports"]).expect(0);
    assert_eq!(lab.read("reports/p/measurements.csv").lines().count() % 15, 1);
    // Another sweep of the same spec takes its place.
    lab.write("p.yaml", &PATIENTS.replace("[2, 3, 4]", "[2, 3]"));
    lab.run(&["run", "p.yaml", "--shard", "1/1"]).expect(0);
    assert!(lab.run(&["collect", "reports"]).expect(0).out.contains("10 cells"));
}

#[test]
fn a_failed_cell_is_an_answer_that_collect_judges() {
    let lab = Lab::with("p.yaml", &PATIENTS.replace("[2, 3, 4]", "[2, 5]").replace("repetitions: 5", "repetitions: 1"));
    let said = lab.run(&["run", "p.yaml", "--shard", "1/1"]).expect(0);
    assert!(said.out.contains("shard 1/1: 2 cells, 1 failed"), "{}", said.out);
    lab.run(&["collect", "reports"]).expect(1);
}

#[test]
fn programs_of_a_spec_run_only_with_leave_everywhere() {
    let lab = Lab::new();
    let command = format!(
        "algorithms:\n  outside: {{command: [{}, external, anatomy], release: buckets, parameters: {{l: 2}}}}\nmeasures:",
        env!("CARGO_BIN_EXE_anonlab")
    );
    lab.write("p.yaml", &PATIENTS.replace("measures:\n", &(command + "\n")).replace("[anatomy]", "[outside]"));
    let refused = lab.run(&["run", "p.yaml", "--shard", "1/1"]).expect(2);
    assert!(refused.err.contains("--allow-external"), "{}", refused.err);
    assert!(!lab.path("reports").exists(), "nothing half-written is left behind");
    lab.run(&["run", "p.yaml", "--shard", "1/1", "--allow-external"]).expect(0);
    let refused = lab.run(&["collect", "reports"]).expect(2);
    assert!(refused.err.contains("--allow-external"), "{}", refused.err);
    lab.run(&["collect", "reports", "--allow-external"]).expect(0);
}

/// The store entry at `path`, as if another machine had computed it.
fn on_another_machine(path: &std::path::Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let (_, body) = text.split_once('\n').unwrap();
    let mut entry = json(body);
    entry["machine"] = "0badcafe".into();
    let body = entry.to_string();
    std::fs::write(path, format!("{}\n{body}", blake3::hash(body.as_bytes()).to_hex())).unwrap();
}

#[test]
fn times_of_several_machines_are_told_and_not_judged() {
    let lab = Lab::new();
    let timed = "draw: {x: l, y: seconds}\n    claims:\n      - {says: Quick, metric: seconds, is: {at_most: 60}}\n";
    lab.write("p.yaml", &PATIENTS.replace("draw: {x: l, y: mean_relative_error}\n", timed));
    lab.run(&["run", "p.yaml"]).expect(0);
    assert!(
        lab.read("reports/p/claims.csv").contains("Quick,\"\",default,1,holds,"),
        "{}",
        lab.read("reports/p/claims.csv")
    );
    assert!(!lab.read("reports/p/index.html").contains("different machines"));
    on_another_machine(&lab.stored("reports")[0]);
    lab.run(&["run", "p.yaml"]).expect(0);
    let claims = lab.read("reports/p/claims.csv");
    assert!(
        claims.contains("Quick,\"\",default,1,inconclusive,") && claims.contains("on 2 different machines"),
        "{claims}"
    );
    assert!(lab.read("reports/p/index.html").contains("The times are of 2 different machines"));
    assert!(lab.read("reports/p/figures/errors.svg").contains("times of 2 different machines"));
    assert!(lab.read("reports/p/costs.csv").contains(",0badcafe,"));
    // Every cost that repeats is still judged.
    let heap = timed.replace("seconds", "peak_heap_bytes").replace("at_most: 60", "at_most: 60000000");
    lab.write("p.yaml", &PATIENTS.replace("draw: {x: l, y: mean_relative_error}\n", &heap));
    lab.run(&["run", "p.yaml"]).expect(0);
    assert!(lab.read("reports/p/claims.csv").contains("Quick,\"\",default,1,holds,"));
}

#[test]
fn what_cannot_be_sharded_or_collected_is_told() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let said = lab.run(&["run", "p.yaml", "--shard", "3/2"]).expect(2);
    assert!(said.err.contains("`3/2` is not a shard"), "{}", said.err);
    let said = lab.run(&["collect", "reports"]).expect(2);
    assert!(said.err.contains("nothing to collect was begun in reports"), "{}", said.err);
    let said = lab.run(&["run", "p.yaml", "--detach"]).expect(2);
    assert!(said.err.contains("--detach is for `--executor slurm`"), "{}", said.err);
    let said = lab.run(&["plan", "p.yaml", "--shards", "0"]).expect(2);
    assert!(said.err.contains("a number from 1 to 100000 is needed"), "{}", said.err);
    lab.run(&["run", "p.yaml", "--shard", "1/1"]).expect(0);
    let said = lab.run(&["collect", "reports", "--retry"]).expect(2);
    assert!(said.err.contains("--retry is for sweeps on Slurm"), "{}", said.err);
    let request = lab.read("reports/.sweeps/p/request.json");
    let code = json(&request)["code"].as_str().unwrap().to_string();
    lab.write("reports/.sweeps/p/request.json", &request.replace(&code, "another"));
    let said = lab.run(&["collect", "reports"]).expect(2);
    assert!(said.err.contains("begun by another build of anonlab"), "{}", said.err);
}
