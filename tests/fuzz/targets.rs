//! The parsers. Each takes bytes and gives back what it complains about.

use anonlab::capsule::Capsule;
use anonlab::data::{Dataset, Hierarchy, Table, Transactions};
use anonlab::external::Said;
use anonlab::lab::Seed;
use anonlab::release::{Buckets, GroupIds, Release, ReleaseKind};
use anonlab::run::{Store, WorkOrder, parse_answer, read_answer};
use anonlab::sources::{DataLocations, DatasetDefinition, check, load};
use anonlab::spec::{PlanOptions, Spec, plan};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::Path;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// No data but what is in the program.
fn nowhere(folder: &Path) -> DataLocations {
    let (data_dir, cache_dir) = (folder.join("data"), folder.join("cache"));
    DataLocations { data_dir, cache_dir, ..DataLocations::new(None) }.for_spec_in(folder)
}

fn joined<E: ToString>(errors: &[E]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A spec is read, and what can be read is planned, within bounds.
pub fn spec(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let folder = folder();
    match Spec::parse(&folder.path().join("spec.yaml"), &text) {
        Err(errors) => Some(joined(&errors)),
        Ok(spec) => {
            let options = PlanOptions { max_cells: 1000, ..PlanOptions::of(&nowhere(folder.path())) };
            plan(&spec, &options).err().map(|errors| joined(&errors))
        }
    }
}

/// The first line is the definition of a dataset, the rest its data.
pub fn data(input: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut definition: serde_json::Value = serde_json::from_str(first).ok()?;
    if let Some(source) = definition.get_mut("source").and_then(|source| source.as_object_mut()) {
        source.insert("inline".to_string(), rest.into());
    }
    load_checked(definition, &nowhere(folder().path()))
}

fn load_checked(definition: serde_json::Value, locations: &DataLocations) -> Option<String> {
    let definition: DatasetDefinition = match serde_json::from_value(definition) {
        Ok(definition) => definition,
        Err(error) => return Some(error.to_string()),
    };
    let faults = check(&definition, locations);
    if !faults.is_empty() {
        return Some(joined(&faults));
    }
    load(&definition, locations, Seed(1)).err().map(|error| error.to_string())
}

/// A file of a hierarchy, for a table of three values.
pub fn hierarchy() -> impl FnMut(&[u8]) -> Option<String> {
    let folder = folder();
    let locations = nowhere(folder.path());
    let definition = serde_json::json!({
        "source": {"format": "csv", "inline": "q,s\n1,a\n2,b\n3,a\n"},
        "quasi_identifiers": ["q"], "sensitive": "s",
        "hierarchies": {"q": {"file": "tree.csv"}},
    });
    move |input| {
        std::fs::write(folder.path().join("tree.csv"), input).unwrap();
        load_checked(definition.clone(), &locations)
    }
}

/// The first line names a kind, and a line of three dashes parts its files.
pub fn release() -> impl FnMut(&[u8]) -> Option<String> {
    let rows: [&[&str]; 4] = [&["1", "f", "flu"], &["2", "m", "cold"], &["1", "m", "flu"], &["2", "f", "gout"]];
    let table = Table::from_rows(&["age", "sex", "ill"], &rows);
    let table = Dataset::of_table(table, &["age", "sex"], "ill").unwrap();
    let labels = [vec!["a", "b"], vec!["b", "c"], vec!["a"]];
    let transactions = Transactions::from_labels(&labels);
    let tree = Hierarchy::by_degree(&transactions.labels, &[0, 1, 2], 2).ok();
    let baskets = Dataset::of_transactions(transactions, tree, &[1]);
    move |input| {
        let (first, rest) = input.split_at(input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len()));
        let kind = ReleaseKind::ALL.iter().find(|kind| kind.about().name.as_bytes() == first)?;
        let rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        let files: Vec<&[u8]> = parted(rest);
        let original = if kind.about().files[0].ends_with(".dat") { &baskets } else { &table };
        match kind.read(original, &files) {
            Err(error) => Some(error.to_string()),
            // What was read can be written, and read again.
            Ok(release) => {
                let files = release.files(original).ok()?;
                let bytes: Vec<&[u8]> = files.iter().map(|file| file.bytes.as_slice()).collect();
                assert_eq!(kind.read(original, &bytes).unwrap(), as_written(release));
                None
            }
        }
    }
}

/// Groups are written by their numbers, whatever the files that were read call them.
fn as_written(release: Release) -> Release {
    match release {
        Release::Buckets(buckets) => Release::Buckets(Buckets { ids: GroupIds::default(), ..buckets }),
        other => other,
    }
}

fn parted(bytes: &[u8]) -> Vec<&[u8]> {
    const LINE: &[u8] = b"---\n";
    let mut files = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(LINE.len()).position(|window| window == LINE) {
        files.push(&rest[..at]);
        rest = &rest[at + LINE.len()..];
    }
    files.push(rest);
    files
}

/// The first line says whose message it is: what a program prints, what a worker answers, or what a worker is sent.
pub fn message(input: &[u8]) -> Option<String> {
    let (first, rest) = input.split_at(input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len()));
    let message = rest.strip_prefix(b"\n").unwrap_or(rest);
    match first {
        b"program" => Said::read(message).err(),
        b"worker" => repeats(parse_answer(&read_answer(message, 1 << 20, &|_| {}))),
        b"order" => serde_json::from_slice::<WorkOrder>(message).err().map(|error| error.to_string()),
        _ => None,
    }
}

/// What was understood is the same when it is written and read again.
fn repeats<T: PartialEq + Debug + Serialize + DeserializeOwned>(read: serde_json::Result<T>) -> Option<String> {
    match read {
        Err(error) => Some(error.to_string()),
        Ok(message) => {
            let again = serde_json::to_vec(&message).unwrap();
            assert_eq!(serde_json::from_slice::<T>(&again).unwrap(), message);
            None
        }
    }
}

pub fn baseline() -> impl FnMut(&[u8]) -> Option<String> {
    let folder = folder();
    move |input| {
        let path = folder.path().join("baseline.csv");
        std::fs::write(&path, input).unwrap();
        anonlab::track::read(&path).err().map(|error| error.to_string())
    }
}

/// As a file that somebody sent.
pub fn capsule() -> impl FnMut(&[u8]) -> Option<String> {
    let folder = folder();
    move |input| {
        let path = folder.path().join("capsule.zip");
        std::fs::write(&path, input).unwrap();
        Capsule::open(&path).err().map(|error| error.to_string())
    }
}

/// An entry of a store that somebody else wrote, with a right checksum: only what is an entry of that name is taken.
pub fn store() -> impl FnMut(&[u8]) -> Option<String> {
    let folder = folder();
    let shard = folder.path().join(".store/ab");
    std::fs::create_dir_all(&shard).unwrap();
    move |input| {
        let checksum = blake3::hash(input).to_hex().to_string();
        std::fs::write(shard.join("ab00"), [checksum.as_bytes(), b"\n", input].concat()).unwrap();
        let store = Store::in_directory(folder.path());
        assert_eq!(store.entries().count(), 0, "its name is that of no cell");
        None
    }
}
