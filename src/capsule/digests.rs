//! Holds the files of a capsule to the digests that its metadata states: every file is told, and none lies.

use super::{CapsuleError, METADATA, names};
use fs_err::File;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

/// The files of `directory` as its metadata has them, or all that is wrong.
pub fn check_digests(directory: &Path, files: &[String]) -> Result<(), CapsuleError> {
    let stated = stated(directory)?;
    let mut wrong = Vec::new();
    for name in files.iter().filter(|name| *name != METADATA) {
        match stated.get(name) {
            None => wrong.push(format!("`{name}` is not in the metadata")),
            Some(sha256) if *sha256 != file_sha256(&directory.join(name))? => {
                wrong.push(format!("`{name}` is not the file that the metadata has a digest of"));
            }
            Some(_) => {}
        }
    }
    for name in stated.keys().filter(|name| files.binary_search(name).is_err()) {
        wrong.push(format!("`{name}` is in the metadata and not in the capsule"));
    }
    match wrong.as_slice() {
        [] => Ok(()),
        wrong => Err(CapsuleError::refused(told(wrong))),
    }
}

/// The first of many.
fn told(wrong: &[String]) -> String {
    let shown = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n  ");
    match wrong.len() {
        0..=10 => format!("its files are not those that its metadata states:\n  {shown}"),
        many => format!("its files are not those that its metadata states:\n  {shown}\n  and {} more", many - 10),
    }
}

/// Of the bytes as they lie there, packed or not.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut chunk = vec![0; 1 << 16];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            read => hasher.update(&chunk[..read]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Name → digest of every file that the metadata says is in the capsule.
fn stated(directory: &Path) -> Result<BTreeMap<String, String>, CapsuleError> {
    let broken = |message: String| CapsuleError::refused(format!("`{METADATA}`: {message}"));
    let bytes = std::fs::read(directory.join(METADATA)).map_err(|_| broken("it is missing".to_string()))?;
    let metadata: Value = serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
    let graph = metadata["@graph"].as_array().ok_or_else(|| broken("it has no list `@graph`".to_string()))?;
    let mut stated = BTreeMap::new();
    for entity in graph {
        let types = match &entity["@type"] {
            Value::Array(types) => types.clone(),
            one => vec![one.clone()],
        };
        let Some(id) = entity["@id"].as_str() else { return Err(broken("an entity has no `@id`".to_string())) };
        if !types.contains(&Value::from("File")) || id.contains("://") || id.starts_with("urn:") {
            continue;
        }
        let name = decoded(id).filter(|name| names::fault(name).is_none());
        let name = name.ok_or_else(|| broken(format!("`{id}` is no path in a capsule")))?;
        let sha256 = entity["sha256"].as_str().ok_or_else(|| broken(format!("`{id}` has no sha256")))?;
        if stated.insert(name, sha256.to_string()).is_some() {
            return Err(broken(format!("`{id}` is there twice")));
        }
    }
    Ok(stated)
}

/// A path as a relative address.
pub fn encoded(name: &str) -> String {
    let mut address = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(char::from(byte))
            }
            other => address += &format!("%{other:02X}"),
        }
    }
    address
}

fn decoded(address: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = address.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                u8::try_from(digit(rest.next()?)? * 16 + digit(rest.next()?)?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_being_addresses() {
        for name in ["a/b.csv", "fig.part=both+x.html", "größe 1%.csv"] {
            assert_eq!(decoded(&encoded(name)).as_deref(), Some(name));
        }
        assert_eq!(encoded("a b=c"), "a%20b%3Dc");
        assert_eq!(decoded("%zz"), None);
        assert_eq!(decoded("%f"), None);
    }
}
