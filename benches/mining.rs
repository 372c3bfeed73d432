//! Mines mushroom, chess, retail and T10I4D100K at several supports and prints, for each, what was found and the CPU
//! seconds it took: all itemsets visited, all counted by size, the maximal ones.
//! `scripts/bench-mining.sh` runs pyfim beside it.
//!
//! The data is looked for in the directory `ANONLAB_DATA`, as `NAME.dat` or `NAME.dat.gz`.

use anonlab::data::{Item, Transactions};
use anonlab::mining::{count, mine, mine_maximal};
use num_bigint::BigUint;
use std::io::Read;
use std::path::Path;

/// Datasets and the supports they are mined at, in percent.
const RUNS: [(&str, &[f64]); 4] = [
    ("mushroom", &[30.0, 20.0, 15.0, 10.0]),
    ("chess", &[80.0, 70.0, 60.0, 50.0]),
    ("retail", &[0.5, 0.1, 0.05, 0.02, 0.01]),
    ("T10I4D100K", &[1.0, 0.5, 0.1, 0.05, 0.02]),
];

/// Each run is repeated until it took so long in all, and its fastest repetition counts.
const SECONDS: f64 = 0.3;

fn main() {
    let Some(directory) = std::env::var_os("ANONLAB_DATA") else {
        eprintln!("set ANONLAB_DATA to the directory of mushroom.dat(.gz), chess, retail and T10I4D100K");
        std::process::exit(2);
    };
    // `cargo bench` passes `--bench`; any other argument chooses a dataset.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    println!("dataset\tpercent\tmin_support\ttarget\titemsets\tchecksum\tseconds");
    for (name, percents) in RUNS {
        if !chosen.is_empty() && !chosen.iter().any(|wanted| wanted == name) {
            continue;
        }
        let text = read(Path::new(&directory), name).unwrap_or_else(|error| {
            eprintln!("{name} in {}: {error}", Path::new(&directory).display());
            std::process::exit(2);
        });
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        let transactions = Transactions::from_labels(&rows);
        let keys: Vec<u64> = transactions.labels.iter().map(|label| key(label.parse().expect("an item id"))).collect();
        for percent in percents {
            let min_support = (transactions.len() as f64 * percent / 100.0).ceil().max(1.0) as u32;
            let print = |target: &str, found: Found, seconds: f64| {
                let Found { itemsets, checksum } = found;
                println!("{name}\t{percent}\t{min_support}\t{target}\t{itemsets}\t{checksum}\t{seconds:.6}");
            };
            let all = fastest(|| {
                let mut found = Found::default();
                mine(&transactions, min_support, None, &mut |itemset, support| found.add(itemset, support, &keys));
                found
            });
            print("all", all.0, all.1);
            let (counted, seconds) = fastest(|| count(&transactions, min_support, None));
            assert_eq!(counted.into_iter().sum::<BigUint>(), BigUint::from(all.0.itemsets), "{name} at {percent} %");
            print("count", all.0, seconds);
            let maximal = fastest(|| {
                let mut found = Found::default();
                for (itemset, support) in mine_maximal(&transactions, min_support, None) {
                    found.add(&itemset, support, &keys);
                }
                found
            });
            print("maximal", maximal.0, maximal.1);
        }
    }
}

/// What a run found, whatever the order.
#[derive(Clone, Copy, Default)]
struct Found {
    itemsets: u64,
    checksum: u64,
}

impl Found {
    fn add(&mut self, itemset: &[Item], support: u32, keys: &[u64]) {
        let sum = itemset.iter().fold(0u64, |sum, &item| sum.wrapping_add(keys[item as usize]));
        let mixed = (sum ^ (sum >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.checksum = self.checksum.wrapping_add(mixed.wrapping_mul(2 * u64::from(support) + 1));
        self.itemsets += 1;
    }
}

fn read(directory: &Path, name: &str) -> std::io::Result<String> {
    let plain = directory.join(format!("{name}.dat"));
    let mut text = String::new();
    if plain.exists() {
        std::fs::File::open(plain)?.read_to_string(&mut text)?;
    } else {
        let packed = std::fs::File::open(directory.join(format!("{name}.dat.gz")))?;
        flate2::read::GzDecoder::new(packed).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// A number for an item that looks random and is the same everywhere (SplitMix64).
fn key(item: u64) -> u64 {
    let z = item.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The result of a run, and the CPU seconds of its fastest repetition.
fn fastest<T>(mut run: impl FnMut() -> T) -> (T, f64) {
    let (mut total, mut best) = (0.0, f64::INFINITY);
    loop {
        let before = cpu_seconds();
        let result = run();
        let seconds = cpu_seconds() - before;
        (total, best) = (total + seconds, best.min(seconds));
        if total >= SECONDS {
            return (result, best);
        }
    }
}

/// CPU time of this process: other work on the machine must not count.
fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writing.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "the clock of the process can be read");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
