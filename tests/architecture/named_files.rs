//! An error of a file that is passed on with `?` must say which file it was. Those of `fs_err` do; those of the standard library do
//! not, and need a `map_err` that does.

use std::path::{Path, PathBuf};

/// Errors of these say nothing that is the same in two runs if they name their path: it is that of a temporary directory.
const IN_TEMPORARY_DIRECTORIES: [&str; 1] = ["core/src/external/sandbox.rs"];

#[test]
fn errors_of_files_say_which_file_it_was() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "crates/core/src"] {
        collect(&root.join(folder), &mut files);
    }
    assert!(files.len() > 300, "{} files", files.len());
    let mut found = Vec::new();
    for path in files {
        if !IN_TEMPORARY_DIRECTORIES.iter().any(|exempt| path.ends_with(exempt)) {
            let text = std::fs::read_to_string(&path).unwrap();
            found.extend(nameless(&text).into_iter().map(|call| format!("{}: {call}", path.display())));
        }
    }
    assert!(found.is_empty(), "use fs_err, or name the file with map_err:\n{}", found.join("\n"));
}

#[test]
fn nameless_errors_are_found() {
    let found = |text: &str| nameless(text).len();
    assert_eq!(found("let bytes = std::fs::read(path)?;"), 1);
    assert_eq!(found("use std::fs;\nfs::create_dir_all(path.join(\"a\"))?;"), 1);
    assert_eq!(found("use std::fs::File;\nio::copy(&mut File::open(path)?, out)?;"), 1);
    assert_eq!(found("let whole = path.canonicalize()?;"), 1);
    assert_eq!(found("fs_err::read(path)?"), 0);
    assert_eq!(found("use fs_err as fs;\nfs::read(path)?"), 0);
    assert_eq!(found("std::fs::read(path).map_err(|error| named(error))?"), 0);
    assert_eq!(found("std::fs::read(path).ok()?"), 0);
    assert_eq!(found("#[cfg(test)]\nmod tests {\n    std::fs::read(path)?\n}"), 0);
}

/// Calls that give an error without a path, straight before a `?`.
fn nameless(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let named_module = code.contains("use fs_err as fs") || code.contains("use fs_err::{self as fs");
    let named_file = code.contains("use fs_err::File") || code.contains("use fs_err::{self as fs, File}");
    let mut found = Vec::new();
    for (at, _) in code.match_indices('(') {
        let head = &code[..at];
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '.';
        let call = head.rsplit(|c: char| !is_path(c)).next().unwrap_or_default();
        let nameless = call.starts_with("std::fs::")
            || (call.starts_with("fs::") && !named_module)
            || ((call == "File::open" || call == "File::create") && !named_file)
            || [".canonicalize", ".read_dir", ".symlink_metadata"].iter().any(|method| call.ends_with(method));
        if nameless && code[end_of_call(code, at)..].starts_with('?') {
            found.push(format!("{call}(…)?"));
        }
    }
    found
}

/// The place behind the bracket that closes the one at `open`.
fn end_of_call(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + at + 1;
        }
    }
    code.len()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            files.push(path);
        }
    }
}
