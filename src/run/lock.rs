use anonlab_core::lab::open_plain_as;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// One run at a time in an output directory. The lock goes with the process, however it ends.
#[derive(Debug)]
pub struct DirectoryLock {
    _file: File,
}

impl DirectoryLock {
    /// Takes the lock, or says who has it.
    pub fn acquire(directory: &Path) -> Result<Self, String> {
        let path = directory.join(".lock");
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
        let failed = |error: io::Error| format!("cannot lock {}: {error}", path.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = open_plain_as(&mut options, &path).map_err(failed)?;
        // It is written to: another name of a file elsewhere would lose that file.
        if file.metadata().map_err(failed)?.nlink() > 1 {
            return Err(failed(io::Error::other("it is a file that has other names, too")));
        }
        match file.try_lock() {
            Ok(()) => {
                let stamp = |file: &mut File| -> io::Result<()> {
                    file.set_len(0)?;
                    file.rewind()?;
                    writeln!(file, "{}", std::process::id())
                };
                stamp(&mut file).map_err(failed)?;
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Only for the message; a holder that cannot be read is still a holder.
                let _ = file.read_to_string(&mut holder);
                Err(format!(
                    "another run (process {}) is writing to {}; wait for it to end, or choose another --out",
                    holder.trim(),
                    directory.display()
                ))
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_lock_that_leads_elsewhere_is_refused_and_nothing_is_written_there() {
        let directory = tempfile::tempdir().unwrap();
        let (lock, victim) = (directory.path().join(".lock"), directory.path().join("victim"));
        std::fs::write(&victim, "dear to somebody").unwrap();
        let refused = || DirectoryLock::acquire(directory.path()).unwrap_err();
        symlink(&victim, &lock).unwrap();
        assert_eq!(refused(), format!("cannot lock {}: it is no plain file", lock.display()));
        std::fs::remove_file(&lock).unwrap();
        std::fs::hard_link(&victim, &lock).unwrap();
        assert!(refused().contains("has other names"), "{}", refused());
        std::fs::remove_file(&lock).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
        assert!(refused().ends_with("it is no plain file"), "{}", refused());
        std::fs::remove_file(&lock).unwrap();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "dear to somebody");
        let held = DirectoryLock::acquire(directory.path()).unwrap();
        assert!(refused().contains("another run (process"), "{}", refused());
        drop(held);
        assert!(DirectoryLock::acquire(directory.path()).is_ok());
    }
}
