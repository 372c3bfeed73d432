//! Files of a report, each written to a temporary name beside it and renamed: a reader never sees half a page, and a full
//! disk leaves the old one.

use super::ReportError;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    let fault = |source: std::io::Error| ReportError::Write { path: path.to_path_buf(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".report-").tempfile_in(folder).map_err(fault)?;
    file.write_all(bytes).map_err(fault)?;
    readable_by_all(file.as_file()).map_err(fault)?;
    file.persist(path).map_err(|error| fault(error.error))?;
    Ok(())
}

/// A temporary file is private to its owner; a report is not.
#[cfg(unix)]
fn readable_by_all(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

pub fn create_folder(path: &Path) -> Result<PathBuf, ReportError> {
    std::fs::create_dir_all(path).map_err(|source| ReportError::Write { path: path.to_path_buf(), source })?;
    Ok(path.to_path_buf())
}

/// Ids become file names and addresses: a spec is checked for it, and a report trusts nobody.
pub fn check_id(kind: &str, id: &str) -> Result<(), ReportError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !id.is_empty() && id.len() <= 100 && !id.starts_with('.') && id.chars().all(fits) {
        true => Ok(()),
        false => Err(ReportError::Input(format!(
            "{kind} `{}` cannot be a file name: use letters, digits, `-`, `_` and `.`, not first a `.`",
            super::plot::svg::shorten(id, 60)
        ))),
    }
}
