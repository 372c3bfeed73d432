//! A program as a spec names it, with everything by which a changed program is noticed.

use super::jail::{Grants, Jail, refusal};
use super::version::ask_version;
use crate::release::ReleaseKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A program that acts as a publisher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct External {
    /// As the spec has it: nothing in it depends on where the spec lies.
    pub command: Vec<String>,
    /// The kind of release that it gives.
    pub release: ReleaseKind,
    /// The contract it is held to.
    pub guarantee: String,
    /// What it says of itself under `--version`, or what the spec says.
    pub version: String,
    /// The program, and every file that the command or the spec names.
    pub files: Vec<NamedFile>,
    /// What they are relative to: the spec's directory. Not part of the key.
    pub directory: PathBuf,
    /// Whether it must run in a jail. Not part of the key: what runs there has its answer there and elsewhere.
    #[serde(default)]
    pub jail: Jail,
}

/// A file whose bytes can change what the program does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedFile {
    /// As it is named.
    pub name: String,
    /// Of its bytes.
    pub digest: String,
    stamp: Stamp,
}

/// What tells without reading a file that it is still the one that was digested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    modified: (i64, i64),
    inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { bytes: metadata.len(), modified: (metadata.mtime(), metadata.mtime_nsec()), inode: metadata.ino() }
    }
}

impl External {
    /// Finds and digests what `command` and `files` name. Asks the program for its version where the spec gives none, so
    /// only for those whose commands may run.
    pub fn resolve(
        command: &[String],
        release: ReleaseKind,
        guarantee: &str,
        version: Option<&str>,
        files: &[String],
        directory: &Path,
        jail: Jail,
    ) -> Result<Self, String> {
        if let Some(refusal) = refusal(jail) {
            return Err(refusal);
        }
        let Some(program) = command.first() else { return Err("the command is empty".to_string()) };
        let mut named = vec![digest(program, &find_program(program, directory)?)?];
        for argument in &command[1..] {
            if let Some(path) = file_in(directory, argument) {
                named.push(digest(argument, &path)?);
            }
        }
        for name in files {
            let path = file_in(directory, name)
                .ok_or_else(|| format!("there is no file `{name}` (looked for in {})", directory.display()))?;
            named.push(digest(name, &path)?);
        }
        let mut external = Self {
            command: command.to_vec(),
            release,
            guarantee: guarantee.to_string(),
            version: String::new(),
            files: named,
            directory: directory.to_path_buf(),
            jail,
        };
        external.version = match version {
            Some(version) => version.to_string(),
            None => external.ask_version()?,
        };
        Ok(external)
    }

    /// The files beside a spec that `command` and `files` name: what a program brings along. Runs nothing.
    pub fn own_files(command: &[String], files: &[String], directory: &Path) -> Vec<(String, PathBuf)> {
        let named = command.iter().chain(files);
        named.filter_map(|name| Some((name.clone(), file_in(directory, name)?))).collect()
    }

    /// What it says of itself.
    pub fn ask_version(&self) -> Result<String, String> {
        ask_version(&self.arguments()?, self.jail, &self.grants()?)
    }

    /// What it may read in its jail beyond the system: itself, and the files that it was digested with.
    pub(super) fn grants(&self) -> Result<Grants, String> {
        let program = self.command.first().ok_or("the command is empty")?;
        let program = find_program(program, &self.directory)?;
        let rest = self.files.iter().skip(1).filter_map(|file| file_in(&self.directory, &file.name));
        Ok(Grants { files: std::iter::once(program).chain(rest).collect() })
    }

    /// The command as it is started, from whatever directory: files that it names have absolute paths.
    pub fn arguments(&self) -> Result<Vec<String>, String> {
        let directory = &self.directory;
        let program = self.command.first().ok_or("the command is empty")?;
        let program = find_program(program, directory)?;
        let rest = self.command[1..].iter().map(|argument| match file_in(directory, argument) {
            Some(path) => path.display().to_string(),
            None => argument.clone(),
        });
        Ok(std::iter::once(program.display().to_string()).chain(rest).collect())
    }

    /// The first of its files that is no longer the one that was digested.
    pub fn changed_file(&self) -> Option<&str> {
        let directory = &self.directory;
        let unchanged = |(i, file): (usize, &NamedFile)| {
            // The first is the program, which may be found elsewhere than beside the spec.
            let path = if i == 0 { find_program(&file.name, directory).ok() } else { file_in(directory, &file.name) };
            let metadata = path.and_then(|path| fs::metadata(path).ok());
            metadata.is_some_and(|metadata| Stamp::of(&metadata) == file.stamp)
        };
        self.files.iter().enumerate().find(|&entry| !unchanged(entry)).map(|(_, file)| file.name.as_str())
    }

    /// The part of it that a cell's key has.
    pub fn key(&self) -> Value {
        let files: Vec<_> = self.files.iter().map(|file| json!([file.name, file.digest])).collect();
        json!({
            "command": self.command,
            "release": self.release,
            "guarantee": self.guarantee,
            "version": self.version,
            "files": files,
        })
    }

    /// "python3 mondrian.py", as people read it.
    pub fn title(&self) -> String {
        self.command.join(" ")
    }
}

fn digest(name: &str, path: &Path) -> Result<NamedFile, String> {
    let named = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let stamp = Stamp::of(&fs::metadata(path).map_err(named)?);
    let mut hasher = blake3::Hasher::new();
    let mut file = fs::File::open(path).map_err(named)?;
    std::io::copy(&mut file, &mut hasher).map_err(named)?;
    Ok(NamedFile { name: name.to_string(), digest: hasher.finalize().to_hex().to_string(), stamp })
}

/// The absolute path of `name`, if it is a file there.
fn file_in(directory: &Path, name: &str) -> Option<PathBuf> {
    // An empty argument would name the directory itself.
    let path = directory.join(name);
    (!name.is_empty() && path.is_file()).then(|| std::path::absolute(&path).unwrap_or(path))
}

/// A program beside the spec or at its path, else one of that name in PATH.
fn find_program(name: &str, directory: &Path) -> Result<PathBuf, String> {
    if let Some(path) = file_in(directory, name) {
        return if is_executable(&path) {
            Ok(path)
        } else {
            Err(format!("`{name}` is not executable; name its interpreter first, or run `chmod +x {name}`"))
        };
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let in_path = || std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| is_executable(path));
    let found = if name.is_empty() || name.contains('/') { None } else { in_path() };
    found.ok_or_else(|| format!("there is no program `{name}`, neither in {} nor in PATH", directory.display()))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(command: &[&str], directory: &Path) -> Result<External, String> {
        let command: Vec<String> = command.iter().map(ToString::to_string).collect();
        External::resolve(&command, ReleaseKind::Buckets, "diversity", Some("1"), &[], directory, Jail::default())
    }

    #[test]
    fn a_changed_file_is_another_key_and_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("a.sh");
        fs::write(&script, "exit 0").unwrap();
        let before = resolve(&["sh", "a.sh", "--fast"], directory.path()).unwrap();
        assert_eq!(before.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["sh", "a.sh"]);
        assert_eq!(before.changed_file(), None);
        assert_eq!(before.arguments().unwrap()[1], script.display().to_string());
        fs::write(&script, "exit 1").unwrap();
        assert_eq!(before.changed_file(), Some("a.sh"));
        let after = resolve(&["sh", "a.sh", "--fast"], directory.path()).unwrap();
        assert_ne!(before.key(), after.key());
    }

    #[test]
    fn what_cannot_be_started_is_told_before_anything_runs() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a.py"), "").unwrap();
        assert!(resolve(&["a.py"], directory.path()).unwrap_err().contains("`a.py` is not executable"));
        assert!(resolve(&["no-such-program-here"], directory.path()).unwrap_err().contains("there is no program"));
        assert_eq!(resolve(&[], directory.path()).unwrap_err(), "the command is empty");
    }
}
