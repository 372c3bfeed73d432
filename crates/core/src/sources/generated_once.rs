//! Generated transactions through the cache. A generator takes far longer than reading what it made, and every worker of every
//! sample, order and draw of private items begins with the same stand-in.

use super::columnar::Columnar;
use super::{DataError, Digest};
use crate::data::{Baskets, Content, Transactions};
use crate::lab::{Cache, CacheKey};

/// What has fewer items than this is generated as quickly as it is read.
const WORTH_KEEPING: usize = 1 << 14;

/// Where generated transactions are kept.
#[derive(Clone, Copy)]
pub(super) struct GeneratedOnce<'a> {
    /// With the digest of the code that generates; None where everything is generated anew.
    kept_in: Option<(&'a Cache, &'a str)>,
}

impl<'a> GeneratedOnce<'a> {
    pub fn anew() -> Self {
        Self { kept_in: None }
    }

    pub fn kept_in(cache: &'a Cache, code: &'a str) -> Self {
        Self { kept_in: Some((cache, code)) }
    }

    /// The transactions that `digest` names: its generator and all it depends on.
    pub fn transactions(
        self,
        digest: &Digest,
        generate: impl FnOnce() -> Result<Transactions, DataError>,
    ) -> Result<Transactions, DataError> {
        let Some((cache, code)) = self.kept_in else { return generate() };
        let key = CacheKey::of(&[b"generated", code.as_bytes(), digest.file.as_bytes(), digest.sha256.as_bytes()]);
        let known = cache.read(&key).and_then(|bytes| Columnar::from_bytes(&bytes));
        if let Some(Columnar { content: Content::Transactions(baskets), .. }) = known {
            return Ok(baskets.transactions);
        }
        let transactions = generate()?;
        if transactions.occurrences() < WORTH_KEEPING {
            return Ok(transactions);
        }
        let rows_read = transactions.len();
        let private = vec![false; transactions.items()];
        let baskets = Baskets { transactions, hierarchy: None, private };
        let columnar = Columnar { content: Content::Transactions(baskets), rows_read, rows_left: Vec::new() };
        // Only a shortcut: whoever cannot write it generates again.
        let _ = cache.write(&key, &format!("{rows_read} transactions of {}", digest.file), &columnar.to_bytes());
        match columnar.content {
            Content::Transactions(baskets) => Ok(baskets.transactions),
            Content::Table(_) => unreachable!("it was made of transactions just above"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn transactions_are_generated_once_for_each_description_and_code() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::with_limit(folder.path(), 1 << 30);
        let times = Cell::new(0);
        let ask = |code: &str, sha256: &str, rows: usize| {
            let digest = Digest { file: "a generator".to_string(), sha256: sha256.to_string() };
            let generate = || {
                times.set(times.get() + 1);
                let row = |i: usize| vec![format!("{}", i % 7), format!("{}", 10 + i % 300)];
                Ok(Transactions::from_labels(&(0..rows).map(row).collect::<Vec<_>>()))
            };
            (GeneratedOnce::kept_in(&cache, code).transactions(&digest, generate).unwrap(), times.get())
        };
        let (first, _) = ask("code", "1", 10_000);
        assert_eq!(ask("code", "1", 10_000), (first.clone(), 1));
        assert_eq!(ask("code", "2", 10_000).1, 2, "another description");
        assert_eq!(ask("other code", "1", 10_000).1, 3);
        for entry in cache.entries() {
            std::fs::write(cache.directory().join(entry.name), "damaged").unwrap();
        }
        assert_eq!(ask("code", "1", 10_000), (first, 4), "what is damaged is generated again");
        let (few, many) = (ask("code", "3", 10).1, ask("code", "3", 10).1);
        assert_eq!((few, many), (5, 6), "a few are not kept");
    }

    #[test]
    fn what_cannot_be_generated_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::with_limit(folder.path(), 1 << 30);
        let digest = Digest { file: "a generator".to_string(), sha256: "1".to_string() };
        let refused = || Err(DataError::fault("source.synthetic", "no"));
        assert!(GeneratedOnce::kept_in(&cache, "code").transactions(&digest, refused).is_err());
        assert!(cache.entries().is_empty());
    }
}
