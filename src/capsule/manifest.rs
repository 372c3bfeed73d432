//! capsule.json: which runs a capsule holds, and all that planning them again needs besides the spec.

use super::{CapsuleError, MANIFEST};
use crate::data::Origin;
use crate::run::{Key, code_digest};
use crate::spec::{PlanOptions, ReadingChoice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format this program reads and writes.
const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format.
    pub capsule: u32,
    pub made_by: MadeBy,
    /// In the order of their names.
    pub runs: Vec<CapsuleRun>,
}

/// The program that made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeBy {
    pub version: String,
    /// Of what computes answers.
    pub code: String,
}

/// A spec as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapsuleRun {
    /// The name of the spec and of its folder of results.
    pub id: String,
    /// What the command line changed in the spec: PATH=YAML.
    pub set: Vec<String>,
    pub quick: bool,
    /// These figures alone; all when empty.
    pub only: Vec<String>,
    pub seed: Option<u64>,
    pub seeds: Option<u32>,
    pub readings: ReadingChoice,
    pub started: String,
    /// The cells whose data was not the real one in full.
    pub origins: BTreeMap<String, Origin>,
}

impl Manifest {
    pub fn new(runs: Vec<CapsuleRun>) -> Self {
        let made_by = MadeBy { version: env!("CARGO_PKG_VERSION").to_string(), code: code_digest().to_string() };
        Self { capsule: FORMAT, made_by, runs }
    }

    pub fn read(directory: &Path) -> Result<Self, CapsuleError> {
        let broken = |message: String| CapsuleError::refused(format!("`{MANIFEST}`: {message}"));
        let bytes = std::fs::read(directory.join(MANIFEST)).map_err(|_| broken("it is missing".to_string()))?;
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
        if manifest.capsule != FORMAT {
            return Err(broken(format!("format {} is not known; this program reads {FORMAT}", manifest.capsule)));
        }
        for (i, run) in manifest.runs.iter().enumerate() {
            // It becomes a path.
            if let Some(fault) = super::names::fault(&run.id).or(run.id.contains('/').then_some("it has a slash")) {
                return Err(broken(format!("`{}` is no name of a spec: {fault}", run.id)));
            }
            if manifest.runs[..i].iter().any(|other| other.id == run.id) {
                return Err(broken(format!("two runs are called `{}`", run.id)));
            }
        }
        if manifest.runs.is_empty() {
            return Err(broken("it has no run".to_string()));
        }
        Ok(manifest)
    }

    pub fn json(&self) -> Result<String, CapsuleError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| CapsuleError::refused(error.to_string()))?;
        Ok(text + "\n")
    }
}

impl CapsuleRun {
    pub fn new(id: &str, set: Vec<String>, wanted: &PlanOptions, started: &str) -> Self {
        Self {
            id: id.to_string(),
            set,
            quick: wanted.quick,
            only: wanted.only.clone(),
            seed: wanted.seed,
            seeds: wanted.seeds,
            readings: wanted.readings,
            started: started.to_string(),
            origins: BTreeMap::new(),
        }
    }

    /// What to plan it again with; the rest is for whoever plans to say.
    pub fn options(&self, here: PlanOptions) -> PlanOptions {
        PlanOptions {
            quick: self.quick,
            only: self.only.clone(),
            seed: self.seed,
            seeds: self.seeds,
            readings: self.readings,
            ..here
        }
    }

    /// Whether the data of a cell was the real one, where it was computed.
    pub fn origin(&self, key: &Key) -> Origin {
        self.origins.get(key.as_str()).copied().unwrap_or(Origin::Real)
    }
}
