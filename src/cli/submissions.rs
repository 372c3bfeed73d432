//! Results of several people, side by side: capsules and folders of runs.

use super::Failure;
use crate::capsule::{Capsule, is_capsule};
use crate::report::{ClaimsTable, Observations, Provenance};
use crate::run::Machine;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Somebody's results of one experiment.
pub struct SubmittedResults {
    /// What its algorithms are marked with.
    pub label: String,
    pub file: String,
    pub experiment: String,
    /// Who made it, or where it is, where nobody says.
    pub submitter: String,
    pub licence: String,
    pub code: String,
    pub spec_digest: String,
    pub machine: Machine,
    pub finished: String,
    folder: PathBuf,
    /// Its files live as long as it does.
    _capsule: Option<Rc<Capsule>>,
}

impl SubmittedResults {
    /// What these paths hold of one experiment; which, must be clear or said.
    pub fn all(paths: &[PathBuf], experiment: Option<&str>) -> Result<Vec<Self>, Failure> {
        let mut found = Self::everything(paths)?;
        if let Some(wanted) = experiment {
            found.retain(|submission| submission.experiment == wanted);
        }
        let names = names(&found);
        match names.as_slice() {
            [_] => Ok(found),
            [] => Err(Failure::new(format!("none of these has an experiment `{}`", experiment.unwrap_or_default()))),
            several => Err(Failure::new(format!(
                "there are several experiments: {}; name one with --experiment",
                several.join(", ")
            ))),
        }
    }

    /// What these paths hold, with labels that differ.
    pub fn everything(paths: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        let mut found: Vec<Self> = Vec::new();
        let folders: Vec<&Path> = paths.iter().map(PathBuf::as_path).filter(|path| !is_capsule(path)).collect();
        for path in paths {
            let own = match is_capsule(path) {
                true => Self::of_capsule(path)?,
                false => vec![Self::of_folder(path, &told_apart(path, &folders))?],
            };
            for mut submission in own {
                let taken = |label: &str, found: &[Self]| {
                    found.iter().any(|known| known.label == label && known.experiment == submission.experiment)
                };
                let mut label = submission.submitter.clone();
                let mut number = 2;
                while taken(&label, &found) {
                    label = format!("{} {number}", submission.submitter);
                    number += 1;
                }
                submission.label = label;
                found.push(submission);
            }
        }
        Ok(found)
    }

    fn of_capsule(path: &Path) -> Result<Vec<Self>, Failure> {
        let capsule = Rc::new(Capsule::open(path)?);
        let submitter = capsule.submitter();
        let of_run = |run: &crate::capsule::CapsuleRun| -> Result<Self, Failure> {
            let licence = capsule.spec(run)?.file.results.licence.unwrap_or_default();
            let folder = capsule.results(run);
            let own = Self::new(path, &run.id, &submitter, capsule.provenance(run)?, folder);
            Ok(Self { licence, _capsule: Some(capsule.clone()), ..own })
        };
        capsule.manifest.runs.iter().map(of_run).collect()
    }

    fn of_folder(path: &Path, submitter: &str) -> Result<Self, Failure> {
        let file = path.join("provenance.json");
        let named = |error: String| {
            Failure::new(format!(
                "cannot read {}: {error}; name capsules (*.zip) and folders of experiments, as `anonlab run` leaves them",
                file.display()
            ))
        };
        let bytes = std::fs::read(&file).map_err(|error| named(error.to_string()))?;
        let provenance = serde_json::from_slice(&bytes).map_err(|error| named(error.to_string()))?;
        let whole = fs_err::canonicalize(path)?;
        let id = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self::new(path, &id, submitter, provenance, whole.clone()))
    }

    fn new(path: &Path, experiment: &str, submitter: &str, provenance: Provenance, folder: PathBuf) -> Self {
        Self {
            label: submitter.to_string(),
            file: path.display().to_string(),
            experiment: experiment.to_string(),
            submitter: submitter.to_string(),
            licence: String::new(),
            code: provenance.code_digest.chars().take(12).collect(),
            spec_digest: provenance.spec_digest,
            machine: provenance.machine,
            finished: provenance.finished,
            folder,
            _capsule: None,
        }
    }

    /// Everything it measured, figure by figure, its algorithms marked as its own.
    fn observations(&self) -> Result<Vec<Observations>, Failure> {
        let figures = Observations::read_figures(&self.folder)?;
        Ok(figures.into_iter().map(|figure| figure.labelled(&self.label)).collect())
    }

    pub fn claims(&self) -> Result<ClaimsTable, Failure> {
        Ok(ClaimsTable::read(&self.folder)?)
    }
}

/// Everything that all of them measured.
pub fn observations(submissions: &[&SubmittedResults]) -> Result<Vec<Observations>, Failure> {
    let mut all = Vec::new();
    for one in submissions {
        all.extend(one.observations()?);
    }
    Ok(all)
}

/// The part of a folder's path in which it differs from the others: of `ada/reports/injector` and `grace/reports/injector` it is `ada`.
/// Alone it is called by the folder it lies in, since its own name is the experiment's.
fn told_apart(path: &Path, among: &[&Path]) -> String {
    let parts = |path: &Path| -> Vec<String> {
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let own = parts(path);
    let others: Vec<Vec<String>> = among.iter().filter(|other| **other != path).map(|other| parts(other)).collect();
    let alike = |pairs: &mut dyn Iterator<Item = (&String, &String)>| pairs.take_while(|(a, b)| a == b).count();
    let first = others.iter().map(|other| alike(&mut own.iter().zip(other))).min().unwrap_or(own.len());
    let at_end = |other: &Vec<String>| alike(&mut own[first..].iter().rev().zip(other[first..].iter().rev()));
    let last = own.len() - others.iter().map(at_end).min().unwrap_or(0);
    match &own[first..last] {
        [] => own.iter().rev().take(2).next_back().cloned().unwrap_or_default(),
        apart => apart.join("/"),
    }
}

/// The experiments that these are of, each once.
pub fn names(submissions: &[SubmittedResults]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for submission in submissions {
        if !names.contains(&submission.experiment) {
            names.push(submission.experiment.clone());
        }
    }
    names
}

/// Who is who, and in what they are not alike.
pub fn told(submissions: &[SubmittedResults]) -> Vec<String> {
    let mut lines: Vec<String> = submissions
        .iter()
        .map(|one| {
            let Machine { processor, cores, .. } = &one.machine;
            format!("[{}] {}: code {}, {processor} with {cores} cores, {}", one.label, one.file, one.code, one.finished)
        })
        .collect();
    lines.extend(differences(&submissions.iter().collect::<Vec<_>>()));
    lines
}

/// What a reader of values side by side must know.
pub fn differences(submissions: &[&SubmittedResults]) -> Vec<String> {
    let differ = |of: fn(&SubmittedResults) -> &String| submissions.windows(2).any(|pair| of(pair[0]) != of(pair[1]));
    let mut notes = Vec::new();
    if differ(|one| &one.code) {
        notes.push("They were computed by different code, and stand side by side, never as one.".to_string());
    }
    if differ(|one| &one.spec_digest) {
        notes.push("Their specs differ: values are compared where data and parameters are the same.".to_string());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::told_apart;
    use std::path::Path;

    #[test]
    fn folders_are_called_by_what_tells_them_apart() {
        for (paths, called) in [
            (&["ada/reports/injector", "grace/reports/injector"][..], &["ada", "grace"][..]),
            (&["/home/ada/injector", "/home/grace/work/injector"], &["ada", "grace/work"]),
            (&["work/reports/injector"], &["reports"]),
            (&["a/injector", "a/b/injector"], &["a", "b"]),
            (&["x/injector", "x/injector"], &["x", "x"]),
            (&["injector"], &["injector"]),
        ] {
            let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
            let found: Vec<String> = paths.iter().map(|path| told_apart(path, &paths)).collect();
            assert_eq!(found, called);
        }
    }
}
