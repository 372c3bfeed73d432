//! What a cell will take, from what others like it took.

use super::{PlannedCell, Store};
use std::collections::BTreeMap;

/// Mean seconds of stored cells, by how much they have in common with the one asked for.
#[derive(Debug, Default)]
pub struct StoredTimes {
    /// The same publisher on the same data.
    on_dataset: BTreeMap<[u8; 32], Mean>,
    /// The same publisher on any data.
    of_publisher: BTreeMap<String, Mean>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, seconds: f64) {
        self.sum += seconds;
        self.count += 1.0;
    }
}

fn on_dataset(publisher: &str, dataset: &str) -> [u8; 32] {
    *blake3::hash(format!("{publisher}\n{dataset}").as_bytes()).as_bytes()
}

impl StoredTimes {
    pub fn of(store: &Store) -> Self {
        let mut history = Self::default();
        for entry in store.entries() {
            let field = |name: &str| entry.key_fields.get(name).map_or("", String::as_str);
            let (publisher, seconds) = (field("publisher"), entry.answer.costs.cell_seconds);
            history.on_dataset.entry(on_dataset(publisher, field("dataset"))).or_default().add(seconds);
            history.of_publisher.entry(publisher.to_string()).or_default().add(seconds);
        }
        history
    }

    /// None where nothing like it has run.
    pub fn seconds(&self, cell: &PlannedCell) -> Option<f64> {
        let fields = cell.key_fields();
        let (publisher, dataset) = (&fields["publisher"], &fields["dataset"]);
        let known =
            self.on_dataset.get(&on_dataset(publisher, dataset)).or_else(|| self.of_publisher.get(publisher))?;
        Some(known.sum / known.count)
    }
}
