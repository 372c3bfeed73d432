use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// Where data is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataLocations {
    /// Searched first. It need not exist.
    pub data_dir: PathBuf,
    /// What was fetched, and the checksums of files already seen.
    pub cache_dir: PathBuf,
    /// What relative paths in a spec are relative to: the spec's own directory.
    pub spec_dir: PathBuf,
    /// What a capsule carries: looked into last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<PathBuf>,
    /// Directories besides, whose files a spec may read: `--allow-files`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<PathBuf>,
    /// Whether paths are those of a spec, which may come from a stranger; those of a command line are the user's own.
    #[serde(default)]
    pub of_spec: bool,
}

/// What the command line says: data directory, and directories that specs may read files of. Specs are checked while they are
/// read, by code that is not told.
static SAID: OnceLock<(PathBuf, Vec<PathBuf>)> = OnceLock::new();

impl DataLocations {
    /// As the command line of this process says; from now on [`DataLocations::new`] knows it, too.
    pub fn said(data_dir: PathBuf, allowed: Vec<PathBuf>) -> Self {
        let said = SAID.get_or_init(|| (data_dir, allowed));
        Self::new(Some(said.0.clone()))
    }

    /// `data_dir` is what `--data-dir` or `ANONLAB_DATA` says; `datasets/` where neither does. The cache is in
    /// `$XDG_CACHE_HOME/anonlab`, else in `$HOME/.cache/anonlab`.
    pub fn new(data_dir: Option<PathBuf>) -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        Self {
            data_dir: data_dir
                .or_else(|| SAID.get().map(|said| said.0.clone()))
                .or_else(|| variable("ANONLAB_DATA"))
                .unwrap_or_else(|| PathBuf::from("datasets")),
            cache_dir: cache.unwrap_or_else(std::env::temp_dir).join("anonlab"),
            spec_dir: PathBuf::from("."),
            carried: None,
            allowed: SAID.get().map(|said| said.1.clone()).unwrap_or_default(),
            of_spec: false,
        }
    }

    /// The same locations for a spec that lies in `spec_dir`.
    pub fn for_spec_in(&self, spec_dir: impl Into<PathBuf>) -> Self {
        Self { spec_dir: spec_dir.into(), of_spec: true, ..self.clone() }
    }

    /// The same locations for paths of the user's own, relative to `directory`.
    pub fn beside(&self, directory: impl Into<PathBuf>) -> Self {
        Self { spec_dir: directory.into(), of_spec: false, ..self.clone() }
    }

    /// The file a path in a spec means: relative to the spec, else to the data directory. A spec reads files below
    /// these two and below directories that its user allowed.
    pub fn find(&self, path: &str) -> Result<PathBuf, String> {
        let (spec, data) = (self.spec_dir.display(), self.data_dir.display());
        let places = [&self.spec_dir, &self.data_dir].map(|dir| dir.join(path));
        let Some(found) = places.into_iter().find(|path| path.is_file()) else {
            return Err(format!(
                "there is no file `{path}`, neither beside the spec ({spec}) nor in the data directory ({data})"
            ));
        };
        match !self.of_spec || self.may_be_read(&found) {
            true => Ok(found),
            false => Err(format!(
                "`{path}` lies outside of the spec's directory ({spec}) and of the data directory ({data}); \
                 --allow-files DIR lets specs read files below DIR"
            )),
        }
    }

    /// Where links lead counts, but for the data directory, which is the user's own: links in it are, too.
    fn may_be_read(&self, file: &Path) -> bool {
        let is_plain = |part| matches!(part, Component::Normal(_));
        if file.strip_prefix(&self.data_dir).is_ok_and(|below| below.components().all(is_plain)) {
            return true;
        }
        let Ok(file) = file.canonicalize() else { return false };
        // A bare file name has an empty directory: the one we are in.
        let real = |directory: &PathBuf| match directory.as_os_str().is_empty() {
            true => Path::new(".").canonicalize(),
            false => directory.canonicalize(),
        };
        let directories = [&self.spec_dir, &self.data_dir].into_iter().chain(&self.allowed);
        directories.filter_map(|directory| real(directory).ok()).any(|directory| file.starts_with(directory))
    }

    /// A file of the directory, plain or gzipped.
    pub(super) fn in_directory(directory: &Path, name: &str) -> Option<PathBuf> {
        [directory.join(name), directory.join(format!("{name}.gz"))].into_iter().find(|path| path.is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_spec_reads_beside_itself_in_the_data_directory_and_where_it_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for directory in ["specs/below", "data", "home", "elsewhere"] {
            fs::create_dir_all(path(directory)).unwrap();
        }
        for file in ["specs/a.csv", "specs/below/b.csv", "data/c.csv", "home/secret", "elsewhere/d.csv"] {
            fs::write(path(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(path("home/secret"), path("specs/link.csv")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere/d.csv"), path("data/d.csv")).unwrap();
        let locations = DataLocations { data_dir: path("data"), ..DataLocations::new(None) }.for_spec_in(path("specs"));
        for inside in ["a.csv", "below/b.csv", "below/../a.csv", "c.csv", "d.csv"] {
            assert!(locations.find(inside).is_ok(), "{inside}");
        }
        let absolute = path("home/secret").display().to_string();
        for outside in ["../home/secret", "link.csv", "below/../../home/secret", absolute.as_str()] {
            let error = locations.find(outside).unwrap_err();
            assert!(error.contains("lies outside") && error.contains("--allow-files"), "{outside}: {error}");
        }
        assert!(locations.find("nothing.csv").unwrap_err().starts_with("there is no file `nothing.csv`"));
        let allowed = DataLocations { allowed: vec![path("home")], ..locations };
        assert!(allowed.find("../home/secret").is_ok() && allowed.find("link.csv").is_ok());
        assert!(allowed.find("../elsewhere/d.csv").is_err());
    }
}
