//! Temporary files and directories, and what becomes of those whose process was killed.
//!
//! Their names tell who made them: a mark of the process table (two machines, or two containers of one, have different
//! ones) and a process id. What a process of the same table left that is no longer there is nobody's, and is swept by
//! whoever comes next. What was made elsewhere is left alone: its maker may live.

use rustix::process::{Pid, test_kill_process};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// How temporary files begin, wherever they are.
const FILE: &str = ".tmp-";
/// How temporary directories begin, in the system's directory for them.
const DIRECTORY: &str = "anonlab-";
/// A file is written within moments: one of another machine that is older than this was left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3600);

/// The process table that ids of this process belong to, in eight letters.
fn table() -> &'static str {
    static TABLE: OnceLock<String> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (boot, space) = (fs::read("/proc/sys/kernel/random/boot_id"), fs::read_link("/proc/self/ns/pid"));
        match (boot, space) {
            (Ok(boot), Ok(space)) => {
                let mut hasher = blake3::Hasher::new();
                hasher.update(&boot).update(space.as_os_str().as_encoded_bytes());
                hasher.finalize().to_hex()[..8].to_string()
            }
            _ => UNKNOWN.to_string(),
        }
    })
}

/// The mark where the system does not tell: two machines may have it.
const UNKNOWN: &str = "unknown_";

/// The start of the name of a temporary file.
pub(super) fn file_prefix() -> String {
    format!("{FILE}{}-{}-", table(), std::process::id())
}

/// A directory for `what`, in the system's directory for such; gone with everything in it when dropped.
pub fn temporary_directory(what: &str) -> io::Result<TempDir> {
    let prefix = format!("{DIRECTORY}{what}-{}-{}-", table(), std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir()
}

/// The directories that processes of this machine left when they were killed.
pub fn abandoned_directories() -> Vec<PathBuf> {
    let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    let abandoned = |name: &str| name.starts_with(DIRECTORY) && maker(name).is_some_and(|maker| !maker.may_live());
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(abandoned))
        // A link is not followed: this is a directory that everybody writes to.
        .filter(|entry| entry.metadata().is_ok_and(|metadata| metadata.is_dir() && is_ours(&metadata)))
        .map(|entry| entry.path())
        .collect()
}

/// Removes the temporary files that killed processes left in `directory`.
pub fn sweep_files(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let abandoned = |name: &str| {
            let old = || entry.metadata().and_then(|metadata| metadata.modified()).is_ok_and(is_long_ago);
            name.starts_with(FILE)
                && maker(name).map_or_else(old, |maker| !maker.may_live() || (!maker.is_here && old()))
        };
        if entry.file_name().to_str().is_some_and(abandoned) {
            // Somebody else may have swept it meanwhile.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_long_ago(time: SystemTime) -> bool {
    time.elapsed().is_ok_and(|age| age > LEFT_BEHIND)
}

fn is_ours(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Who made a temporary file or directory.
struct Maker {
    is_here: bool,
    process: i32,
}

impl Maker {
    /// Whether it runs, as far as one can tell from here.
    fn may_live(&self) -> bool {
        !self.is_here || Pid::from_raw(self.process).is_some_and(is_alive)
    }
}

fn is_alive(process: Pid) -> bool {
    !matches!(test_kill_process(process), Err(rustix::io::Errno::SRCH))
}

/// From `…-TABLE-PROCESS-RANDOM`; None where the name tells nothing.
fn maker(name: &str) -> Option<Maker> {
    let mut parts = name.rsplit('-');
    let (_, process, made_in) = (parts.next()?, parts.next()?, parts.next()?);
    let process = process.parse().ok().filter(|&process| process > 0)?;
    (made_in.len() == 8).then(|| Maker { is_here: made_in == table() && made_in != UNKNOWN, process })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id of a process that is no more.
    fn nobody() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn what_a_killed_process_left_is_swept_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let (here, dead, own) = (table(), nobody(), std::process::id());
        let old = SystemTime::now() - 2 * LEFT_BEHIND;
        let cases = [
            (format!(".tmp-{here}-{dead}-abc"), false, true),
            (format!(".tmp-{here}-{own}-abc"), true, false),
            (format!(".tmp-00000000-{dead}-abc"), false, false),
            (format!(".tmp-00000000-{dead}-old"), true, true),
            (".tmp-abcdef".to_string(), false, false),
            (".tmp-ghijkl".to_string(), true, true),
            (format!("kept-{here}-{dead}-abc"), true, false),
        ];
        for (name, is_old, _) in &cases {
            let file = fs::File::create(path(name)).unwrap();
            if *is_old {
                file.set_modified(old).unwrap();
            }
        }
        sweep_files(directory.path());
        for (name, _, swept) in cases {
            assert_eq!(path(&name).exists(), !swept, "{name}");
        }
    }

    #[test]
    fn a_directory_is_abandoned_when_its_process_is_gone() {
        let ours = temporary_directory("test").unwrap();
        let name = ours.path().file_name().unwrap().to_str().unwrap().to_string();
        let theirs = name.replace(&format!("-{}-", std::process::id()), &format!("-{}-", nobody()));
        let theirs = std::env::temp_dir().join(theirs);
        fs::create_dir(&theirs).unwrap();
        let abandoned = abandoned_directories();
        fs::remove_dir(&theirs).unwrap();
        assert!(abandoned.contains(&theirs) && !abandoned.contains(&ours.path().to_path_buf()), "{abandoned:?}");
    }
}
