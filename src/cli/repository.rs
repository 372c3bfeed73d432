//! What a git repository says of itself, without running anything that it configures.
//!
//! A repository's own files can name commands: a file-system monitor, filters, hooks, a remote that is asked for missing objects.
//! A spec's folder may come from a stranger, so git never sees its configuration here. HEAD and the other references are
//! read by hand into a fresh, empty repository; git works there, with the stranger's objects, index and working tree. A bare
//! repository, which could lie anywhere among the files, is none.

use crate::lab::temporary_directory;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Files of a repository that are read by hand are short; packed references of large projects are the longest.
const LONGEST_FILE: u64 = 64 << 20;
/// More references than these, or deeper ones, are nobody's work.
const MOST_REFERENCES: usize = 200_000;
const DEEPEST_REFERENCE: usize = 32;

pub struct Repository {
    /// The top of its working tree.
    root: PathBuf,
    /// What HEAD names, in full.
    head: Option<String>,
    objects: PathBuf,
    index: PathBuf,
    /// The stand-in for its `.git`.
    clean: tempfile::TempDir,
}

impl Repository {
    /// The repository whose working tree `directory` is in.
    pub fn around(directory: &Path) -> Option<Self> {
        let directory = fs::canonicalize(directory).ok()?;
        let root = directory.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
        let own = git_directory(&root.join(".git"))?;
        // Of a linked working tree: HEAD and index are its own, the rest is shared.
        let shared = short_file(&own.join("commondir")).map_or(own.clone(), |path| own.join(path.trim_end()));
        let mut references = BTreeMap::new();
        packed_references(&shared.join("packed-refs"), &mut references);
        loose_references(&shared, "refs", 0, &mut references);
        let head = short_file(&own.join("HEAD")).and_then(|text| match text.trim_end().strip_prefix("ref: ") {
            Some(name) => references.get(name).cloned(),
            None => object_id(text.trim_end()),
        });
        let clean = temporary_directory("git").ok()?;
        let write = |name: &str, text: &str| fs::write(clean.path().join(name), text).ok();
        fs::create_dir(clean.path().join("refs")).ok()?;
        let format = match head.as_ref().map(String::len) {
            Some(64) => "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n",
            _ => "[core]\n\trepositoryformatversion = 0\n",
        };
        write("config", format)?;
        write("HEAD", &head.as_ref().map_or("ref: refs/heads/none\n".to_string(), |id| format!("{id}\n")))?;
        let packed: String = references.iter().map(|(name, id)| format!("{id} {name}\n")).collect();
        write("packed-refs", &packed)?;
        Some(Self { root: root.to_path_buf(), head, objects: shared.join("objects"), index: own.join("index"), clean })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that is checked out.
    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Whether files that it tracks differ from that commit; None where git cannot tell.
    pub fn has_changes(&self) -> Option<bool> {
        let said =
            self.git(&["status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"])?;
        Some(!said.is_empty())
    }

    /// The commit that a name means.
    pub fn commit(&self, name: &str) -> Option<String> {
        self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])
    }

    /// Writes a commit's files to its standard output, as a tar file.
    pub fn archive(&self, commit: &str) -> std::io::Result<Child> {
        self.command(&["archive", "--format=tar", commit]).stdout(Stdio::piped()).spawn()
    }

    /// What git says, if all is well.
    fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = self.command(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.bare=false"])
            .args(arguments)
            .current_dir(&self.root)
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("LC_ALL", "C")
            .env("GIT_DIR", self.clean.path())
            .env("GIT_WORK_TREE", &self.root)
            .env("GIT_OBJECT_DIRECTORY", &self.objects)
            .env("GIT_INDEX_FILE", &self.index)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            // The index is read, never refreshed.
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// `.git` itself, or what a `.git` file of a linked working tree or submodule names.
fn git_directory(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.to_path_buf());
    }
    let text = short_file(path)?;
    let named = path.parent()?.join(text.strip_prefix("gitdir: ")?.trim_end());
    named.is_dir().then_some(named)
}

/// The text of a plain file that is not long. A pipe or a device would be waited for.
fn short_file(path: &Path) -> Option<String> {
    let kind = fs::metadata(path).ok()?;
    if !kind.is_file() || kind.len() > LONGEST_FILE {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LONGEST_FILE).read_to_string(&mut text).ok()?;
    Some(text)
}

/// SHA-1 or SHA-256 in hexadecimal digits.
fn object_id(text: &str) -> Option<String> {
    let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hexadecimal && matches!(text.len(), 40 | 64)).then(|| text.to_ascii_lowercase())
}

fn is_name(name: &str) -> bool {
    name.starts_with("refs/") && !name.contains("..") && !name.chars().any(|c| c.is_control() || c == ' ')
}

fn packed_references(path: &Path, found: &mut BTreeMap<String, String>) {
    let text = short_file(path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let known = lines.filter_map(|(id, name)| Some((name.to_string(), object_id(id)?)));
    found.extend(known.filter(|(name, _)| is_name(name)).take(MOST_REFERENCES));
}

/// Loose references stand over packed ones. Those that name others are left out.
fn loose_references(shared: &Path, name: &str, depth: usize, found: &mut BTreeMap<String, String>) {
    if depth > DEEPEST_REFERENCE || found.len() > MOST_REFERENCES {
        return;
    }
    for entry in fs::read_dir(shared.join(name)).into_iter().flatten().flatten() {
        let Ok(last) = entry.file_name().into_string() else { continue };
        let (name, Ok(kind)) = (format!("{name}/{last}"), entry.file_type()) else { continue };
        if kind.is_dir() {
            loose_references(shared, &name, depth + 1, found);
        } else if kind.is_file()
            && is_name(&name)
            && let Some(id) = short_file(&entry.path()).and_then(|text| object_id(text.trim_end()))
        {
            found.insert(name, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(directory: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(directory).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    /// A repository with one commit of one file.
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet", "-b", "main"]);
        fs::write(folder.path().join("spec.yaml"), "one\n").unwrap();
        git(folder.path(), &["add", "-A"]);
        git(folder.path(), &["commit", "--quiet", "-m", "x"]);
        folder
    }

    fn seen(directory: &Path) -> (Option<String>, Option<bool>) {
        let repository = Repository::around(directory).unwrap();
        (repository.head().map(str::to_string), repository.has_changes())
    }

    #[test]
    fn revisions_and_changes_are_those_that_git_tells() {
        let folder = repository();
        let path = folder.path();
        let head = git(path, &["rev-parse", "HEAD"]);
        assert_eq!(seen(path), (Some(head.clone()), Some(false)));
        fs::create_dir(path.join("below")).unwrap();
        assert_eq!(seen(&path.join("below")), (Some(head.clone()), Some(false)), "from a folder below");
        fs::write(path.join("untracked"), "").unwrap();
        assert_eq!(seen(path).1, Some(false));
        git(path, &["pack-refs", "--all"]);
        git(path, &["tag", "-a", "-m", "x", "v1"]);
        assert_eq!(seen(path), (Some(head.clone()), Some(false)), "packed references");
        let names = Repository::around(path).unwrap();
        for name in ["main", "HEAD", "v1", &head[..10], "refs/heads/main"] {
            assert_eq!(names.commit(name).as_ref(), Some(&head), "{name}");
        }
        assert!(["HEAD~1", "--all", "-x", "nothing"].iter().all(|name| names.commit(name).is_none()));
        git(path, &["worktree", "add", "--quiet", "--detach", "beside"]);
        assert_eq!(seen(&path.join("beside")), (Some(head.clone()), Some(false)), "a linked working tree");
        fs::write(path.join("spec.yaml"), "two\n").unwrap();
        assert_eq!(seen(path), (Some(head), Some(true)));
        git(path, &["add", "spec.yaml"]);
        assert_eq!(seen(path).1, Some(true), "staged");
        git(path, &["commit", "--quiet", "-m", "y"]);
        assert_eq!(seen(path), (Some(git(path, &["rev-parse", "HEAD"])), Some(false)));
    }

    /// What a stranger can plant: each of these makes `git status` run a command.
    #[test]
    fn nothing_that_a_repository_configures_runs() {
        let folder = repository();
        let path = folder.path();
        let mark = path.join("mark");
        let script = path.join("run.sh");
        fs::write(&script, format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display())).unwrap();
        let command = format!("sh {}", script.display());
        for setting in
            ["core.fsmonitor", "filter.x.clean", "filter.x.process", "diff.external", "core.pager", "core.sshCommand"]
        {
            git(path, &["config", setting, &command]);
        }
        fs::create_dir_all(path.join(".git/hooks")).unwrap();
        fs::copy(&script, path.join(".git/hooks/post-index-change")).unwrap();
        fs::write(path.join(".gitattributes"), "* filter=x\n").unwrap();
        fs::write(path.join(".git/info/attributes"), "* filter=x\n").unwrap();
        fs::write(path.join("spec.yaml"), "two\n").unwrap();
        assert_eq!(seen(path).1, Some(true));
        assert!(!mark.exists());
        // This is what would have run.
        let _ = Command::new("git").current_dir(path).args(["status", "--porcelain"]).output();
        assert!(mark.exists(), "the trap of this test is none");
    }

    #[test]
    fn a_bare_repository_among_the_files_is_none() {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet", "--bare", "."]);
        assert!(Repository::around(folder.path()).is_none());
    }

    #[test]
    fn pipes_and_nonsense_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(".git");
        fs::create_dir_all(own.join("refs/heads")).unwrap();
        let pipe = |name: &str| assert!(Command::new("mkfifo").arg(own.join(name)).status().unwrap().success());
        for name in ["HEAD", "packed-refs", "refs/heads/main", "commondir"] {
            pipe(name);
        }
        assert_eq!(seen(folder.path()), (None, None));
        fs::remove_dir_all(&own).unwrap();
        fs::write(&own, "gitdir: nowhere\n").unwrap();
        assert!(Repository::around(folder.path()).is_none());
    }
}
