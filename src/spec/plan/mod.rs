//! From a spec to the cells it means.

mod demand;
mod expansion;
mod options;
mod planned;
mod timed;

pub use demand::Demand;
pub use options::{MOST_CELLS, PlanOptions};
pub use planned::{Plan, PlannedFigure};

use super::{Spec, SpecError};
use crate::data::DataLocations;
use expansion::expand;
use indexmap::IndexMap;

/// Every error that expanding a spec would meet, without looking for its data.
pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let locations = DataLocations::new(None);
    let errors = |quick| {
        // How many cells there may be is for whoever plans to say.
        let options = PlanOptions { quick, max_cells: u64::MAX, ..PlanOptions::of(&locations) };
        expand(spec, &options, true).err().unwrap_or_default()
    };
    let mut faults = errors(false);
    // What is wrong in both variants is said once.
    for fault in errors(true) {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    faults
}

/// What a spec asks of its datasets, by their names. Looks for no data and runs no program.
pub fn demands(spec: &Spec) -> Result<IndexMap<String, Demand>, Vec<SpecError>> {
    let locations = DataLocations::new(None);
    expand(spec, &PlanOptions::of(&locations), true).map(|(_, demands)| demands.0)
}

/// Expands a spec. Data that is absent makes cells that say so, not an error: a run on a machine without it still does
/// the rest.
pub fn plan(spec: &Spec, options: &PlanOptions) -> Result<Plan, Vec<SpecError>> {
    expand(spec, options, false).map(|(plan, _)| plan)
}
