//! Under which settings an experiment's findings were made: from `provenance.json` and the records of its figures.

use crate::data::Origin;
use crate::report::ReportError;
use crate::report::results::DataUsed;
use crate::run::Machine;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What whoever reads a finding must know about the run behind it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunSettings {
    pub version: String,
    pub revision: Option<String>,
    /// Which readings were gone through: none, each or all.
    pub readings: String,
    pub seeds: usize,
    /// The first of them.
    pub seed: u64,
    /// What the command line changed in the spec.
    pub set: Vec<String>,
    pub figures: usize,
    /// Figures of which only the small variant was run.
    pub quick_figures: usize,
    /// Data sets that stood in for real ones.
    pub stand_ins: Vec<String>,
    /// Data sets that the spec itself has generated, as for figures about growth.
    pub generated: Vec<String>,
    pub machine: Machine,
    pub started: String,
    pub finished: String,
}

#[derive(Deserialize)]
struct SettingsRecord {
    version: String,
    git_revision: Option<String>,
    /// None where it is unknown.
    git_dirty: Option<bool>,
    readings: String,
    seeds: usize,
    seed: u64,
    set: Vec<String>,
    data: Vec<DataUsed>,
    machine: Machine,
    started: String,
    finished: String,
}

/// The part of a figure's record that matters here.
#[derive(Deserialize)]
struct FigureRecord {
    quick: bool,
}

impl RunSettings {
    /// None where the folder has no provenance, as in reports of earlier versions.
    pub fn read(folder: &Path) -> Result<Option<Self>, ReportError> {
        let Some(record) = read_json::<SettingsRecord>(&folder.join("provenance.json"))? else { return Ok(None) };
        let mut figures = Vec::new();
        for entry in std::fs::read_dir(folder.join("figures")).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                figures.extend(read_json::<FigureRecord>(&path)?);
            }
        }
        let revision = record.git_revision.map(|revision| match record.git_dirty {
            Some(true) => format!("{} with changes", short(&revision)),
            Some(false) | None => short(&revision).to_string(),
        });
        let named = |origin: Origin| {
            let wanted = |data: &&DataUsed| data.origin == origin;
            // Under a reading, or along an axis, it may have other files: `pos (part=both)`.
            let own = |data: &DataUsed| data.name.split(" (").next().unwrap_or(&data.name).to_string();
            record.data.iter().filter(wanted).map(own).collect::<IndexSet<String>>().into_iter().collect()
        };
        Ok(Some(Self {
            version: record.version,
            revision,
            readings: record.readings,
            seeds: record.seeds,
            seed: record.seed,
            set: record.set,
            figures: figures.len(),
            quick_figures: figures.iter().filter(|figure| figure.quick).count(),
            stand_ins: named(Origin::StandIn),
            generated: named(Origin::Generated),
            machine: record.machine,
            started: record.started,
            finished: record.finished,
        }))
    }

    /// "each reading, 10 seeds from 1 on, full sweeps, no stand-ins, generated data (many)"
    pub fn words(&self) -> String {
        let readings = match self.readings.as_str() {
            "none" => "the spec as it stands",
            "all" => "every combination of readings",
            _ => "each reading",
        };
        let seeds = match self.seeds {
            1 => format!("seed {}", self.seed),
            several => format!("{several} seeds from {} on", self.seed),
        };
        let sweeps = match self.quick_figures {
            0 => "full sweeps".to_string(),
            all if all == self.figures => "the small variant of every sweep".to_string(),
            some => format!("the small variant of {some} of {} figures", self.figures),
        };
        let data = match self.stand_ins.as_slice() {
            [] => "no stand-ins".to_string(),
            names => format!("stand-ins for {}", names.join(", ")),
        };
        let generated = match self.generated.as_slice() {
            [] => String::new(),
            names => format!(", generated data ({})", names.join(", ")),
        };
        let set = self.set.iter().map(|set| format!(", with `{set}`")).collect::<String>();
        format!("{readings}, {seeds}, {sweeps}, {data}{generated}{set}")
    }
}

fn short(revision: &str) -> &str {
    revision.get(..10).unwrap_or(revision)
}

/// Nothing where there is no such file.
fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, ReportError> {
    let fault = |error: String| ReportError::Input(format!("cannot read {}: {error}", path.display()));
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| fault(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(error.to_string())),
    }
}
