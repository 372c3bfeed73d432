use crate::lab::{did_you_mean, did_you_mean_or_list};
use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a spec, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    pub file: PathBuf,
    /// 1-based line and column, where they are known.
    pub position: Option<(usize, usize)>,
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for SpecError {}

impl SpecError {
    pub fn new(file: &Path, position: Option<(usize, usize)>, message: impl Into<String>) -> Self {
        Self { file: file.to_path_buf(), position, message: message.into() }
    }

    /// A parser's error in our words.
    pub fn from_yaml(file: &Path, error: &serde_yaml::Error) -> Self {
        use serde_yaml::Error;
        let error = error.without_snippet();
        let position = error
            .location()
            .filter(|location| location.line() > 0)
            .map(|location| (location.line() as usize, location.column() as usize));
        let message = match error {
            Error::SerdeUnknownField { field, expected, .. } => unknown_word("key", field, expected),
            Error::SerdeUnknownVariant { variant, expected, .. } => unknown_word("word", variant, expected),
            Error::DuplicateMappingKey { key: Some(key), .. } => format!("the key `{key}` is here twice"),
            Error::Unexpected { expected: "string scalar", .. } => {
                "one word or text is needed here, not a list or a mapping".to_string()
            }
            Error::Unexpected { expected: "sequence start", .. } => "a list is needed here, as `[a, b]`".to_string(),
            Error::Unexpected { expected: "mapping start", .. } => {
                "a mapping is needed here, as `{key: value}`".to_string()
            }
            Error::Budget { .. } => {
                "this is larger, more deeply nested, or repeats anchors more often than any spec needs".to_string()
            }
            other => {
                // The position stands before the message already.
                let text = other.to_string();
                let text = text.find(" at line ").map_or(text.as_str(), |end| &text[..end]);
                wrong_scalar(text).unwrap_or_else(|| text.to_string())
            }
        };
        Self::new(file, position, message)
    }
}

/// What is needed where the parser says that something is no value of a Rust type.
fn wrong_scalar(text: &str) -> Option<String> {
    let whole = |most: u64| Some(format!("a whole number from 0 to {most} is needed"));
    match text.strip_prefix("invalid ")? {
        "u8" => whole(u8::MAX.into()),
        "u16" => whole(u16::MAX.into()),
        "u32" => whole(u32::MAX.into()),
        "u64" | "usize" => whole(u64::MAX),
        "i32" | "i64" => Some("a whole number is needed".to_string()),
        "f32" | "f64" => Some("a number is needed".to_string()),
        "bool" => Some("`true` or `false` is needed".to_string()),
        _ => None,
    }
}

/// "there is no key `x` here; did you mean `y`?"
fn unknown_word(what: &str, found: &str, expected: &[&'static str]) -> String {
    format!("there is no {what} `{found}` here; {}", did_you_mean_or_list(found, expected))
}

/// "there is no measure `x`; did you mean `y`?"
pub(super) fn unknown(what: &str, name: &str, known: &[&str], list: &str) -> String {
    match did_you_mean(name, known) {
        Some(hint) => format!("there is no {what} `{name}`; {hint}"),
        None if known.is_empty() => format!("there is no {what} `{name}`, nor any other; see `{list}`"),
        None if known.len() <= 12 => format!("there is no {what} `{name}`; there are {}", known.join(", ")),
        None => format!("there is no {what} `{name}`; `{list}` shows what there is"),
    }
}
