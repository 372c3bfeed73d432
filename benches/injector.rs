//! Injector as the table grows, beside Anatomy: `cargo bench --bench injector`.
//!
//! Adult is sampled up to 50,000, 500,000 and 5,000,000 rows. On the line, each step of ten costs ten times: the ratio in
//! the last column, CPU time per row against that of the smallest table, stays near 1. (Memory that no longer fits the
//! caches adds to it once, to Anatomy too.)
//!
//! More rows make rules more certain: with age among the quasi-identifiers, the copies of a few very old people soon
//! leave these fewer than ℓ possible values, and there is nothing to publish. So age is left out; the classes of tuples,
//! which the cost grows with too, still become somewhat more from the first size to the second.

use anonlab::data::Dataset;
use anonlab::lab::{Seed, Workbench};
use anonlab::publish::publisher;
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SIZES: [usize; 3] = [50_000, 500_000, 5_000_000];

fn main() {
    let mut smallest: BTreeMap<String, f64> = BTreeMap::new();
    println!(
        "{:<20}{:<16}{:>10}{:>9}{:>14}{:>10}{:>8}",
        "publisher", "phase", "rows", "classes", "CPU seconds", "ns/row", "ratio"
    );
    for rows in SIZES {
        let dataset = adult(rows);
        for name in ["anatomy", "injector", "injector-balanced"] {
            let (phases, classes) = phases(&dataset, name);
            for (phase, seconds) in phases {
                let per_row = seconds / rows as f64;
                let first = *smallest.entry(format!("{name} {phase}")).or_insert(per_row);
                let (nanoseconds, ratio) = (per_row * 1e9, per_row / first);
                println!("{name:<20}{phase:<16}{rows:>10}{classes:>9}{seconds:>14.3}{nanoseconds:>10.0}{ratio:>8.2}");
            }
        }
    }
}

fn adult(rows: usize) -> Dataset {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": "adult",
        "quasi_identifiers": ["workclass", "education", "marital_status", "race", "sex"],
        "sensitive": "occupation",
        "derive": [{"drop_missing": "used"}, {"sample": rows}],
        "hierarchies": {
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

/// CPU seconds of a publisher's phases and of all of it, in the best of a few runs (more of them for a small table), and
/// the number of classes of tuples it dealt with.
fn phases(dataset: &Dataset, name: &str) -> (Vec<(String, f64)>, f64) {
    let algorithm = publisher(name).expect("it is built in");
    let mut best: Option<(f64, Vec<(String, f64)>)> = None;
    let mut classes = 0.0;
    let start = Instant::now();
    for run in 0.. {
        let mut bench = Workbench::new(Seed(1), "bench");
        let (began, began_cpu) = (Instant::now(), cpu_seconds());
        algorithm.publish(dataset, &Map::new(), &mut bench).expect("these rules leave 6 values to everybody");
        let cpu = cpu_seconds() - began_cpu;
        // Phases are timed by the clock on the wall; their share of it is their share of the CPU.
        let share = cpu / began.elapsed().as_secs_f64();
        let phases = bench.phases().iter().map(|phase| (phase.name.clone(), phase.elapsed.as_secs_f64() * share));
        if best.as_ref().is_none_or(|&(so_far, _)| cpu < so_far) {
            best = Some((cpu, phases.chain([("all".to_string(), cpu)]).collect()));
        }
        classes = bench.counters().get("tuple_classes").copied().unwrap_or(0.0);
        if run >= 9 || start.elapsed() > Duration::from_secs(5) {
            break;
        }
    }
    (best.map(|(_, phases)| phases).unwrap_or_default(), classes)
}

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec, which is all the call writes to.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
