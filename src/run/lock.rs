use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// One run at a time in an output directory. The lock goes with the process, however it ends.
#[derive(Debug)]
pub struct DirectoryLock {
    _file: File,
}

impl DirectoryLock {
    /// Takes the lock, or says who has it.
    pub fn acquire(directory: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("cannot lock {}: {error}", directory.display());
        std::fs::create_dir_all(directory).map_err(failed)?;
        let path = directory.join(".lock");
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
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
