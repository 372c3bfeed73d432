//! The maximum-entropy audit of Adult: `cargo bench --bench maxent`.
//!
//! Prints, for every cell of Figures 5 to 8, the CPU time of generating the constraints and of solving, and the worst part
//! of the certificate; then the cost as rows and quasi-identifier values grow. With `--export DIRECTORY` it writes each
//! cell's problem, with the quasi-identifier values merged that no constraint tells apart, for `scripts/bench-maxent.sh`,
//! which gives them to other solvers. `--only TEXT` takes the cells whose name has TEXT.

use anonlab::audit::maxent::{
    ConstraintCounts, ConstraintReading, Inference, Model, Problem, UNPULLED, UnitsOfProfiles, infer, maximize_entropy,
    state_rules,
};
use anonlab::data::Dataset;
use anonlab::lab::{Seed, Workbench};
use anonlab::mining::Profiles;
use anonlab::publish::publisher;
use anonlab::release::{Release, RuleSet};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PAPER: [&str; 8] =
    ["workclass", "marital_status", "occupation", "relationship", "race", "sex", "native_country", "education"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |option: &str| {
        let place = arguments.iter().position(|argument| argument == option)?;
        Some(arguments.get(place + 1).unwrap_or_else(|| panic!("{option} takes a value")))
    };
    let export = value("--export").map(PathBuf::from);
    let only = value("--only").map_or("", String::as_str);
    if let Some(directory) = &export {
        std::fs::create_dir_all(directory).expect("the directory can be made");
    }
    figures(export.as_deref(), only);
    if export.is_none() && only.is_empty() {
        growth();
    }
}

/// What a cell of a figure publishes, and whether the adversary uses what is not published.
struct Cell {
    name: String,
    publisher: Value,
    non_rules: bool,
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |name: String, publisher: Value, non_rules: bool| {
        if cells.iter().all(|cell: &Cell| (&cell.publisher, cell.non_rules) != (&publisher, non_rules)) {
            cells.push(Cell { name, publisher, non_rules });
        }
    };
    let rules = |support: f64, confidence: f64, exact: bool| json!({"support": support, "confidence": confidence, "exact": exact});
    let words = |exact: bool| if exact { "exact" } else { "withheld" };
    for support in [0.1, 0.02] {
        for confidence in [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0] {
            for exact in [false, true] {
                let name = format!("5a-6 s={support} c={confidence} {}", words(exact));
                add(name, rules(support, confidence, exact), true);
            }
        }
    }
    for support in [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09] {
        for exact in [false, true] {
            add(format!("5b s={support} c=0.6 {}", words(exact)), rules(support, 0.6, exact), true);
        }
    }
    for first in [1, 100, 200, 400, 600, 800, 1000, 1200, 1337] {
        let publisher = json!({
            "support": 0.02, "confidence": 0.6, "round_down": true, "empty_antecedent": true, "exact": true, "first": first,
        });
        add(format!("5c first {first} exact"), publisher, true);
    }
    for confidence in [0.6, 0.7, 0.8, 0.9, 1.0] {
        for exact in [false, true] {
            let name = format!("7 s=0.1 c={confidence} {} without non-rules", words(exact));
            add(name, rules(0.1, confidence, exact), false);
        }
    }
    for support in [0.02, 0.04, 0.06, 0.08] {
        add(format!("8 s={support} c=0.6 withheld without non-rules"), rules(support, 0.6, false), false);
    }
    cells
}

fn figures(export: Option<&Path>, only: &str) {
    let adult = adult(&PAPER, None);
    println!(
        "{:<44}{:>8}{:>8}{:>8}{:>14}{:>12}{:>12}",
        "cell", "rules", "rows", "classes", "constraints", "solving", "certificate"
    );
    for (number, cell) in cells().iter().enumerate().filter(|(_, cell)| cell.name.contains(only)) {
        let rules = publish(&adult, &cell.publisher);
        let solved = solve(&adult, &rules, cell.non_rules);
        let worst = worst(&solved.inference);
        println!(
            "{:<44}{:>8}{:>8}{:>8}{:>11.1} ms{:>9.1} ms{:>12.0e}",
            cell.name,
            rules.rules.len(),
            solved.inference.rows,
            solved.inference.classes,
            milliseconds(solved.stating),
            milliseconds(solved.solving),
            worst,
        );
        if let Some(directory) = export {
            let text = exported(cell, &solved).to_string();
            std::fs::write(directory.join(format!("{number:03}.json")), text).expect("the file can be written");
        }
    }
}

/// A cell's problem for other solvers, with our answer and what it took from where they start.
fn exported(cell: &Cell, solved: &Solved) -> Value {
    let model = Model::new(&solved.problem);
    let mut copies = vec![model.clone(); RUNS];
    let (_, seconds) = fastest(|| {
        let mut copy = copies.pop().expect("there is a copy for each run");
        maximize_entropy(&mut copy, UNPULLED).map(|solution| (copy, solution)).ok()
    });
    let total: f64 = model.weights.iter().sum();
    json!({
        "name": cell.name,
        "weights": model.weights.iter().map(|weight| weight / total).collect::<Vec<_>>(),
        "rows": model.rows.iter().map(|row| json!({
            "lower": row.lower / total, "upper": row.upper / total, "members": row.members,
        })).collect::<Vec<_>>(),
        "classes": model.class_of,
        "posterior": solved.inference.posterior().chunks_exact(2).map(|p| p[0]).collect::<Vec<_>>(),
        "seconds": seconds.as_secs_f64(),
        "residual": solved.inference.certificate.residual,
    })
}

/// Cost as Adult is sampled up, and as it gets more quasi-identifiers.
fn growth() {
    println!(
        "\n{:<44}{:>10}{:>10}{:>14}{:>12}{:>12}{:>12}",
        "growth", "rows", "values", "constraints", "solving", "ns/row", "ns/value"
    );
    let show = |name: &str, dataset: &Dataset, parameters: Value| {
        let rules = publish(dataset, &parameters);
        let solved = solve(dataset, &rules, true);
        let (rows, values) = (rules.records as f64, solved.problem.weights.len() as f64);
        let all = (solved.stating + solved.solving).as_nanos() as f64;
        println!(
            "{name:<44}{rows:>10}{values:>10}{:>11.1} ms{:>9.1} ms{:>12.0}{:>12.0}",
            milliseconds(solved.stating),
            milliseconds(solved.solving),
            all / rows,
            all / values,
        );
    };
    for rows in [30_000, 100_000, 300_000, 1_000_000] {
        let dataset = adult(&PAPER, Some(rows));
        show("eight attributes, withheld", &dataset, json!({}));
        show("eight attributes, exact", &dataset, json!({"exact": true}));
    }
    let mut attributes: Vec<&str> = PAPER.to_vec();
    for more in ["", "age", "hours_per_week", "education_num"] {
        if !more.is_empty() {
            attributes.push(more);
        }
        let dataset = adult(&attributes, None);
        show(&format!("{} attributes, withheld", attributes.len()), &dataset, json!({}));
        show(&format!("{} attributes, exact", attributes.len()), &dataset, json!({"exact": true}));
    }
}

fn adult(quasi_identifiers: &[&str], rows: Option<usize>) -> Dataset {
    let mut derive = vec![json!({"drop_missing": "all"})];
    derive.extend(rows.map(|rows| json!({"sample": rows})));
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult-train",
        "quasi_identifiers": quasi_identifiers,
        "sensitive": "salary",
        "derive": derive,
    }))
    .expect("the definition is a fixed text of this file");
    load(&definition, &DataLocations::new(None), Seed(1)).expect("Adult is embedded").dataset
}

fn publish(dataset: &Dataset, parameters: &Value) -> RuleSet {
    let parameters = parameters.as_object().expect("parameters are a structure");
    let algorithm = publisher("association-rules").expect("it is built in");
    let mut bench = Workbench::new(Seed(1), "bench");
    match algorithm.publish(dataset, parameters, &mut bench).expect("Adult has rules") {
        Release::Rules(rules) => rules,
        other => unreachable!("a publisher of rules gives {}", other.kind()),
    }
}

struct Solved {
    problem: Problem,
    inference: Inference,
    stating: Duration,
    solving: Duration,
}

/// Both phases, each the fastest of a few runs.
fn solve(dataset: &Dataset, rules: &RuleSet, non_rules: bool) -> Solved {
    let reading = ConstraintReading { non_rules, prune: true, whole_counts: false };
    let microdata = dataset.microdata().expect("Adult is a table");
    let state = || -> (Problem, ConstraintCounts) {
        let profiles = Profiles::new(microdata);
        let weights = profiles.sizes().iter().map(|&size| f64::from(size)).collect();
        let mut problem = Problem::new(weights, 2);
        let sizes = state_rules(&mut problem, &profiles, &UnitsOfProfiles::Same, rules, reading);
        (problem, sizes.expect("true rules do not contradict each other"))
    };
    let ((problem, _), stating) = fastest(state);
    let (inference, solving) = fastest(|| infer(&problem).expect("Adult is solved"));
    Solved { problem, inference, stating, solving }
}

const RUNS: usize = 5;

fn fastest<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut best: Option<(T, Duration)> = None;
    let start = cpu_time();
    for _ in 0..RUNS {
        let began = cpu_time();
        let result = work();
        let elapsed = cpu_time() - began;
        if best.as_ref().is_none_or(|(_, fastest)| elapsed < *fastest) {
            best = Some((result, elapsed));
        }
        if cpu_time() - start > Duration::from_secs(1) {
            break;
        }
    }
    best.expect("it ran at least once")
}

/// The CPU time of this process: other processes do not count.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes into `time`.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn worst(inference: &Inference) -> f64 {
    let certificate = inference.certificate;
    certificate.residual.max(certificate.duality_gap).max(certificate.complementarity)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
