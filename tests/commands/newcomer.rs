//! What somebody meets who comes with a CSV file and an algorithm of their own: errors that come early and say where,
//! reasons that are told once, defaults that can be seen.

use crate::lab::{Lab, PATIENTS};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// PATIENTS with a file as its data; `dataset` is what follows the source, as YAML of one line.
fn spec_of_file(source: &str, dataset: &str) -> String {
    let (before, rest) = PATIENTS.split_once("  patients:\n").unwrap();
    let (_, after) = rest.split_once("measures:\n").unwrap();
    format!("{before}  patients: {{source: {source}, {dataset}}}\nmeasures:\n{after}")
}

const ROLES: &str = "quasi_identifiers: [age, sex], sensitive: disease";

/// What `validate` says of PATIENTS with this file as its data.
#[track_caller]
fn complaint(data: &str, source: &str, dataset: &str) -> String {
    let lab = Lab::with("people.csv", data);
    lab.write("p.yaml", &spec_of_file(source, dataset));
    let said = lab.run(&["validate", "p.yaml"]).expect(2);
    assert!(!said.out.contains("sound"), "{}", said.out);
    assert_eq!(said.err.trim().lines().count(), 1, "one error: {}", said.err);
    said.err.trim().to_string()
}

const PEOPLE: &str =
    "age,sex,disease\n29,F,flu\n22,F,cold\n27,M,asthma\n43,M,gout\n52,F,flu\n47,M,cold\n30,M,asthma\n36,M,gout\n";

#[test]
fn validate_builds_the_data_and_names_file_line_column_and_value() {
    let csv = "{file: people.csv, format: csv}";
    let with_na = PEOPLE.replace("43,M", "NA,M");
    let said = complaint(&with_na, csv, ROLES);
    assert!(said.starts_with("p.yaml:5:14: people.csv, line 5: column `age`: `NA` among numbers"), "{said}");
    let intervals = format!("{ROLES}, hierarchies: {{age: {{intervals: [10]}}}}");
    let said = complaint(&PEOPLE.replace("43,M", "old,M"), csv, &intervals);
    assert!(said.contains("people.csv, line 5: column `age`: intervals are for numbers, and `old` is none"), "{said}");
    let tree = format!("{ROLES}, hierarchies: {{sex: {{tree: {{Any: [F, X]}}}}}}");
    let said = complaint(PEOPLE, csv, &tree);
    assert!(said.contains("people.csv, line 4: column `sex`: the hierarchy lacks `M`"), "{said}");
    let said = complaint(&PEOPLE.replace("43,M,gout", "43,M"), csv, ROLES);
    assert!(said.contains("people.csv, line 5: 2 fields for 3 columns"), "{said}");
    let said = complaint(&PEOPLE.replace(',', ";"), csv, ROLES);
    assert!(said.contains("`age;sex;disease` is one column; did you mean `delimiter: ';'`?"), "{said}");
    // The sweep goes up to ℓ = 4, and no value may be in more than a quarter of the rows.
    let said = complaint(&PEOPLE.replace("cold", "flu"), csv, ROLES);
    assert!(
        said.starts_with("p.yaml:14:5: anatomy on patients: not 4-eligible: the most frequent disease, `flu`"),
        "{said}"
    );
    assert!(said.ends_with("the largest ℓ this data allows is 2"), "{said}");
}

/// What `validate` says of the data and of guarantees that no cell reaches, `run` says, too: before anything runs, in the same words.
#[test]
fn run_refuses_what_cannot_run_and_leaves_nothing() {
    let lab = Lab::new();
    lab.write("people.csv", PEOPLE);
    let csv = "{file: people.csv, format: csv}";
    let table = |dataset: &str, k: &str| {
        format!(
            "anonlab: 1\ntitle: T\ndatasets:\n  people: {{source: {csv}, {dataset}}}\nfigures:\n  loss:\n    title: L\n    \
             datasets: [people]\n    algorithms: [mondrian]\n    measures: [information-loss]\n    sweep: {{product: {{k: {k}}}}}\n    \
             draw: {{x: k, y: gcp}}\n"
        )
    };
    let refused = |spec: &str, says: &str| {
        lab.write("t.yaml", spec);
        let by_validate = lab.run(&["validate", "t.yaml"]).expect(2).err;
        assert!(by_validate.contains(says), "{by_validate}");
        for more in [&[][..], &["--readings", "none"], &["--quick"], &["--shard", "1/2"]] {
            let by_run = lab.run(&[&["run", "t.yaml", "--quiet"], more].concat()).expect(2).err;
            assert_eq!(by_run, by_validate, "{more:?}");
        }
        assert!(!lab.path("reports").exists());
    };
    let tree = format!("{ROLES}, hierarchies: {{sex: {{tree: {{Any: [F, X]}}}}}}");
    refused(&table(&tree, "[2]"), "people.csv, line 4: column `sex`: the hierarchy lacks `M`");
    refused(
        &table(ROLES, "[9, 10]"),
        "mondrian on people: k = 10 cannot be reached: the data has only 8 rows, so the largest k is 8",
    );
    // Where some cells can be had, they are; the others say why not. `validate` names them all the same.
    lab.write("t.yaml", &table(ROLES, "[2, 9]"));
    assert!(lab.run(&["validate", "t.yaml"]).expect(2).err.contains("k = 9 cannot be reached"));
    lab.run(&["run", "t.yaml", "--quiet"]).expect(1);
    let rows = lab.read("reports/t/measurements.csv");
    assert!(rows.contains(",failed,\"`k` is 9, and the table has only 8 rows") && rows.contains(",ok,"), "{rows}");
    // Nor is a sweep over the data refused for its first value.
    let shortened = table(&format!("{ROLES}, derive: [{{first: 8}}]"), "[3]");
    lab.write("t.yaml", &shortened.replace("{k: [3]}", "{k: [3], dataset.first: [2, 8]}"));
    lab.run(&["run", "t.yaml", "--quiet"]).expect(1);
}

#[test]
fn words_for_missing_values_are_a_key_of_a_source() {
    let lab = Lab::with("people.csv", &PEOPLE.replace("43,M,gout", "NA,M,gout\n-9,M,gout\n?,F,flu"));
    let source = "{file: people.csv, format: csv, missing: [NA, -9]}";
    lab.write("p.yaml", &spec_of_file(source, &format!("{ROLES}, derive: [{{drop_missing: used}}]")));
    let said = lab.run(&["validate", "p.yaml", "--set", "errors.l=[2, 3]"]).expect(0).out;
    assert!(said.contains("patients: real, 7 rows used of 10 read"), "{said}");
    lab.write("p.yaml", &spec_of_file("{file: people.csv, format: csv, missing: []}", ROLES));
    lab.run(&["validate", "p.yaml", "--set", "errors.l=2"]).expect(0);
}

#[test]
fn data_that_is_not_here_is_said_to_be_so() {
    let lab = Lab::new();
    let spec = "anonlab: 1\ntitle: T\ndatasets:\n  d: {source: retail}\nmeasures: {}\nfigures:\n  f: {title: F, datasets: [d], measures: [transaction-statistics], draw: {kind: table, y: transactions}}\n";
    lab.write("p.yaml", spec);
    let said = lab.run(&["validate", "p.yaml"]).expect(0).out;
    assert!(said.contains("d: not looked at: retail is not here"), "{said}");
}

/// ARX writes one line a value, from the value to the root, apart by semicolons and without a header.
#[test]
fn hierarchy_files_of_arx_are_read() {
    let lab = Lab::with("people.csv", PEOPLE);
    let arx: String = (0..100).map(|age| format!("{age};{}-{};*;*\n", age / 10 * 10, age / 10 * 10 + 9)).collect();
    lab.write("age.csv", &arx);
    lab.write("sex.csv", "F;*\nM;*\n");
    let trees = "hierarchies: {age: {file: age.csv}, sex: {file: sex.csv}}";
    let source = "{file: people.csv, format: csv}";
    lab.write("p.yaml", &spec_of_file(source, &format!("{ROLES}, {trees}")));
    lab.run(&["validate", "p.yaml"]).expect(0);
    let publish = ["publish", "--dataset", "p.yaml:patients", "--algorithm", "anatomy", "-p", "l=2", "--out", "r"];
    let said = lab.run(&publish).expect(0).out;
    assert!(said.contains("age (8 numbers; hierarchy age.csv, 3 levels)"), "{said}");
    lab.write("age.csv", "29;20-29;*\n22;20-29\n");
    let said = lab.run(&["validate", "p.yaml"]).expect(2).err;
    assert!(said.contains("age.csv, line 2: 2 levels"), "{said}");
}

#[test]
fn publish_says_what_the_data_is() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let publish = |more: &[&str]| {
        let words = ["publish", "--dataset", "p.yaml:patients", "--algorithm", "anatomy", "-p", "l=2", "--out", "r"];
        lab.run(&[&words, more].concat()).expect(0).out
    };
    let said = publish(&["--set", "derive=[{first: 8}]"]);
    assert!(said.contains("data: example; rows in the spec"), "{said}");
    assert!(said.contains("rows: 8 used of 12 read; the first 8 are kept: 8 left"), "{said}");
    assert!(said.contains("quasi-identifiers: age (8 numbers; no hierarchy); sex (2 values; no hierarchy)"), "{said}");
    assert!(said.contains("sensitive: disease, 4 values: asthma 2 (25.0 %), cold 2 (25.0 %)"), "{said}");
    let said: serde_json::Value = serde_json::from_str(&publish(&["--format", "json"])).unwrap();
    assert_eq!((&said["data"]["origin"], &said["data"]["rows_used"]), (&"example".into(), &12.into()));
    assert_eq!(said["data"]["table"]["sensitive"]["counts"]["flu"], 3);
    assert_eq!(said["verdict"]["private"], true);
}

#[test]
fn the_same_error_in_many_cells_is_told_once_with_their_number() {
    let lab =
        Lab::with("p.yaml", &PATIENTS.replace("[2, 3, 4]", "[2, 30]").replace("repetitions: 5", "repetitions: 12"));
    for more in [&["--quiet"][..], &[]] {
        let said = lab.run(&[&["run", "p.yaml"], more].concat()).expect(1);
        let all = said.out + &said.err;
        assert_eq!(all.matches("not 30-eligible").count(), 1, "{all}");
        assert!(all.contains("12 cells failed: not 30-eligible"), "{all}");
    }
}

const FORGETFUL: &str = r#"
import os, sys
if "--version" in sys.argv:
    print("1")
    sys.exit()
import absent_module
os.execv(sys.argv[1], [sys.argv[1], "external", "anatomy"])
"#;

#[test]
fn a_program_that_lacked_a_module_runs_again_once_it_is_there() {
    if !crate::external::has("python3") {
        return;
    }
    let lab = Lab::with("forgetful.py", FORGETFUL);
    let anonlab = env!("CARGO_BIN_EXE_anonlab");
    let entry = format!(
        "algorithms:\n  mine: {{command: [python3, forgetful.py, {anonlab}], release: buckets}}\nmeasures:\n  queries"
    );
    let spec = PATIENTS.replace("measures:\n  queries", &entry).replace("[anatomy]", "[mine]");
    lab.write("p.yaml", &spec);
    // A module of the system would be readable in the jail; this one is put beside the program.
    let run = || lab.run(&["run", "p.yaml", "--allow-external", "--quiet", "--jail", "off"]);
    for _ in 0..2 {
        let said = run().expect(1).out;
        assert!(said.contains("15 cells failed: ") && said.contains("No module named 'absent_module'"), "{said}");
        assert!(!said.contains("from the store"), "{said}");
    }
    lab.write("absent_module.py", "");
    let said = run().expect(0).out;
    assert!(!said.contains("failed"), "{said}");
    assert!(run().expect(0).out.contains("15 of them from the store"));
}

#[test]
fn an_interrupted_run_counts_as_the_summary_does_and_is_truthful_under_fresh() {
    let lab = Lab::new();
    // The second figure has the same cells.
    let (head, figure) = PATIENTS.split_once("  errors:\n").unwrap();
    let figure = figure.replace("repetitions: 5", "repetitions: 40");
    lab.write("p.yaml", &format!("{head}  errors:\n{figure}  again:\n{figure}"));
    let said = lab.run(&["run", "p.yaml"]).expect(0).out;
    assert!(said.contains("120 cells"), "{said}");
    // A file under its temporary name may be gone a moment later.
    let changed = |path: &std::path::Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let first = lab.stored("reports").iter().filter_map(|path| changed(path)).max();
    let run = lab
        .command(&["run", "p.yaml", "--jobs", "1", "--fresh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let start = Instant::now();
    while lab.stored("reports").iter().filter(|path| changed(path) > first).count() < 5 {
        assert!(start.elapsed() < Duration::from_secs(30), "the run does not get going");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SAFETY: a signal to a process we started.
    unsafe { libc::kill(run.id() as i32, libc::SIGINT) };
    let said: crate::lab::Said = run.wait_with_output().unwrap().into();
    let said = said.expect(130).err;
    assert!(said.contains("of 120 cells were computed anew and are kept"), "{said}");
    assert!(said.contains("because of --fresh") && !said.contains("The same command goes on"), "{said}");
}

#[test]
fn explain_takes_a_spec_a_cell_or_both() {
    let lab = Lab::with("p.yaml", PATIENTS);
    lab.run(&["run", "p.yaml", "--set", "errors.l=2"]).expect(0);
    let said = lab.run(&["explain", "p.yaml"]).expect(0).out;
    assert!(said.contains("p: 15 cells"), "{said}");
    assert!(said.contains("5   cached: it ended `ok`"), "{said}");
    assert!(said.contains("10  will run: nothing is stored under its key"), "{said}");
    let key = lab.run(&["plan", "p.yaml"]).expect(0).out[..12].to_string();
    let said = lab.run(&["explain", "p.yaml", &key, "--format", "json"]).expect(0).out;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["verdict"], "cached: it ended `ok`");
    // The remedy that is named works.
    let said = lab.run(&["explain", &key]).expect(2).err;
    assert!(said.contains(&format!("anonlab explain SPEC {key}")), "{said}");
}

#[test]
fn fetch_tries_all() {
    let lab = Lab::new();
    let said = lab.run(&["data", "fetch", "no-such-data", "adult", "nor-this"]).expect(2);
    assert!(said.out.contains("adult.data is inside the program"), "{}", said.out);
    assert!(said.err.contains("no-such-data") && said.err.contains("nor-this"), "{}", said.err);
}

#[test]
fn what_is_set_is_run_recorded_and_shown() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let set = ["--set", "errors.l=[2, 3]", "--set", "datasets.patients.derive=[{first: 8}]"];
    let said = lab.run(&[&["run", "p.yaml"], &set[..]].concat()).expect(0).out;
    assert!(said.contains("10 cells"), "{said}");
    let measurements = lab.read("reports/p/measurements.csv");
    let provenance: serde_json::Value = serde_json::from_str(&lab.read("reports/p/provenance.json")).unwrap();
    assert_eq!(provenance["set"], serde_json::json!(["errors.l=[2, 3]", "datasets.patients.derive=[{first: 8}]"]));
    let page = lab.read("reports/p/index.html");
    assert!(page.contains("This is not the spec as it is written") && page.contains("errors.l=[2, 3]"), "{page}");
    assert!(page.contains("--only errors --set"), "the command that runs the figure again");
    // Shards plan from what was written down.
    for shard in ["1/2", "2/2"] {
        lab.run(&[&["run", "p.yaml", "--shard", shard, "--out", "parts"], &set[..]].concat()).expect(0);
    }
    lab.run(&["collect", "parts"]).expect(0);
    assert_eq!(lab.read("parts/p/measurements.csv"), measurements);
    let said = lab.run(&["run", "p.yaml", "--set", "erors.l=2"]).expect(2).err;
    assert!(said.contains("--set erors.l=2: there is no figure and no key `erors`; did you mean `errors`?"), "{said}");
    let said = lab.run(&["run", "p.yaml", "--set", "errors.l=1"]).expect(2).err;
    assert!(said.contains("`l` must be at least 2, not 1 (with `errors.l=1` set)"), "{said}");
}

#[test]
fn help_has_every_exit_code_and_tables_have_json() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let help = lab.run(&["-h"]).expect(0).out;
    for code in ["0 all well", "1 a cell failed", "2 bad input", "3 cells are missing", "130 interrupted"] {
        assert!(help.contains(code), "{code}: {help}");
    }
    for words in [
        &["algorithms", "list"][..],
        &["algorithms", "show", "anatomy"],
        &["algorithms", "show", "query-error"],
        &["data", "list"],
        &["data", "show", "adult"],
        &["data", "verify", "adult"],
        &["plan", "p.yaml"],
        &["explain", "p.yaml"],
        &["config"],
    ] {
        let said = lab.run(&[words, &["--format", "json"]].concat()).expect(0).out;
        assert!(serde_json::from_str::<serde_json::Value>(&said).is_ok(), "{words:?}: {said}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let lab = Lab::new();
    lab.run(&["man", "--out", "man"]).expect(0);
    for page in ["anonlab", "anonlab-run", "anonlab-data-fetch", "anonlab-track-check", "anonlab-config"] {
        let text = lab.read(&format!("man/{page}.1"));
        assert!(text.contains(".SH NAME") && text.contains("Exit codes"), "{page}: {text}");
    }
    assert!(!lab.path("man/anonlab-worker.1").exists());
}

#[test]
fn a_file_has_the_defaults_and_config_tells_who_says_what() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let config = |data: bool| {
        let mut command = lab.command(&["config"]);
        if !data {
            command.env_remove("ANONLAB_DATA");
        }
        crate::lab::Said::from(command.output().unwrap()).expect(0).out
    };
    let said = config(false);
    assert!(said.contains("data_dir  datasets") && said.contains("which does not exist"), "{said}");
    let path = lab.write("config/anonlab/config.yaml", "data_dir: /srv/data\nout: results\njobs: 1\n");
    let said = config(false);
    assert!(
        said.contains(&format!("data_dir  /srv/data  ({})", path.display())) || said.contains("/srv/data"),
        "{said}"
    );
    assert!(said.contains("out") && said.contains("results"), "{said}");
    assert!(config(true).contains("(ANONLAB_DATA)"));
    lab.run(&["run", "p.yaml", "--set", "errors.l=2"]).expect(0);
    assert!(lab.path("results/p/measurements.csv").exists() && !lab.path("reports").exists());
    lab.run(&["run", "p.yaml", "--set", "errors.l=2", "--out", "here"]).expect(0);
    assert!(lab.path("here/p/measurements.csv").exists(), "an option comes before the file");
    lab.write("config/anonlab/config.yaml", "job: 1\n");
    let said = lab.run(&["config"]).expect(2).err;
    assert!(said.contains("config.yaml:1:1: there is no key `job` here; did you mean `jobs`?"), "{said}");
}

#[test]
fn the_papers_specs_run_where_there_is_no_checkout_and_can_be_written_out() {
    let lab = Lab::new();
    let said = lab.run(&["plan", "experiments/anatomy.yaml", "--quick"]).expect(0);
    assert!(said.out.contains("anatomy on adult"), "{}", said.out);
    let said = lab.run(&["run", "experiments/nothing.yaml"]).expect(2);
    assert!(said.err.contains("experiments/nothing.yaml"), "{}", said.err);
    lab.run(&["init"]).expect(0);
    lab.write("experiments/anatomy.yaml", "anonlab: 1\n");
    let said = lab.run(&["init"]).expect(0);
    assert!(said.out.contains("anatomy.yaml differs and was left as it is"), "{}", said.out);
    // From here on the file counts, not what is inside.
    lab.run(&["plan", "experiments/anatomy.yaml"]).expect(2);
    lab.run(&["init", "--force"]).expect(0);
    lab.run(&["validate", "experiments/anatomy.yaml"]).expect(0);
}

#[test]
fn progress_can_be_told_to_programs() {
    let lab = Lab::with("p.yaml", PATIENTS);
    let said = lab.run(&["run", "p.yaml", "--progress", "json", "--readings", "none"]);
    let events: Vec<&str> = said.err.lines().filter(|line| line.starts_with("{\"progress\":")).collect();
    let last = events.last().expect("there is progress");
    let done: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(done["progress"]["done"], done["progress"]["cells"], "{last}");
    lab.run(&["run", "p.yaml", "--progress", "json", "--quiet"]).expect(2);
}
