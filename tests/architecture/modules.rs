//! The modules of a crate, and which of them use which, as far as their text tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Modules by their paths (`report::figure::csv`), with the modules that each uses.
pub struct Crate {
    rooms: Vec<String>,
    /// Room → the feature that it is behind.
    features: BTreeMap<String, String>,
    uses: BTreeMap<String, BTreeSet<String>>,
}

/// The room that a module is in.
pub fn room(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

impl Crate {
    pub fn read(source: &Path) -> Self {
        let mut files = Vec::new();
        collect(source, &mut Vec::new(), &mut files);
        Self::of(files)
    }

    /// From (module, text).
    pub fn of(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut texts: BTreeMap<String, String> = files.into_iter().collect();
        let lib = texts.remove("lib").unwrap_or_default();
        let (mut rooms, mut features, mut feature) = (Vec::new(), BTreeMap::new(), None);
        for line in lib.lines() {
            let declared = line.strip_prefix("pub mod ").or(line.strip_prefix("mod "));
            if let Some(room) = declared.and_then(|rest| rest.strip_suffix(';')) {
                features.extend(feature.map(|feature: &str| (room.to_string(), feature.to_string())));
                rooms.push(room.to_string());
            }
            feature = line.strip_prefix("#[cfg(feature = \"").and_then(|rest| rest.strip_suffix("\")]"));
        }
        texts.retain(|name, _| name != "main" && !name.split("::").any(|part| part == "tests"));
        let exports = exports(&texts);
        let resolve = |path: &str| resolve(path, &texts, &exports, 0);
        let mut uses = BTreeMap::new();
        for (module, text) in &texts {
            let used =
                paths(&without_exports(text)).into_iter().filter_map(|path| resolve(&absolute(module, &path, &texts)?));
            uses.insert(module.clone(), used.filter(|used| used != module).collect());
        }
        Self { rooms, features, uses }
    }

    /// In the order of `lib.rs`.
    pub fn rooms(&self) -> Vec<&str> {
        self.rooms.iter().map(String::as_str).collect()
    }

    /// The feature that a module's room is behind, if any.
    pub fn feature(&self, module: &str) -> Option<&str> {
        self.features.get(room(module)).map(String::as_str)
    }

    pub fn uses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.uses.iter().flat_map(|(user, used)| used.iter().map(move |used| (user.as_str(), used.as_str())))
    }

    /// Modules that reach each other, sorted.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.uses.keys().map(|name| (name.as_str(), self.reach(name))).collect();
        let mut circles: Vec<Vec<&str>> = Vec::new();
        for (name, reached) in &reach {
            let circle: Vec<&str> = reached.iter().copied().filter(|other| reach[other].contains(name)).collect();
            if circle.len() > 1 && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles
    }

    fn reach<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = vec![from];
        while let Some(next) = open.pop() {
            open.extend(self.uses[next].iter().map(String::as_str).filter(|used| reached.insert(used)));
        }
        reached
    }
}

fn collect(folder: &Path, above: &mut Vec<String>, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            above.push(name);
            collect(&path, above, files);
            above.pop();
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let own = if name == "mod" { Vec::new() } else { vec![name] };
            files.push((
                above.iter().chain(&own).cloned().collect::<Vec<_>>().join("::"),
                std::fs::read_to_string(&path).unwrap(),
            ));
        }
    }
}

/// Code alone: no comments, and nothing from the unit tests on.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let text = text.split("#[cfg(test)]\npub mod tests {").next().unwrap_or(text);
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The `use` declarations of a file with whether they are public, and the rest of its text.
fn declarations(text: &str) -> (Vec<(bool, String)>, String) {
    let (code, mut found, mut rest) = (code(text), Vec::new(), String::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let word = line.trim_start();
        let public = word.starts_with("pub");
        let bare = if public {
            word.split_once("use ").filter(|(head, _)| head.len() < 14).map(|(_, tail)| tail)
        } else {
            word.strip_prefix("use ")
        };
        let Some(mut declaration) = bare.map(String::from) else {
            rest += line;
            rest.push('\n');
            continue;
        };
        while !declaration.contains(';') {
            let Some(next) = lines.next() else { break };
            declaration += next.trim();
        }
        found.push((public, declaration.replace(';', "")));
    }
    (found, rest)
}

/// Every path that a file names by `use`, or in full by `crate::` or `super::`.
pub fn paths(text: &str) -> Vec<String> {
    let (declared, rest) = declarations(text);
    let mut found: Vec<String> = declared.iter().flat_map(|(_, tree)| expand(tree)).collect();
    for start in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(start) {
            // `anonlab_core::` ends so, too; and `super::super::` is found once.
            if rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let end =
                rest[at..].find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len() - at);
            found.push(rest[at..at + end].trim_end_matches(':').to_string());
        }
    }
    found
}

/// A file without what it exports again: a module does not depend on what it only shows.
fn without_exports(text: &str) -> String {
    let (declared, rest) = declarations(text);
    let own = declared.into_iter().filter(|(public, _)| !public).map(|(_, tree)| format!("use {tree};\n"));
    own.chain([rest]).collect()
}

/// `a::{b, c::{self, d as e}}` → `a::b`, `a::c`, `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, body)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or(tree).trim().to_string()];
    };
    let body = body.rfind('}').map_or(body, |end| &body[..end]);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in body.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    parts
        .flat_map(|part| match part {
            "self" => vec![head.trim_end_matches(':').to_string()],
            part => expand(part).into_iter().map(|path| format!("{head}{path}")).collect(),
        })
        .collect()
}

/// A path from the root of the crate; None where it leads out of it.
fn absolute(module: &str, path: &str, texts: &BTreeMap<String, String>) -> Option<String> {
    let mut base: Vec<&str> = module.split("::").collect();
    let mut parts: Vec<&str> = path.split("::").collect();
    match parts[0] {
        "crate" => {
            base.clear();
            parts.remove(0);
        }
        "self" => drop(parts.remove(0)),
        "super" => {
            while parts.first() == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
        }
        first => {
            texts.get(&format!("{module}::{first}"))?;
        }
    }
    base.extend(parts);
    Some(base.join("::"))
}

/// Module and name → what the name is exported from.
fn exports(texts: &BTreeMap<String, String>) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for (module, text) in texts {
        for (_, tree) in declarations(text).0.iter().filter(|(public, _)| *public) {
            for path in expand(tree) {
                let name = path.rsplit("::").next().unwrap_or_default().to_string();
                found.extend(absolute(module, &path, texts).map(|target| ((module.clone(), name), target)));
            }
        }
    }
    found
}

/// The module that a path leads to.
fn resolve(
    path: &str,
    texts: &BTreeMap<String, String>,
    exports: &BTreeMap<(String, String), String>,
    depth: usize,
) -> Option<String> {
    let parts: Vec<&str> = path.split("::").collect();
    for length in (1..=parts.len()).rev() {
        let module = parts[..length].join("::");
        if texts.contains_key(&module) {
            let exported = parts.get(length).and_then(|name| exports.get(&(module.clone(), name.to_string())));
            return match exported {
                Some(target) if depth < 8 => resolve(target, texts, exports, depth + 1),
                _ => Some(module),
            };
        }
    }
    None
}
