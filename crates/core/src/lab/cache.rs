//! What was computed once and can be computed again: files of a directory, each named by a hash of all it depends on.
//!
//! An entry starts with a checksum of the rest, is written under a temporary name and renamed, and is read whole before it is
//! believed: what is cut off, altered, half-written or taken away meanwhile is as if it were not there. Whoever cannot write
//! (a full disk, a directory of somebody else) goes on without. The directory is kept below a limit; what was not used for
//! longest goes first.

use super::{Durability, MemoryLimit, write_whole};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How large the cache may become, e.g. `2GB`; `0` turns it off.
pub const CACHE_SIZE: &str = "ANONLAB_CACHE_SIZE";
const DEFAULT_SIZE: u64 = 8 << 30;

/// What every entry begins with; the number is that of this layout.
const MAGIC: &[u8] = b"anonlab cache 1\n";
const CHECKSUM: usize = blake3::OUT_LEN;
/// What a writer that was killed leaves is taken away after this long.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The cache of a directory.
#[derive(Debug, Clone)]
pub struct Cache {
    directory: PathBuf,
    limit: u64,
}

/// The name of an entry: a hash of everything it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheKey(blake3::Hash);

impl CacheKey {
    /// Of several texts, in order.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("anonlab cache entry");
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize())
    }

    /// The digest itself.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// What `anonlab cache` tells of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheEntry {
    /// The file's name.
    pub name: String,
    /// In words; None where the entry is damaged.
    pub what: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// When it was last read or written.
    pub used: SystemTime,
}

/// The content of an entry.
#[derive(Debug)]
pub struct CacheContent {
    bytes: Vec<u8>,
    start: usize,
}

impl Deref for CacheContent {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// How large the environment allows the cache to become; None where it is turned off, an error in words where it says no size.
pub fn allowed_size() -> Result<Option<u64>, String> {
    let Some(said) = std::env::var_os(CACHE_SIZE) else { return Ok(Some(DEFAULT_SIZE)) };
    let said = said.to_string_lossy();
    if said.trim() == "0" {
        return Ok(None);
    }
    match said.trim().parse::<MemoryLimit>() {
        Ok(limit) => Ok(Some(limit.0)),
        Err(error) => Err(format!("{CACHE_SIZE}: {error}; 0 turns the cache off")),
    }
}

impl Cache {
    /// The cache in `directory`, of the size that the environment allows; None where it is turned off.
    pub fn in_directory(directory: &Path) -> Option<Self> {
        // What cannot be read is refused before anything runs; here it limits nothing that matters: the cache is only a shortcut.
        let limit = allowed_size().unwrap_or(Some(DEFAULT_SIZE))?;
        Some(Self::with_limit(directory, limit))
    }

    /// A cache in `directory` that removes what was not used for longest beyond `limit` bytes.
    pub fn with_limit(directory: &Path, limit: u64) -> Self {
        Self { directory: directory.join("computed"), limit }
    }

    /// Where its files lie.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How many bytes it keeps.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    fn path(&self, key: &CacheKey) -> PathBuf {
        self.directory.join(key.0.to_hex().as_str())
    }

    /// The content under `key`, if there is any and it is sound. What is damaged is taken away.
    pub fn read(&self, key: &CacheKey) -> Option<CacheContent> {
        let path = self.path(key);
        let mut file = File::open(&path).ok()?;
        match read_sound(&mut file) {
            Ok((_, content)) => {
                // When it was used last; who may not say so may still read.
                let _ = file.set_modified(SystemTime::now());
                Some(content)
            }
            Err(_) => {
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    /// Keeps `content` under `key`; `what` says in words what it is, on one line. Others that have not been used for longest make
    /// room. Fails where nothing can be written, which is no reason to stop.
    pub fn write(&self, key: &CacheKey, what: &str, content: &[u8]) -> io::Result<()> {
        let length = MAGIC.len() + CHECKSUM + what.len() + 1 + content.len();
        if length as u64 > self.limit {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[0; CHECKSUM]);
        bytes.extend(what.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        bytes.push(b'\n');
        bytes.extend_from_slice(content);
        let checksum = blake3::hash(&bytes[MAGIC.len() + CHECKSUM..]);
        bytes[MAGIC.len()..][..CHECKSUM].copy_from_slice(checksum.as_bytes());
        self.make_room(length as u64);
        // Not synced: the checksum tells should the machine stop.
        write_whole(&self.path(key), &bytes, Durability::Unsynced)
    }

    /// Takes away what was not used for longest until `bytes` more fit, and what writers left that were killed.
    fn make_room(&self, bytes: u64) {
        let mut files = self.files();
        files.sort_by_key(|(_, _, used)| *used);
        files.sort_by_key(|(path, ..)| !is_temporary(path));
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (path, length, _) in files {
            if total + bytes <= self.limit && !is_temporary(&path) {
                break;
            }
            let _ = fs::remove_file(path);
            total -= length;
        }
    }

    /// Every file with its length and when it was used last, but for those that are being written.
    fn files(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let listed = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        listed
            .filter_map(|entry| {
                let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((entry.path(), metadata.len(), metadata.modified().ok()?))
            })
            .filter(|(path, _, used)| !is_temporary(path) || used.elapsed().is_ok_and(|age| age > ABANDONED))
            .collect()
    }

    /// All entries, the one used last first. Each is read and held to its checksum.
    pub fn entries(&self) -> Vec<CacheEntry> {
        let entry = |(path, bytes, used): (PathBuf, u64, SystemTime)| {
            let what = File::open(&path).ok().and_then(|mut file| Some(read_sound(&mut file).ok()?.0));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            CacheEntry { name, what, bytes, used }
        };
        let files = self.files().into_iter().filter(|(path, ..)| !is_temporary(path));
        let mut entries: Vec<CacheEntry> = files.map(entry).collect();
        entries.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.name.cmp(&b.name)));
        entries
    }

    /// Takes everything away. Tells how many files and bytes that were.
    pub fn clear(&self) -> io::Result<(usize, u64)> {
        let (mut files, mut freed) = (0, 0);
        for (path, bytes, _) in self.files() {
            match fs::remove_file(&path) {
                Ok(()) => (files, freed) = (files + 1, freed + bytes),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(io::Error::new(error.kind(), format!("cannot remove {}: {error}", path.display())));
                }
            }
        }
        Ok((files, freed))
    }
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// What an entry says it is, and its content; an error where it is not as it was written.
fn read_sound(file: &mut File) -> io::Result<(String, CacheContent)> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "damaged");
    let length = usize::try_from(file.metadata()?.len()).map_err(|_| damaged())?;
    let mut bytes = Vec::with_capacity(length + 1);
    file.read_to_end(&mut bytes)?;
    let rest = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_at_checked(CHECKSUM));
    let (checksum, rest) = rest.ok_or_else(damaged)?;
    if blake3::hash(rest).as_bytes() != checksum {
        return Err(damaged());
    }
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
    let what = String::from_utf8_lossy(&rest[..end]).into_owned();
    Ok((what, CacheContent { start: MAGIC.len() + CHECKSUM + end + 1, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> CacheKey {
        CacheKey::of(&[name.as_bytes()])
    }

    fn content(cache: &Cache, name: &str) -> Option<Vec<u8>> {
        cache.read(&key(name)).map(|content| content.to_vec())
    }

    #[test]
    fn parts_of_a_key_do_not_run_into_each_other() {
        assert_ne!(CacheKey::of(&[b"ab", b"c"]), CacheKey::of(&[b"a", b"bc"]));
    }

    #[test]
    fn what_is_written_is_read_and_any_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::with_limit(folder.path(), 1 << 20);
        assert_eq!(content(&cache, "a"), None);
        let body: Vec<u8> = (0..=255).cycle().take(1000).collect();
        cache.write(&key("a"), "some\nbytes", &body).unwrap();
        assert_eq!(content(&cache, "a").as_ref(), Some(&body));
        assert_eq!(cache.entries()[0].what.as_deref(), Some("some bytes"));
        let path = cache.path(&key("a"));
        let whole = fs::read(&path).unwrap();
        for place in [0, 20, MAGIC.len() + CHECKSUM, whole.len() / 2, whole.len() - 1] {
            let mut altered = whole.clone();
            altered[place] ^= 0x10;
            fs::write(&path, &altered).unwrap();
            assert_eq!(cache.entries()[0].what, None, "byte {place}");
            assert_eq!(content(&cache, "a"), None, "byte {place}");
            assert!(!path.exists(), "what is damaged is taken away");
        }
        for length in [0, 1, MAGIC.len() + 5, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(content(&cache, "a"), None, "cut off after {length}");
        }
        fs::write(&path, [whole.as_slice(), b"x"].concat()).unwrap();
        assert_eq!(content(&cache, "a"), None, "longer than it was");
    }

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::with_limit(folder.path(), 3500);
        let body = vec![7; 1000];
        let used = |name: &str, seconds: u64| {
            let file = File::options().write(true).open(cache.path(&key(name))).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        for (i, name) in ["a", "b", "c"].into_iter().enumerate() {
            cache.write(&key(name), name, &body).unwrap();
            used(name, i as u64);
        }
        assert!(content(&cache, "a").is_some(), "which is a use");
        cache.write(&key("d"), "d", &body).unwrap();
        let left: Vec<bool> = ["a", "b", "c", "d"].map(|name| content(&cache, name).is_some()).to_vec();
        assert_eq!(left, [true, false, true, true]);
        cache.write(&key("e"), "too large", &[7; 4000]).unwrap();
        assert_eq!(cache.entries().len(), 3, "what is larger than the cache is not kept");
        assert_eq!(cache.clear().unwrap().0, 3);
        assert_eq!(cache.entries(), []);
    }

    #[test]
    fn whoever_cannot_write_is_told_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("computed"), "a file where the directory should be").unwrap();
        let cache = Cache::with_limit(folder.path(), 1 << 20);
        assert!(cache.write(&key("a"), "a", b"body").is_err());
        assert_eq!(content(&cache, "a"), None);
        assert_eq!(cache.entries(), []);
    }

    /// Writers, readers and somebody who takes everything away, all at once: a reader gets the whole of an entry or nothing.
    #[test]
    fn many_at_once_never_see_half_an_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::with_limit(folder.path(), 1 << 20);
        let body: Vec<u8> = (0..200_000u32).flat_map(|i| i.to_le_bytes()[..1].to_vec()).collect();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..50).for_each(|_| cache.write(&key("a"), "a", &body).unwrap()));
                scope.spawn(|| (0..50).for_each(|_| assert!(content(&cache, "a").is_none_or(|found| found == body))));
            }
            scope.spawn(|| (0..20).for_each(|_| cache.clear().map(drop).unwrap()));
        });
    }
}
