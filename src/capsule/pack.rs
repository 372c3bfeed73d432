//! Writes a directory as a zip file with the same bytes each time: sorted names, one time for all, directories told.

use super::{CapsuleError, names};
use fs_err::File;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Everything below `directory`, into `archive`.
pub fn pack(directory: &Path, archive: impl Write + Seek) -> Result<(), CapsuleError> {
    let mut found = BTreeMap::new();
    collect(directory, "", &mut found)?;
    let mut zip = ZipWriter::new(BufWriter::new(archive));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        // The beginning of time in zip files.
        .last_modified_time(DateTime::default());
    for (name, path) in &found {
        if let Some(fault) = names::fault(name.trim_end_matches('/')) {
            return Err(CapsuleError::refused(format!("`{name}` cannot be in a capsule: {fault}")));
        }
        match path {
            None => zip.add_directory(name.as_str(), options.unix_permissions(0o755)).map_err(broken)?,
            Some(path) => {
                let large = fs_err::metadata(path)?.len() >= u64::from(u32::MAX);
                // Programs must still run where they are unpacked.
                let mode = if fs_err::metadata(path)?.permissions().mode() & 0o100 == 0 { 0o644 } else { 0o755 };
                zip.start_file(name.as_str(), options.unix_permissions(mode).large_file(large)).map_err(broken)?;
                io::copy(&mut File::open(path)?, &mut zip)?;
            }
        }
    }
    zip.finish().map_err(broken)?.flush()?;
    Ok(())
}

fn broken(error: zip::result::ZipError) -> CapsuleError {
    CapsuleError::refused(format!("cannot write the capsule: {error}"))
}

/// Names below `directory`: of a file with its path, of a directory, which ends with `/`, without.
fn collect(directory: &Path, prefix: &str, found: &mut BTreeMap<String, Option<PathBuf>>) -> Result<(), CapsuleError> {
    for entry in fs_err::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| {
            CapsuleError::refused(format!("`{}` cannot be in a capsule: its name is not UTF-8", name.display()))
        })?;
        let name = format!("{prefix}{name}");
        match entry.file_type()?.is_dir() {
            true => {
                found.insert(format!("{name}/"), None);
                collect(&entry.path(), &format!("{name}/"), found)?;
            }
            false => {
                found.insert(name, Some(entry.path()));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capsule::{CapsuleBounds, unpack};
    use std::io::Cursor;

    #[test]
    fn the_same_files_have_the_same_bytes_and_come_back() {
        let make = |order: &[&str]| {
            let directory = tempfile::tempdir().unwrap();
            for name in order {
                let path = directory.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, format!("{name}\n").repeat(100)).unwrap();
            }
            let mut bytes = Cursor::new(Vec::new());
            pack(directory.path(), &mut bytes).unwrap();
            bytes.into_inner()
        };
        let bytes = make(&["b/x", "a/y/z", "c"]);
        assert_eq!(bytes, make(&["c", "a/y/z", "b/x"]));
        let into = tempfile::tempdir().unwrap();
        let names = unpack(Cursor::new(&bytes), into.path(), CapsuleBounds::default()).unwrap();
        assert_eq!(names, ["a/y/z", "b/x", "c"]);
        assert_eq!(std::fs::read_to_string(into.path().join("a/y/z")).unwrap(), "a/y/z\n".repeat(100));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(text.contains("a/y/") && text.contains("b/"), "directories are told");
    }
}
