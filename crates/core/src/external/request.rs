//! What a program is told: one JSON object on its standard input.

use crate::data::ColumnKind;
use crate::release::ReleaseKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The version of the protocol. Fields may be added without a new one; none changes its meaning.
pub const PROTOCOL: u32 = 1;

/// What a program is sent on its standard input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramRequest {
    /// The version of the protocol.
    pub protocol: u32,
    /// The kind of release to write.
    pub release: ReleaseKind,
    /// The files to read.
    pub input: Input,
    /// Those of the guarantee, then the program's own.
    pub parameters: Map<String, Value>,
    /// Below 2^53, so that every language reads it exactly.
    pub seed: u64,
    /// What it may take.
    pub limits: RequestLimits,
    /// The directory, empty, into which the release goes.
    pub output: PathBuf,
}

/// What the program and all that it starts may use; more, and it is ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RequestLimits {
    /// Wall-clock time from now.
    pub seconds: f64,
    /// Resident memory of all its processes together.
    pub memory_bytes: u64,
    /// Of all files it writes together.
    pub output_bytes: u64,
    pub files: usize,
}

/// The original as files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Input {
    /// Microdata.
    Table(TableInput),
    /// Transactions.
    Transactions(TransactionsInput),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableInput {
    /// CSV with a header: the quasi-identifiers in the order given here, then the sensitive attribute.
    pub table: PathBuf,
    pub rows: usize,
    pub quasi_identifiers: Vec<QuasiIdentifier>,
    pub sensitive: String,
    /// A hierarchy over the sensitive values, where the spec has one.
    #[serde(default)]
    pub sensitive_hierarchy: Option<PathBuf>,
    /// The attributes behind the sensitive column, in the order in which its values have them, where there are several and each is
    /// protected alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive_attributes: Vec<SensitiveInput>,
}

/// One of several sensitive attributes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SensitiveInput {
    pub name: String,
    /// A hierarchy over its values, where the spec has one.
    pub hierarchy: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuasiIdentifier {
    pub name: String,
    pub kind: QuasiIdentifierKind,
    /// A hierarchy over its values, where the spec has one.
    pub hierarchy: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuasiIdentifierKind {
    Categorical,
    /// Every value that is not missing (`?` or nothing) is a number.
    Numeric,
}

impl From<ColumnKind> for QuasiIdentifierKind {
    fn from(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Categorical => Self::Categorical,
            ColumnKind::Numeric => Self::Numeric,
        }
    }
}

/// Transactions and what is known of their items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TransactionsInput {
    /// FIMI: one transaction a line, items apart by one blank; an empty line is an empty transaction.
    pub transactions: PathBuf,
    /// Number of transactions.
    pub rows: usize,
    /// CSV with the columns `item` and `role` (public or private): the whole domain, in its order.
    pub items: PathBuf,
    /// CSV with the columns `node` and `parent`, where the spec has a hierarchy.
    pub hierarchy: Option<PathBuf>,
}
