//! What `--against` names: a baseline, a capsule, another build, or a revision.

use super::revision;
use crate::capsule::is_capsule;
use crate::cli::Failure;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq)]
pub enum Against {
    Baseline(PathBuf),
    Binary(PathBuf),
    Capsule(PathBuf),
    /// The full name of a commit.
    Revision(String),
}

impl Against {
    pub fn resolve(text: &str) -> Result<Self, Failure> {
        let path = Path::new(text);
        if path.is_dir() || (path.is_file() && path.extension().is_some_and(|extension| extension == "csv")) {
            return Ok(Self::Baseline(path.to_path_buf()));
        }
        if path.is_file() && is_capsule(path) {
            return Ok(Self::Capsule(path.to_path_buf()));
        }
        let executable = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0);
        if path.is_file() {
            return match executable(path) {
                true => Ok(Self::Binary(std::path::absolute(path)?)),
                false => Err(Failure::new(format!(
                    "{text} is neither a baseline (*.csv) nor a capsule (*.zip) nor a program that can run"
                ))),
            };
        }
        revision::commit(text).map(Self::Revision).ok_or_else(|| {
            Failure::new(format!(
                "`{text}` is no file, no directory and no revision of a git repository here; --against takes a \
                 baseline (`anonlab track record` makes one), a capsule, an anonlab binary, or a revision"
            ))
        })
    }
}
