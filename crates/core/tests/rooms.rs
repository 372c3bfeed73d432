//! The order of the house: a room depends only on rooms above it in `lib.rs`, and no files depend on each other in a circle.
//!
//! Reads the `use` lines and the paths that begin with `crate` or `super`, outside of unit tests. What a module re-exports counts as
//! a dependency on the file that has it, so that a `mod.rs` may pass on what is below it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module as its path from the root: `release::buckets`.
type Module = Vec<String>;

struct Sources {
    text: BTreeMap<Module, String>,
    /// What a module re-exports under a name, and what that is.
    passed_on: BTreeMap<(Module, String), Module>,
}

impl Sources {
    fn read() -> Self {
        let mut text = BTreeMap::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut Vec::new(), &mut text);
        let mut sources = Self { text, passed_on: BTreeMap::new() };
        let mut passed_on = BTreeMap::new();
        for (module, text) in &sources.text {
            for (_, path) in used(text).into_iter().filter(|(is_public, _)| *is_public) {
                if let Some(path) = sources.from_root(module, &path) {
                    passed_on.insert((module.clone(), path.last().cloned().unwrap_or_default()), path);
                }
            }
        }
        sources.passed_on = passed_on;
        sources
    }

    /// `path` as it stands in `module`, from the root; None for other crates.
    fn from_root(&self, module: &Module, path: &str) -> Option<Module> {
        let mut words = path.split("::").map(str::to_string).peekable();
        let mut base = module.clone();
        if words.peek().is_some_and(|word| word == "crate") {
            return Some(words.skip(1).collect());
        }
        let mut is_relative = false;
        while let Some(word) = words.next_if(|word| word == "super" || word == "self") {
            is_relative = true;
            if word == "super" {
                base.pop();
            }
        }
        base.extend(words.peek().cloned());
        if !is_relative && !self.text.contains_key(&base) {
            return None;
        }
        base.extend(words.skip(1));
        Some(base)
    }

    /// The module whose file has what `path` names.
    fn home(&self, path: &[String]) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|&length| self.text.contains_key(&path[..length]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        match rest.first().and_then(|name| self.passed_on.get(&(module.clone(), name.clone()))) {
            Some(further) => self.home(&[further.as_slice(), &rest[1..]].concat()),
            None => Some(module),
        }
    }

    fn dependencies(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let mut dependencies = BTreeMap::new();
        for (module, text) in &self.text {
            let private = used(text).into_iter().filter(|(is_public, _)| !is_public).map(|(_, path)| path);
            let homes = private.chain(paths(text)).filter_map(|path| self.home(&self.from_root(module, &path)?));
            dependencies.insert(module, homes.filter(|home| home != module).collect());
        }
        dependencies
    }
}

/// The sources below `directory`, without comments and unit tests.
fn collect(directory: &Path, module: &mut Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() && name != "tests" {
            module.push(name);
            collect(&entry.path(), module, found);
            module.pop();
        } else if let Some(name) = name.strip_suffix(".rs").filter(|name| *name != "tests") {
            let text = fs::read_to_string(entry.path()).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let own = (name != "mod" && name != "lib").then(|| name.to_string());
            found.insert(module.iter().cloned().chain(own).collect(), lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The paths of `use` lines, one for each name, and whether they are re-exports.
fn used(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for statement in text.split(';') {
        let start = statement.rfind("\nuse ").or_else(|| statement.rfind(" use ")).map(|start| start + 1);
        let Some(start) = start.or_else(|| statement.starts_with("use ").then_some(0)) else { continue };
        let is_public = statement[..start].trim_end().ends_with(|end: char| end == ')' || end.is_alphabetic());
        let tree: String = statement[start + 4..].split_whitespace().collect::<Vec<_>>().join(" ");
        expand("", &tree, &mut |path| found.push((is_public, path)));
    }
    found
}

/// Every path of `a::{b, c::{d, e}}`.
fn expand(prefix: &str, tree: &str, add: &mut impl FnMut(String)) {
    let Some((head, rest)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default().trim();
        return add(format!("{prefix}{name}"));
    };
    let body = &rest[..rest.rfind('}').unwrap_or(rest.len())];
    let (mut depth, mut start) = (0, 0);
    for (place, sign) in body.char_indices().chain([(body.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !body[start..place].trim().is_empty() {
                    expand(&format!("{prefix}{}", head.trim()), body[start..place].trim(), add);
                }
                start = place + 1;
            }
            _ => {}
        }
    }
}

/// Paths outside of `use` lines: `crate::data::Dataset`, `super::verifier::km_faults`.
fn paths(text: &str) -> Vec<String> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    text.split(|sign| !is_part(sign))
        .filter(|word| word.starts_with("crate::") || word.starts_with("super::"))
        .filter(|word| !word.ends_with("::"))
        .map(str::to_string)
        .collect()
}

#[test]
fn no_files_depend_on_each_other_in_a_circle() {
    let sources = Sources::read();
    let mut left = sources.dependencies();
    // Files that need nothing that is left, or that nothing left needs, are in no circle.
    loop {
        let needed: BTreeSet<Module> = left.values().flatten().cloned().collect();
        let done: BTreeSet<Module> = left
            .iter()
            .filter(|(module, on)| on.is_empty() || !needed.contains(**module))
            .map(|(module, _)| (*module).clone())
            .collect();
        if done.is_empty() {
            break;
        }
        left.retain(|module, _| !done.contains(*module));
        left.values_mut().for_each(|on| on.retain(|module| !done.contains(module)));
    }
    let shown: Vec<String> = left
        .iter()
        .map(|(module, on)| {
            let on: Vec<String> = on.iter().map(|module| module.join("::")).collect();
            format!("{} needs {}", module.join("::"), on.join(", "))
        })
        .collect();
    assert!(shown.is_empty(), "in circles, or between them:\n{}", shown.join("\n"));
}

#[test]
fn rooms_depend_only_on_rooms_above_them() {
    let sources = Sources::read();
    let root = &sources.text[&Vec::new()];
    let rooms: Vec<&str> = root
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert!(rooms.len() > 10 && rooms[0] == "lab", "{rooms:?}");
    let place = |module: &Module| module.first().map(|room| rooms.iter().position(|known| known == room).unwrap());
    for (module, on) in sources.dependencies() {
        for other in on {
            assert!(place(&other) <= place(module), "{} needs {}", module.join("::"), other.join("::"));
        }
    }
}

/// The tests above could not fail if nothing were found.
#[test]
fn dependencies_are_found() {
    let sources = Sources::read();
    let dependencies = sources.dependencies();
    let module = |path: &str| -> Module { path.split("::").map(String::from).collect() };
    let needs = |a: &str, b: &str| dependencies[&module(a)].contains(&module(b));
    assert!(needs("measures", "audit::background_knowledge"), "through a re-export and a path");
    assert!(needs("release::kinds", "release::buckets"), "through `super`");
    assert!(needs("audit::background_knowledge", "release::kinds"), "through a list of names");
    assert!(!needs("release::kinds", "measures"));
}
