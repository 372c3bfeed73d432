use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One step from the source's rows to the dataset's; steps are taken in the order they stand in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Tables: drops rows with a missing value (`?` or nothing).
    DropMissing(Missing),
    /// Keeps the first n rows; all of them, if there are fewer.
    First(#[schemars(range(min = 1))] usize),
    /// Keeps a random sample of n rows in their old order. More than there are: rows are drawn with replacement, so that
    /// the data is sampled up to n. Samples of one dataset that differ in n alone are nested.
    Sample(#[schemars(range(min = 1))] usize),
    /// Keeps a random share of the rows, as `sample` does.
    SampleShare(#[schemars(range(min = 0.0, max = 1.0))] f64),
    /// Transactions: replaces each item by its rank among all ids of the source, modulo n; by its id with `modulo_of: id`
    /// of the dataset. Items that fall together in a transaction count once. (The rank: ids of some sets are all odd.)
    Modulo(#[schemars(range(min = 1))] usize),
}

/// Of what the step `modulo` takes the remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModuloOf {
    /// The rank of an item among all ids of the source: n items remain.
    #[default]
    Rank,
    /// The id itself, which must be a whole number. Where ids are all odd, half of n items remain.
    Id,
}

/// Which columns must have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// The quasi-identifiers and the sensitive columns.
    Used,
    /// Every column of the source.
    All,
}

/// Which items an adversary does not know, and wants to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Private {
    /// These.
    Items(Vec<super::Label>),
    /// A random share of the items, rounded to the nearest number; a greater share holds a smaller one.
    Share(#[schemars(range(min = 0.0, max = 1.0))] f64),
    /// This share of the items, those that occur least; among equals those with the greater id.
    LeastFrequent(#[schemars(range(min = 0.0, max = 1.0))] f64),
}

/// Whether generated data may serve where the real data is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StandIn {
    /// Without the real data there is no dataset.
    #[default]
    Refused,
    /// A generator that matches the published statistics serves; whatever is made from it says "stand-in".
    Allowed,
}
