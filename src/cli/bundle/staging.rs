//! Where a capsule is put together: what may travel in one directory, and beside it all that planning needs.

use crate::capsule::{DATA, DataFile, DataPlace, SPECS, name_fault};
use crate::cli::Failure;
use crate::external::External;
use crate::lab::temporary_directory;
use crate::run::write_atomically;
use crate::sources::definition::{HierarchyDefinition, Source};
use crate::sources::{DataLocations, DatasetDefinition, DatasetEntry, FoundAt, Route, decompress, entry, find_file};
use crate::spec::{Experiment, Register, Setting, Spec};
use crate::sweep::SpecText;
use fs_err as fs;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Staging {
    directory: TempDir,
}

/// What of a spec is staged.
#[derive(Default)]
pub struct Staged {
    pub data: Vec<DataFile>,
}

/// Longer files are not read for a capsule.
const LARGEST: u64 = 4 << 30;

impl Staging {
    pub fn new() -> Result<Self, Failure> {
        let directory = temporary_directory("bundle")?;
        fs::create_dir_all(directory.path().join("plan").join(SPECS))?;
        fs::create_dir_all(directory.path().join("capsule"))?;
        Ok(Self { directory })
    }

    /// A path in the capsule.
    pub fn carried(&self, name: &str) -> PathBuf {
        self.directory.path().join("capsule").join(name)
    }

    fn planned(&self, name: &str) -> PathBuf {
        self.directory.path().join("plan").join(SPECS).join(name)
    }

    /// Every file of the capsule so far, sorted.
    pub fn files(&self) -> Result<Vec<String>, Failure> {
        let mut found = Vec::new();
        list(&self.carried(""), "", &mut found)?;
        found.sort();
        Ok(found)
    }

    /// Stages a spec with its register and the files it names, and reads it there.
    pub fn spec(&self, text: &SpecText, locations: &DataLocations) -> Result<(Spec, Staged), Failure> {
        let set: Vec<Setting> =
            text.set.iter().map(|set| Setting::argument(set)).collect::<Result<_, _>>().map_err(Failure::new)?;
        let original = Spec::parse(&text.path, &text.text)?.with(&set)?;
        let name = format!("{}.yaml", original.id);
        self.put(&name, text.text.as_bytes())?;
        let register = Register::text_beside(&text.path).or_else(|| {
            // A spec that is inside the program has a path that does not exist.
            let inside = Path::new(crate::spec::inside::FOLDER).join(&name);
            (!text.path.exists()).then(|| Register::text_beside(&inside)).flatten()
        });
        if let Some(register) = register {
            self.put(&format!("claims/{name}"), register.as_bytes())?;
        }
        let directory = original.directory();
        for algorithm in original.file.algorithms.values() {
            let Some(command) = &algorithm.command else {
                for (name, path) in finished_files(&algorithm.files.0, directory) {
                    self.file(&name, &path, true)?;
                }
                continue;
            };
            for (name, path) in External::own_files(command, &algorithm.files.0, directory) {
                self.file(&name, &path, true)?;
            }
        }
        let locations = locations.for_spec_in(directory);
        for definition in original.file.datasets.values() {
            if let Source::File(source) = &definition.source
                && let Ok(path) = locations.find(&source.file)
            {
                self.file(&source.file, &path, original.file.results.pass_on.contains(&source.file))?;
            }
            for file in hierarchy_files(definition) {
                if let Ok(path) = locations.find(file) {
                    self.file(file, &path, true)?;
                }
            }
        }
        let spec = Spec::parse(&self.planned(&name), &text.text)?.with(&set)?;
        Ok((spec, Staged::default()))
    }

    /// A text beside the spec, in both directories.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        write_atomically(&self.planned(name), bytes)?;
        Ok(write_atomically(&self.carried(SPECS).join(name), bytes)?)
    }

    /// A file that the spec names, for planning, and for the capsule where it may travel.
    fn file(&self, name: &str, path: &Path, travels: bool) -> Result<(), Failure> {
        if let Some(fault) = name_fault(name) {
            return Err(Failure::new(format!(
                "`{name}` cannot be in a capsule: {fault}. Name files by paths below the spec's own directory"
            )));
        }
        let targets = [Some(self.planned(name)), travels.then(|| self.carried(SPECS).join(name))];
        for target in targets.into_iter().flatten() {
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(path, &target)?;
        }
        Ok(())
    }

    /// The data files that the cells of an experiment read. Those of the catalogue that may travel are put into the capsule.
    pub fn data(
        &self,
        experiment: &Experiment,
        spec: &Path,
        locations: &DataLocations,
    ) -> Result<Vec<DataFile>, Failure> {
        let locations = locations.for_spec_in(spec.parent().unwrap_or(Path::new(".")));
        let mut found: BTreeMap<String, DataFile> = BTreeMap::new();
        for cell in &experiment.plan.cells {
            for (file, sha256) in cell.data.iter().filter(|(file, _)| !found.contains_key(file)).collect::<Vec<_>>() {
                let data = match &cell.cell.dataset.source {
                    Source::Catalogue(name) => match entry(name) {
                        Ok(entry) if is_of(entry, file) => self.catalogued(entry, file, sha256, &locations)?,
                        _ => continue,
                    },
                    Source::File(source) if source.file == *file => self.own(experiment, file, sha256),
                    Source::File(_) | Source::Inline(_) | Source::Synthetic(_) => continue,
                };
                found.insert(file.clone(), data);
            }
        }
        Ok(found.into_values().collect())
    }

    fn catalogued(
        &self,
        entry: &'static DatasetEntry,
        file: &str,
        sha256: &str,
        locations: &DataLocations,
    ) -> Result<DataFile, Failure> {
        let known = entry.files.iter().find(|known| known.name == file);
        let place = match known.filter(|_| entry.pass_on).and_then(|known| find_file(known, locations)) {
            Some(place) => {
                let packed = match &place {
                    FoundAt::Embedded(bytes) => bytes.to_vec(),
                    FoundAt::DataDirectory(path) | FoundAt::Cache(path) => fs::read(path)?,
                };
                let plain = decompress(&packed, LARGEST).map_err(|error| Failure::new(format!("{file}: {error}")))?;
                write_atomically(&self.carried(DATA).join(file), &plain)?;
                DataPlace::Carried(format!("{DATA}/{file}"))
            }
            None => {
                let address = known.into_iter().flat_map(|known| &known.fetch).find_map(|route| match route {
                    Route::Https(address) => Some(address.clone()),
                    Route::Pypi(_) => None,
                });
                DataPlace::Elsewhere { address, obtain: entry.obtain.clone() }
            }
        };
        Ok(DataFile {
            name: file.to_string(),
            sha256: sha256.to_string(),
            licence: entry.licence.clone(),
            citation: entry.citation.clone(),
            place,
        })
    }

    /// A file of the authors' own.
    fn own(&self, experiment: &Experiment, file: &str, sha256: &str) -> DataFile {
        let travels = experiment.spec.file.results.pass_on.iter().any(|named| named == file);
        DataFile {
            name: file.to_string(),
            sha256: sha256.to_string(),
            licence: String::new(),
            citation: String::new(),
            place: match travels {
                true => DataPlace::Carried(format!("{SPECS}/{file}")),
                false => DataPlace::Elsewhere {
                    address: None,
                    obtain: "Ask the authors for it, and put it into the data directory under its name.".to_string(),
                },
            },
        }
    }
}

/// Whether a file is one of an entry's own, not a hierarchy or a generator.
fn is_of(entry: &DatasetEntry, file: &str) -> bool {
    entry.files.iter().any(|known| known.name == file) || entry.parts.values().any(|part| part.name == file)
}

/// The files of finished releases, which are public already, and of given groups: all that lie in a directory that is named.
fn finished_files(named: &[String], directory: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for name in named {
        let path = directory.join(name);
        if path.is_file() {
            found.push((name.clone(), path));
            continue;
        }
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        files.sort();
        for file in files {
            let own = file.file_name().map(|own| own.to_string_lossy().into_owned()).unwrap_or_default();
            found.push((format!("{}/{own}", name.trim_end_matches('/')), file));
        }
    }
    found
}

fn hierarchy_files(definition: &DatasetDefinition) -> impl Iterator<Item = &str> {
    definition.hierarchies.values().chain(&definition.hierarchy).filter_map(|tree| match tree {
        HierarchyDefinition::File(file) => Some(file.file.as_str()),
        HierarchyDefinition::BuiltIn(_)
        | HierarchyDefinition::Tree(_)
        | HierarchyDefinition::Degree(_)
        | HierarchyDefinition::Height(_)
        | HierarchyDefinition::Intervals(_) => None,
    })
}

fn list(directory: &Path, prefix: &str, found: &mut Vec<String>) -> Result<(), Failure> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type()?.is_dir() {
            true => list(&entry.path(), &format!("{name}/"), found)?,
            false => found.push(name),
        }
    }
    Ok(())
}
