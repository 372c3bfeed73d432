//! What the lab itself costs, as ratios against something run beside it: `cargo bench --bench lab`.
//!
//! - a cell on Adult (process, load, store), and the same as an external program, against starting a process that does
//!   nothing;
//! - 1,000 queries on Adult and its anatomized form against one pass over the table per query.

use anonlab::lab::{Seed, Workbench};
use anonlab::measures::measure;
use anonlab::publish::publisher;
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Map, json};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult",
        "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
        "sensitive": "occupation",
        "derive": [{"drop_missing": "used"}],
    }))
    .expect("the definition is a fixed text of this file");
    let locations = DataLocations::new(None);

    let (loading, loaded) = best(5, || load(&definition, &locations, Seed(1)).expect("Adult is embedded"));
    let microdata = loaded.dataset.microdata().expect("Adult is a table");
    println!("loading Adult: {loading:?} for {} rows", microdata.rows());

    let anatomy = publisher("anatomy").expect("Anatomy is built in");
    let mut bench = Workbench::new(Seed(1), "bench");
    let (grouping, release) =
        best(5, || anatomy.publish(&loaded.dataset, &Map::new(), &mut bench).expect("Adult is 6-eligible"));
    println!("anatomizing it: {grouping:?}");

    let queries = measure("query-error").expect("query error is built in");
    let (answering, _) = best(5, || {
        let mut bench = Workbench::new(Seed(1), "bench");
        queries.measure(&loaded.dataset, Some(&release), &Map::new(), &mut bench).expect("queries can be drawn")
    });
    let (scanning, _) = best(5, || {
        // What 1,000 passes over one column cost: the least that answering each query from the rows alone would take.
        let codes = microdata.sensitive_codes();
        let count = |wanted: u32| black_box(codes).iter().filter(|&&code| code == wanted % 14).count();
        black_box((0..1000u32).map(count).sum::<usize>())
    });
    println!(
        "1,000 queries: {answering:?}, {:.1} times 1,000 scans of one column ({scanning:?})",
        answering.as_secs_f64() / scanning.as_secs_f64()
    );

    overhead();
}

const CELLS: u32 = 40;

/// What cells cost besides the algorithm, and what the protocol adds when the same algorithm is a program of its own.
fn overhead() {
    let (nothing, _) = best(5, || anonlab(Path::new("."), &["--version"]));
    let binary = env!("CARGO_BIN_EXE_anonlab");
    let built_in = run_cells("{publisher: anatomy, parameters: {l: 6}}");
    let external = run_cells(&format!(
        "{{command: [{binary}, external, anatomy], release: buckets, version: \"1\", parameters: {{l: 6}}}}"
    ));
    let each = |time: f64| time / f64::from(CELLS);
    println!(
        "a cell's overhead on Adult (process, load, verify, digest, store): {:.1} ms, {:.1} times an empty process",
        each(built_in.all - built_in.algorithm) * 1e3,
        each(built_in.all - built_in.algorithm) / nothing.as_secs_f64()
    );
    println!(
        "the protocol's cost on Adult (files out, a process, files in): {:.1} ms a cell, {:.1} times an empty process",
        each(external.all - built_in.all) * 1e3,
        each(external.all - built_in.all) / nothing.as_secs_f64()
    );
}

struct Seconds {
    all: f64,
    /// Inside the algorithm, as the cells themselves measured it.
    algorithm: f64,
}

/// Runs a spec of cheap cells, one after the other.
fn run_cells(algorithm: &str) -> Seconds {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let spec = format!(
        "anonlab: 1\ntitle: Overhead\ndatasets:\n  adult: {{source: adult, quasi_identifiers: [age, sex], sensitive: occupation, \
         derive: [{{drop_missing: used}}]}}\nalgorithms:\n  it: {algorithm}\nfigures:\n  f: {{title: F, datasets: [adult], \
         algorithms: [it], repetitions: {CELLS}, draw: {{x: l, y: seconds}}}}\n"
    );
    std::fs::write(directory.path().join("overhead.yaml"), spec).expect("the directory can be written to");
    let all = anonlab(directory.path(), &["run", "overhead.yaml", "--jobs", "1", "--quiet", "--allow-external"])
        .as_secs_f64();
    let costs =
        std::fs::read_to_string(directory.path().join("reports/overhead/costs.csv")).expect("the run left costs");
    let seconds = costs.lines().filter(|line| line.contains(",seconds,"));
    let algorithm = seconds.filter_map(|line| line.rsplit(',').next()?.parse::<f64>().ok()).sum();
    Seconds { all, algorithm }
}

fn anonlab(directory: &Path, arguments: &[&str]) -> Duration {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_anonlab"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("anonlab starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    start.elapsed()
}

/// The fastest of a few tries, and what the last one gave.
fn best<T>(tries: u32, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed(), result)
    };
    let mut best = timed();
    for _ in 1..tries {
        let (elapsed, result) = timed();
        best = (best.0.min(elapsed), result);
    }
    best
}
