//! What it costs to load data, in CPU time and as ratios against reading and hashing the same bytes:
//! `cargo bench --bench loading`.
//!
//! Data sets that are not here are passed over; `ANONLAB_DATA` says where to look.

use anonlab::data::Content;
use anonlab::lab::Seed;
use anonlab::sources::{DataLocations, DatasetDefinition, StandInParameters, entry, generate, load, resolve};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::time::Duration;

fn main() {
    let locations = DataLocations::new(None);
    println!("{:<34}{:>10}{:>12}{:>12}", "", "load", "× reading", "resolve");
    let adult = |source: &str| {
        json!({
            "source": source,
            "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
            "sensitive": "occupation",
            "derive": [{"drop_missing": "used"}],
            "hierarchies": {"age": "adult/age", "workclass": "adult/workclass"},
        })
    };
    show("adult-train", adult("adult-train"), &locations);
    show("adult, both parts", adult("adult"), &locations);
    for name in ["bms-webview-1", "bms-webview-2", "bms-pos", "retail", "t10i4d100k", "mushroom", "chess"] {
        show(name, json!({"source": name}), &locations);
    }
    show(
        "bms-pos, hierarchy and private items",
        json!({
            "source": "bms-pos", "hierarchy": {"degree": 5, "order": "random"}, "private": {"share": 0.05},
        }),
        &locations,
    );

    let mut statistics =
        entry("bms-pos").ok().and_then(|entry| entry.stand_in_statistics()).expect("it has statistics");
    for transactions in [statistics.transactions, 5_000_000] {
        statistics.transactions = transactions;
        let start = cpu_time();
        let made = generate(&StandInParameters::like(statistics)).expect("these statistics can be met");
        let elapsed = cpu_time() - start;
        println!("stand-in of {transactions} transactions, {} occurrences: {:.1?}", made.occurrences(), elapsed);
    }
}

fn show(title: &str, definition: Value, locations: &DataLocations) {
    let definition: DatasetDefinition = serde_json::from_value(definition).expect("a fixed text of this file");
    let Ok(resolution) = resolve(&definition, locations) else { return };
    let (loading, loaded) = mean(|| load(&definition, locations, Seed(1)).expect("what resolves can be loaded"));
    let (resolving, _) = mean(|| resolve(&definition, locations).expect("it resolved before"));
    let (reading, bytes) = mean(|| read_and_hash(&resolution.digests, locations));
    let rows = match &loaded.dataset.content {
        Content::Table(microdata) => microdata.rows(),
        Content::Transactions(baskets) => baskets.transactions.len(),
    };
    let ratio = loading.as_secs_f64() / reading.as_secs_f64();
    println!("{title:<34}{loading:>10.1?}{ratio:>12.1}{resolving:>12.1?}   {rows} rows, {bytes} bytes");
}

/// The least any loader has to do: unzip the files and look at every byte once.
fn read_and_hash(digests: &[anonlab::sources::Digest], locations: &DataLocations) -> usize {
    let mut bytes = 0;
    for digest in digests {
        for folder in [locations.data_dir.as_path(), "datasets".as_ref()] {
            let Ok(file) = std::fs::read(folder.join(format!("{}.gz", digest.file))) else { continue };
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&*file).read_to_end(&mut plain).expect("the file is sound");
            std::hint::black_box(Sha256::digest(&plain));
            bytes += plain.len();
            break;
        }
    }
    bytes
}

/// The mean of some runs; the scheduler's clock is too coarse for one.
fn mean<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    const RUNS: u32 = 20;
    let mut result = work();
    let start = cpu_time();
    for _ in 0..RUNS {
        result = work();
    }
    ((cpu_time() - start) / RUNS, result)
}

/// What this thread has used so far: other work on the machine does not count.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the benchmark runs on Linux");
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number is the time on the processor"))
}
