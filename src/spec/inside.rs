//! The papers' specs, inside the program: they run in any directory, and after an install without a checkout.

use std::path::{Path, PathBuf};

/// The folder they have in a checkout, and get from `anonlab init`.
pub const FOLDER: &str = "experiments";

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Names below [`FOLDER`], and the files' texts.
        pub const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../experiments/", $name)))),*];
    };
}

files![
    "anatomy.yaml",
    "cohesion.yaml",
    "injector.yaml",
    "km-anonymity.yaml",
    "maxent.yaml",
    "scale.yaml",
    "tables.yaml",
    "schema.json",
    "claims/cohesion.yaml",
    "claims/injector.yaml",
    "claims/km-anonymity.yaml",
    "claims/maxent.yaml",
    "external/external.yaml",
    "external/mondrian.py",
    "external/aa.pl",
];

/// The text of `experiments/NAME.yaml`, for where that file is absent.
pub(super) fn text(path: &Path) -> Option<&'static str> {
    let name = path.strip_prefix(FOLDER).ok()?;
    FILES.iter().find(|(known, _)| Path::new(known) == name && known.ends_with(".yaml")).map(|(_, text)| *text)
}

/// The paths of the specs, as if they were in the current directory.
pub fn specs() -> Vec<PathBuf> {
    let specs = FILES.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".yaml") && !name.contains('/'));
    specs.map(|name| Path::new(FOLDER).join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_spec_of_the_project_is_inside() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        let entries =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let in_the_folder: BTreeSet<String> = entries.filter(|name| name.ends_with(".yaml")).collect();
        let inside = specs().into_iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_string()).collect();
        assert_eq!(in_the_folder, inside);
    }

    #[test]
    fn only_absent_files_of_the_folder_are_read_from_inside() {
        assert!(text(Path::new("experiments/anatomy.yaml")).is_some());
        assert!(text(Path::new("anatomy.yaml")).is_none());
        assert!(text(Path::new("experiments/schema.json")).is_none());
        assert!(text(Path::new("elsewhere/experiments/anatomy.yaml")).is_none());
    }
}
