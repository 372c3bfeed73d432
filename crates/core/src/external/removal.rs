//! Counting and removing what a program left, however deep and long-named it made its directories.
//!
//! Paths end at some 4,000 bytes and a process holds some 1,000 files open; a tree that is built step by step from the
//! inside has neither limit. So nothing here goes by paths or descends: directories are opened from their parents, and those
//! that are removed are first moved up.

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, fchmod, fstat, openat, renameat, statat, unlinkat,
};
use rustix::io::{Errno, Result};
use rustix::path::Arg;
use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::rc::Rc;

fn directory_at(parent: &OwnedFd, name: &CString) -> Result<OwnedFd> {
    opened(parent, name)
}

fn top(path: &Path) -> Result<OwnedFd> {
    opened(CWD, path)
}

/// A directory, with the rights to list it and to look at what is in it: a program may have closed its own to itself, and so to us.
fn opened(parent: impl AsFd + Copy, name: impl Arg + Copy) -> Result<OwnedFd> {
    let open =
        || openat(parent, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
    let directory = match open() {
        Err(Errno::ACCESS) => {
            chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
            open()?
        }
        other => other?,
    };
    let mode = Mode::from_raw_mode(fstat(&directory)?.st_mode);
    if !mode.contains(Mode::RWXU) {
        // What is not ours stays as it is.
        let _ = fchmod(&directory, mode | Mode::RWXU);
    }
    Ok(directory)
}

fn names(directory: &OwnedFd) -> Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}

/// The number of files below `path`, and their bytes together. Stops counting at `most` files.
pub fn contents(path: &Path, most: usize) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    let Ok(root) = top(path) else { return (0, 0) };
    let mut open = vec![Rc::new(root)];
    let mut waiting: Vec<(Rc<OwnedFd>, CString)> = Vec::new();
    loop {
        let directory = match (open.pop(), waiting.pop()) {
            (Some(directory), pair) => {
                waiting.extend(pair);
                directory
            }
            (None, Some((parent, name))) => match directory_at(&parent, &name) {
                Ok(directory) => Rc::new(directory),
                Err(_) => continue,
            },
            (None, None) => return (files, bytes),
        };
        for name in names(&directory).unwrap_or_default() {
            files += 1;
            // Not followed: a link is a file, whatever it leads to.
            match statat(&*directory, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(status) if FileType::from_raw_mode(status.st_mode) == FileType::Directory => {
                    waiting.push((Rc::clone(&directory), name));
                }
                Ok(status) => bytes += u64::try_from(status.st_size).unwrap_or(0),
                Err(_) => {}
            }
            if files >= most {
                return (files, bytes);
            }
        }
    }
}

/// Removes a directory with everything below it.
pub fn remove_whole(path: &Path) -> std::io::Result<()> {
    let root = top(path)?;
    let mut moved = 0u64;
    loop {
        let mut left = false;
        for name in names(&root)? {
            if unlinkat(&root, &name, AtFlags::empty()).is_ok() {
                continue;
            }
            left = true;
            lift(&root, &name, &mut moved)?;
        }
        if !left {
            break;
        }
    }
    std::fs::remove_dir(path)
}

/// Empties one directory below `root`: its files go, its directories move up to `root`.
fn lift(root: &OwnedFd, name: &CString, moved: &mut u64) -> Result<()> {
    let directory = directory_at(root, name)?;
    for below in names(&directory)? {
        if unlinkat(&directory, &below, AtFlags::empty()).is_ok() {
            continue;
        }
        // Moving a directory writes its own `..`, which needs the right to write to it.
        let _ = chmodat(&directory, &below, Mode::RWXU, AtFlags::empty());
        loop {
            *moved += 1;
            let up = CString::new(format!(".removed-{moved}")).map_err(|_| Errno::INVAL)?;
            match renameat(&directory, &below, root, &up) {
                // It chose the same name.
                Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                moved => break moved?,
            }
        }
    }
    unlinkat(root, name, AtFlags::REMOVEDIR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::mkdirat;
    use std::fs;

    #[test]
    fn a_tree_deeper_than_any_path_is_counted_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tree");
        fs::create_dir(&path).unwrap();
        let name = CString::new("d".repeat(200)).unwrap();
        let mut here = top(&path).unwrap();
        for _ in 0..2_000 {
            mkdirat(&here, &name, Mode::RWXU).unwrap();
            here = directory_at(&here, &name).unwrap();
        }
        let deep = openat(&here, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        rustix::io::write(&deep, &[7; 1000]).unwrap();
        drop((deep, here));
        assert_eq!(contents(&path, usize::MAX), (2_001, 1_000));
        assert_eq!(contents(&path, 10).0, 10);
        remove_whole(&path).unwrap();
        assert!(!path.exists());
    }

    /// Files in a directory that cannot be listed fill the disk all the same. To the superuser nothing is closed.
    #[test]
    fn what_a_program_closed_to_itself_is_counted_and_removed() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tree");
        let closed = [("unlisted", 0o300), ("unsearched", 0o600), ("closed", 0o000), ("", 0o000)];
        for (name, _) in &closed[..3] {
            fs::create_dir_all(path.join(name)).unwrap();
            fs::write(path.join(name).join("file"), [7; 100]).unwrap();
        }
        let close = || {
            for (name, mode) in closed {
                fs::set_permissions(path.join(name), PermissionsExt::from_mode(mode)).unwrap();
            }
        };
        close();
        assert_eq!(contents(&path, usize::MAX), (6, 300));
        close();
        remove_whole(&path).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn links_are_removed_and_what_they_lead_to_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let (path, outside) = (directory.path().join("tree"), directory.path().join("outside"));
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, path.join("a/link")).unwrap();
        fs::write(path.join("a/b/file"), "12345").unwrap();
        fs::set_permissions(path.join("a"), std::os::unix::fs::PermissionsExt::from_mode(0o500)).unwrap();
        assert_eq!(contents(&path, usize::MAX).0, 4);
        remove_whole(&path).unwrap();
        assert!(!path.exists() && outside.join("kept").exists());
    }
}
