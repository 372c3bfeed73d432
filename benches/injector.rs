//! Injector as the table grows, against Anatomy and against its own line: `cargo bench --bench injector`.
//!
//! Adult is sampled up to 50,000, 500,000 and 5,000,000 rows. On the line, each step of ten costs ten times: the ratio in
//! the last column, time per row against that of the smallest table, stays near 1. (Memory that no longer fits the caches
//! adds to it once.)

use anonlab::data::{DataLocations, Dataset, DatasetDefinition, load};
use anonlab::lab::{Seed, Workbench};
use anonlab::publish::publisher;
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SIZES: [usize; 3] = [50_000, 500_000, 5_000_000];

fn main() {
    let mut smallest: BTreeMap<String, f64> = BTreeMap::new();
    println!("{:<20}{:<16}{:>10}{:>12}{:>10}{:>8}", "publisher", "phase", "rows", "seconds", "ns/row", "ratio");
    for rows in SIZES {
        let dataset = adult(rows);
        for name in ["anatomy", "injector", "injector-balanced"] {
            for (phase, elapsed) in phases(&dataset, name) {
                let per_row = elapsed.as_secs_f64() / rows as f64;
                let first = *smallest.entry(format!("{name} {phase}")).or_insert(per_row);
                let (seconds, nanoseconds, ratio) = (elapsed.as_secs_f64(), per_row * 1e9, per_row / first);
                println!("{name:<20}{phase:<16}{rows:>10}{seconds:>12.3}{nanoseconds:>10.0}{ratio:>8.2}");
            }
        }
    }
}

/// Adult with the hierarchies of the experiments, sampled up.
fn adult(rows: usize) -> Dataset {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult",
        "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
        "sensitive": "occupation",
        "derive": [{"drop_missing": "used"}, {"sample": rows}],
        "hierarchies": {
            "age": "adult/age",
            "workclass": "adult/workclass",
            "education": "adult/education",
            "marital_status": "adult/marital_status",
            "race": "adult/race",
            "sex": "adult/sex",
        },
    }))
    .expect("the definition is a fixed text of this file");
    load(&definition, &DataLocations::new(None), Seed(1)).expect("Adult is embedded").dataset
}

/// The phases of a publisher, and all of it, each the best of a few runs: as many as a small table needs to be timed.
fn phases(dataset: &Dataset, name: &str) -> Vec<(String, Duration)> {
    let algorithm = publisher(name).expect("it is built in");
    let mut best: Vec<(String, Duration)> = Vec::new();
    let start = Instant::now();
    for run in 0.. {
        let mut bench = Workbench::new(Seed(1), "bench");
        let began = Instant::now();
        algorithm.publish(dataset, &Map::new(), &mut bench).expect("Adult is 6-eligible");
        let whole = ("all".to_string(), began.elapsed());
        let phases = bench.phases().iter().map(|phase| (phase.name.clone(), phase.elapsed)).chain([whole]);
        for (i, (phase, elapsed)) in phases.enumerate() {
            match best.get_mut(i) {
                Some((_, best)) => *best = elapsed.min(*best),
                None => best.push((phase, elapsed)),
            }
        }
        if run >= 4 || start.elapsed() > Duration::from_secs(5) {
            break;
        }
    }
    best
}
