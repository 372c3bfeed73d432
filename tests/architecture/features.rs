//! `cargo run` and `cargo test` share one build: what only tests depend on asks for no feature that is not on without it.
//! Else polars and both crates are compiled once for each of the two commands. And which features of a crate are in which.

use std::collections::BTreeSet;
use std::process::Command;

/// Whether a feature is another one, or has it among those that it turns on.
pub fn includes(manifest: &str, feature: &str, other: &str) -> bool {
    let line = manifest.lines().find_map(|line| line.strip_prefix(feature)?.strip_prefix(" = [")).unwrap_or_default();
    feature == other || line.split('"').skip(1).step_by(2).any(|part| includes(manifest, part, other))
}

/// Every package that is compiled, with its features.
fn compiled(selection: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} with {f}"])
        .args(selection)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").to_string()).collect()
}

#[test]
fn tests_add_no_features_to_what_the_program_is_built_from() {
    let run = compiled(&["--package", "anonlab", "--edges", "normal,build"]);
    let test = compiled(&["--workspace", "--edges", "normal,build,dev"]);
    assert!(run.len() > 100, "{run:?}");
    let differ: Vec<&String> = run.difference(&test).collect();
    assert!(
        differ.is_empty(),
        "built twice, for tests have more features of it; name these in Cargo.toml beside `either`: {differ:#?}"
    );
}
