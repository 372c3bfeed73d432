//! Readings: questions that a paper leaves open, each with the options that answer it.
//!
//! ```yaml
//! readings:
//!   order:
//!     asks: In which order do the items hang under the hierarchy? The paper does not say.
//!     options:
//!       id: {}                                           # the first is the spec as it stands
//!       frequency: {datasets.clicks.hierarchy.order: frequency}
//! figures:
//!   fig10c: {readings: [order], …}
//! ```

mod check;
mod settings;
mod variant;

pub(super) use check::faults;
pub(super) use settings::apply;
pub use variant::{DEFAULT, Variant};
pub(super) use variant::{applied, variants};

use crate::lab::named;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A question the paper leaves open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The question, for the report.
    pub asks: String,
    /// The answers, by a name of your choice. The first is the spec as it stands: `{}`.
    pub options: IndexMap<String, PathValues>,
}

/// Paths of the spec with the values they get: `datasets.clicks.hierarchy.order: frequency`,
/// `algorithms.injector.parameters.ties: rows`, `measures.rules.parameters.support: 0.02`.
pub type PathValues = IndexMap<String, Value>;

impl Reading {
    /// The option that the spec stands for as it is.
    pub fn default_option(&self) -> &str {
        self.options.keys().next().map_or("", String::as_str)
    }
}

/// More seeds than this are a slip, not an experiment.
pub const MOST_SEEDS: u32 = 10_000;

named! {
    /// Which readings a run goes through.
    #[derive(Default, Serialize, Deserialize, clap::ValueEnum)]
    #[serde(rename_all = "snake_case")]
    pub enum ReadingChoice {
        /// The spec as it stands
        None = "none",
        /// The spec as it stands, and every option alone
        #[default]
        Each = "each",
        /// Every combination of options
        All = "all",
    }
}
