//! A directory of its own and the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Lab {
    directory: tempfile::TempDir,
}

/// What a command said and how it ended.
pub struct Said {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

impl Said {
    /// Fails the test unless the command ended with `code`.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "standard output:\n{}\nstandard error:\n{}", self.out, self.err);
        self
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
    }
}

impl Lab {
    pub fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// With this file in it.
    pub fn with(name: &str, text: &str) -> Self {
        let lab = Self::new();
        lab.write(name, text);
        lab
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `anonlab` in this directory, with no data but what is embedded.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_anonlab"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("ANONLAB_DATA", self.path("data"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("RUST_BACKTRACE");
        command
    }

    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Said {
        self.command(arguments).output().unwrap().into()
    }

    /// The first file below `directory` of the store.
    pub fn stored(&self, out: &str) -> Vec<PathBuf> {
        fn files(directory: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { files(&path, found) } else { found.push(path) }
            }
        }
        let mut found = Vec::new();
        files(&self.path(out).join(".store"), &mut found);
        found.sort();
        found
    }
}

/// Twelve patients with four diseases, in the spec itself: small, and eligible up to ℓ = 4.
pub const PATIENTS: &str = "
anonlab: 1
title: Patients
datasets:
  patients:
    source:
      format: csv
      inline: |
        age,sex,disease
        29,F,flu
        22,F,cold
        27,M,asthma
        43,M,gout
        52,F,flu
        47,M,cold
        30,M,asthma
        36,M,gout
        32,M,flu
        61,F,cold
        19,F,asthma
        44,M,gout
    quasi_identifiers: [age, sex]
    sensitive: disease
measures:
  queries: {measure: query-error, parameters: {queries: 20, dim: 1, sel: 1.0}}
figures:
  errors:
    title: Query error
    datasets: [patients]
    algorithms: [anatomy]
    measures: [queries]
    sweep: {product: {l: [2, 3, 4]}}
    repetitions: 5
    draw: {x: l, y: mean_relative_error}
";
