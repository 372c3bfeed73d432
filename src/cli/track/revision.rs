//! A revision as the other side: its specs and programs, and, where the repository is anonlab's own, its build.

use crate::cli::Failure;
use crate::cli::repository::Repository;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commit that a name means in the repository we are in.
pub fn commit(name: &str) -> Option<String> {
    Repository::around(Path::new("."))?.commit(name)
}

/// A revision's files, in a directory of the cache.
pub struct Checkout {
    /// Of the repository we are in.
    root: PathBuf,
    source: PathBuf,
    cache: PathBuf,
}

impl Checkout {
    /// Unpacks a commit, once.
    pub fn of(commit: &str, cache: &Path) -> Result<Self, Failure> {
        let fault = |error: &dyn std::fmt::Display| Failure::new(format!("cannot unpack {commit}: {error}"));
        let repository = Repository::around(Path::new(".")).ok_or_else(|| Failure::new("this is no git repository"))?;
        let cache = cache.join("track").join(commit);
        let source = cache.join("source");
        if !source.is_dir() {
            std::fs::create_dir_all(&cache).map_err(|error| fault(&error))?;
            let fresh =
                tempfile::Builder::new().prefix(".source-").tempdir_in(&cache).map_err(|error| fault(&error))?;
            let mut archive = repository.archive(commit).map_err(|error| fault(&error))?;
            if let Some(files) = archive.stdout.take() {
                tar::Archive::new(files).unpack(fresh.path()).map_err(|error| fault(&error))?;
            }
            if !archive.wait().is_ok_and(|status| status.success()) {
                return Err(fault(&"git archive failed"));
            }
            // Another check may have been faster, which is as good.
            if std::fs::rename(fresh.path(), &source).is_ok() {
                let _ = fresh.keep();
            }
        }
        Ok(Self { root: repository.root().to_path_buf(), source, cache })
    }

    /// The same specs as they were then; those that were not there are left out, those outside the repository stay.
    pub fn specs(&self, specs: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut then = Vec::new();
        for spec in specs {
            let path = std::fs::canonicalize(spec)
                .map_err(|error| Failure::new(format!("cannot read {}: {error}", spec.display())))?;
            match path.strip_prefix(fs_err::canonicalize(&self.root)?) {
                Ok(inside) if self.source.join(inside).is_file() => then.push(self.source.join(inside)),
                Ok(_) => {}
                Err(_) => then.push(path),
            }
        }
        Ok(then)
    }

    /// The revision's own build, made once; None where the repository is not anonlab's, and this program serves both. Building
    /// runs what the revision says (build scripts), so it must be `allowed` as any command of a spec.
    pub fn binary(&self, allowed: bool) -> Result<Option<PathBuf>, Failure> {
        let manifest = self.source.join("Cargo.toml");
        let own =
            std::fs::read_to_string(&manifest).is_ok_and(|text| text.lines().any(|line| line == r#"name = "anonlab""#));
        if !own {
            return Ok(None);
        }
        if !allowed {
            return Err(Failure::new(
                "building a revision runs its build scripts and its program; pass --allow-external if you trust it",
            ));
        }
        let built = self.cache.join("anonlab");
        if !built.is_file() {
            // Dependencies are those of most revisions, so one target directory serves them all.
            let target = self.cache.with_file_name("target");
            let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
                .args(["build", "--release", "--locked", "--bin", "anonlab", "--manifest-path"])
                .arg(&manifest)
                .env("CARGO_TARGET_DIR", &target)
                .status()
                .map_err(|error| Failure::new(format!("cannot start cargo: {error}")))?;
            if !status.success() {
                return Err(Failure::new(format!("cargo cannot build {}", self.source.display())));
            }
            let fresh = self.cache.join(".anonlab");
            fs_err::copy(target.join("release/anonlab"), &fresh)?;
            fs_err::rename(&fresh, &built)?;
        }
        Ok(Some(built))
    }
}
