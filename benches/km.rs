//! k^m-anonymity. `cargo bench --bench km` puts the fast `oa`, `da` and `aa` beside the algorithms as printed, as
//! ratios. With arguments it runs one publisher on one data set and prints what it took, which
//! `scripts/bench-km.sh` makes a table of:
//!
//!     km ALGORITHM DATASET TRANSACTIONS K M [ORDER]
//!
//! DATASET is a catalogue entry (`bms-pos/a` for a part), TRANSACTIONS `all`, a number (the first so many) or `like:N` (N
//! generated ones with its statistics), ORDER that of the items under the hierarchy of degree 5 (`id` unless given).

use anonlab::data::Dataset;
use anonlab::lab::{Seed, Workbench};
use anonlab::measures::measure;
use anonlab::publish::publisher;
use anonlab::release::{PrivacyVerdict, Release, verify};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Map, Value, json};
use std::time::Duration;

fn main() {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => beside_the_printed(),
        [algorithm, dataset, transactions, k, m] => one(algorithm, dataset, transactions, k, m, "id"),
        [algorithm, dataset, transactions, k, m, order] => one(algorithm, dataset, transactions, k, m, order),
        _ => {
            eprintln!("usage: km ALGORITHM DATASET TRANSACTIONS K M [ORDER]");
            std::process::exit(2);
        }
    }
}

/// One publisher on one data set: CPU seconds of publishing, CPU seconds and peak memory of the whole process up to then,
/// CPU seconds of the verifier, NCP, and whether it is proven to be the least.
fn one(algorithm: &str, dataset: &str, transactions: &str, k: &str, m: &str, order: &str) {
    let (entry, part) = dataset.split_once('/').map_or((dataset, None), |(entry, part)| (entry, Some(part)));
    let mut definition = json!({"source": entry, "hierarchy": {"degree": 5, "order": order}});
    if let Some(part) = part {
        definition["part"] = json!(part);
    }
    match (transactions, transactions.strip_prefix("like:")) {
        ("all", _) => {}
        (_, Some(number)) => {
            let number = number.parse::<usize>().expect("a number of transactions");
            definition["source"] = json!({"synthetic": {"like": entry, "transactions": number}});
        }
        (number, None) => {
            definition["derive"] = json!([{"first": number.parse::<usize>().expect("a number of transactions")}]);
        }
    }
    let dataset_loaded = load_defined(&definition);
    let parameters = json!({"k": k.parse::<usize>().expect("k"), "m": m.parse::<usize>().expect("m")});
    let parameters = parameters.as_object().expect("a structure");

    let mut bench = Workbench::new(Seed(1), "bench");
    let publisher = publisher(algorithm).expect("a publisher (anonlab algorithms list)");
    let loading = cpu_time();
    let release = publisher.publish(&dataset_loaded, parameters, &mut bench).expect("a release");
    let (publishing, peak) = (cpu_time(), peak_megabytes());
    let guarantee = publisher.guarantee(parameters).expect("the parameters are checked");
    let verdict = verify(&dataset_loaded, &release, &guarantee).expect("a verdict");
    assert_eq!(verdict, PrivacyVerdict::Private, "{algorithm} on {dataset}");
    let verifying = cpu_time();
    println!(
        "{dataset}\t{}\t{algorithm}\t{k}\t{m}\t{order}\t{:.3}\t{:.3}\t{peak:.0}\t{:.3}\t{:.5}\t{}",
        dataset_loaded.baskets().expect("transactions").transactions.len(),
        (publishing - loading).as_secs_f64(),
        publishing.as_secs_f64(),
        (verifying - publishing).as_secs_f64(),
        ncp(&dataset_loaded, &release),
        bench.counters().get("proven").map_or("", |&proven| if proven == 1.0 { "proven" } else { "not proven" }),
    );
}

fn load_defined(definition: &Value) -> Dataset {
    let definition: DatasetDefinition = serde_json::from_value(definition.clone()).expect("a dataset definition");
    load(&definition, &DataLocations::new(None), Seed(1)).expect("a data set: set ANONLAB_DATA").dataset
}

fn ncp(dataset: &Dataset, release: &Release) -> f64 {
    let mut bench = Workbench::new(Seed(1), "bench");
    let observations = measure("ncp").expect("built in").measure(dataset, Some(release), &Map::new(), &mut bench);
    observations.expect("a release of transactions")[0].value
}

/// User and system time of this process so far.
fn cpu_time() -> Duration {
    // SAFETY: rusage is plain data, and the call only writes into it.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let time = |value: libc::timeval| Duration::new(value.tv_sec as u64, value.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().split(' ').next().and_then(|kilobytes| kilobytes.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// The same cuts from both, on data small enough for a count-tree that is built.
fn beside_the_printed() {
    let dataset = load_defined(&json!({
        "source": {"synthetic": {"transactions": 2000, "items": 40, "longest": 12, "mean": 3.0}},
        "hierarchy": {"degree": 4},
    }));
    println!("2,000 generated transactions over 40 items, degree 4, k = 20");
    for m in 1..=3 {
        for name in ["oa", "da", "aa"] {
            let run = |name: &str| {
                let parameters = json!({"k": 20, "m": m});
                let parameters = parameters.as_object().expect("a structure");
                let mut bench = Workbench::new(Seed(1), "bench");
                publisher(name).expect("built in").publish(&dataset, parameters, &mut bench).expect("a release")
            };
            let (slow, expected) = time(|| run(&format!("{name}-printed")));
            let (fast, release) = time(|| run(name));
            assert_eq!(release, expected, "{name}");
            let ratio = slow.as_secs_f64() / fast.as_secs_f64();
            println!("{name} m={m}: printed {slow:.1?}, fast {fast:.1?}, ratio {ratio:.0}");
        }
    }
}

/// CPU time, which a busy machine does not stretch.
fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time();
    let result = work();
    (cpu_time() - start, result)
}
