//! What a spec means by the name of an algorithm: a built-in publisher, a program behind the external protocol, or a finished
//! release.

use super::error::unknown;
use super::model::{AlgorithmUse, SpecFile};
use crate::data::InputKind;
use crate::examination::FinishedRelease;
use crate::external::{External, Jail};
use crate::lab::{LabError, Parameter, ParameterKind, did_you_mean_or_list};
use crate::publish::{AnyPublisher, publisher, publishers};
use crate::publish::{Contract, contract, contracts};
use crate::release::{Guarantee, ReleaseKind};
use crate::run::AlgorithmCell;
use serde_json::{Map, Value};
use std::path::Path;

/// An algorithm of a spec: an entry of `algorithms`, or a built-in publisher by its own name.
pub struct NamedPublisher {
    pub name: String,
    pub algorithm: Algorithm,
    pub given: Map<String, Value>,
    /// Computed by itself, even where another entry means the same work.
    pub distinct: bool,
}

pub enum Algorithm {
    BuiltIn(&'static dyn AnyPublisher),
    External(Program),
    Finished(ReleaseFilesEntry),
}

/// What is behind an algorithm that is not built in.
#[derive(Debug, Clone)]
pub enum Outside {
    Program(External),
    Finished(FinishedRelease),
}

/// An entry with the `files` of a finished release.
pub struct ReleaseFilesEntry {
    path: String,
    contract: &'static Contract,
    parameters: Vec<Parameter>,
}

/// An entry with a `command`.
pub struct Program {
    pub command: Vec<String>,
    contract: &'static Contract,
    version: Option<String>,
    files: Vec<String>,
    counters: Vec<String>,
    randomized: bool,
    parameters: Vec<Parameter>,
}

/// What is wrong with an entry, and below which of its keys.
pub type EntryFault = (&'static str, String);

impl SpecFile {
    pub(super) fn named_publisher(&self, name: &str) -> Result<NamedPublisher, EntryFault> {
        let entry = self.algorithms.get(name);
        let algorithm = match entry.map(|entry| (entry, &entry.command)) {
            Some((entry, Some(command))) => Algorithm::External(Program::new(entry, command)?),
            Some((entry, None)) if entry.is_finished() => Algorithm::Finished(ReleaseFilesEntry::new(entry)?),
            _ => {
                if let Some(key) = entry.and_then(AlgorithmUse::first_key_of_programs) {
                    return Err((key, format!("`{key}` is for programs, and there is no `command`")));
                }
                let wanted = entry.and_then(|entry| entry.publisher.as_deref()).unwrap_or(name);
                let found = publisher(wanted).ok_or_else(|| {
                    let known = publishers().iter().map(|publisher| publisher.name());
                    let known: Vec<&str> = known.chain(self.algorithms.keys().map(String::as_str)).collect();
                    ("publisher", unknown("algorithm", wanted, &known, "anonlab algorithms list"))
                })?;
                Algorithm::BuiltIn(found)
            }
        };
        let given = entry.map(|entry| entry.parameters.clone()).unwrap_or_default();
        let distinct = entry.is_some_and(|entry| entry.distinct);
        Ok(NamedPublisher { name: name.to_string(), algorithm, given, distinct })
    }
}

impl AlgorithmUse {
    /// Whether it names the files of a finished release.
    fn is_finished(&self) -> bool {
        self.publisher.is_none() && !self.files.0.is_empty()
    }

    /// A key that only programs have, and this entry too.
    fn first_key_of_programs(&self) -> Option<&'static str> {
        [
            ("release", self.release.is_some()),
            ("guarantee", self.guarantee.is_some()),
            ("version", self.version.is_some()),
            ("files", !self.files.0.is_empty() && !self.takes_groups()),
            ("counters", !self.counters.is_empty()),
            ("randomized", self.randomized.is_some()),
        ]
        .into_iter()
        .find(|&(_, given)| given)
        .map(|(key, _)| key)
    }
}

impl Program {
    fn new(entry: &AlgorithmUse, command: &[String]) -> Result<Self, EntryFault> {
        if entry.publisher.is_some() {
            return Err(("publisher", "an algorithm has a `publisher` or a `command`, not both".to_string()));
        }
        if command.first().is_none_or(String::is_empty) {
            return Err(("command", "the command is empty; it begins with a program: [python3, mine.py]".to_string()));
        }
        let contract = contract_of(entry, "command", "a program needs the kind of its `release`")?;
        let parameters = all_parameters(entry, contract);
        Ok(Self {
            command: command.to_vec(),
            contract,
            version: entry.version.clone(),
            files: entry.files.0.clone(),
            counters: entry.counters.clone(),
            randomized: entry.randomized.unwrap_or(true),
            parameters,
        })
    }

    /// Finds its files, and asks for its version where the spec gives none.
    fn resolve(&self, directory: &Path, jail: Jail) -> Result<External, String> {
        let Self { command, contract, version, files, .. } = self;
        External::resolve(command, contract.release, contract.name, version.as_deref(), files, directory, jail)
    }
}

impl ReleaseFilesEntry {
    fn new(entry: &AlgorithmUse) -> Result<Self, EntryFault> {
        let [path] = entry.files.0.as_slice() else {
            return Err(("files", "a finished release is one directory or one file".to_string()));
        };
        let of_programs = [
            ("version", entry.version.is_some()),
            ("counters", !entry.counters.is_empty()),
            ("randomized", entry.randomized.is_some()),
        ];
        if let Some((key, _)) = of_programs.into_iter().find(|&(_, given)| given) {
            return Err((key, format!("`{key}` is for programs; these are the files of a finished release")));
        }
        let contract = contract_of(entry, "files", "the files of a release need its kind in `release`")?;
        Ok(Self { path: path.clone(), contract, parameters: all_parameters(entry, contract) })
    }
}

/// What the release of an entry is held to. `needs` says that the kind is missing, below the key `at`.
fn contract_of(entry: &AlgorithmUse, at: &'static str, needs: &str) -> Result<&'static Contract, EntryFault> {
    let release = entry.release.ok_or_else(|| {
        let mut kinds: Vec<String> = contracts().iter().map(|contract| contract.release.to_string()).collect();
        kinds.dedup();
        (at, format!("{needs}: {}", kinds.join(", ")))
    })?;
    contract(release, entry.guarantee.as_deref()).ok_or_else(|| {
        let known: Vec<&str> =
            contracts().iter().filter(|known| known.release == release).map(|known| known.name).collect();
        let wanted = entry.guarantee.as_deref().unwrap_or_default();
        let hint = did_you_mean_or_list(wanted, &known);
        ("guarantee", format!("{release} have no guarantee `{wanted}`; {hint}"))
    })
}

/// The parameters of the guarantee, and those of the entry's own.
fn all_parameters(entry: &AlgorithmUse, contract: &Contract) -> Vec<Parameter> {
    let mut parameters = contract.parameters();
    for (name, value) in &entry.parameters {
        if !parameters.iter().any(|known| known.name == *name) {
            parameters.push(own_parameter(name, value));
        }
    }
    parameters
}

/// A parameter that only the program knows; what the spec gives is its default.
fn own_parameter(name: &str, value: &Value) -> Parameter {
    Parameter {
        name: name.to_string(),
        kind: ParameterKind::Other,
        optional: true,
        default: Some(value.clone()),
        minimum: None,
        maximum: None,
        exclusive: (false, false),
        about: "a parameter of the program's own".to_string(),
    }
}

impl NamedPublisher {
    /// A built-in publisher by its own name.
    pub fn built_in(publisher: &'static dyn AnyPublisher) -> Self {
        Self {
            name: publisher.name().to_string(),
            algorithm: Algorithm::BuiltIn(publisher),
            given: Map::new(),
            distinct: false,
        }
    }

    /// The program behind it, if it may run, or the files.
    pub fn outside(&self, directory: &Path, allow_external: bool, jail: Jail) -> Result<Option<Outside>, EntryFault> {
        match &self.algorithm {
            Algorithm::BuiltIn(_) => Ok(None),
            Algorithm::Finished(ReleaseFilesEntry { path, contract, .. }) => {
                let finished = FinishedRelease::resolve(path, contract.release, contract.name, directory);
                finished.map(|finished| Some(Outside::Finished(finished))).map_err(|error| ("files", error.to_string()))
            }
            Algorithm::External(program) if allow_external => {
                let resolved = program.resolve(directory, jail);
                resolved.map(|program| Some(Outside::Program(program))).map_err(|message| ("command", message))
            }
            Algorithm::External(program) => {
                let (name, command) = (&self.name, program.command.join(" "));
                let message = format!(
                    "`{name}` wants to run the command `{command}`; commands of a spec run only under --allow-external"
                );
                Err(("command", message))
            }
        }
    }

    /// As a part of a cell, with complete parameters and its program.
    pub fn cell(&self, parameters: Map<String, Value>, outside: Option<Outside>) -> AlgorithmCell {
        let publisher = match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.name().to_string(),
            Algorithm::External(program) => program.command.join(" "),
            Algorithm::Finished(_) => "files".to_string(),
        };
        let (external, finished) = match outside {
            None => (None, None),
            Some(Outside::Program(program)) => (Some(program), None),
            Some(Outside::Finished(finished)) => (None, Some(finished)),
        };
        AlgorithmCell { name: self.name.clone(), publisher, parameters, external, finished, distinct: self.distinct }
    }

    /// What its release must keep.
    pub fn guarantee(&self, parameters: &Map<String, Value>) -> Result<Guarantee, LabError> {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.guarantee(parameters),
            Algorithm::External(program) => program.contract.guarantee(parameters),
            Algorithm::Finished(files) => files.contract.guarantee(parameters),
        }
    }

    pub fn input(&self) -> InputKind {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.about().input,
            Algorithm::External(program) => program.contract.input(),
            Algorithm::Finished(files) => files.contract.input(),
        }
    }

    pub fn release(&self) -> ReleaseKind {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.about().release,
            Algorithm::External(program) => program.contract.release,
            Algorithm::Finished(files) => files.contract.release,
        }
    }

    /// Whether repetitions differ.
    pub fn randomized(&self) -> bool {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.about().randomized,
            Algorithm::External(program) => program.randomized,
            Algorithm::Finished(_) => false,
        }
    }

    pub fn parameters(&self) -> &[Parameter] {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.parameters(),
            Algorithm::External(program) => &program.parameters,
            Algorithm::Finished(files) => &files.parameters,
        }
    }

    /// The names of what it counts.
    pub fn counters(&self) -> Vec<&str> {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.about().counters.iter().map(|metric| metric.name).collect(),
            Algorithm::External(program) => program.counters.iter().map(String::as_str).collect(),
            Algorithm::Finished(_) => Vec::new(),
        }
    }

    /// The phases it times, as far as they are known beforehand.
    pub fn phases(&self) -> &'static [&'static str] {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.about().phases,
            Algorithm::External(_) | Algorithm::Finished(_) => &[],
        }
    }

    /// Fills in defaults and checks what can be checked.
    pub fn complete(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, LabError> {
        match &self.algorithm {
            Algorithm::BuiltIn(publisher) => publisher.complete(given),
            Algorithm::External(program) => program.contract.complete(given),
            Algorithm::Finished(files) => files.contract.complete(given),
        }
    }
}
