//! Digests everything that can change an answer, at build time: the sources of this crate, the data inside the program, and the
//! versions of the crates it depends on. The digests are in the key of every cell, so that a changed algorithm is never
//! answered from the store.
//!
//! Everything counts except what [`does_not_compute`] names, so that a forgotten file makes cells run again instead of
//! serving a stale answer. Families of publishers have digests of their own: editing one reruns its cells alone.
//!
//! Written by hand rather than with crates: build dependencies are compiled before anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where families of publishers live: each file or folder in it, except those all families share, is a family.
const PUBLISHERS: &str = "src/publish";
const SHARED_BY_PUBLISHERS: [&str; 3] = ["contract", "mod", "registry"];
/// The room that is a family of its own: external programs as publishers.
const EXTERNAL: &str = "src/external/";

/// What cannot change an answer: tests, prose beside the data, and what authors of programs are given (conformance cases
/// and skeletons).
fn does_not_compute(file: &str) -> bool {
    let for_authors = file.starts_with("src/release/")
        && (file.ends_with("/cases.rs") || file.contains("/skeletons/") || file.contains("/conformance/"));
    for_authors || file.ends_with("/tests.rs") || file.ends_with(".md")
}

fn main() {
    let mut files = Vec::new();
    for root in ["src", "datasets", "Cargo.toml"] {
        collect(Path::new(root), &mut files);
    }
    files.sort();
    let (mut shared, mut families) = (blake3::Hasher::new(), BTreeMap::<String, blake3::Hasher>::new());
    let mut classified = String::new();
    for file in &files {
        let class = match family(file) {
            _ if does_not_compute(file) => "not computing".to_string(),
            Some(family) => {
                digest(families.entry(family.clone()).or_default(), file);
                format!("family {family}")
            }
            None => {
                digest(&mut shared, file);
                "shared".to_string()
            }
        };
        let _ = writeln!(classified, "    ({file:?}, {class:?}),");
    }
    let dependencies: Vec<String> = dependencies().into_iter().collect();
    for package in &dependencies {
        shared.update(package.as_bytes());
        shared.update(b"\n");
    }
    let shared = shared.finalize();
    let (mut all, mut of_families) = (blake3::Hasher::new(), String::new());
    all.update(shared.as_bytes());
    for (family, hasher) in &families {
        let digest = hasher.finalize();
        all.update(digest.as_bytes());
        let _ = writeln!(of_families, "    ({family:?}, {:?}),", digest.to_hex().as_str());
    }
    let digests = format!(
        "pub(super) const ALL: &str = {:?};\npub(super) const SHARED: &str = {:?};\n\
         pub(super) const FAMILIES: &[(&str, &str)] = &[\n{of_families}];\n\
         #[cfg(test)]\npub(super) const FILES: &[(&str, &str)] = &[\n{classified}];\n\
         #[cfg(test)]\npub(super) const DEPENDENCIES: &[&str] = &{dependencies:?};\n",
        all.finalize().to_hex().as_str(),
        shared.to_hex().as_str()
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("digests.rs");
    fs::write(&out, digests).unwrap_or_else(|error| panic!("cannot write {}: {error}", out.display()));
    println!("cargo::rustc-env=ANONLAB_BUILD={}", build());
}

/// Every file below `path`; cargo is told to look at all of it.
fn collect(path: &Path, files: &mut Vec<String>) {
    println!("cargo::rerun-if-changed={}", path.display());
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("cannot list {}: {error}", path.display()));
        for entry in entries.flatten() {
            collect(&entry.path(), files);
        }
    } else {
        files.push(path.to_string_lossy().replace('\\', "/"));
    }
}

/// The family of publishers that a source file belongs to.
fn family(file: &str) -> Option<String> {
    if file.starts_with(EXTERNAL) {
        return Some("external".to_string());
    }
    let within = file.strip_prefix(PUBLISHERS)?.strip_prefix('/')?;
    let name = within.split('/').next()?.trim_end_matches(".rs");
    (!SHARED_BY_PUBLISHERS.contains(&name)).then(|| name.to_string())
}

fn digest(hasher: &mut blake3::Hasher, file: &str) {
    let content = fs::read(file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    hasher.update(file.as_bytes());
    hasher.update(&(content.len() as u64).to_le_bytes());
    hasher.update(&content);
}

/// "name version checksum" of every crate that this one is linked with, from the lock file of the workspace. A crate that only the
/// report or the tests need is not among them. Without a lock file there is nothing to tell: the crate was taken
/// out of its workspace, and its manifest alone decides.
fn dependencies() -> BTreeSet<String> {
    let lock = Path::new("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let Ok(lock) = fs::read_to_string(lock) else { return BTreeSet::new() };
    let packages: Vec<Package> = lock.split("[[package]]").skip(1).map(Package::read).collect();
    let manifest = fs::read_to_string("Cargo.toml").expect("a crate has a manifest");
    let direct = direct_dependencies(&manifest, &fs::read_to_string("../../Cargo.toml").unwrap_or_default());
    let own = packages.iter().find(|package| package.name == "anonlab-core").expect("the lock file has this crate");
    let mut open: Vec<&str> = own
        .dependencies
        .iter()
        .map(String::as_str)
        .filter(|wanted| direct.contains(wanted.split(' ').next().unwrap_or_default()))
        .collect();
    let mut found = BTreeSet::new();
    while let Some(wanted) = open.pop() {
        // "name", or "name version" where the lock file has several.
        let mut words = wanted.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        let package = packages
            .iter()
            .find(|package| package.name == name && version.is_none_or(|version| package.version == version))
            .unwrap_or_else(|| panic!("the lock file has no {wanted}"));
        if found.insert(format!("{} {} {}", package.name, package.version, package.checksum)) {
            open.extend(package.dependencies.iter().map(String::as_str));
        }
    }
    found
}

/// The names of the crates in `[dependencies]`, as the lock file calls them: a renamed one by its real name.
fn direct_dependencies(manifest: &str, workspace: &str) -> BTreeSet<String> {
    let section = |text: &str, name: &str| -> Vec<(String, String)> {
        let start = format!("[{name}]");
        let lines = text.lines().skip_while(|line| line.trim() != start).skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        lines
            .filter(|line| !line.trim_start().starts_with('#'))
            .filter_map(|line| line.split_once('='))
            .map(|(name, value)| (name.trim().trim_end_matches(".workspace").to_string(), value.to_string()))
            .collect()
    };
    let shared: BTreeMap<String, String> = section(workspace, "workspace.dependencies").into_iter().collect();
    let real_name = |(name, value): (String, String)| {
        let value = shared.get(&name).cloned().unwrap_or(value);
        let renamed = value.split_once("package = \"").and_then(|(_, rest)| rest.split('"').next().map(String::from));
        renamed.unwrap_or(name)
    };
    section(manifest, "dependencies").into_iter().map(real_name).collect()
}

/// One `[[package]]` of a lock file.
struct Package {
    name: String,
    version: String,
    checksum: String,
    dependencies: Vec<String>,
}

impl Package {
    fn read(text: &str) -> Self {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.unwrap_or_default().trim_matches('"').to_string()
        };
        let list = text.split_once("dependencies = [").map(|(_, rest)| rest.split(']').next().unwrap_or_default());
        let dependencies =
            list.unwrap_or_default().lines().map(|line| line.trim().trim_matches([',', '"']).to_string());
        Self {
            name: value("name"),
            version: value("version"),
            checksum: value("checksum"),
            dependencies: dependencies.filter(|name| !name.is_empty()).map(|name| name.replace('"', "")).collect(),
        }
    }
}

/// "rustc 1.91.0, release, x86_64-unknown-linux-gnu"
fn build() -> String {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let version = Command::new(variable("RUSTC")).arg("--version").output();
    let version = version.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default();
    let version: Vec<&str> = version.split_whitespace().take(2).collect();
    format!("{}, {}, {}", version.join(" "), variable("PROFILE"), variable("TARGET"))
}
