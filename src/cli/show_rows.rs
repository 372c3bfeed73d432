//! `--show-rows`: says whose rows witnesses are about where the store, which others may get to see, does not.

use super::Failure;
use crate::run::{Entry, Key, PlannedCell};
use crate::sources::{DataLocations, load};
use indexmap::{IndexMap, IndexSet};

/// Adds what the original says of their rows to the witnesses that have only numbers. Each dataset is loaded once.
pub fn introduce_rows(
    cells: &[PlannedCell],
    entries: &mut IndexMap<Key, Entry>,
    locations: &DataLocations,
) -> Result<(), Failure> {
    let unnamed = |entry: &Entry| entry.answer.witnesses.iter().any(|one| one.row.is_some() && one.person.is_empty());
    let mut of_data: IndexMap<String, (&PlannedCell, IndexSet<&Key>)> = IndexMap::new();
    for cell in cells.iter().filter(|cell| entries.get(&cell.key).is_some_and(unnamed)) {
        let data = serde_json::json!([cell.cell.dataset, cell.cell.data_seed().0]).to_string();
        of_data.entry(data).or_insert_with(|| (cell, IndexSet::new())).1.insert(&cell.key);
    }
    for (_, (cell, keys)) in of_data {
        let dataset = load(&cell.cell.dataset, locations, cell.cell.data_seed())?.dataset;
        for key in keys {
            let witnesses = entries.get_mut(key).into_iter().flat_map(|entry| &mut entry.answer.witnesses);
            witnesses.for_each(|witness| dataset.introduce(witness));
        }
    }
    Ok(())
}
