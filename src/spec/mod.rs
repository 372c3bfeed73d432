//! The YAML model of a spec, its checks, and the expansion of its sweeps into cells.

pub mod claim;
pub mod draw;
pub mod expectation;
pub mod inside;
pub mod reference;
mod samples;
pub mod select;

mod algorithm;
mod axis;
mod because;
mod cell_template;
mod check;
mod data_check;
mod error;
mod experiment;
mod given_groups;
mod model;
mod plan;
mod position;
mod reading;
mod register;
mod schema;
mod setting;
mod shared;
mod sharing;
mod sweep;
mod tree;

pub use algorithm::{NamedPublisher, Outside};
pub use data_check::{Built, CheckedData, check_data};
pub use error::SpecError;
pub use experiment::{Experiment, all_cells, all_company};
pub use model::{AlgorithmUse, Figure, MeasureUse, Paper, Quick, SpecFile};
pub use plan::{MOST_CELLS, Plan, PlanOptions, PlannedFigure, plan};
pub use reading::{DEFAULT as DEFAULT_READING, MOST_SEEDS, Reading, ReadingChoice, Variant};
pub use register::{Register, Statement};
pub use schema::json_schema;
pub use setting::{Setting, set_in_dataset};
pub use sharing::{Author, Sharing};
pub use sweep::{Range, Sweep, Values};

use crate::sources::Fault;
use position::Positions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A spec that parsed and whose every name, type and combination is known to be right.
#[derive(Debug)]
pub struct Spec {
    pub path: PathBuf,
    /// The file's name without its ending: the experiment's folder and address.
    pub id: String,
    /// The file's own words.
    pub text: String,
    /// Of the file's bytes.
    pub digest: String,
    pub file: SpecFile,
    /// The statements of the paper that claims name; empty where there is no register beside the spec.
    pub register: Register,
    /// Changes that `file` has and the text has not.
    pub set: Vec<Setting>,
    positions: Positions,
}

/// Where parameters belong that somebody wrote into a figure's list of names, as other tools have it.
fn misplaced_parameters(path: &[String]) -> Option<&'static str> {
    match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["figures", _, "measures", _] => Some(
            "; a measure with parameters is an entry of the spec's `measures:`, and its name stands here: \
                  `measures: {mine: {measure: query-error, parameters: {dim: 2}}}`",
        ),
        ["figures", _, "algorithms", _] => Some(
            "; an algorithm with parameters is an entry of the spec's `algorithms:`, and its name stands here: \
                  `algorithms: {mine: {publisher: anatomy, parameters: {l: 4}}}`",
        ),
        ["figures", _, "datasets", _] => Some("; data is defined in the spec's `datasets:`, and its name stands here"),
        _ => None,
    }
}

/// The version of the format this program reads.
const FORMAT: u32 = 1;

impl Spec {
    /// Reads and checks a spec; gives every error it can find at once. A spec of the papers that is absent here is read
    /// from inside the program.
    pub fn read(path: &Path) -> Result<Self, Vec<SpecError>> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(error) => match inside::text(path) {
                Some(text) if error.kind() == ErrorKind::NotFound => Self::parse(path, text),
                _ => Err(vec![SpecError::new(path, None, format!("cannot be read: {error}"))]),
            },
        }
    }

    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<SpecError>> {
        let mut file: SpecFile = serde_yaml::from_str(text).map_err(|error| {
            let mut error = SpecError::from_yaml(path, &error);
            if let Some(hint) = error.position.and_then(|at| misplaced_parameters(Positions::of(text).at(at)?)) {
                error.message += hint;
            }
            vec![error]
        })?;
        file.complete(path).map_err(|error| vec![error])?;
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
        let beside = Register::path_beside(path);
        let register = Register::read(&beside).map_err(|error| vec![SpecError::new(&beside, None, error)])?;
        let (path, positions) = (path.to_path_buf(), Positions::of(text));
        let spec = Self { path, id, text: text.to_string(), digest, file, register, set: Vec::new(), positions };
        let faults = spec.faults();
        if faults.is_empty() { Ok(spec) } else { Err(faults) }
    }

    /// Everything that is wrong with it, before anything runs.
    fn faults(&self) -> Vec<SpecError> {
        if self.file.anonlab != FORMAT {
            let message = format!("format {} is not known; this program reads `anonlab: {FORMAT}`", self.file.anonlab);
            return vec![self.error(&["anonlab"], message)];
        }
        let faults = check::faults(self);
        // Once names and kinds are right, every combination must be, too.
        if faults.is_empty() { plan::faults(self) } else { faults }
    }

    /// The directory that relative paths in the spec are relative to.
    pub fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    /// What the spec means by the name of an algorithm.
    pub fn algorithm(&self, name: &str) -> Result<NamedPublisher, SpecError> {
        self.file.named_publisher(name).map_err(|(key, message)| self.error(&["algorithms", name, key], message))
    }

    /// An error in the definition of a dataset.
    fn dataset_fault(&self, dataset: &str, fault: &Fault) -> SpecError {
        let below = fault.path.replace(['[', ']'], ".");
        let below = below.split('.').filter(|part| !part.is_empty());
        let path: Vec<&str> = ["datasets", dataset].into_iter().chain(below).collect();
        self.error(&path, fault.message.clone())
    }

    /// An error at the key or entry that `path` leads to.
    fn error<S: AsRef<str>>(&self, path: &[S], message: impl Into<String>) -> SpecError {
        let path: Vec<String> = path.iter().map(|part| part.as_ref().to_string()).collect();
        SpecError::new(&self.path, self.positions.find(&path), message)
    }
}
