//! `algorithms new`: a program to start from, and a spec that compares it.

use crate::cli::output::outln;
use crate::cli::{Exit, Failure};
use crate::release::ReleaseKind;
use crate::run::{shell_path, write_atomically};
use clap::ValueEnum;
use std::path::PathBuf;

/// Write a working skeleton of a program, and a spec that compares it with the built-in publishers
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  anonlab algorithms new --lang python mine\n  anonlab algorithms new --lang rust --release generalized-table mine\n  anonlab algorithms check --release buckets --command python3 mine.py\n  anonlab run mine.yaml --allow-external\n  anonlab compare mine.yaml --allow-external --baseline mine"
)]
pub struct Args {
    /// What to call it: letters, digits, `-` and `_`
    name: String,
    /// The language: nothing beyond its standard library is needed (jsonlite for R)
    #[arg(long)]
    lang: Language,
    /// What it gives: buckets or generalized-table; in Python also generalized-transactions, suppressed-transactions and rules
    #[arg(long, value_name = "KIND", default_value = "buckets")]
    release: ReleaseKind,
    /// Where to write it
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    Python,
    Rust,
    R,
}

impl Language {
    fn ending(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::Rust => "rs",
            Self::R => "R",
        }
    }

    /// The command of a spec beside the program.
    fn command(self, name: &str) -> String {
        match self {
            Self::Python => format!("python3, {name}.py"),
            Self::Rust => format!("./{name}"),
            Self::R => format!("Rscript, {name}.R"),
        }
    }
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let Args { name, lang, release, out } = args;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(plain) {
        return Err(Failure::new(format!(
            "`{name}` would be a file and an algorithm: begin with a letter, then letters, digits, `-` and `_`"
        )));
    }
    let about = release.about();
    let skeleton = about.skeletons.iter().find(|known| known.ending == lang.ending());
    let skeleton = skeleton.ok_or_else(|| {
        Failure::new(format!(
            "there is no skeleton for {release} in this language; there is one in Python (--lang python), and \
             docs/external-algorithms.md has the format"
        ))
    })?;
    // What is written here is called by its name alone.
    let path = |name: String| if out.as_os_str() == "." { PathBuf::from(name) } else { out.join(name) };
    let program = path(format!("{name}.{}", lang.ending()));
    let spec_path = path(format!("{name}.yaml"));
    for path in [&program, &spec_path] {
        if path.exists() {
            return Err(Failure::new(format!("{} is there already; nothing was written", path.display())));
        }
    }
    let filled = |text: &str| text.replace("@NAME@", name).replace("@COMMAND@", &lang.command(name));
    write_atomically(&program, filled(skeleton.text).as_bytes())?;
    write_atomically(&spec_path, filled(about.skeleton_spec).as_bytes())?;
    outln!("wrote {} and {}", program.display(), spec_path.display())?;
    let mut steps = Vec::new();
    let command = match lang {
        Language::Python => format!("python3 {}", shell_path(&program)),
        Language::R => format!("Rscript {}", shell_path(&program)),
        Language::Rust => {
            let compiled = shell_path(&out.join(name));
            steps.push(format!("rustc -O {} -o {compiled}", shell_path(&program)));
            compiled
        }
    };
    steps.push(format!("anonlab algorithms check --release {release} --command {command}"));
    steps.push(format!("anonlab run {} --allow-external", shell_path(&spec_path)));
    steps.push(format!("anonlab compare {} --allow-external --baseline {name}", shell_path(&spec_path)));
    outln!("next:\n  {}", steps.join("\n  "))?;
    Ok(Exit::AllWell)
}
