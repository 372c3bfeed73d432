//! What was begun in an output directory, for `collect` to finish: a folder a sweep in `.sweeps`, which shards and tasks
//! on other machines share.

use super::SweepError;
use super::slurm::Slurm;
use super::submission::Submission;
use crate::run::{TimeLimit, code_digest, write_atomically};
use crate::sources::DataLocations;
use crate::spec::{Experiment, PlanOptions, Setting, Spec};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What was asked for: all that a plan depends on, so that it is the same on another day in another directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRequest {
    pub specs: Vec<SpecText>,
    pub plan: PlanOptions,
    pub keep_releases: bool,
    /// Of the program that planned: another one would look for other cells.
    pub code: String,
    pub started: String,
    /// In how many parts, where it is run in shards.
    pub shards: Option<usize>,
    /// How to submit, where Slurm runs it.
    pub slurm: Option<Cluster>,
}

/// A spec as it was: one that is edited later is another sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpecText {
    pub path: PathBuf,
    pub text: String,
    /// What was changed in it: PATH=YAML.
    #[serde(default)]
    pub set: Vec<String>,
}

/// How to submit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    pub partition: Option<String>,
    /// Further words for `sbatch`.
    pub arguments: Vec<String>,
    pub batch: TimeLimit,
}

impl Cluster {
    pub fn queue(&self) -> Slurm {
        Slurm { partition: self.partition.clone(), arguments: self.arguments.clone() }
    }
}

/// A request in its folder.
#[derive(Debug)]
pub struct RequestedSweep {
    pub folder: PathBuf,
    pub request: SweepRequest,
}

const REQUEST: &str = "request.json";

impl SweepRequest {
    pub fn new(specs: &[Spec], wanted: &PlanOptions, keep_releases: bool, started: &str) -> Result<Self, SweepError> {
        let text = |spec: &Spec| {
            let path = std::path::absolute(&spec.path)?;
            Ok(SpecText { path, text: spec.text.clone(), set: spec.arguments() })
        };
        let data_dir = std::path::absolute(&wanted.locations.data_dir)?;
        let allowed = wanted.locations.allowed.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let locations = DataLocations { data_dir, allowed, ..wanted.locations.clone() };
        Ok(Self {
            specs: specs.iter().map(text).collect::<Result<_, SweepError>>()?,
            // Leave to run programs is given anew by whoever collects.
            plan: PlanOptions { locations, allow_external: false, ..wanted.clone() },
            keep_releases,
            code: code_digest().to_string(),
            started: started.to_string(),
            shards: None,
            slurm: None,
        })
    }

    /// Whether both mean the same cells.
    fn is_same_sweep(&self, other: &Self) -> bool {
        let bare = |request: &Self| Self { started: String::new(), shards: None, slurm: None, ..request.clone() };
        bare(self) == bare(other)
    }

    fn ids(&self) -> Vec<String> {
        self.specs.iter().map(|spec| spec.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()).collect()
    }

    /// A folder's name, of the names of its specs.
    fn name(&self) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        let name: String = self.ids().join("+").chars().map(|c| if fits(c) { c } else { '_' }).collect();
        match name.len() > 80 || name.starts_with('.') {
            true => blake3::hash(name.as_bytes()).to_hex()[..16].to_string(),
            false => name,
        }
    }
}

impl RequestedSweep {
    /// Writes down what is begun. Shards that begin the same sweep at the same time write the same.
    pub fn begin(out: &Path, mut request: SweepRequest) -> Result<Self, SweepError> {
        let folder = sweeps(out).join(request.name());
        if let Ok(RequestedSweep { request: known, .. }) = Self::read(&folder)
            && known.is_same_sweep(&request)
        {
            request.started = known.started;
            request.slurm = request.slurm.or(known.slurm);
            request.shards = request.shards.or(known.shards);
        }
        let sweep = Self { folder, request };
        sweep.write_request(&sweep.folder)?;
        // An experiment has one folder of results, so the sweep that began last has it.
        for other in Self::in_directory(out)? {
            let shared = other.request.ids().iter().any(|id| sweep.request.ids().contains(id));
            if other.folder != sweep.folder && shared {
                match fs_err::remove_file(other.folder.join(REQUEST)) {
                    // Another shard of the same sweep was faster.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
        }
        Ok(sweep)
    }

    /// Everything that was begun in a directory, by name.
    pub fn in_directory(out: &Path) -> Result<Vec<Self>, SweepError> {
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(sweeps(out)).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        folders.sort();
        let is_there = |folder: &Path| folder.join(REQUEST).is_file();
        let read = |folder: &PathBuf| match Self::read(folder) {
            // Whoever begins another sweep may remove it meanwhile.
            Err(_) if !is_there(folder) => None,
            found => Some(found),
        };
        folders.iter().filter(|folder| is_there(folder)).filter_map(read).collect()
    }

    /// The request in a folder: a sweep's, or the copy in one of its submissions.
    pub fn read(folder: &Path) -> Result<Self, SweepError> {
        let path = folder.join(REQUEST);
        let named = |error: String| SweepError::Input(format!("cannot read {}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| named(error.to_string()))?;
        let request = serde_json::from_slice(&bytes).map_err(|error| named(error.to_string()))?;
        Ok(Self { folder: folder.to_path_buf(), request })
    }

    pub fn write_request(&self, folder: &Path) -> Result<(), SweepError> {
        let text = serde_json::to_string_pretty(&self.request).map_err(|error| SweepError::Input(error.to_string()))?;
        Ok(write_atomically(&folder.join(REQUEST), text.as_bytes())?)
    }

    pub fn name(&self) -> String {
        self.request.ids().join(", ")
    }

    /// Where its data is looked for. The directory it was begun with, unless that is on another machine.
    pub fn locations(&self, here: &DataLocations) -> DataLocations {
        let begun_with = &self.request.plan.locations.data_dir;
        match begun_with.is_dir() {
            // Leave to read files elsewhere is given anew by whoever collects.
            true => DataLocations { allowed: here.allowed.clone(), ..DataLocations::new(Some(begun_with.clone())) },
            false => here.clone(),
        }
    }

    /// Plans it again, as it was.
    pub fn experiments(&self, here: &DataLocations, allow_external: bool) -> Result<Vec<Experiment>, SweepError> {
        let SweepRequest { plan, code, started, .. } = &self.request;
        if code != code_digest() {
            return Err(SweepError::Input(format!(
                "`{}` was begun by another build of anonlab (code {}, this one has {}), whose cells are others; use that \
                 build, or begin anew with this one",
                self.name(),
                &code.chars().take(12).collect::<String>(),
                &code_digest()[..12]
            )));
        }
        let wanted = PlanOptions { locations: self.locations(here), allow_external, ..plan.clone() };
        let read = |SpecText { path, text, set }: &SpecText| -> Result<Spec, SweepError> {
            let set: Vec<Setting> =
                set.iter().map(|set| Setting::argument(set)).collect::<Result<_, _>>().map_err(SweepError::Input)?;
            Ok(Spec::parse(path, text)?.with(&set)?)
        };
        self.request.specs.iter().map(|spec| Ok(Experiment::new(read(spec)?, &wanted, started)?)).collect()
    }

    /// The folders of its submissions, the oldest first.
    fn submission_folders(&self) -> Vec<(usize, PathBuf)> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let number = |path: PathBuf| Some((path.file_name()?.to_str()?.parse().ok()?, path));
        let mut found: Vec<(usize, PathBuf)> = entries.filter_map(number).collect();
        found.sort();
        found
    }

    pub fn submissions(&self) -> Result<Vec<Submission>, SweepError> {
        self.submission_folders().iter().map(|(_, folder)| Ok(Submission::read(folder)?)).collect()
    }

    /// Where the next one goes.
    pub fn next_submission(&self) -> PathBuf {
        let last = self.submission_folders().last().map_or(0, |(number, _)| *number);
        self.folder.join((last + 1).to_string())
    }
}

fn sweeps(out: &Path) -> PathBuf {
    out.join(".sweeps")
}
