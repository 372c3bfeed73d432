use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How stars and suppressed rows are read. Tools differ in this without saying so; here it is always said.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Conventions {
    /// What a cell that covers every value means beside others in its column.
    pub star: Star,
    /// What suppressed rows count as.
    pub suppressed: Suppressed,
    /// Which rows are suppressed.
    pub suppressed_if: SuppressedIf,
    /// The largest share of the rows that may be suppressed.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub suppression: f64,
}

/// What a cell that covers every value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Star {
    /// A value like any other: equal to stars alone.
    #[default]
    Value,
    /// Equal to whatever stands in the same column of another row. Rows then have no classes, but each has the rows it is
    /// compatible with, pair by pair.
    Wildcard,
}

/// What suppressed rows count as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Suppressed {
    /// They are in no class and not among the n rows.
    #[default]
    Excluded,
    /// They are one class of their own.
    Class,
}

/// Which rows are suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuppressedIf {
    /// Those that are `*` throughout, the sensitive value included.
    #[default]
    Everything,
    /// Also those whose sensitive value was left in (ARX writes them so).
    QuasiIdentifiers,
}
