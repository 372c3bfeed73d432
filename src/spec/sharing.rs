//! Whose the results of a spec are, and what others may do with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a capsule says of its results.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sharing {
    /// Who answers for the results.
    pub authors: Vec<Author>,
    /// The licence of the results: its SPDX identifier (CC-BY-4.0) or its address.
    pub licence: Option<String>,
    /// Data files beside the spec that may be passed on. Of others a capsule has the checksum.
    pub pass_on: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Author {
    pub name: String,
    /// 0000-0002-1825-0097, or the address that ends with it.
    #[serde(default)]
    pub orcid: Option<String>,
    #[serde(default)]
    pub affiliation: Option<String>,
}

impl Author {
    /// The address of an ORCID iD.
    pub fn orcid_address(&self) -> Option<String> {
        self.orcid.as_deref().map(|orcid| format!("{ORCID}{}", digits(orcid)))
    }
}

impl Sharing {
    /// The address of the licence.
    pub fn licence_address(&self) -> Option<String> {
        let licence = self.licence.as_deref()?;
        Some(match licence.starts_with(HTTPS) {
            true => licence.to_string(),
            false => format!("https://spdx.org/licenses/{licence}"),
        })
    }

    /// What is wrong, and where below the spec.
    pub(super) fn faults(&self) -> Vec<(Vec<String>, String)> {
        let mut faults = Vec::new();
        let mut fault = |path: &[&str], message: String| {
            faults.push((std::iter::once("results").chain(path.iter().copied()).map(String::from).collect(), message));
        };
        for (i, author) in self.authors.iter().enumerate() {
            let number = i.to_string();
            if author.name.trim().is_empty() {
                fault(&["authors", &number, "name"], "an author has a name".to_string());
            }
            if let Some(orcid) = author.orcid.as_deref().filter(|orcid| !is_orcid(digits(orcid))) {
                let message =
                    format!("`{orcid}` is no ORCID iD: 0000-0002-1825-0097 is one, whose last digit checks the others");
                fault(&["authors", &number, "orcid"], message);
            }
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.+".contains(c);
        let in_address = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
        if let Some(licence) = self.licence.as_deref() {
            let sound = match licence.strip_prefix(HTTPS) {
                Some(rest) => !rest.is_empty() && rest.chars().all(in_address),
                None => !licence.is_empty() && licence.len() <= 60 && licence.chars().all(plain),
            };
            if !sound {
                fault(
                    &["licence"],
                    format!("`{licence}` is neither an SPDX identifier (CC-BY-4.0) nor an https address"),
                );
            }
        }
        faults
    }
}

const HTTPS: &str = "https://";
const ORCID: &str = "https://orcid.org/";

fn digits(orcid: &str) -> &str {
    orcid.strip_prefix(ORCID).unwrap_or(orcid)
}

/// Four groups of four digits, the last of which is the check digit of ISO 7064 MOD 11-2.
fn is_orcid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    if groups.len() != 4 || groups.iter().any(|group| group.len() != 4) {
        return false;
    }
    let Some((last, first)) = groups.concat().into_bytes().split_last().map(|(last, first)| (*last, first.to_vec()))
    else {
        return false;
    };
    if !first.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let sum = first.iter().fold(0, |sum, digit| (sum + u32::from(digit - b'0')) * 2 % 11);
    match (12 - sum) % 11 {
        10 => last == b'X',
        check => u32::from(last) == u32::from(b'0') + check,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orcids_have_a_check_digit() {
        assert!(is_orcid("0000-0002-1825-0097"));
        assert!(is_orcid("0000-0002-1694-233X"));
        for wrong in [
            "0000-0002-1825-0098",
            "0000-0002-1825-009",
            "0000000218250097",
            "0000-0002-1825-009Z",
            "a000-0002-1825-0097",
            "é000-002-1825-0097",
        ] {
            assert!(!is_orcid(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let author = |orcid: &str| Author { name: " ".into(), orcid: Some(orcid.into()), affiliation: None };
        let sharing = Sharing {
            authors: vec![author("https://orcid.org/0000-0002-1825-0097")],
            licence: Some("CC BY".into()),
            pass_on: vec![],
        };
        let paths: Vec<String> = sharing.faults().into_iter().map(|(path, _)| path.join(".")).collect();
        assert_eq!(paths, ["results.authors.0.name", "results.licence"]);
        assert_eq!(sharing.authors[0].orcid_address().unwrap(), "https://orcid.org/0000-0002-1825-0097");
        let sharing = Sharing { licence: Some("CC-BY-4.0".into()), ..Sharing::default() };
        assert_eq!(sharing.licence_address().unwrap(), "https://spdx.org/licenses/CC-BY-4.0");
    }
}
