//! Whether a dataset can be looked at before anything is done with it, without anybody noticing.

use super::locate::{FoundAt, Located, locate};
use super::{DataLocations, DatasetDefinition};
use std::path::Path;

/// Some 3 million rows of six columns: a good third of a second.
const LONGEST_FILES: u64 = 64 << 20;
/// A generator takes longer than reading what it made.
const MOST_GENERATED: usize = 300_000;

/// Whether loading takes about as long as starting a few workers. What is not found is found missing at once.
pub fn is_quick_to_load(definition: &DatasetDefinition, locations: &DataLocations) -> bool {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    match locate(definition, locations) {
        Err(_) | Ok(Located::Inline(_)) => true,
        Ok(Located::File { path, .. }) => length(&path) <= LONGEST_FILES,
        Ok(Located::Catalogued(found)) => {
            let lengths = found.files.iter().map(|file| match &file.place {
                FoundAt::Embedded(gzipped) => gzipped.len() as u64,
                FoundAt::DataDirectory(path) | FoundAt::Cache(path) => length(path),
            });
            lengths.sum::<u64>() <= LONGEST_FILES
        }
        Ok(Located::Sketched { parameters, .. }) => parameters.statistics.transactions <= MOST_GENERATED,
        Ok(Located::Table { parameters, .. }) => parameters.rows <= MOST_GENERATED,
        Ok(Located::Lifelike { parameters, .. }) => parameters.transactions <= MOST_GENERATED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_large_is_known_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let locations =
            DataLocations { spec_dir: folder.path().into(), ..DataLocations::new(Some(folder.path().into())) };
        let quick = |source: &str| {
            let yaml = format!("{{source: {source}, quasi_identifiers: [a], sensitive: b}}");
            is_quick_to_load(&serde_yaml::from_str(&yaml).unwrap(), &locations)
        };
        let generated = |rows: usize| format!("{{synthetic: {{rows: {rows}, columns: {{a: 5, b: 3}}}}}}");
        assert!(quick(&generated(300_000)) && !quick(&generated(10_000_000)));
        assert!(
            quick("{format: csv, inline: 'a,b'}") && quick("adult-train") && quick("{file: absent.csv, format: csv}")
        );
        let file = std::fs::File::create(folder.path().join("long.csv")).unwrap();
        file.set_len(LONGEST_FILES).unwrap();
        assert!(quick("{file: long.csv, format: csv}"));
        file.set_len(LONGEST_FILES + 1).unwrap();
        assert!(!quick("{file: long.csv, format: csv}"));
    }
}
