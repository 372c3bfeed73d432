//! The baseline file: CSV of five columns, sorted, one line a fact, so that a diff of two shows what changed.
//!
//! ```text
//! cell,kind,name,at,value
//! anatomy,run,build,,"rustc 1.91.0, release, x86_64-unknown-linux-gnu"
//! anatomy/0a1b2c3d4e5f,cell,title,,"anatomy on adult, l=6"
//! anatomy/0a1b2c3d4e5f,cell,status,,ok
//! anatomy/0a1b2c3d4e5f,cost,peak_heap_bytes,,123456
//! anatomy/0a1b2c3d4e5f,metric,mean_relative_error,,0.0123
//! ```

use super::snapshot::{CellId, CostConditions, Record, Snapshot};
use super::{Lane, TrackError, rule};
use crate::data::write_csv;
use crate::run::{Status, write_atomically};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const HEADER: [&str; 5] = ["cell", "kind", "name", "at", "value"];
/// The version of the format, in a line of its own.
const FORMAT: &str = "1";

/// Writes a baseline: one file, or in a directory one file an experiment. Gives what it wrote.
pub fn write(snapshot: &Snapshot, into: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, is_file) = (Vec::new(), into.extension().is_some_and(|extension| extension == "csv"));
    if is_file && !into.is_dir() {
        write_atomically(into, &to_csv(snapshot))?;
        return Ok(vec![into.to_path_buf()]);
    }
    for experiment in snapshot.experiments.keys() {
        let file = into.join(format!("{experiment}.csv"));
        write_atomically(&file, &to_csv(&snapshot.clone().restricted_to(std::slice::from_ref(experiment))))?;
        files.push(file);
    }
    Ok(files)
}

pub(super) fn to_csv(snapshot: &Snapshot) -> Vec<u8> {
    let mut rows: Vec<[String; 5]> = Vec::new();
    let row =
        |cell: &str, kind: &str, name: &str, at: &str, value: &str| [cell, kind, name, at, value].map(String::from);
    rows.push(row("", "run", "format", "", FORMAT));
    for (experiment, about) in &snapshot.experiments {
        rows.push(row(experiment, "run", "build", "", &about.build));
        // Exact numbers are the same on every machine; only noisy ones need to know.
        let noisy = |(id, record): (&CellId, &Record)| {
            id.experiment == *experiment && record.costs.keys().any(|cost| rule(cost).lane == Lane::Noisy)
        };
        if snapshot.cells.iter().any(noisy) {
            rows.push(row(experiment, "run", "machine", "", &about.machine));
        }
    }
    for (id, record) in &snapshot.cells {
        let id = id.to_string();
        // Other reasons may name paths of the machine; what a verifier refused is a fact of the release.
        let refused = if record.status == Some(Status::Invalid) { record.reason.as_str() } else { "" };
        let facts = [
            ("title", record.title.as_str()),
            ("figures", &record.figures.join(" ")),
            ("data", &record.data),
            ("status", record.status_word()),
            ("reason", refused),
            ("release", &record.release),
            ("verified", &record.verified),
        ];
        let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
        rows.extend(facts.map(|(name, value)| row(&id, "cell", name, "", value)));
        for (cost, samples) in &record.costs {
            for (sample, value) in samples.iter().enumerate() {
                let at = if samples.len() > 1 { format!("{}", sample + 1) } else { String::new() };
                rows.push(row(&id, "cost", cost, &at, &value.to_string()));
            }
        }
        rows.extend(
            record.metrics.iter().map(|((metric, at), value)| row(&id, "metric", metric, at, &value.to_string())),
        );
    }
    write_csv(std::iter::once(HEADER.map(String::from)).chain(rows))
}

/// Reads a baseline: a file, or every CSV file of a directory.
pub fn read(path: &Path) -> Result<Snapshot, TrackError> {
    let fault = |error: &dyn std::fmt::Display| TrackError(format!("cannot read {}: {error}", path.display()));
    let mut files = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| fault(&error))?;
        files = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|file| file.extension().is_some_and(|e| e == "csv"))
            .collect();
        files.sort();
        if files.is_empty() {
            return Err(TrackError(format!(
                "there is no baseline (*.csv) in {}; `anonlab track record --into {}` makes one",
                path.display(),
                path.display()
            )));
        }
    }
    let mut snapshot = Snapshot::default();
    for file in files {
        let bytes =
            std::fs::read(&file).map_err(|error| TrackError(format!("cannot read {}: {error}", file.display())))?;
        let part = from_csv(&bytes).map_err(|message| TrackError(format!("{}: {message}", file.display())))?;
        let known: BTreeSet<&String> = snapshot.experiments.keys().collect();
        if let Some(twice) = part.experiments.keys().find(|experiment| known.contains(experiment)) {
            return Err(TrackError(format!("{}: `{twice}` is in another file of the baseline, too", file.display())));
        }
        snapshot.experiments.extend(part.experiments);
        snapshot.cells.extend(part.cells);
    }
    Ok(snapshot)
}

pub(super) fn from_csv(bytes: &[u8]) -> Result<Snapshot, String> {
    let mut snapshot = Snapshot::default();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut format = None;
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let fields: Vec<&str> = record.iter().collect();
        let line = record.position().map_or(number as u64 + 1, csv::Position::line);
        let [cell, kind, name, at, value] = fields[..] else {
            return Err(format!("line {line} has {} fields, not the five of a baseline", fields.len()));
        };
        if number == 0 {
            if fields != HEADER {
                return Err(format!("it does not begin with `{}`, so it is no baseline", HEADER.join(",")));
            }
            continue;
        }
        if (cell, kind, name) == ("", "run", "format") {
            format = Some(value.to_string());
            continue;
        }
        take(&mut snapshot, cell, kind, name, at, value).map_err(|message| format!("line {line}: {message}"))?;
    }
    match format.as_deref() {
        Some(FORMAT) => Ok(snapshot),
        Some(other) => Err(format!("it has format {other}; this program reads format {FORMAT}")),
        None => Err("it does not say its format, so it is no baseline".to_string()),
    }
}

fn take(snapshot: &mut Snapshot, cell: &str, kind: &str, name: &str, at: &str, value: &str) -> Result<(), String> {
    if kind == "run" {
        let about: &mut CostConditions = snapshot.experiments.entry(cell.to_string()).or_default();
        match name {
            "build" => about.build = value.to_string(),
            "machine" => about.machine = value.to_string(),
            other => return Err(format!("nothing of a run is called `{other}`")),
        }
        return Ok(());
    }
    let id = CellId::parse(cell).ok_or_else(|| format!("`{cell}` is no cell; one is written experiment/digest"))?;
    snapshot.experiments.entry(id.experiment.clone()).or_default();
    let record = snapshot.cells.entry(id).or_default();
    let number = || value.parse::<f64>().map_err(|_| format!("`{value}` is no number"));
    match (kind, name) {
        ("metric", metric) => {
            record.metrics.insert((metric.to_string(), at.to_string()), number()?);
        }
        ("cost", cost) => record.costs.entry(cost.to_string()).or_default().push(number()?),
        ("cell", "title") => record.title = value.to_string(),
        ("cell", "figures") => record.figures = value.split(' ').map(String::from).collect(),
        ("cell", "data") => record.data = value.to_string(),
        ("cell", "status") => record.status = Some(value.parse()?),
        ("cell", "reason") => record.reason = value.to_string(),
        ("cell", "release") => record.release = value.to_string(),
        ("cell", "verified") => record.verified = value.to_string(),
        _ => return Err(format!("a line of kind `{kind}` and name `{name}` is not known")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::exact::tests::snapshot;

    #[test]
    fn a_baseline_is_read_as_it_was_written() {
        let mut written = snapshot();
        let record = written.cells.values_mut().next().unwrap();
        record.title = "a, \"quoted\"\ntitle".to_string();
        record.metrics.insert(("odd".into(), "x,y".into()), f64::NAN);
        record.costs.insert("seconds".into(), vec![0.5, 0.25, 0.125]);
        let bytes = to_csv(&written);
        let read = from_csv(&bytes).unwrap();
        // NaN is not equal to itself, so the bytes speak.
        assert_eq!(to_csv(&read), bytes);
        assert_eq!(read.experiments, written.experiments);
        assert_eq!(read.cells.len(), written.cells.len());
    }

    #[test]
    fn lines_are_sorted_and_few_change_at_once() {
        let text = String::from_utf8(to_csv(&snapshot())).unwrap();
        insta::assert_snapshot!(text, @r#"
    cell,kind,name,at,value
    ,run,format,,1
    e,run,build,,rustc 1
    e/aaaaaaaaaaaa,cell,title,,"anatomy on adult, l=2"
    e/aaaaaaaaaaaa,cell,figures,,fig1
    e/aaaaaaaaaaaa,cell,data,,adult.data@0123456789ab
    e/aaaaaaaaaaaa,cell,status,,ok
    e/aaaaaaaaaaaa,cell,release,,cccccccccccc
    e/aaaaaaaaaaaa,cell,verified,,"{""guarantee"":""diversity"",""l"":2}"
    e/aaaaaaaaaaaa,cost,allocations,,500
    e/aaaaaaaaaaaa,cost,peak_heap_bytes,,1000000
    e/aaaaaaaaaaaa,metric,groups,,100
    e/aaaaaaaaaaaa,metric,mean_relative_error,,0.5
    e/bbbbbbbbbbbb,cell,title,,"anatomy on adult, l=3"
    e/bbbbbbbbbbbb,cell,figures,,fig1
    e/bbbbbbbbbbbb,cell,data,,adult.data@0123456789ab
    e/bbbbbbbbbbbb,cell,status,,ok
    e/bbbbbbbbbbbb,cell,release,,cccccccccccc
    e/bbbbbbbbbbbb,cell,verified,,"{""guarantee"":""diversity"",""l"":3}"
    e/bbbbbbbbbbbb,cost,allocations,,500
    e/bbbbbbbbbbbb,cost,peak_heap_bytes,,1000000
    e/bbbbbbbbbbbb,metric,groups,,100
    e/bbbbbbbbbbbb,metric,mean_relative_error,,0.5
    "#);
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_its_line() {
        let refused = |text: &str| from_csv(text.as_bytes()).unwrap_err();
        assert_eq!(refused("a,b\n"), "line 1 has 2 fields, not the five of a baseline");
        assert_eq!(refused(""), "it does not say its format, so it is no baseline");
        let head = "cell,kind,name,at,value\n,run,format,,1\n";
        assert_eq!(refused(&format!("{head}e/1,metric,x,,much\n")), "line 3: `much` is no number");
        assert_eq!(
            refused(&format!("{head}e/1,cell,status,,okay\n")),
            "line 3: `okay` is no status; did you mean `ok`?"
        );
        assert_eq!(
            refused(&format!("{head}e,cell,title,,x\n")),
            "line 3: `e` is no cell; one is written experiment/digest"
        );
        assert_eq!(
            refused("cell,kind,name,at,value\n,run,format,,9\n"),
            "it has format 9; this program reads format 1"
        );
    }
}
