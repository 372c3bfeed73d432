//! Which code computed an answer.

#![forbid(unsafe_code)]

mod digests {
    include!(concat!(env!("OUT_DIR"), "/digests.rs"));
}

/// Of everything in this crate that can change an answer: sources, the data inside the program, the versions of the
/// crates it depends on. Taken at build time.
pub fn code_digest() -> &'static str {
    digests::ALL
}

/// Of what all families of publishers share, and of the family named: what the answer of a cell of that family can
/// depend on. A family that is not known depends on everything.
pub fn family_digest(family: Option<&str>) -> String {
    match family.map(|name| digests::FAMILIES.iter().find(|(family, _)| *family == name)) {
        None => digests::SHARED.to_string(),
        Some(Some((_, digest))) => format!("{} {digest}", digests::SHARED),
        Some(None) => code_digest().to_string(),
    }
}

/// The compiler, the profile and the target: what heap and allocations depend on besides the code. A compiler may leave
/// out allocations, and the standard library decides how vectors grow.
pub fn build_name() -> &'static str {
    env!("ANONLAB_BUILD")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::publishers;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    fn class_of_each() -> BTreeMap<&'static str, &'static str> {
        digests::FILES.iter().copied().collect()
    }

    fn walk(path: &Path, found: &mut Vec<String>) {
        if path.is_dir() {
            fs::read_dir(path).unwrap().flatten().for_each(|entry| walk(&entry.path(), found));
        } else {
            found.push(path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_str().unwrap().to_string());
        }
    }

    #[test]
    fn every_file_is_classified() {
        let class = class_of_each();
        let mut files = Vec::new();
        for root in ["src", "datasets", "Cargo.toml"] {
            walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root), &mut files);
        }
        let forgotten: Vec<&String> = files.iter().filter(|file| !class.contains_key(file.as_str())).collect();
        assert!(forgotten.is_empty(), "in no digest: {forgotten:?}");
        // What an earlier list had forgotten.
        for file in ["src/matching.rs", "src/cell.rs", "datasets/catalogue.yaml", "datasets/hierarchies/adult/age.yaml"]
        {
            assert_eq!(class[file], "shared", "{file}");
        }
    }

    /// With the whole lock file in it, a new version of a plotting crate would make every cell run again.
    #[test]
    fn only_the_crates_that_this_one_is_linked_with_are_in_the_digest() {
        let has = |name: &str| digests::DEPENDENCIES.iter().any(|package| package.split(' ').next() == Some(name));
        for linked in ["blake3", "csv", "rand_chacha", "rand_core", "serde-saphyr", "indexmap"] {
            assert!(has(linked), "{linked} can change an answer");
        }
        for foreign in ["polars", "plotters", "tera", "clap", "ureq", "zip", "proptest", "jsonschema", "anonlab"] {
            assert!(!has(foreign), "{foreign} changes no answer");
        }
    }

    #[test]
    fn every_publisher_is_of_a_family_with_a_digest() {
        for publisher in publishers() {
            let family = publisher.family();
            assert!(digests::FAMILIES.iter().any(|(known, _)| *known == family), "{}: {family}", publisher.name());
        }
        assert_eq!(class_of_each()["src/publish/km/mod.rs"], "family km");
        assert_eq!(class_of_each()["src/external/program.rs"], "family external");
        assert_ne!(family_digest(Some("km")), family_digest(Some("injector")));
        assert_eq!(family_digest(Some("no such family")), code_digest());
    }
}
