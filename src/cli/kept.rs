//! What an earlier run left in an experiment's folder, as far as a run of some of its figures keeps it.

use super::Failure;
use super::provenance::seen_from;
use crate::report::{DataUsed, FigureResult, Provenance};
use crate::run::{CsvSheet, TABLES, tell};
use crate::spec::Spec;
use serde::Deserialize;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The figures of a folder that a run leaves as they are.
pub struct Kept {
    folder: PathBuf,
    figures: Vec<FigureResult>,
}

impl Kept {
    /// Those of the spec's figures that have a record and rows in `folder` and are not `renewed`.
    pub fn beside(renewed: &[&str], spec: &Spec, folder: &Path) -> Self {
        let others: Vec<&str> =
            spec.file.figures.keys().map(String::as_str).filter(|id| !renewed.contains(id)).collect();
        if others.is_empty() {
            return Self { folder: folder.to_path_buf(), figures: Vec::new() };
        }
        let lost = |what: &str, error: &dyn Display| {
            tell!("{error}; {what} of the earlier run cannot be kept, and a run of the whole spec brings them back");
        };
        let sheets: Result<Vec<CsvSheet>, String> =
            TABLES.iter().map(|(file, _)| CsvSheet::read(&folder.join(file))).collect();
        let sheets = sheets.unwrap_or_else(|error| {
            lost("the other figures", &error);
            Vec::new()
        });
        let measured = sheets.first().map(CsvSheet::figures).unwrap_or_default();
        let read = |id: &str| FigureResult::read_record(folder, id).map_err(|error| lost("its rows", &error)).ok();
        let wanted = others.into_iter().filter(|id| measured.contains(id));
        Self { folder: folder.to_path_buf(), figures: wanted.filter_map(read).collect() }
    }

    /// Whether nothing of an earlier run is kept.
    pub fn is_empty(&self) -> bool {
        self.figures.is_empty()
    }

    /// A CSV file of this run together with the kept rows of the one that is there.
    pub fn joined(&self, file: &str, ours: &[u8], spec: &Spec) -> Result<Vec<u8>, Failure> {
        let fault = |error: csv::Error| Failure::new(format!("{file}: {error}"));
        let kept: Vec<&str> = self.figures.iter().map(|figure| figure.id.as_str()).collect();
        let order: Vec<&str> = spec.file.figures.keys().map(String::as_str).collect();
        let theirs = CsvSheet::read(&self.folder.join(file)).map_err(Failure::new)?.only(&kept);
        theirs.joined(CsvSheet::parse(ours).map_err(fault)?, &order).to_csv().map_err(fault)
    }

    /// All figures in the order of the spec, once the files are written; and the data of the kept ones.
    pub fn figures(
        self,
        ours: Vec<FigureResult>,
        spec: &Spec,
        provenance: &mut Provenance,
        before: Option<Before>,
    ) -> Result<Vec<FigureResult>, Failure> {
        let mut all = ours;
        for mut figure in self.figures {
            figure.read_observations(&self.folder)?;
            figure.kept = difference(&figure, provenance);
            all.push(figure);
        }
        let uses = |data: &DataUsed| {
            all.iter().flat_map(|figure| &figure.observations.origins).any(|(name, _)| *name == data.name)
        };
        for data in before.into_iter().flat_map(|before| before.data) {
            if uses(&data) && !provenance.data.iter().any(|known| known.name == data.name) {
                provenance.data.push(data);
            }
        }
        all.sort_by_key(|figure| spec.file.figures.get_index_of(&figure.id));
        Ok(all)
    }
}

/// In what the run that a figure is kept from was another than this one.
fn difference(figure: &FigureResult, now: &Provenance) -> Option<String> {
    let mut other = Vec::new();
    if figure.code_digest != now.code_digest {
        other.push("other code");
    }
    if figure.spec_digest != now.spec_digest {
        other.push("another version of the spec");
    }
    if figure.seed != now.seed {
        other.push("another seed");
    }
    (!other.is_empty()).then(|| format!("kept from an earlier run, with {}", other.join(", ")))
}

/// What provenance.json says of the run before.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Before {
    spec: String,
    data: Vec<DataUsed>,
}

impl Before {
    pub fn of(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join("provenance.json")).ok()?).ok()
    }
}

/// Refuses to write over the results of another spec of the same name.
pub fn check_owner(spec: &Spec, out: &Path) -> Result<(), Failure> {
    let folder = out.join(&spec.id);
    let Some(before) = Before::of(&folder).filter(|before| !before.spec.is_empty()) else { return Ok(()) };
    let other = out.join(&before.spec);
    // A spec that was moved or deleted has nothing to lose.
    if before.spec == seen_from(out, &spec.path) || !other.is_file() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} holds the results of {}, and {} has the same name: rename one, or name another directory with --out",
        folder.display(),
        other.display(),
        spec.path.display()
    )))
}
