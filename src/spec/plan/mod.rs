//! From a spec to the cells it means.

mod demand;
mod expansion;
mod options;
mod planned;
mod timed;

pub use demand::{Demand, Promise, strictness};
pub use options::{MOST_CELLS, PlanOptions};
pub use planned::{Plan, PlannedFigure};

use super::reading::ReadingChoice;
use super::{Spec, SpecError};
use crate::sources::{DataLocations, DatasetDefinition};
use expansion::expand;
use indexmap::IndexMap;

/// Every error that expanding a spec would meet, without looking for its data.
pub fn faults(spec: &Spec) -> Vec<SpecError> {
    let locations = DataLocations::new(None);
    let expanded = |quick| {
        // How many cells there may be is for whoever plans to say.
        let options = PlanOptions { quick, max_cells: u64::MAX, ..PlanOptions::of(&locations) };
        expand(spec, &options, true)
    };
    let mut faults = match expanded(false) {
        Ok((_, demands)) => redrawn_in_vain(spec, &demands.0),
        Err(faults) => faults,
    };
    // What is wrong in both variants is said once.
    for fault in expanded(true).err().unwrap_or_default() {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    faults
}

/// Datasets that ask for another draw in each repetition and draw nothing, neither as they stand nor in any cell: a sweep or
/// a reading may do without a draw, or bring one.
fn redrawn_in_vain(spec: &Spec, demands: &IndexMap<String, Demand>) -> Vec<SpecError> {
    let in_vain = |(name, definition): &(&String, &DatasetDefinition)| {
        definition.redraw && !definition.draws() && !demands.get(*name).is_some_and(|demand| demand.redrawn)
    };
    let told = |(name, _): (&String, _)| {
        let message = format!(
            "nothing of `{name}` is drawn, so every repetition would have the same data; `redraw` needs a `sample`, a hierarchy \
             of `order: random` or a `share` of private items"
        );
        spec.error(&["datasets", name, "redraw"], message)
    };
    spec.file.datasets.iter().filter(in_vain).map(told).collect()
}

/// What a spec asks of its datasets, by their names, under each reading. Looks for no data and runs no program.
pub fn demands(spec: &Spec, options: &PlanOptions) -> Result<IndexMap<String, Demand>, Vec<SpecError>> {
    let options = PlanOptions { readings: ReadingChoice::default(), ..options.clone() };
    expand(spec, &options, true).map(|(_, demands)| demands.0)
}

/// Expands a spec. Data that is absent makes cells that say so, not an error: a run on a machine without it still does
/// the rest.
pub fn plan(spec: &Spec, options: &PlanOptions) -> Result<Plan, Vec<SpecError>> {
    expand(spec, options, false).map(|(plan, _)| plan)
}
