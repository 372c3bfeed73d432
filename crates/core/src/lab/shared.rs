//! Numbers that many cells of a run need and each could compute again: kept in the cache under all they depend on.

use super::{Cache, CacheKey};

/// What cells on one dataset share.
#[derive(Debug, Clone)]
pub struct Shared {
    /// Where results lie that several cells need.
    pub cache: Cache,
    /// The dataset, with the code that loaded it.
    pub dataset: CacheKey,
}

/// A place for numbers that depend on its name alone.
#[derive(Debug)]
pub struct SharedNumbers {
    cache: Cache,
    key: CacheKey,
}

impl Shared {
    /// `inputs` is all that the numbers depend on besides the dataset.
    pub(super) fn numbers(&self, name: &str, inputs: &[u8]) -> SharedNumbers {
        let key = CacheKey::of(&[self.dataset.as_bytes(), name.as_bytes(), inputs]);
        SharedNumbers { cache: self.cache.clone(), key }
    }
}

impl SharedNumbers {
    /// What somebody found before.
    pub fn read(&self) -> Option<Vec<u64>> {
        let bytes = self.cache.read(&self.key)?;
        let (numbers, rest) = bytes.as_chunks::<8>();
        rest.is_empty().then(|| numbers.iter().map(|&number| u64::from_le_bytes(number)).collect())
    }

    /// Keeps `numbers` for others, if that is possible; `what` says in words what they are.
    pub fn keep(&self, what: &str, numbers: &[u64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        // Only a shortcut: whoever does not find them computes them again.
        let _ = self.cache.write(&self.key, what, &bytes);
    }
}
