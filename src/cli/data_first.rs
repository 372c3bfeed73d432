//! Data that does not fit a spec is named once, before anything runs.

use super::Failure;
use crate::run::{PlannedCell, Store};
use crate::sources::is_quick_to_load;
use crate::spec::{Experiment, PlanOptions, check_data};
use std::collections::BTreeMap;

/// Holds every spec to its data, as `validate` does, and refuses what could not run: data that does not fit its definition, and
/// guarantees that no cell of a figure can reach. Guarantees that some cells cannot reach are for these to say.
///
/// What `store` has an answer for is not looked at again, since the data and the code are in its key; nor is data that takes long to
/// load, which its cells will load anyway.
pub fn check(experiments: &[Experiment], store: Option<&Store>) -> Result<(), Failure> {
    let mut errors = Vec::new();
    for Experiment { spec, plan, wanted, .. } in experiments {
        let mut first_cells: BTreeMap<&str, &PlannedCell> = BTreeMap::new();
        for cell in &plan.cells {
            first_cells.entry(&cell.cell.dataset_name).or_insert(cell);
        }
        let has_answer = |cell: &&PlannedCell| store.is_some_and(|store| store.has_answer(cell, cell.timed));
        // They are counted already, without the readings that are not wanted.
        let wanted = PlanOptions { max_cells: u64::MAX, ..wanted.clone() };
        let checked = check_data(spec, &wanted, |name, definition, locations| {
            !first_cells.get(name).is_some_and(has_answer) && is_quick_to_load(definition, locations)
        })?;
        errors.extend(checked.wrong);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}
