//! The history file: one line a revision, cell and metric, in the order in which revisions were measured.
//!
//! ```text
//! revision,machine,cell,metric,value
//! 19f45e8a35025,1f2e3d4c,anatomy/0a1b2c3d4e5f,seconds,0.0123
//! ```
//!
//! A metric with many values in a cell (a curve) is its mean, a sampled one its median.

use super::change_points::noise;
use super::snapshot::{CellId, Snapshot};
use super::{Lane, TrackError, rule};
use crate::data::write_csv;
use crate::run::write_atomically;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

const HEADER: [&str; 5] = ["revision", "machine", "cell", "metric", "value"];
/// Fewer runs than this have no spread to speak of.
const FEWEST: usize = 5;

#[derive(Debug, Clone, PartialEq)]
pub struct HistoryLine {
    pub revision: String,
    pub machine: String,
    pub cell: CellId,
    pub metric: String,
    pub value: f64,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    lines: Vec<HistoryLine>,
}

impl History {
    /// A file that is not there yet is an empty history.
    pub fn read(path: &Path) -> Result<Self, TrackError> {
        match std::fs::read(path) {
            Ok(bytes) => Self::from_csv(&bytes).map_err(|message| TrackError(format!("{}: {message}", path.display()))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(TrackError(format!("cannot read {}: {error}", path.display()))),
        }
    }

    fn from_csv(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(|error| error.to_string())?;
        if header.iter().ne(HEADER) {
            return Err(format!("it does not begin with `{}`, so it is no history", HEADER.join(",")));
        }
        let mut lines = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = CellId::parse(&record[2]).ok_or_else(|| format!("line {line}: `{}` is no cell", &record[2]))?;
            let value = record[4].parse().map_err(|_| format!("line {line}: `{}` is no number", &record[4]))?;
            let text = |field: usize| record[field].to_string();
            lines.push(HistoryLine { revision: text(0), machine: text(1), cell, metric: text(3), value });
        }
        Ok(Self { lines })
    }

    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let row = |line: &HistoryLine| {
            [
                line.revision.clone(),
                line.machine.clone(),
                line.cell.to_string(),
                line.metric.clone(),
                line.value.to_string(),
            ]
        };
        let rows = std::iter::once(HEADER.map(String::from)).chain(self.lines.iter().map(row));
        write_atomically(path, &write_csv(rows))
    }

    /// Adds a run. A revision that was measured on this machine before is measured anew: its old lines go.
    pub fn append(&mut self, revision: &str, machine: &str, snapshot: &Snapshot) {
        let measured = |line: &HistoryLine| {
            line.revision == revision
                && line.machine == machine
                && snapshot.experiments.contains_key(&line.cell.experiment)
        };
        self.lines.retain(|line| !measured(line));
        for (cell, record) in snapshot.cells.iter().filter(|(_, record)| record.is_ok()) {
            self.lines.extend(record.summed().into_iter().map(|(metric, summed)| HistoryLine {
                revision: revision.to_string(),
                machine: machine.to_string(),
                cell: cell.clone(),
                metric,
                value: summed.value,
            }));
        }
    }

    /// In the order of their first lines; one that was measured anew on its only machine stands last.
    pub fn revisions(&self) -> Vec<&str> {
        let mut revisions: Vec<&str> = Vec::new();
        for line in &self.lines {
            // Lines of a revision follow each other, so that the last one is nearly always the one.
            if revisions.last() != Some(&line.revision.as_str()) && !revisions.contains(&line.revision.as_str()) {
                revisions.push(&line.revision);
            }
        }
        revisions
    }

    /// The values of every series at each of `revisions`. Noisy ones are those of one machine: times of different
    /// machines make no series.
    pub fn series(&self, revisions: &[&str], machine: &str) -> BTreeMap<(CellId, String), Vec<Option<f64>>> {
        let places: BTreeMap<&str, usize> = revisions.iter().enumerate().map(|(i, revision)| (*revision, i)).collect();
        let mut series: BTreeMap<(CellId, String), Vec<Option<f64>>> = BTreeMap::new();
        for line in &self.lines {
            let (Some(&place), true) =
                (places.get(line.revision.as_str()), line.machine == machine || rule(&line.metric).lane == Lane::Exact)
            else {
                continue;
            };
            let values =
                series.entry((line.cell.clone(), line.metric.clone())).or_insert_with(|| vec![None; revisions.len()]);
            values[place] = Some(line.value);
        }
        series
    }

    /// How far a metric moves by itself from run to run on a machine, as a share of it; None of fewer than five runs.
    pub fn spread(&self, cell: &CellId, metric: &str, machine: &str) -> Option<f64> {
        let own = |line: &&HistoryLine| line.cell == *cell && line.metric == metric && line.machine == machine;
        let logs: Vec<f64> = self.lines.iter().filter(own).map(|line| line.value.ln()).collect();
        (logs.len() >= FEWEST && logs.iter().all(|log| log.is_finite())).then(|| noise(&logs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::exact::tests::snapshot;

    fn with_seconds(seconds: f64) -> Snapshot {
        let mut snapshot = snapshot();
        for record in snapshot.cells.values_mut() {
            record.costs.insert("seconds".into(), vec![seconds; 3]);
        }
        snapshot
    }

    #[test]
    fn a_run_is_appended_once_and_read_as_it_was_written() {
        let mut history = History::default();
        for revision in ["r1", "r2", "r1"] {
            history.append(revision, "m1", &with_seconds(0.5));
        }
        assert_eq!(history.lines.len(), 2 * 2 * 5);
        assert_eq!(history.revisions(), ["r2", "r1"]);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("history.csv");
        history.write(&path).unwrap();
        assert_eq!(History::read(&path).unwrap(), history);
        assert_eq!(History::read(&directory.path().join("none.csv")).unwrap(), History::default());
        std::fs::write(&path, "a,b\n").unwrap();
        assert!(History::read(&path).unwrap_err().to_string().contains("no history"));
    }

    #[test]
    fn a_spread_needs_five_runs_on_the_same_machine_and_does_not_mind_a_step() {
        let mut history = History::default();
        let cell = snapshot().cells.keys().next().unwrap().clone();
        for (run, seconds) in [1.00, 1.02, 0.99, 1.01, 2.00, 2.03, 1.98].into_iter().enumerate() {
            let known = history.spread(&cell, "seconds", "m1");
            assert_eq!(known.is_some(), run >= 5);
            history.append(&format!("r{run}"), "m1", &with_seconds(seconds));
        }
        let spread = history.spread(&cell, "seconds", "m1").unwrap();
        assert!((0.01..0.04).contains(&spread), "{spread}");
        assert_eq!(history.spread(&cell, "seconds", "m2"), None);
        assert_eq!(history.spread(&cell, "allocations", "m1"), Some(0.0));
    }
}
