//! Which stored answer belongs to which cell of the plan made here. Where code, data and programs are the same, keys are the
//! same. Where they are not, a cell is known by what was asked of it, and what differs is told.

use crate::run::{Entry, Key, PlannedCell, distinct, key_of};
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::BTreeMap;

/// In what this program, data and programs are others than those an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    pub code: bool,
    /// Files of data that have other bytes, or are not here.
    pub data: Vec<String>,
    /// Files of the program that have other bytes, or its version.
    pub program: Vec<String>,
}

impl Difference {
    /// "other code, other data (adult.data)"; nothing where there is none.
    pub fn in_words(&self) -> String {
        let mut words = Vec::new();
        if self.code {
            words.push("other code".to_string());
        }
        if !self.data.is_empty() {
            words.push(format!("other data ({})", self.data.join(", ")));
        }
        if !self.program.is_empty() {
            words.push(format!("another program ({})", self.program.join(", ")));
        }
        words.join(", ")
    }
}

/// A cell of the plan with the answer that the capsule has for it.
#[derive(Debug)]
pub struct MatchedCell<'a> {
    pub cell: &'a PlannedCell,
    /// Of the stored answer.
    pub key: Key,
    pub entry: &'a Entry,
    pub difference: Difference,
}

/// The cells of `plan` with their answers, in its order, each once; the titles of cells without an answer; and how many
/// answers belong to no cell.
pub fn match_cells<'a>(plan: &'a [PlannedCell], stored: &'a [Entry]) -> (Vec<MatchedCell<'a>>, Vec<String>, Vec<Key>) {
    let mut known: BTreeMap<String, (&Entry, bool)> = BTreeMap::new();
    for entry in stored {
        known.insert(asked(&entry.key_fields, true), (entry, false));
    }
    let (mut matched, mut absent) = (Vec::new(), Vec::new());
    for (cell, _) in distinct(plan) {
        let fields = cell.key_fields();
        match known.get_mut(&asked(&fields, true)) {
            Some((entry, used)) => {
                *used = true;
                let difference = difference(&entry.key_fields, &fields);
                matched.push(MatchedCell { cell, key: key_of(&entry.key_fields), entry, difference });
            }
            None => {
                let seedless = asked(&fields, false);
                let other_seed = stored.iter().find(|entry| asked(&entry.key_fields, false) == seedless);
                absent.push(match other_seed.and_then(|entry| entry.key_fields.get("seed")) {
                    Some(seed) => format!("{} (it has one of another seed, {seed})", cell.title()),
                    None => cell.title(),
                });
            }
        }
    }
    let unused = known.values().filter(|(_, used)| !used).map(|(entry, _)| key_of(&entry.key_fields)).collect();
    (matched, absent, unused)
}

/// What was asked, whoever answers with which bytes.
fn asked(fields: &IndexMap<String, String>, with_seed: bool) -> String {
    let kept = fields.iter().filter(|(name, _)| !["code", "data"].contains(&name.as_str()));
    let kept = kept.filter(|(name, _)| with_seed || *name != "seed").map(|(name, value)| match name.as_str() {
        "program" => (name, named_files(value)),
        _ => (name, value.clone()),
    });
    format!("{:?}", kept.collect::<Vec<_>>())
}

/// A program without its version and the digests of its files.
fn named_files(program: &str) -> String {
    let mut value: Value = serde_json::from_str(program).unwrap_or(Value::Null);
    if let Some(object) = value.as_object_mut() {
        object.remove("version");
        // A stranger's list may have anything in it.
        for file in object.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(digest) = file.get_mut(1) {
                *digest = Value::Null;
            }
        }
    }
    value.to_string()
}

fn difference(there: &IndexMap<String, String>, here: &IndexMap<String, String>) -> Difference {
    let field = |fields: &IndexMap<String, String>, name: &str| fields.get(name).cloned().unwrap_or_default();
    let json = |fields: &IndexMap<String, String>, name: &str| -> Value {
        serde_json::from_str(&field(fields, name)).unwrap_or(Value::Null)
    };
    let (ours, theirs) = (json(here, "program"), json(there, "program"));
    let mut program = other_files(&theirs["files"], &ours["files"]);
    if ours["version"] != theirs["version"] {
        program.push("its version".to_string());
    }
    Difference {
        code: field(there, "code") != field(here, "code"),
        data: other_files(&json(there, "data"), &json(here, "data")),
        program,
    }
}

/// Names whose digests differ, in two lists of (name, digest).
fn other_files(there: &Value, here: &Value) -> Vec<String> {
    let pairs = |list: &Value| -> BTreeMap<String, Value> {
        let pairs = list.as_array().into_iter().flatten();
        pairs.filter_map(|pair| Some((pair[0].as_str()?.to_string(), pair[1].clone()))).collect()
    };
    let (there, here) = (pairs(there), pairs(here));
    let names: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    names.into_iter().filter(|name| there.get(*name) != here.get(*name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> IndexMap<String, String> {
        pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn what_was_asked_does_not_depend_on_code_data_and_versions() {
        let program = |version: &str, digest: &str| {
            format!(r#"{{"command":["python3","a.py"],"version":"{version}","files":[["a.py","{digest}"]]}}"#)
        };
        let (one, two) = (program("1", "x"), program("2", "y"));
        let there =
            fields(&[("dataset", "d"), ("data", r#"[["f","1"]]"#), ("seed", "1"), ("code", "c"), ("program", &one)]);
        let here =
            fields(&[("dataset", "d"), ("data", r#"[["f","2"]]"#), ("seed", "1"), ("code", "k"), ("program", &two)]);
        assert_eq!(asked(&there, true), asked(&here, true));
        let found = difference(&there, &here);
        assert_eq!(found.in_words(), "other code, other data (f), another program (a.py, its version)");
        assert_eq!(difference(&here, &here), Difference::default());
        let other = fields(&[("dataset", "d"), ("seed", "2")]);
        assert_ne!(asked(&here, true), asked(&other, true));
    }

    #[test]
    fn what_is_no_program_is_some_other_cell_and_no_panic() {
        let own = fields(&[("program", r#"{"command":["a"],"version":"1","files":[["a","x"]]}"#)]);
        for forged in ["5", "[]", "\"a\"", "no JSON", r#"{"files":5}"#, r#"{"files":["a"]}"#, r#"{"files":[[]]}"#] {
            let forged = fields(&[("program", forged)]);
            assert_ne!(asked(&forged, true), asked(&own, true));
            assert_ne!(difference(&forged, &own), Difference::default());
        }
    }
}
