//! What a spec is expanded into.

use crate::run::{Limits, PlannedCell};
use crate::sources::Resolution;
use crate::spec::model::Figure;
use crate::spec::reading::{ReadingChoice, Variant};
use indexmap::IndexMap;

/// The cells of one spec.
#[derive(Debug)]
pub struct Plan {
    /// What everything random is drawn with, once for each.
    pub seeds: Vec<u64>,
    pub readings: ReadingChoice,
    pub figures: Vec<PlannedFigure>,
    pub cells: Vec<PlannedCell>,
    /// What each dataset of the spec comes to here, by name, for those that some cell uses.
    pub data: IndexMap<String, Resolution>,
}

#[derive(Debug)]
pub struct PlannedFigure {
    pub id: String,
    /// As it runs: the quick variant under `--quick`.
    pub figure: Figure,
    pub limits: Limits,
    /// The readings it is planned under, the default first.
    pub variants: Vec<Variant>,
}
