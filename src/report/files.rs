//! Files of a report, each written to a temporary name beside it and renamed: a reader never sees half a page, and a full
//! disk leaves the old one.

use super::ReportError;
use crate::lab::{Durability, write_whole};
use crate::spec::Variant;
use std::path::{Path, PathBuf};

/// Not synced: a report can be made again.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    write_whole(path, bytes, Durability::Unsynced).map_err(ReportError::Write)
}

/// A file that need not be there.
pub fn remove(path: &Path) -> Result<(), ReportError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ReportError::Write(std::io::Error::other(format!("cannot remove {}: {error}", path.display()))))
        }
        _ => Ok(()),
    }
}

pub fn create_folder(path: &Path) -> Result<PathBuf, ReportError> {
    let named = |error| std::io::Error::other(format!("cannot make {}: {error}", path.display()));
    std::fs::create_dir_all(path).map_err(|error: std::io::Error| ReportError::Write(named(error)))?;
    Ok(path.to_path_buf())
}

/// An empty folder, whatever was in it.
pub fn renewed_folder(path: &Path) -> Result<PathBuf, ReportError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(ReportError::Input(format!("cannot renew {}: {error}", path.display())))
        }
        _ => create_folder(path),
    }
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

/// The longest name without ending that file systems take: 255 bytes, less what endings and temporary names add.
const LONGEST: usize = 200;

/// The name of a figure's files under a reading, without ending. One of many options is cut, and told apart by its digest.
pub fn reading_file_name(figure: &str, reading: &Variant) -> String {
    let name = format!("{figure}.{}", reading.to_string().replace(", ", "+"));
    match name.len() <= LONGEST {
        true => name,
        false => {
            format!("{}.{}", &name[..name.floor_char_boundary(LONGEST)], &blake3::hash(name.as_bytes()).to_hex()[..12])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_options_fit_a_file_system_and_differ() {
        let of = |count: usize, last: &str| {
            let mut options: Vec<_> = (0..count).map(|i| (format!("a-reading-{i}"), "another".to_string())).collect();
            options.push(("last".to_string(), last.to_string()));
            reading_file_name("figure", &Variant { options })
        };
        assert_eq!(of(1, "one"), "figure.a-reading-0=another+last=one");
        let (one, other) = (of(30, "one"), of(30, "other"));
        assert!(one.len() < 220 && one != other && one[..LONGEST] == other[..LONGEST], "{one}");
    }
}
