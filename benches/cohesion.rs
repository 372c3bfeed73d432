//! How the border method scales: `ANONLAB_DATA=… cargo bench --bench cohesion`.
//!
//! Growing prefixes of BMS-POS (part a, 100,000 transactions), then growing p on BMS-WebView-1, the border against the
//! enumeration where that is feasible. Times are CPU seconds of this process; ratios compare with the row before.

use anonlab::data::Dataset;
use anonlab::lab::{Seed, Workbench};
use anonlab::publish::publisher;
use anonlab::release::{PrivacyVerdict, verify};
use anonlab::sources::{DataLocations, DatasetDefinition, load};
use serde_json::{Value, json};

fn main() {
    // `cargo test --benches` asks for no measurement.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("BMS-POS, part a, 5 % private, h 0.8, k 10, k' 100");
    for p in [2, 3] {
        let mut before = None;
        for rows in [12_500, 25_000, 50_000, 100_000] {
            let definition =
                json!({"source": "bms-pos", "part": "a", "derive": [{"first": rows}], "private": {"share": 0.05}});
            let Some(dataset) = dataset(definition) else { return };
            before = Some(report(&format!("{rows} rows"), &dataset, "cohesion", p, before));
        }
    }
    println!("BMS-WebView-1, 5 % private, h 0.8, k 10, k' 100");
    let Some(dataset) = dataset(json!({"source": "bms-webview-1", "private": {"share": 0.05}})) else { return };
    let mut before = None;
    for p in 1..=6 {
        before = Some(report("all rows", &dataset, "cohesion", p, before));
    }
    let mut before = None;
    for p in 1..=3 {
        before = Some(report("all rows", &dataset, "cohesion-enumerate", p, before));
    }
}

fn dataset(definition: Value) -> Option<Dataset> {
    let definition: DatasetDefinition =
        serde_json::from_value(definition).expect("the definition is a fixed text of this file");
    let locations = DataLocations::new(None);
    match load(&definition, &locations, Seed(1)) {
        Ok(loaded) => Some(loaded.dataset),
        Err(error) => {
            println!("not measured: {error}");
            None
        }
    }
}

/// Publishes, verifies, and prints what both took; returns the seconds of the publisher.
fn report(data: &str, dataset: &Dataset, name: &str, p: usize, before: Option<f64>) -> f64 {
    let publisher = publisher(name).expect("the publisher is built in");
    let parameters = json!({"p": p});
    let parameters = parameters.as_object().expect("parameters are an object");
    let mut bench = Workbench::new(Seed(1), "bench");
    let start = cpu_seconds();
    let release = publisher.publish(dataset, parameters, &mut bench).expect("a cohesion exists");
    let published = cpu_seconds();
    let guarantee = publisher.guarantee(parameters).expect("the parameters are sound");
    let verdict = verify(dataset, &release, &guarantee).expect("the release can be held to its guarantee");
    let verified = cpu_seconds();
    assert_eq!(verdict, PrivacyVerdict::Private);
    let seconds = published - start;
    let ratio = before.map(|before| format!(", {:.1} times", seconds / before)).unwrap_or_default();
    let counters = bench.counters();
    println!(
        "  {data}, p = {p}, {name}: {seconds:.2} s{ratio} (verifier {:.2} s); {} itemsets held, {} rounds",
        verified - published,
        counters["materialized_itemsets"],
        counters["rounds"]
    );
    seconds
}

fn cpu_seconds() -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: getrusage fills the whole structure, or says that it did not.
    let usage = unsafe {
        assert_eq!(libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()), 0, "this process can ask for its own usage");
        usage.assume_init()
    };
    usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6
}
