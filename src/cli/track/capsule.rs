//! What a capsule says, as a baseline.

use crate::capsule::{Capsule, match_cells};
use crate::cli::Failure;
use crate::run::{Entry, Key, PlannedCell};
use crate::sources::DataLocations;
use crate::spec::{PlanOptions, ReadingChoice};
use crate::track::{Snapshot, only_repeats};
use indexmap::IndexMap;
use std::path::Path;

/// Its cells as the specs stand, computed from the data that is here; those of other data are left out. Runs nothing.
pub fn snapshot(path: &Path, locations: &DataLocations) -> Result<Snapshot, Failure> {
    let capsule = Capsule::open(path)?;
    let (entries, unsound) = capsule.entries();
    if let Some(first) = unsound.first() {
        return Err(Failure::new(format!("{} is refused: {first}", path.display())));
    }
    let mut snapshot = Snapshot::default();
    for run in &capsule.manifest.runs {
        let mut run = run.clone();
        (run.readings, run.seeds) = (ReadingChoice::None, Some(1));
        let experiment = capsule.experiment(&run, &entries, &PlanOptions::of(locations))?;
        let (matched, _, _) = match_cells(&experiment.plan.cells, &entries);
        let same_data = matched.into_iter().filter(|found| found.difference.data.is_empty());
        let entries: IndexMap<Key, Entry> =
            same_data.map(|found| (found.cell.key.clone(), found.entry.clone())).collect();
        let cells: Vec<PlannedCell> =
            experiment.plan.cells.iter().filter(|cell| !only_repeats(cell)).cloned().collect();
        snapshot.add(&run.id, &cells, &entries);
    }
    Ok(snapshot)
}
