//! Files that appear whole or not at all.

use super::temporary::file_prefix;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Whether a file must survive a loss of power right after it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// File and rename are synced.
    Synced,
    /// For bulk copies that can be made again: readers still see all of the file or nothing.
    Unsynced,
}

/// Writes a file so that a reader, or a crash, sees all of it or nothing. Directories on the way are made.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, bytes, Durability::Synced)
}

/// [`write_atomically`] of what is written piece by piece.
pub fn write_atomically_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_with(path, Durability::Synced, write)
}

/// [`write_atomically`] with a choice about syncing.
pub fn write_whole(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    write_with(path, durability, |file| file.write_all(bytes))
}

fn write_with(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // A bare name has an empty parent: the directory we are in.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(parent).map_err(named)?;
    // As an ordinary file would be made: whoever may read the directory may read it, less the umask.
    let permissions = Permissions::from_mode(0o666);
    let prefix = file_prefix();
    let mut file =
        tempfile::Builder::new().prefix(&prefix).permissions(permissions).tempfile_in(parent).map_err(named)?;
    write(&mut file).map_err(named)?;
    if durability == Durability::Synced {
        file.as_file().sync_all().map_err(named)?;
    }
    file.persist(path).map_err(|error| named(error.error))?;
    match durability {
        // The rename itself must survive a crash too.
        Durability::Synced => File::open(parent).and_then(|parent| parent.sync_all()).map_err(named),
        Durability::Unsynced => Ok(()),
    }
}
