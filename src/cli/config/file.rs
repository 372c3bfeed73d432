//! A user's own defaults, in a file.

use crate::cli::Failure;
use crate::spec::SpecError;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What the file may say. A relative path is relative to where anonlab is run, as on the command line; `~/` is the home
/// directory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// Where data sets are looked for first.
    pub data_dir: Option<String>,
    /// Cells at once.
    pub jobs: Option<usize>,
    /// Where results go.
    pub out: Option<String>,
}

/// The defaults, and the file they are from, whether it exists or not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigFile {
    /// None where there is no home directory.
    pub path: Option<PathBuf>,
    pub exists: bool,
    pub defaults: Defaults,
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl ConfigFile {
    /// `$XDG_CONFIG_HOME/anonlab/config.yaml`, else `~/.config/anonlab/config.yaml`.
    pub fn read() -> Result<Self, Failure> {
        let directory = variable("XDG_CONFIG_HOME").or_else(|| Some(variable("HOME")?.join(".config")));
        let Some(path) = directory.map(|directory| directory.join("anonlab").join("config.yaml")) else {
            return Ok(Self::default());
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let defaults = parse(&path, &text).map_err(|error| Failure::new(error.to_string()))?;
                Ok(Self { path: Some(path), exists: true, defaults })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Self { path: Some(path), ..Self::default() })
            }
            Err(error) => Err(Failure::new(format!("{}: cannot be read: {error}", path.display()))),
        }
    }
}

fn parse(path: &Path, text: &str) -> Result<Defaults, SpecError> {
    // A file of comments alone says nothing.
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Defaults::default());
    }
    let mut defaults: Defaults = serde_yaml::from_str(text).map_err(|error| SpecError::from_yaml(path, &error))?;
    if defaults.jobs == Some(0) {
        return Err(SpecError::new(path, None, "`jobs` must be at least 1, not 0"));
    }
    for directory in [&mut defaults.data_dir, &mut defaults.out].into_iter().flatten() {
        if let (Some(rest), Some(home)) = (directory.strip_prefix("~/"), variable("HOME")) {
            *directory = home.join(rest).to_string_lossy().into_owned();
        }
    }
    Ok(defaults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_some_of_it_and_slips_are_told() {
        let read = |text: &str| parse("c.yaml".as_ref(), text).map_err(|error| error.to_string());
        assert_eq!(read("# nothing yet\n").unwrap(), Defaults::default());
        let defaults = read("jobs: 3\nout: results\n").unwrap();
        assert_eq!((defaults.jobs, defaults.out.as_deref(), defaults.data_dir), (Some(3), Some("results"), None));
        assert!(!read("data_dir: ~/data\n").unwrap().data_dir.unwrap().starts_with('~'));
        assert_eq!(read("job: 3\n").unwrap_err(), "c.yaml:1:1: there is no key `job` here; did you mean `jobs`?");
        assert_eq!(read("jobs: 0\n").unwrap_err(), "c.yaml: `jobs` must be at least 1, not 0");
        assert!(read("jobs: many\n").unwrap_err().starts_with("c.yaml:1:7: "));
    }
}
