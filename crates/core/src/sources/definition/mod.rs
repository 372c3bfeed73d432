//! What a spec says of a dataset: its source, its roles, its derivations, its hierarchies.
//!
//! A definition serializes canonically (fields in a fixed order, defaults left out), because it enters cell keys and
//! the seeds of random streams.

mod flexible;
mod source;
mod step;
#[cfg(test)]
mod tests;
mod tree;

pub use flexible::{Label, Names};
pub use source::{FileSource, Format, InlineSource, Source, Synthetic, SyntheticSource, Written};
pub use step::{Missing, ModuloOf, Private, StandIn, Step};
pub use tree::{ByDegree, ByHeight, ByIntervals, HierarchyDefinition, HierarchyFile, HierarchyTree, Node, Order};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A dataset: where its rows come from, what its columns or items mean, and what is done to them before any algorithm
/// sees them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetDefinition {
    /// A catalogue entry (`anonlab data list`), a file, rows in the spec itself, or generated data.
    pub source: Source,
    /// One part of a catalogue entry that comes in parts (`part: a` of bms-pos).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Tables: the columns an adversary may know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quasi_identifiers: Vec<String>,
    /// Tables: the column to protect. Of several, a generalized table protects each alone; everything else is about their combination.
    #[serde(default, skip_serializing_if = "no_names")]
    pub sensitive: Names,
    /// Tables with several sensitive columns: protect their combination, as if it were one attribute, instead of each alone.
    #[serde(default, skip_serializing_if = "is_default")]
    pub combine_sensitive: bool,
    /// Steps from the source's rows to the dataset's, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derive: Vec<Step>,
    /// Transactions: of what `modulo` takes the remainder.
    #[serde(default, skip_serializing_if = "is_default")]
    pub modulo_of: ModuloOf,
    /// Tables: columns and the hierarchies over their values.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub hierarchies: IndexMap<String, HierarchyDefinition>,
    /// Transactions: the hierarchy over the items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<HierarchyDefinition>,
    /// Transactions: the items an adversary does not know, and wants to; none unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private: Option<Private>,
    /// Whether generated data may serve where the real data is absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stand_in: StandIn,
    /// Another number, other draws of whatever is random here (samples, random orders, private items).
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// Every repetition of a figure draws anew whatever is random here; otherwise all repetitions have one draw. Algorithms
    /// that repeat exactly are then repeated, too: once a draw.
    #[serde(default, skip_serializing_if = "is_default")]
    pub redraw: bool,
}

fn no_names(names: &Names) -> bool {
    names.0.is_empty()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl DatasetDefinition {
    /// Whether anything of it is drawn with the seed of the run: a sample, a random order, private items. Generated data is
    /// not: it has seeds of its own.
    pub fn draws(&self) -> bool {
        let sampled = self.derive.iter().any(|step| match step {
            Step::Sample(_) | Step::SampleShare(_) => true,
            Step::DropMissing(_) | Step::First(_) | Step::Modulo(_) => false,
        });
        let shuffled = |hierarchy: &HierarchyDefinition| match hierarchy {
            HierarchyDefinition::Degree(ByDegree { order, .. })
            | HierarchyDefinition::Height(ByHeight { order, .. }) => *order == Order::Random,
            HierarchyDefinition::BuiltIn(_)
            | HierarchyDefinition::File(_)
            | HierarchyDefinition::Tree(_)
            | HierarchyDefinition::Intervals(_) => false,
        };
        let lots = match &self.private {
            Some(Private::Share(_)) => true,
            Some(Private::Items(_) | Private::LeastFrequent(_)) | None => false,
        };
        sampled || lots || self.hierarchies.values().chain(&self.hierarchy).any(shuffled)
    }

    /// Whether each repetition has a draw of its own.
    pub fn redraws(&self) -> bool {
        self.redraw && self.draws()
    }
}

/// Something wrong in a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where, from the definition on: `derive[0].first`, `hierarchies.age`; empty for the definition as a whole.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Fault {
    /// What is wrong at `path` of a definition.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}
