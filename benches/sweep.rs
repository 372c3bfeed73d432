//! A sweep of 100,000 cells that are all computed: planning, sharding, collecting. `cargo bench --bench sweep [-- CELLS]`.
//! With the word `readings`, the cells are those of 50 options of a reading, each with 20 seeds, and only the plan and the report
//! are measured: `-- 1000000 readings`.
//!
//! The store is filled with made-up answers; what is timed is everything that a run does beside computing.

use anonlab::lab::Observation;
use anonlab::run::{Answer, Costs, Entry, Status, Store};
use anonlab::sources::DataLocations;
use anonlab::spec::{PlanOptions, Spec, plan};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What multiplies the points of the figure.
struct Shape {
    readings: usize,
    seeds: usize,
    repetitions: usize,
}

fn spec(cells: usize, Shape { readings, seeds, repetitions }: Shape) -> String {
    let points = cells / (2 * readings * seeds * repetitions);
    let options: String =
        (1..readings).map(|i| format!("      o{i}: {{measures.queries.parameters.queries: {}}}\n", 20 + i)).collect();
    let (asked, named) = match readings {
        1 => (String::new(), ""),
        _ => (
            format!("readings:\n  many:\n    asks: How many queries?\n    options:\n      o0: {{}}\n{options}"),
            "    readings: [many]\n",
        ),
    };
    format!(
        "
anonlab: 1
title: Many cells
seeds: {seeds}
{asked}datasets:
  patients:
    source: {{format: csv, inline: \"age,sex,disease\\n29,F,flu\\n22,F,cold\\n27,M,asthma\\n43,M,gout\\n\"}}
    quasi_identifiers: [age, sex]
    sensitive: disease
measures:
  queries: {{measure: query-error, parameters: {{queries: 20, dim: 1}}}}
figures:
  errors:
    title: Query error
    datasets: [patients]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {{product: {{l: [2, 4], sel: {{from: 0.5, to: 1.0, points: {points}}}}}}}
{named}    repetitions: {repetitions}
    draw: {{x: sel, y: mean_relative_error}}
    claims:
      - {{says: Wider queries are easier, metric: mean_relative_error, is: {{falling: {{along: sel}}}}}}
"
    )
}

fn main() {
    let cells = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100_000);
    // In memory where that can be had: a store on disk is written durably, which is not what is measured.
    let place = Some(Path::new("/dev/shm")).filter(|place| place.is_dir());
    let directory = place.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary directory");
    let (path, out) = (directory.path().join("many.yaml"), directory.path().join("out"));
    let readings = std::env::args().any(|word| word == "readings");
    let shape = match readings {
        true => Shape { readings: 50, seeds: 20, repetitions: 1 },
        false => Shape { readings: 1, seeds: 1, repetitions: 50 },
    };
    std::fs::write(&path, spec(cells, shape)).expect("the spec can be written");
    let text = |path: &Path| path.to_str().expect("plain text").to_string();
    println!("{:<40} {:>8} {:>8} {:>10}", "", "wall s", "user s", "peak MB");
    let (spec, out) = (&*text(&path), &*text(&out));
    // The peak is that of the largest command so far: the small ones come first.
    measure("plan --summary, nothing stored", &["plan", spec, "--summary", "--out", out]);
    fill(&path, Path::new(out));
    if readings {
        measure("run --shard 1/1000, all in the store", &["run", spec, "--shard", "1/1000", "--quiet", "--out", out]);
        measure("collect", &["collect", out]);
        return;
    }
    measure("plan --shards 100 --format json", &["plan", spec, "--shards", "100", "--format", "json", "--out", out]);
    measure("plan --summary, all stored", &["plan", spec, "--summary", "--out", out]);
    measure("run --shard 1/100, all in the store", &["run", spec, "--shard", "1/100", "--quiet", "--out", out]);
    measure("collect", &["collect", out]);
    let other = directory.path().join("other");
    let other = other.to_str().expect("plain text");
    measure("collect --from", &["collect", other, "--from", out]);
}

/// An answer for every cell.
fn fill(path: &Path, out: &Path) {
    let spec = Spec::read(path).unwrap_or_else(|errors| panic!("{errors:?}"));
    let locations = DataLocations::new(None);
    let options = PlanOptions::of(&locations);
    let plan = plan(&spec, &options).unwrap_or_else(|errors| panic!("{errors:?}"));
    let store = Store::in_directory(out);
    let start = Instant::now();
    for (i, cell) in plan.cells.iter().enumerate() {
        let noise = (i * 7919 % 1000) as f64 / 1e4;
        let mut answer = Answer::without_result(Status::Ok, "");
        for metric in ["mean_relative_error", "median_relative_error", "groups", "residue"] {
            answer.observations.push(Observation { metric: metric.into(), at: None, value: 0.5 + noise });
        }
        let costs = ["seconds", "seconds.group", "cpu_seconds", "peak_heap_bytes", "allocations", "peak_rss_bytes"];
        let metrics = costs.map(|metric| (metric.into(), 0.01 + noise)).to_vec();
        answer.costs = Costs { metrics, cell_seconds: 0.01, disturbance: None };
        answer.release_digest = Some(blake3::hash(&i.to_le_bytes()).to_hex().to_string());
        let (key_fields, limits) = (cell.key_fields(), cell.limits);
        let entry = Entry { key_fields, answer, limits, alone: false, machine: "bench".into(), samples: Vec::new() };
        store.put_unsynced(&cell.key, &entry).unwrap_or_else(|error| panic!("{error}"));
    }
    println!("{} entries written in {:.1} s", plan.cells.len(), start.elapsed().as_secs_f64());
}

/// Wall-clock, CPU and peak memory of one command.
fn measure(name: &str, arguments: &[&str]) {
    let before = children();
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_anonlab"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .status()
        .expect("the binary runs");
    let wall = start.elapsed().as_secs_f64();
    let after = children();
    assert!(status.code().is_some_and(|code| code < 2), "{name}: {status}");
    println!("{name:<40} {wall:>8.2} {:>8.2} {:>10.0}", after.0 - before.0, after.1);
}

/// User seconds of all children so far, and the largest resident set of any of them in MB.
fn children() -> (f64, f64) {
    // SAFETY: rusage is plain data, and the call only writes into it.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    (usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6, usage.ru_maxrss as f64 / 1024.0)
}
