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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Whoever opens a stranger's capsule plans its specs and runs nothing: an option of a reading must not slip a program in.
    #[test]
    fn a_program_that_a_reading_brings_is_not_asked_for_its_version_where_versions_are_known() {
        let text = "
anonlab: 1
title: t
datasets:
  patients:
    source: {format: csv, inline: \"age,disease\\n29,flu\\n22,cold\\n27,asthma\\n43,gout\\n\"}
    quasi_identifiers: [age]
    sensitive: disease
algorithms:
  known: {command: [sh, -c, exit 3, known], release: buckets, parameters: {l: 2}}
readings:
  who:
    asks: Who is it?
    options:
      ours: {}
      another: {algorithms.anatomy: {command: [sh, -c, exit 3], release: buckets, parameters: {l: 2}}}
figures:
  f:
    title: f
    datasets: [patients]
    algorithms: [anatomy, known]
    readings: [who]
    draw: {x: algorithm, y: seconds}
";
        let spec = Spec::parse("p.yaml".as_ref(), text).unwrap();
        let command = ["sh", "-c", "exit 3", "known"].map(String::from).to_vec();
        let versions = Some(BTreeMap::from([(command, "7".to_string())]));
        let allowed = PlanOptions { allow_external: true, ..PlanOptions::of(&DataLocations::new(None)) };
        // Asked, these programs say nothing and fail.
        let planned = plan(&spec, &PlanOptions { versions, ..allowed }).unwrap();
        let version = |reading: &str, name: &str| {
            let algorithm = |cell: &crate::run::PlannedCell| cell.cell.algorithm.clone().filter(|one| one.name == name);
            let mut cells = planned.cells.iter().filter(|cell| *cell.reading == *reading);
            cells.find_map(algorithm).and_then(|algorithm| algorithm.external.clone()).map(|program| program.version)
        };
        assert_eq!(version("default", "anatomy"), None);
        assert_eq!(version("default", "known").as_deref(), Some("7"));
        assert_eq!(version("who=another", "anatomy").as_deref(), Some(""));
    }

    /// It runs once. Stopped at the shorter limit, the figure with the longer one would call it slower than it may be.
    #[test]
    fn a_cell_of_two_figures_has_the_most_that_one_of_them_gives() {
        let text = "
anonlab: 1
title: t
limits: {time: 60s, memory: 1GB}
datasets:
  patients:
    source: {format: csv, inline: \"age,disease\\n29,flu\\n22,cold\\n27,asthma\\n43,gout\\n\"}
    quasi_identifiers: [age]
    sensitive: disease
figures:
  short:
    title: f
    datasets: [patients]
    algorithms: [anatomy]
    sweep: {product: {l: [2, 3]}}
    limits: {time: 10s, memory: 2GB}
    draw: {x: l, y: seconds}
  long:
    title: f
    datasets: [patients]
    algorithms: [anatomy]
    sweep: {product: {l: [2]}}
    draw: {x: l, y: seconds}
";
        let spec = Spec::parse("p.yaml".as_ref(), text).unwrap();
        let planned = plan(&spec, &PlanOptions::of(&DataLocations::new(None))).unwrap();
        let limits: Vec<(String, u64, u64)> = planned
            .cells
            .iter()
            .map(|cell| (cell.figure.clone(), cell.limits.time.0.as_secs(), cell.limits.memory.0 >> 30))
            .collect();
        let expected =
            [("short", 60, 2), ("short", 10, 2), ("long", 60, 2)].map(|(id, time, gb)| (id.to_string(), time, gb));
        assert_eq!(limits, expected);
    }
}
