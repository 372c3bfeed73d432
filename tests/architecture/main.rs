//! Holds both crates to the order of rooms that their `lib.rs` and docs/architecture.md state, and files to having no circles.
//! It reads `use` declarations and paths that begin with `crate::` or `super::`, outside of unit tests.

mod features;
mod modules;
mod named_files;

use modules::Crate;
use std::path::Path;

fn crates() -> [(&'static str, Crate); 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    [".", "crates/core"].map(|folder| (folder, Crate::read(&root.join(folder).join("src"))))
}

#[test]
fn rooms_use_only_rooms_above_them() {
    for (folder, read) in crates() {
        let rooms = read.rooms();
        assert!(rooms.len() > 5, "{folder}: {rooms:?}");
        let place = |module: &str| rooms.iter().position(|room| *room == modules::room(module));
        for (user, used) in read.uses() {
            if let (Some(own), Some(other)) = (place(user), place(used)) {
                assert!(other <= own, "{folder}: {user} uses {used}, in a room below its own: {}", rooms.join(", "));
            }
        }
    }
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    for (folder, read) in crates() {
        let circles = read.circles();
        assert!(circles.is_empty(), "{folder}: these files use each other in a circle: {circles:?}");
    }
}

/// A family of publishers is a file or folder of `publish`, and has a digest of its own in the keys of its cells: what it used of
/// another family would not be in them. What all share is in every key, so that only `publish` itself may list the families. The
/// protocol of external programs is used by the rooms below, and is in the key of every cell that has a program.
#[test]
fn families_of_publishers_do_not_use_each_other() {
    let [_, (_, core)] = crates();
    let family = |module: &str| {
        let name = module.strip_prefix("publish::")?.split("::").next()?.to_string();
        (name != "registry").then_some(name)
    };
    let mut seen = std::collections::BTreeSet::new();
    for (user, used) in core.uses() {
        let Some(other) = family(used) else { continue };
        let own = family(user);
        let is_list = matches!(user, "publish" | "publish::registry");
        let is_protocol = own.is_none() && other == "external";
        assert!(is_list || is_protocol || own.as_ref() == Some(&other), "{user} uses {used}, of the family `{other}`");
        seen.insert(other);
    }
    assert!(["km", "injector", "tables", "cohesion"].iter().all(|family| seen.contains(*family)), "{seen:?}");
}

#[test]
fn the_map_lists_the_rooms_in_their_order() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let map = std::fs::read_to_string(&path).unwrap();
    for (folder, read) in crates() {
        let mut rest = map.as_str();
        for room in read.rooms() {
            let at = rest.find(&format!("| `{room}` |"));
            let at = at.unwrap_or_else(|| panic!("{folder}: docs/architecture.md has not `{room}` in its place"));
            rest = &rest[at..];
        }
    }
}

#[test]
fn what_is_read_is_what_is_used() {
    let text = "use super::{a::B, c};\npub use d::E as F;\n// use crate::no;\nfn f() { crate::g::h(); }\n\
                #[cfg(test)]\nmod tests {\n    use crate::never;\n}\n";
    assert_eq!(modules::paths(text), ["super::a::B", "super::c", "d::E", "crate::g::h"]);
    let files = [
        ("lib", "pub mod a;\npub mod b;"),
        ("a", "use crate::b::X;"),
        ("b", "pub use inner::X;"),
        ("b::inner", "use crate::a::Y;"),
    ];
    let read = Crate::of(files.map(|(name, text)| (name.to_string(), text.to_string())));
    assert_eq!(read.rooms(), ["a", "b"]);
    assert_eq!(read.circles(), [["a", "b::inner"]], "a re-export leads to where the name is defined");
}
