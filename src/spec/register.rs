//! The register of a paper's statements: `claims/<spec>.yaml` beside the spec. Claims name the statements by their ids.

use super::inside;
use indexmap::IndexMap;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A statement of a paper that numbers can support or refute.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// Where the paper says it.
    pub section: String,
    /// What it says, in our words.
    pub says: String,
    /// Where there is nothing to measure: the file of the test that shows it.
    #[serde(default)]
    pub test: Option<PathBuf>,
}

/// Id → statement, in the paper's order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    pub statements: IndexMap<String, Statement>,
}

impl Register {
    /// Where the register of a spec is, if it has one.
    pub fn path_beside(spec: &Path) -> PathBuf {
        let name = spec.file_name().unwrap_or_default();
        spec.parent().unwrap_or(Path::new("")).join("claims").join(name)
    }

    /// The words of the register of a spec, if it has one.
    pub fn text_beside(spec: &Path) -> Option<String> {
        let path = Self::path_beside(spec);
        let inside = || inside::text(&path).filter(|_| !spec.exists()).map(String::from);
        std::fs::read_to_string(&path).ok().or_else(inside)
    }

    /// An empty register where there is no file. That of a spec inside the program is inside, too.
    pub fn read(path: &Path) -> Result<Self, String> {
        let parsed = |text: &str| serde_yaml::from_str(text).map_err(|error| error.to_string());
        match std::fs::read_to_string(path) {
            Ok(text) => parsed(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => match inside::text(path) {
                Some(text) if !Self::spec_of(path).exists() => parsed(text),
                _ => Ok(Self::default()),
            },
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

    fn spec_of(path: &Path) -> PathBuf {
        let folder = path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
        folder.join(path.file_name().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_lies_beside_its_spec_or_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = Register::path_beside(&folder.path().join("km.yaml"));
        assert_eq!(path, folder.path().join("claims/km.yaml"));
        assert_eq!(Register::read(&path), Ok(Register::default()));
        std::fs::create_dir(folder.path().join("claims")).unwrap();
        std::fs::write(&path, "statements:\n  KM-2: {section: '5.2', says: b}\n  KM-1: {section: '5.1', says: a}\n")
            .unwrap();
        let register = Register::read(&path).unwrap();
        assert_eq!(register.statements.keys().collect::<Vec<_>>(), ["KM-2", "KM-1"], "the paper's order");
        std::fs::write(&path, "statements: {KM-2: {section: '5.2', sais: b}}\n").unwrap();
        assert!(Register::read(&path).unwrap_err().contains("sais"));
    }
}
