//! What a program's messages say of this one run, and what must not stand in a row: the same run gives the same bytes,
//! also when it fails.

use super::failure::ProgramFailure;
use std::path::PathBuf;

/// What only this run has.
#[derive(Debug, Clone)]
pub(super) struct RunSecrets {
    /// Its directory, whose name is drawn.
    pub directory: PathBuf,
    pub process: u32,
}

impl ProgramFailure {
    /// The same failure, as the next run will tell it.
    pub(super) fn without(self, private: &RunSecrets) -> Self {
        match self {
            Self::OutOfMemory(reason) => Self::OutOfMemory(private.removed_from(&reason)),
            Self::Refused(reason) => Self::Refused(private.removed_from(&reason)),
            Self::Failed(reason) => Self::Failed(private.removed_from(&reason)),
            Self::Invalid(reason) => Self::Invalid(private.removed_from(&reason)),
            Self::NotRun(reason) => Self::NotRun(private.removed_from(&reason)),
            other @ (Self::Timeout | Self::Stopped | Self::Killed(_)) => other,
        }
    }
}

impl RunSecrets {
    /// `text` with the temporary directory, addresses, and ids of processes and threads replaced by what they are.
    pub fn removed_from(&self, text: &str) -> String {
        let directory = self.directory.display().to_string();
        let text = text.replace(&format!("{directory}/"), "").replace(&directory, ".");
        numbers_removed(&below_work(&text), &self.process.to_string())
    }
}

/// Names below `work` are the program's own, and libraries for temporary files draw them.
fn below_work(text: &str) -> String {
    let mut parts = text.split("work/");
    let mut found = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let name = part.find(|c: char| c.is_whitespace() || "'\"`:,;)]}>".contains(c)).unwrap_or(part.len());
        found += if name > 0 { "work/…" } else { "work/" };
        found += &part[name..];
    }
    found
}

/// Replaces addresses (`0x7f…`), the program's id, and numbers that are said to be ids: `pid 17`, `thread 'main' (17)`.
fn numbers_removed(text: &str, process: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        found += before;
        let end = from.find(|c: char| !is_word(c)).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let is_whole = !found.ends_with(is_word) && number.chars().all(|c| c.is_ascii_digit());
        let is_address = number.len() > 6
            && number.strip_prefix("0x").is_some_and(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()));
        found += match () {
            () if is_address => "0x…",
            () if is_whole && (number == process || names_an_id(&found)) => "…",
            () => number,
        };
        rest = after;
    }
    found + rest
}

/// Whether what stands before a number says that it is the id of a process or thread.
fn names_an_id(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '=', ':', '#', '(', '[', '<', '-']).to_ascii_lowercase();
    let quoted = before.ends_with('\'') && before.contains("thread '");
    quoted
        || ["pid", "tid", "process", "thread", "process id", "thread id"].iter().any(|word| {
            before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(text: &str) -> String {
        RunSecrets { directory: "/tmp/anonlab-external-x1y2".into(), process: 4711 }.removed_from(text)
    }

    #[test]
    fn what_differs_from_run_to_run_is_replaced() {
        for (said, told) in [
            ("No such file: '/tmp/anonlab-external-x1y2/output/qit.csv'", "No such file: 'output/qit.csv'"),
            ("cannot open /tmp/anonlab-external-x1y2/work/tmpk3j2: no", "cannot open work/…: no"),
            ("in /tmp/anonlab-external-x1y2", "in ."),
            ("process 4711 gave up", "process … gave up"),
            ("[4711] died", "[…] died"),
            ("worker pid=990 died; TID: 12", "worker pid=… died; TID: …"),
            ("thread 'main' (881) panicked at x.rs:3:4", "thread 'main' (…) panicked at x.rs:3:4"),
            ("<object at 0x7f31aa00c0d0>", "<object at 0x…>"),
        ] {
            assert_eq!(removed(said), told);
        }
    }

    #[test]
    fn what_repeats_stays() {
        for said in [
            "line 12: 3 values",
            "KeyError: 'age'",
            "exit status: 3",
            "group 47110 has 4712 rows",
            "0x1f",
            "rapid 5",
            "Thread-safe 3",
            "homework is done",
        ] {
            assert_eq!(removed(said), said);
        }
    }
}
