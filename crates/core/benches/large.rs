//! What a cell costs on a large table, part by part: `cargo bench -p anonlab-core --features worker --bench large`.
//!
//! A seeded table of 3,000,000 rows (or as many as the first argument says) with five quasi-identifiers and 40 sensitive values is
//! written, loaded, loaded again through the cache, published by Anatomy, written and digested, verified and measured. CPU time of
//! one core, and the peak of the heap. With `--write DIR` the table and the queries with their true counts are left there, for
//! `scripts/bench-large.sh` to ask them elsewhere.

use anonlab_core::data::Dataset;
use anonlab_core::lab::{Seed, Workbench, cpu_time};
use anonlab_core::measures::measure;
use anonlab_core::publish::publisher;
use anonlab_core::release::{Guarantee, Release, verify};
use anonlab_core::sources::{DataLocations, DatasetDefinition, load, load_once};
use anonlab_core::worker::heap::{CountingAllocator, watch};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[global_allocator]
static HEAP: CountingAllocator = CountingAllocator;

const L: usize = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let rows = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(3_000_000);
    let kept = arguments.iter().position(|word| word == "--write").and_then(|place| arguments.get(place + 1));
    let scratch = std::env::temp_dir().join(format!("anonlab-bench-large-{}", std::process::id()));
    let folder = kept.map_or(scratch.clone(), PathBuf::from);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("table.csv"), table(rows)).expect("the table can be written");
    let locations = DataLocations { cache_dir: scratch.join("cache"), ..DataLocations::new(Some(folder.clone())) };
    parts(rows, &locations, kept.map(Path::new));
    std::fs::remove_dir_all(&scratch).ok();
}

/// Uniform but for the sensitive value, which depends on age and occupation.
fn table(rows: usize) -> String {
    let mut state = 88_172_645_463_325_252u64;
    let mut below = |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % end
    };
    let mut text = String::from("age,zip,education,occupation,sex,disease\n");
    for _ in 0..rows {
        let (age, zip, education, occupation) = (below(80), below(1000), below(16), below(50));
        let (sex, disease) = (below(2), (below(40) + (age / 4 + occupation) % 13) % 40);
        let age = age + 17;
        writeln!(text, "{age},{},e{education},o{occupation},{sex},d{disease}", 10_000 + zip).expect("text grows");
    }
    text
}

fn parts(rows: usize, locations: &DataLocations, keep: Option<&Path>) {
    let definition: DatasetDefinition = serde_json::from_value(json!({
        "source": {"file": "table.csv", "format": "csv"},
        "quasi_identifiers": ["age", "zip", "education", "occupation", "sex"],
        "sensitive": "disease",
    }))
    .expect("a fixed text of this file");
    let once = || load_once(&definition, locations, Seed(1), "bench").expect("it was just written").loaded.dataset;
    let dataset = show("load", rows, || load(&definition, locations, Seed(1)).expect("it was just written").dataset);
    show("load into the cache", rows, || drop(once()));
    show("load from the cache", rows, || drop(once()));
    let release = show("anatomy", rows, || publish(&dataset));
    show("write and digest", rows, || {
        let files = release.files(&dataset).expect("what was published can be written");
        let mut hasher = blake3::Hasher::new();
        for file in &files {
            hasher.update(&file.bytes);
        }
        hasher.finalize()
    });
    show("verify", rows, || verify(&dataset, &release, &Guarantee::Diversity { l: L }).expect("it is a table"));
    for (name, parameters) in [
        ("query-error", json!({})),
        ("confidence-error", json!({})),
        ("identification-error", json!({})),
        ("background-knowledge", json!({"l": L, "generalized": false})),
        ("maximum-entropy", json!({})),
    ] {
        let measure = measure(name).expect("it is in the table of measures");
        let given: Map<String, Value> = parameters.as_object().cloned().unwrap_or_default();
        let mut bench = Workbench::new(Seed(1), name).keeping_attachments(keep.is_some() && name == "query-error");
        if let Err(error) = show(name, rows, || measure.measure(&dataset, Some(&release), &given, &mut bench)) {
            println!("{name}: {error}");
        }
        for (file, folder) in bench.attachments().iter().zip(keep) {
            std::fs::write(folder.join(&file.name), &file.bytes).expect("the queries can be written");
        }
    }
}

fn publish(dataset: &Dataset) -> Release {
    let parameters = json!({"l": L}).as_object().cloned().unwrap_or_default();
    let anatomy = publisher("anatomy").expect("it is built in");
    anatomy.publish(dataset, &parameters, &mut Workbench::new(Seed(1), "anatomy")).expect("ℓ is within reach")
}

fn show<T>(name: &str, rows: usize, work: impl FnOnce() -> T) -> T {
    let start = cpu_time();
    let (result, heap) = watch(work);
    let seconds = (cpu_time() - start).as_secs_f64();
    let bytes = heap.peak_bytes as f64 / rows as f64;
    println!("{name:<24}{seconds:>9.3} s{bytes:>10.0} bytes a row");
    result
}
