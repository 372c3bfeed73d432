//! Whatever a parser is given, it answers: no panic, no hang, no message as long as the input. Each target takes the files of
//! its folder in `corpus/`, and mutates them from a fixed seed for as long as its budget lasts.
//!
//! `ANONLAB_FUZZ_SECONDS` is the budget of a target (1 second unless it is given), `ANONLAB_FUZZ_SEED` the seed. An input that
//! breaks a parser is printed; in its folder of the corpus it is tried first from then on.

mod mutation;
mod targets;

use mutation::Mutator;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// No input of the corpus, which are small, may take longer; far more than any does.
const LONGEST: Duration = Duration::from_secs(60);
/// What a message may say beyond the names of files and what is allowed.
const LONGEST_MESSAGE: usize = 100_000;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The files of a target's corpus, by name.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no corpus");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Gives `parse` the corpus as it is, then mutated. `parse` returns its complaint, where it has one.
fn fuzz(target: &str, mut parse: impl FnMut(&[u8]) -> Option<String>) {
    let corpus = corpus(target);
    let seed = number("ANONLAB_FUZZ_SEED", 1);
    let mut mutator = Mutator::new(seed, corpus.clone());
    let mut tried = 0;
    let mut attempt = |input: &[u8]| {
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| parse(input)));
        let told = || format!("{target}, input {tried} of seed {seed}: {}", input.escape_ascii());
        match result {
            Err(_) => panic!("it panics: {}", told()),
            Ok(Some(message)) => assert!(message.len() < LONGEST_MESSAGE, "{} characters: {}", message.len(), told()),
            Ok(None) => {}
        }
        assert!(start.elapsed() < LONGEST, "it takes {:?}: {}", start.elapsed(), told());
        tried += 1;
    };
    corpus.iter().for_each(|input| attempt(input));
    let end = Instant::now() + Duration::from_secs(number("ANONLAB_FUZZ_SECONDS", 1));
    while Instant::now() < end {
        attempt(&mutator.next());
    }
    println!("{target}: {tried} inputs");
}

#[test]
fn specs() {
    fuzz("spec", targets::spec);
}

#[test]
fn data() {
    fuzz("data", targets::data);
}

#[test]
fn hierarchies() {
    fuzz("hierarchy", targets::hierarchy());
}

#[test]
fn releases() {
    fuzz("release", targets::release());
}

#[test]
fn messages() {
    fuzz("message", targets::message);
}

#[test]
fn baselines() {
    fuzz("baseline", targets::baseline());
}

#[test]
fn capsules() {
    fuzz("capsule", targets::capsule());
}

#[test]
fn stores() {
    fuzz("store", targets::store());
}
