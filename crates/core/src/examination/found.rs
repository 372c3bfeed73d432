//! Which files are the release, and of which kind it is.

use crate::data::InputKind;
use crate::lab::LabError;
use crate::release::ReleaseKind;
use std::path::{Path, PathBuf};

/// A release that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRelease {
    /// The kind it was recognized as, or said to be.
    pub kind: ReleaseKind,
    /// In the order of the kind's files; transactions from which items were suppressed may come without the list of these.
    pub files: Vec<PathBuf>,
    /// How the kind was recognized, in words.
    pub why: String,
}

impl FoundRelease {
    /// Looks for a release at `path`, a directory or one of its files. `kind` is what the user says it is; `input` what the
    /// original is, where there is one.
    pub fn at(path: &Path, kind: Option<ReleaseKind>, input: Option<InputKind>) -> Result<Self, LabError> {
        let shown = path.display();
        let metadata = std::fs::metadata(path).map_err(|error| LabError::input(format!("{shown}: {error}")))?;
        match () {
            () if metadata.is_dir() => in_directory(path, kind, input),
            () if metadata.is_file() => of_file(path, kind, input),
            () => Err(LabError::input(format!("{shown}: it is no regular file (a pipe, a socket or a device)"))),
        }
    }
}

/// Whether releases of `kind` are made of such originals.
fn fits(kind: ReleaseKind, input: Option<InputKind>) -> bool {
    let made_of = match kind {
        ReleaseKind::Buckets | ReleaseKind::GeneralizedTable | ReleaseKind::Rules => InputKind::Table,
        ReleaseKind::GeneralizedTransactions | ReleaseKind::SuppressedTransactions => InputKind::Transactions,
    };
    input.is_none_or(|input| input == made_of)
}

fn in_directory(
    directory: &Path,
    kind: Option<ReleaseKind>,
    input: Option<InputKind>,
) -> Result<FoundRelease, LabError> {
    let shown = directory.display();
    let complete: Vec<(ReleaseKind, Vec<PathBuf>)> = ReleaseKind::ALL
        .iter()
        .filter(|&&known| kind.is_none_or(|kind| kind == known) && fits(known, input))
        .filter_map(|&known| Some((known, files_of(directory, known)?)))
        .collect();
    match complete.as_slice() {
        [(kind, files)] => {
            let why = format!("{shown} has {}", kind.about().files.join(" and "));
            return Ok(FoundRelease { kind: *kind, files: files.clone(), why });
        }
        [] => {}
        several => {
            let names: Vec<String> = several.iter().map(|(kind, _)| kind.to_string()).collect();
            return Err(LabError::input(format!(
                "{shown}: its files may be {}; say which with --kind",
                names.join(" or ")
            )));
        }
    }
    // One file alone may be a table, or transactions, under a name of its own.
    let single = |ending: &str| {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> = entries
            .filter(|path| path.is_file() && path.to_string_lossy().trim_end_matches(".gz").ends_with(ending))
            .collect();
        if found.len() == 1 { found.pop() } else { None }
    };
    let wants = |wanted: ReleaseKind| kind.is_none_or(|kind| kind == wanted) && fits(wanted, input);
    if wants(ReleaseKind::GeneralizedTable)
        && let Some(file) = single(".csv")
    {
        return Ok(table(file));
    }
    if wants(ReleaseKind::SuppressedTransactions)
        && let Some(file) = single(".dat")
    {
        return Ok(transactions(file));
    }
    Err(LabError::input(format!("{shown}: there is no release in it; {}", known_kinds(kind))))
}

fn of_file(path: &Path, kind: Option<ReleaseKind>, input: Option<InputKind>) -> Result<FoundRelease, LabError> {
    let shown = path.display();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.trim_end_matches(".gz");
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let candidates: Vec<ReleaseKind> = ReleaseKind::ALL
        .iter()
        .copied()
        .filter(|&known| kind.is_none_or(|kind| kind == known) && fits(known, input))
        .collect();
    for &known in &candidates {
        let is_one_of_several = known.about().files.len() > 1 && known.about().files.contains(&name);
        if is_one_of_several && let Some(files) = files_of(directory, known) {
            let why = format!("{shown} is one of {}", known.about().files.join(" and "));
            return Ok(FoundRelease { kind: known, files, why });
        }
    }
    let is_list = name.ends_with(".dat") || input == Some(InputKind::Transactions);
    match () {
        () if is_list && candidates.contains(&ReleaseKind::SuppressedTransactions) => {
            Ok(transactions(path.to_path_buf()))
        }
        () if candidates.contains(&ReleaseKind::GeneralizedTable) => Ok(table(path.to_path_buf())),
        () => Err(LabError::input(format!("{shown}: it is not a whole release; {}", known_kinds(kind)))),
    }
}

fn table(file: PathBuf) -> FoundRelease {
    let why = format!("{} is one table", file.display());
    FoundRelease { kind: ReleaseKind::GeneralizedTable, files: vec![file], why }
}

fn transactions(file: PathBuf) -> FoundRelease {
    let why = format!(
        "{} has transactions and no cut; items that are nowhere in it are taken for suppressed",
        file.display()
    );
    FoundRelease { kind: ReleaseKind::SuppressedTransactions, files: vec![file], why }
}

/// The files of `kind` in `directory`, plain or gzipped, if all are there.
fn files_of(directory: &Path, kind: ReleaseKind) -> Option<Vec<PathBuf>> {
    let find = |name: &&str| {
        [directory.join(name), directory.join(format!("{name}.gz"))].into_iter().find(|path| path.is_file())
    };
    kind.about().files.iter().map(find).collect()
}

fn known_kinds(kind: Option<ReleaseKind>) -> String {
    let files = |kind: &ReleaseKind| format!("{} ({kind})", kind.about().files.join(" and "));
    let kinds = ReleaseKind::ALL.iter().filter(|known| kind.is_none_or(|kind| kind == **known));
    format!("a release is {}", kinds.map(files).collect::<Vec<_>>().join(", or "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_kind_is_recognized_by_its_files() {
        for &kind in ReleaseKind::ALL {
            let folder = tempfile::tempdir().unwrap();
            for name in kind.about().files {
                fs::write(folder.path().join(name), "").unwrap();
            }
            fs::write(folder.path().join("verdict.json"), "{}").unwrap();
            let found = FoundRelease::at(folder.path(), None, None).unwrap();
            assert_eq!(found.kind, kind);
            for name in kind.about().files {
                assert_eq!(FoundRelease::at(&folder.path().join(name), None, None).unwrap().files, found.files);
            }
        }
    }

    #[test]
    fn what_is_unclear_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |kind, input| FoundRelease::at(folder.path(), kind, input).map_err(|error| error.to_string());
        assert!(at(None, None).unwrap_err().contains("there is no release in it; a release is qit.csv and st.csv"));
        for name in ["transactions.dat", "cut.csv", "suppressed.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let unclear = at(None, None).unwrap_err();
        assert!(unclear.ends_with("may be generalized-transactions or suppressed-transactions; say which with --kind"));
        let said = at(Some(ReleaseKind::SuppressedTransactions), None).unwrap();
        assert_eq!(said.kind, ReleaseKind::SuppressedTransactions);
        assert!(
            at(Some(ReleaseKind::Rules), None).unwrap_err().ends_with("a release is rules.csv and rules.json (rules)")
        );
    }

    #[test]
    fn one_file_of_any_name_is_a_table_or_transactions() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("theirs.csv"), "").unwrap();
        assert_eq!(FoundRelease::at(folder.path(), None, None).unwrap().kind, ReleaseKind::GeneralizedTable);
        let file = folder.path().join("theirs.csv");
        let of = |input| FoundRelease::at(&file, None, Some(input)).unwrap().kind;
        assert_eq!(of(InputKind::Table), ReleaseKind::GeneralizedTable);
        assert_eq!(of(InputKind::Transactions), ReleaseKind::SuppressedTransactions);
        assert!(
            FoundRelease::at(Path::new("/dev/null"), None, None).unwrap_err().to_string().contains("no regular file")
        );
    }
}
