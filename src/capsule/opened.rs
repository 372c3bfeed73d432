//! A capsule that was unpacked and is what its metadata says.

use super::{
    CapsuleBounds, CapsuleError, CapsuleRun, DATA, Manifest, RESULTS, SPECS, STORE, check_digests, names, unpack,
};
use crate::lab::temporary_directory;
use crate::report::Provenance;
use crate::run::{Entry, Store, key_of};
use crate::sources::DataLocations;
use crate::spec::{Experiment, PlanOptions, Setting, Spec, SpecError};
use fs_err::File;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Capsule {
    /// As it was named.
    pub path: PathBuf,
    pub manifest: Manifest,
    /// Of the zip file.
    pub sha256: String,
    directory: TempDir,
}

/// Whether a path is meant to be one.
pub fn is_capsule(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && !path.is_dir()
}

impl Capsule {
    /// Unpacks and checks it; runs nothing.
    pub fn open(path: &Path) -> Result<Self, CapsuleError> {
        let named = |error: CapsuleError| match error {
            CapsuleError::Refused(message) => {
                CapsuleError::refused(format!("{} is refused: {message}", path.display()))
            }
            CapsuleError::Io(error) => CapsuleError::refused(format!("cannot read {}: {error}", path.display())),
        };
        let open = || -> Result<Self, CapsuleError> {
            let directory = temporary_directory("capsule")?;
            let files = unpack(File::open(path)?, directory.path(), CapsuleBounds::default())?;
            check_digests(directory.path(), &files)?;
            let manifest = Manifest::read(directory.path())?;
            Ok(Self { path: path.to_path_buf(), manifest, sha256: super::digests::file_sha256(path)?, directory })
        };
        open().map_err(named)
    }

    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    pub fn results(&self, run: &CapsuleRun) -> PathBuf {
        self.directory().join(RESULTS).join(&run.id)
    }

    /// The spec as it was run.
    pub fn spec(&self, run: &CapsuleRun) -> Result<Spec, CapsuleError> {
        let path = self.directory().join(SPECS).join(format!("{}.yaml", run.id));
        let text = std::fs::read_to_string(&path).map_err(|error| {
            CapsuleError::refused(format!("{} is refused: specs/{}.yaml: {error}", self.path.display(), run.id))
        })?;
        let set: Vec<Setting> = run
            .set
            .iter()
            .map(|set| Setting::argument(set))
            .collect::<Result<_, _>>()
            .map_err(CapsuleError::refused)?;
        let spec = Spec::parse(&path, &text).map_err(told)?;
        spec.with(&set).map_err(told)
    }

    pub fn provenance(&self, run: &CapsuleRun) -> Result<Provenance, CapsuleError> {
        let broken = |error: String| {
            CapsuleError::refused(format!("{} is refused: provenance.json of {}: {error}", self.path.display(), run.id))
        };
        let bytes =
            std::fs::read(self.results(run).join("provenance.json")).map_err(|error| broken(error.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))
    }

    /// Every stored answer; and what is wrong with those that are not sound.
    pub fn entries(&self) -> (Vec<Entry>, Vec<String>) {
        let (mut entries, mut wrong) = (Vec::new(), Vec::new());
        for (name, entry) in Store::at(self.directory().join(STORE)).files() {
            match entry {
                None => wrong.push(format!("`{STORE}/…/{name}` is damaged")),
                Some(entry) if key_of(&entry.key_fields).as_str() != name => {
                    wrong.push(format!("`{STORE}/…/{name}` holds the answer of another cell"));
                }
                Some(entry) => entries.push(entry),
            }
        }
        (entries, wrong)
    }

    /// Who made it, in words: the authors that its specs name, else its file.
    pub fn submitter(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for run in &self.manifest.runs {
            for author in self.spec(run).map(|spec| spec.file.results.authors).unwrap_or_default() {
                if !names.contains(&author.name) {
                    names.push(author.name);
                }
            }
        }
        match names.is_empty() {
            true => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            false => names.join(", "),
        }
    }

    /// A run planned here. Programs are asked for their version only where `here` lets them run; else the stored cells tell it.
    pub fn experiment(
        &self,
        run: &CapsuleRun,
        entries: &[Entry],
        here: &PlanOptions,
    ) -> Result<Experiment, CapsuleError> {
        let versions = (!here.allow_external).then(|| stored_versions(entries));
        let data_dir = std::path::absolute(&here.locations.data_dir)?;
        let carried = Some(self.directory().join(DATA));
        let locations = DataLocations { data_dir, carried, ..here.locations.clone() };
        // With its version given, a program is looked for and not run.
        let wanted = run.options(PlanOptions { allow_external: true, versions, locations, ..here.clone() });
        Experiment::new(self.spec(run)?, &wanted, &run.started).map_err(told)
    }

    /// A name in it that would lead out is a lie that unpacking has refused already; this is for names inside its files.
    pub fn is_inside(name: &str) -> bool {
        names::fault(name).is_none()
    }
}

fn told(errors: Vec<SpecError>) -> CapsuleError {
    CapsuleError::refused(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// The versions of programs, by their commands: of several the first.
fn stored_versions(entries: &[Entry]) -> BTreeMap<Vec<String>, String> {
    let mut versions = BTreeMap::new();
    for program in entries.iter().filter_map(|entry| entry.key_fields.get("program")) {
        // What is no program of ours has no version.
        let Ok(ProgramVersion { command, version }) = serde_json::from_str(program) else { continue };
        versions.entry(command).or_insert(version);
    }
    versions
}

/// The part of a stored program that says who it is.
#[derive(Deserialize)]
struct ProgramVersion {
    command: Vec<String>,
    version: String,
}
