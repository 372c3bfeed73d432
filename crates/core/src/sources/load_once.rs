//! Loading through the cache: of a dataset that somebody loaded before, only the codes are read.
//!
//! An entry is named by the definition, the seed where anything is drawn, the code, and the checksums of all files: those that
//! `resolve` knows, which are remembered by inode, length and times of change. It was written by somebody who read just these
//! bytes, so whatever a file is now, an entry is never the data of another.

use super::columnar::Columnar;
use super::generated_once::GeneratedOnce;
use super::load::{load_with, source_name};
use super::{DataError, DataLocations, DatasetDefinition, Loaded, Resolution, load, resolve};
use crate::data::{Content, Dataset};
use crate::lab::{Cache, CacheKey, Seed, Shared};

/// Datasets that take fewer bytes than this load as quickly from their source.
const WORTH_KEEPING: usize = 1 << 20;

/// A dataset and where its name is in the cache.
pub struct LoadedOnce {
    /// The data with the digests of its files.
    pub loaded: Loaded,
    /// What else depends on this very dataset is kept under keys made from this; None without a cache.
    pub key: Option<CacheKey>,
    /// Whether this load put it into the cache: it took longer than the next ones will.
    pub kept_now: bool,
}

impl LoadedOnce {
    /// What cells on this dataset share; None without a cache.
    pub fn shared(&self, locations: &DataLocations) -> Option<Shared> {
        let (cache, dataset) = Cache::in_directory(&locations.cache_dir).zip(self.key.clone())?;
        Some(Shared { cache, dataset })
    }
}

/// [`load`], from the cache where it is there. `code` is the digest of the code that loads.
pub fn load_once(
    definition: &DatasetDefinition,
    locations: &DataLocations,
    seed: Seed,
    code: &str,
) -> Result<LoadedOnce, DataError> {
    load_through(Cache::in_directory(&locations.cache_dir).as_ref(), definition, locations, seed, code)
}

fn load_through(
    cache: Option<&Cache>,
    definition: &DatasetDefinition,
    locations: &DataLocations,
    seed: Seed,
    code: &str,
) -> Result<LoadedOnce, DataError> {
    let Some((cache, resolution)) = cache.zip(resolve(definition, locations).ok()) else {
        return Ok(LoadedOnce { loaded: load(definition, locations, seed)?, key: None, kept_now: false });
    };
    let key = key_of(definition, &resolution, seed, code);
    let known = cache.read(&key).and_then(|bytes| Columnar::from_bytes(&bytes));
    if let Some(Columnar { content, rows_read, rows_left }) = known {
        let Resolution { origin, digests, note } = resolution;
        let dataset = Dataset { name: source_name(&definition.source), origin, content };
        let loaded = Loaded { dataset, digests, note, rows_read, rows_left };
        return Ok(LoadedOnce { loaded, key: Some(key), kept_now: false });
    }
    let loaded = load_with(definition, locations, seed, GeneratedOnce::kept_in(cache, code))?;
    // A file may have changed since its checksum was looked up.
    if loaded.digests != resolution.digests {
        return Ok(LoadedOnce { loaded, key: None, kept_now: false });
    }
    let (loaded, kept_now) = keep(cache, &key, loaded);
    Ok(LoadedOnce { loaded, key: Some(key), kept_now })
}

fn key_of(definition: &DatasetDefinition, resolution: &Resolution, seed: Seed, code: &str) -> CacheKey {
    let json = |value: serde_json::Value| value.to_string().into_bytes();
    let seed = definition.draws().then_some(seed.0);
    let (definition, digests) = (json(serde_json::json!(definition)), json(serde_json::json!(resolution.digests)));
    CacheKey::of(&[b"dataset", code.as_bytes(), &definition, &digests, &json(serde_json::json!(seed))])
}

/// Writes a dataset that is large enough into the cache; says whether it is there now.
fn keep(cache: &Cache, key: &CacheKey, loaded: Loaded) -> (Loaded, bool) {
    let Loaded { dataset, digests, note, rows_read, rows_left } = loaded;
    let Dataset { name, origin, content } = dataset;
    let (codes, rows, of) = match &content {
        Content::Table(microdata) => {
            let rows = microdata.rows();
            (rows * microdata.table.columns.len(), rows, "rows")
        }
        Content::Transactions(baskets) => {
            (baskets.transactions.occurrences(), baskets.transactions.len(), "transactions")
        }
    };
    let columnar = Columnar { content, rows_read, rows_left };
    // Only a shortcut: whoever cannot write it loads again.
    let kept =
        codes >= WORTH_KEEPING && cache.write(key, &format!("{rows} {of} of {name}"), &columnar.to_bytes()).is_ok();
    let Columnar { content, rows_read, rows_left } = columnar;
    (Loaded { dataset: Dataset { name, origin, content }, digests, note, rows_read, rows_left }, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;
    use std::path::Path;

    fn definition(json: serde_json::Value) -> DatasetDefinition {
        serde_json::from_value(json).unwrap()
    }

    fn people() -> DatasetDefinition {
        definition(serde_json::json!({
            "source": {"file": "people.csv", "format": "csv"},
            "quasi_identifiers": ["zip", "age"], "sensitive": "ill",
            "hierarchies": {"age": {"degree": 2}},
        }))
    }

    /// Enough rows to be kept.
    fn rows(ill: &str) -> String {
        let row = |i: usize| format!("{},{},{ill}{}\n", 10_000 + i * 31 % 70_000, i % 90, i % 7);
        "zip,age,ill\n".to_string() + &(0..360_000).map(row).collect::<String>()
    }

    fn same(a: &Dataset, b: &Dataset) -> bool {
        match (&a.content, &b.content) {
            (Content::Table(a), Content::Table(b)) => {
                a.table == b.table
                    && a.hierarchies == b.hierarchies
                    && (&a.sensitive_hierarchy, &a.sensitive_parts) == (&b.sensitive_hierarchy, &b.sensitive_parts)
                    && (&a.quasi_identifiers, a.sensitive) == (&b.quasi_identifiers, b.sensitive)
            }
            (Content::Transactions(a), Content::Transactions(b)) => {
                (&a.transactions, &a.hierarchy, &a.private) == (&b.transactions, &b.hierarchy, &b.private)
            }
            _ => false,
        }
    }

    fn entry(cache: &Cache) -> std::path::PathBuf {
        let names: Vec<_> = cache.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), 1);
        cache.directory().join(&names[0])
    }

    fn setting(folder: &Path) -> (DataLocations, Cache) {
        let locations = DataLocations { cache_dir: folder.join("cache"), ..DataLocations::new(Some(folder.into())) };
        let cache = Cache::with_limit(&locations.cache_dir, 1 << 30);
        (locations, cache)
    }

    #[test]
    fn an_entry_is_the_dataset_whatever_happens_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (locations, cache) = setting(folder.path());
        fs::write(folder.path().join("people.csv"), rows("flu")).unwrap();
        let load = || load_through(Some(&cache), &people(), &locations, Seed(1), "code").unwrap();
        let literal = super::load(&people(), &locations, Seed(1)).unwrap();
        let as_loaded = |once: &LoadedOnce| {
            same(&once.loaded.dataset, &literal.dataset)
                && once.loaded.digests == literal.digests
                && (&once.loaded.note, once.loaded.rows_read, &once.loaded.rows_left)
                    == (&literal.note, literal.rows_read, &literal.rows_left)
        };
        let first = load();
        assert!(as_loaded(&first) && first.kept_now);
        let path = entry(&cache);
        let whole = fs::read(&path).unwrap();
        let second = load();
        assert!(as_loaded(&second) && !second.kept_now, "from the cache");
        let damages: [fn(&mut Vec<u8>); 4] = [
            |bytes| bytes.truncate(bytes.len() / 2),
            |bytes| bytes.truncate(0),
            |bytes| {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            },
            |bytes| bytes.push(0),
        ];
        for damage in damages {
            let mut bytes = whole.clone();
            damage(&mut bytes);
            fs::write(&path, bytes).unwrap();
            assert!(as_loaded(&load()));
            assert_eq!(fs::read(&path).unwrap(), whole, "written anew");
        }
        fs::remove_dir_all(cache.directory()).unwrap();
        assert!(as_loaded(&load()), "taken away");
        // Under another code, another seed where nothing is drawn, and without a cache.
        load_through(Some(&cache), &people(), &locations, Seed(2), "code").unwrap();
        assert_eq!(cache.entries().len(), 1, "nothing is drawn");
        load_through(Some(&cache), &people(), &locations, Seed(1), "other code").unwrap();
        assert_eq!(cache.entries().len(), 2);
        assert!(as_loaded(&load_through(None, &people(), &locations, Seed(1), "code").unwrap()));
    }

    #[test]
    fn another_file_is_another_entry() {
        let folder = tempfile::tempdir().unwrap();
        let (locations, cache) = setting(folder.path());
        let load = |ill: &str| {
            fs::write(folder.path().join("people.csv"), rows(ill)).unwrap();
            load_through(Some(&cache), &people(), &locations, Seed(1), "code").unwrap().loaded
        };
        let (first, second, again) = (load("flu"), load("ill"), load("flu"));
        assert!(!same(&first.dataset, &second.dataset) && same(&first.dataset, &again.dataset));
        assert_ne!(first.digests, second.digests);
        assert_eq!(cache.entries().len(), 2);
    }

    #[test]
    fn whoever_cannot_write_loads_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (locations, cache) = setting(folder.path());
        fs::write(folder.path().join("people.csv"), rows("flu")).unwrap();
        fs::write(folder.path().join("cache"), "no directory").unwrap();
        for _ in 0..2 {
            let once = load_through(Some(&cache), &people(), &locations, Seed(1), "code").unwrap();
            assert_eq!(once.loaded.rows_read, 360_000);
        }
    }

    proptest! {
        #[test]
        fn transactions_come_back(
            baskets in prop::collection::vec(prop::collection::vec(0u32..400, 0..6), 1..30),
            private in prop::sample::select(vec![0.0, 0.5]),
        ) {
            let text: String = baskets
                .iter()
                .map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ") + " 7\n")
                .collect();
            let definition = definition(serde_json::json!({
                "source": {"inline": text, "format": "fimi"}, "hierarchy": {"degree": 3}, "private": {"share": private},
            }));
            let loaded = load(&definition, &DataLocations::new(None), Seed(3)).unwrap();
            let columnar = Columnar { content: loaded.dataset.content.clone(), rows_read: 5, rows_left: vec![4, 3] };
            let bytes = columnar.to_bytes();
            let again = Columnar::from_bytes(&bytes).unwrap();
            let dataset = Dataset { content: again.content, ..loaded.dataset.clone() };
            prop_assert!(same(&dataset, &loaded.dataset));
            prop_assert_eq!((again.rows_read, again.rows_left), (5, vec![4, 3]));
            prop_assert!(Columnar::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        }
    }
}
