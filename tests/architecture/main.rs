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

/// Else the core does not compile with some of its features, which no build of the workspace would show.
#[test]
fn rooms_of_a_feature_are_used_by_rooms_that_have_it() {
    let [_, (_, core)] = crates();
    let manifest =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/core/Cargo.toml")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (user, used) in core.uses() {
        let Some(needed) = core.feature(used) else { continue };
        let has = core.feature(user).is_some_and(|own| features::includes(&manifest, own, needed));
        assert!(has, "{user} uses {used}, which is behind the feature `{needed}`");
        seen.insert(needed);
    }
    assert!(seen.iter().eq(&["examination", "sources", "worker"]), "{seen:?}");
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    for (folder, read) in crates() {
        let circles = read.circles();
        assert!(circles.is_empty(), "{folder}: these files use each other in a circle: {circles:?}");
    }
}

/// A family of publishers is a file or folder of `publish`, and has a digest of its own in the keys of its cells: what it used of
/// another family would not be in them. What all share is in every key, so that only `publish` itself may list the families.
#[test]
fn families_of_publishers_do_not_use_each_other() {
    let [_, (_, core)] = crates();
    let family = |module: &str| {
        let name = module.strip_prefix("publish::")?.split("::").next()?.to_string();
        (!["contract", "registry"].contains(&name.as_str())).then_some(name)
    };
    // External programs are a family, too. What runs none of them has no digest of theirs in its key.
    let of_programs = ["cell", "worker::lifetime", "worker::programs"];
    let mut seen = std::collections::BTreeSet::new();
    for (user, used) in core.uses() {
        if modules::room(used) == "external" {
            let own = modules::room(user) == "external";
            assert!(own || of_programs.contains(&user), "{user} uses {used}: is it in the key of all its cells?");
        }
        let Some(other) = family(used) else { continue };
        let own = family(user);
        let is_list = matches!(user, "publish" | "publish::registry");
        assert!(is_list || own.as_ref() == Some(&other), "{user} uses {used}, of the family `{other}`");
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
        ("lib", "pub mod a;\n#[cfg(feature = \"more\")]\npub mod b;"),
        ("a", "use crate::b::X;"),
        ("b", "pub use inner::X;"),
        ("b::inner", "use crate::a::Y;"),
    ];
    let read = Crate::of(files.map(|(name, text)| (name.to_string(), text.to_string())));
    assert_eq!(read.rooms(), ["a", "b"]);
    assert_eq!((read.feature("a"), read.feature("b::inner")), (None, Some("more")));
    let manifest = "[features]\nx = [\"y\", \"dep:z\"]\ny = [\"more\"]\nmore = []\n";
    assert!(features::includes(manifest, "x", "more") && !features::includes(manifest, "more", "x"));
    assert_eq!(read.circles(), [["a", "b::inner"]], "a re-export leads to where the name is defined");
}
