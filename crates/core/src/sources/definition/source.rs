use super::Label;
use crate::lab::named;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize as DeriveDeserialize, Serialize};
use std::fmt;

/// Where a dataset's rows come from: the name of a catalogue entry (`anonlab data list`), or a structure with one of
/// `file`, `inline` and `synthetic`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Source {
    /// A catalogue entry.
    Catalogue(String),
    /// A file of your own.
    File(FileSource),
    /// The data itself, in the spec.
    Inline(InlineSource),
    /// Generated transactions, or a generated table.
    Synthetic(SyntheticSource),
}

named! {
    /// How rows are written.
    #[derive(Serialize, DeriveDeserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Format {
        /// A table with a header line; fields may be quoted.
        Csv = "csv",
        /// A table as the UCI repository has them: no header, fields apart by a comma and blanks, `?` for a missing value,
        /// lines that begin with `|` are comments, a period that ends every row is not part of its last value.
        Uci = "uci",
        /// Transactions, one a line: items apart by blanks (`1 2 3`).
        Fimi = "fimi",
        /// Transactions, one a line: itemsets end with -1, the line with -2 (`1 -1 2 -1 -2`).
        Spmf = "spmf",
        /// Transactions, one item a line: `tid item`. Lines with the same tid are one transaction, wherever they stand; it
        /// comes where its tid comes first.
        TwoColumn = "two-column",
        /// Transactions, one a line: items apart by commas (`whole milk,rolls/buns`), so that their names may have blanks.
        Basket = "basket",
        /// Transactions as UCI's Anonymous Microsoft Web Data has them: lines `A` name the areas of a site, a line `C`
        /// begins a visitor, its lines `V` are the areas visited. An area goes by its address.
        Msweb = "msweb",
    }
}

impl Format {
    /// Whether files of this format hold tables.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Uci)
    }
}

impl Source {
    /// How its rows are written, where the definition says that.
    pub fn written(&self) -> Option<&Written> {
        match self {
            Self::File(FileSource { written, .. }) | Self::Inline(InlineSource { written, .. }) => Some(written),
            Self::Catalogue(_) | Self::Synthetic(_) => None,
        }
    }
}

/// A file of your own, plain or gzipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FileSource {
    /// Its path: absolute, or relative to the spec or to the data directory (in that order).
    pub file: String,
    #[allow(missing_docs)]
    #[serde(flatten)]
    pub written: Written,
}

/// Data in the spec itself, for worked examples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InlineSource {
    /// The rows, as they would stand in a file.
    pub inline: String,
    #[allow(missing_docs)]
    #[serde(flatten)]
    pub written: Written,
}

/// How the rows of a file or of a spec are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Written {
    /// How the rows are written.
    pub format: Format,
    /// The names of the columns, where there is no header line (always so for `uci`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// What stands between the fields of CSV, if it is no comma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Tables: the words that stand for a missing value, besides `?` and nothing: `[NA, "-9"]`. An empty list says that
    /// there are none, not even among numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<Label>>,
}

/// Generated transactions or a generated table, called generated wherever it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SyntheticSource {
    /// What is generated.
    pub synthetic: Synthetic,
}

/// What generated data looks like: a table where it has `rows` and `columns`, else transactions. The same description gives the
/// same data, whatever the run's seed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Synthetic {
    /// A catalogue entry whose published statistics fill in what is not given here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// How many transactions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub transactions: Option<usize>,
    /// How many different items; each occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub items: Option<usize>,
    /// The number of items in the longest transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub longest: Option<usize>,
    /// The mean number of items in a transaction, met within 1 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0))]
    pub mean: Option<f64>,
    /// A table: how many rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub rows: Option<usize>,
    /// A table: its columns, and how many values each may have: `{age: 80, sex: 2}`. Values are whole numbers from 0 on, and depend
    /// on one another.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub columns: IndexMap<String, usize>,
    /// How fast popularity falls from one item or value to the next, as the exponent of Zipf's law; 0 makes all alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 4.0))]
    pub skew: Option<f64>,
    /// Another number, other data with the same statistics.
    #[serde(skip_serializing_if = "is_zero")]
    pub seed: u64,
}

impl Synthetic {
    /// Whether this is a table.
    pub fn is_table(&self) -> bool {
        self.rows.is_some() || !self.columns.is_empty()
    }

    /// Whether nothing but the number of transactions and the seed is other than in what it is `like`.
    pub fn sizes_only(&self) -> bool {
        self.items.is_none() && self.longest.is_none() && self.mean.is_none() && self.skew.is_none()
    }
}

fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

/// Every key a source may have; which of them belong together is said below, in words an untagged enum does not have.
#[derive(DeriveDeserialize)]
#[serde(deny_unknown_fields)]
struct SourceWire {
    file: Option<String>,
    inline: Option<String>,
    synthetic: Option<Synthetic>,
    format: Option<Format>,
    columns: Option<Vec<String>>,
    delimiter: Option<char>,
    missing: Option<Vec<Label>>,
}

impl SourceWire {
    fn into_source(self) -> Result<Source, &'static str> {
        const ONE: &str = "a source has one of `file`, `inline` and `synthetic`, or is the name of a catalogue entry";
        const FORMAT: &str = "a source needs its `format`: csv, uci, fimi, spmf, two-column, basket or msweb";
        let columns = self.columns.unwrap_or_default();
        let (delimiter, missing) = (self.delimiter, self.missing);
        match (self.file, self.inline, self.synthetic) {
            (Some(file), None, None) => {
                let written = Written { format: self.format.ok_or(FORMAT)?, columns, delimiter, missing };
                Ok(Source::File(FileSource { file, written }))
            }
            (None, Some(inline), None) => {
                let written = Written { format: self.format.ok_or(FORMAT)?, columns, delimiter, missing };
                Ok(Source::Inline(InlineSource { inline, written }))
            }
            (None, None, Some(synthetic)) => {
                if self.format.is_some() || !columns.is_empty() || delimiter.is_some() || missing.is_some() {
                    return Err("a synthetic source has no format, columns, delimiter or missing values");
                }
                Ok(Source::Synthetic(SyntheticSource { synthetic }))
            }
            _ => Err(ONE),
        }
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SourceVisitor;
        impl<'de> Visitor<'de> for SourceVisitor {
            type Value = Source;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a catalogue entry, or a structure with `file`, `inline` or `synthetic`")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<Source, E> {
                Ok(Source::Catalogue(name.to_string()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Source, A::Error> {
                let wire: SourceWire = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
                wire.into_source().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(SourceVisitor)
    }
}
