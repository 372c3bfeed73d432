use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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
}

impl DataLocations {
    /// `data_dir` is what `--data-dir` or `ANONLAB_DATA` says; `datasets/` where neither does. The cache is in
    /// `$XDG_CACHE_HOME/anonlab`, else in `$HOME/.cache/anonlab`.
    pub fn new(data_dir: Option<PathBuf>) -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        Self {
            data_dir: data_dir.or_else(|| variable("ANONLAB_DATA")).unwrap_or_else(|| PathBuf::from("datasets")),
            cache_dir: cache.unwrap_or_else(std::env::temp_dir).join("anonlab"),
            spec_dir: PathBuf::from("."),
            carried: None,
        }
    }

    /// The same locations for a spec that lies in `spec_dir`.
    pub fn for_spec_in(&self, spec_dir: impl Into<PathBuf>) -> Self {
        Self { spec_dir: spec_dir.into(), ..self.clone() }
    }

    /// The file a path in a spec means: relative to the spec, else to the data directory.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        [&self.spec_dir, &self.data_dir].map(|dir| dir.join(path)).into_iter().find(|path| path.is_file())
    }

    /// Why `find` found nothing.
    pub(super) fn absent(&self, path: &str) -> String {
        let (spec, data) = (self.spec_dir.display(), self.data_dir.display());
        format!("there is no file `{path}`, neither beside the spec ({spec}) nor in the data directory ({data})")
    }

    /// A file of the directory, plain or gzipped.
    pub(super) fn in_directory(directory: &Path, name: &str) -> Option<PathBuf> {
        [directory.join(name), directory.join(format!("{name}.gz"))].into_iter().find(|path| path.is_file())
    }
}
