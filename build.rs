//! Digests the source rooms that can change an answer. Written by hand rather than by a crate: a dozen lines, and build
//! dependencies are compiled before anything else.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What computes. The spec, the scheduler, the report and the commands cannot change a cell's answer.
const COMPUTING: [&str; 12] = [
    "src/lab",
    "src/data",
    "src/mining",
    "src/release",
    "src/publish",
    "src/audit",
    "src/utility",
    "src/measure.rs",
    "src/run/worker.rs",
    "src/run/programs.rs",
    "src/run/heap.rs",
    "Cargo.lock",
];

fn main() {
    let mut files = Vec::new();
    for room in COMPUTING {
        println!("cargo::rerun-if-changed={room}");
        collect(Path::new(room), &mut files);
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let content = fs::read(&file).unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()));
        hasher.update(file.to_string_lossy().as_bytes());
        hasher.update(&(content.len() as u64).to_le_bytes());
        hasher.update(&content);
    }
    println!("cargo::rustc-env=ANONLAB_CODE_DIGEST={}", hasher.finalize().to_hex());
    println!("cargo::rustc-env=ANONLAB_BUILD={}", build());
}

/// "rustc 1.91.0, release, x86_64-unknown-linux-gnu"
fn build() -> String {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let version = Command::new(variable("RUSTC")).arg("--version").output();
    let version = version.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
    let version: Vec<&str> = version.split_whitespace().take(2).collect();
    format!("{}, {}, {}", version.join(" "), variable("PROFILE"), variable("TARGET"))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("cannot list {}: {error}", path.display()));
        for entry in entries.flatten() {
            collect(&entry.path(), files);
        }
    } else if path.exists() {
        files.push(path.to_path_buf());
    }
}
