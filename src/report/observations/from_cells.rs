//! Observations of planned cells, straight from their store entries.

use super::{AT, CellCounts, FIXED_COLUMNS, Hole, Measurement, Observations, Witnessed, run_number};
use crate::lab::Witness;
use crate::report::value::Value;
use crate::run::{Entry, Key, PlannedCell, Status};
use indexmap::{IndexMap, IndexSet};

impl Observations {
    /// What is known of these cells of a figure. A cell without an entry has not run and is left out. Cells of several seeds are more
    /// repetitions.
    pub fn of_cells(cells: &[&PlannedCell], entries: &IndexMap<Key, Entry>) -> Self {
        let parameters = parameters(cells, entries);
        let columns = FIXED_COLUMNS.iter().copied().chain(parameters.iter().copied());
        let mut observations = Self { columns: columns.map(String::from).collect(), ..Self::default() };
        let mut counts = CellCounts::default();
        let seeds: IndexSet<u64> = cells.iter().filter_map(|cell| cell.cell.seed).collect();
        let per_seed = cells.iter().map(|cell| cell.cell.repetition + cell.cell.workloads).max().unwrap_or(1);
        let nth_seed = |cell: &PlannedCell| cell.cell.seed.and_then(|seed| seeds.get_index_of(&seed)).unwrap_or(0);
        let repetition_of =
            |cell: &PlannedCell| i64::from(cell.cell.repetition) + i64::from(per_seed) * nth_seed(cell) as i64;
        let run: Vec<(&PlannedCell, &Entry, super::KeyValues)> =
            cells.iter().filter_map(|cell| Some((*cell, entries.get(&cell.key)?, key_of(cell, &parameters)))).collect();
        for (cell, entry, key) in &run {
            let (answer, repetition) = (&entry.answer, repetition_of(cell));
            observations.note_origin(&cell.cell.dataset_name, cell.origin);
            counts.note(key.clone(), repetition, answer.status);
            if repetition == 0 {
                let witnessed = |witness: &Witness| Witnessed { key: key.clone(), fields: witness.fields().to_vec() };
                observations.witnesses.extend(answer.witnesses.iter().map(witnessed));
            }
            if answer.status != Status::Ok {
                let (status, reason) = (answer.status, answer.reason.clone());
                observations.holes.push(Hole { key: key.clone(), repetition, status, reason });
                continue;
            }
            let workloads = std::iter::once(&answer.observations).chain(&answer.further_workloads);
            for (repetition, found) in (repetition..).zip(workloads) {
                for found in found.iter().filter(|found| found.value.is_finite()) {
                    let mut key = key.clone();
                    key[AT] = found.at.as_deref().map_or(Value::None, Value::parse);
                    observations.rows.push(Measurement {
                        key,
                        repetition,
                        metric: found.metric.to_string(),
                        value: found.value,
                    });
                }
            }
        }
        for (cell, entry, key) in &run {
            for (sample, metric, value) in entry.costs() {
                let run = run_number(repetition_of(cell), i64::from(sample));
                observations.note_cost(key.clone(), run, metric, value, &entry.machine);
            }
        }
        observations.cells = counts.by_status();
        observations
    }
}

/// What some cell has: first what the spec sets, as in the columns of CSV files, then the defaults of cells that have run.
fn parameters<'a>(cells: &[&'a PlannedCell], entries: &IndexMap<Key, Entry>) -> IndexSet<&'a str> {
    let set = cells.iter().flat_map(|cell| cell.columns.keys().map(String::as_str));
    let run = cells.iter().filter(|cell| entries.contains_key(&cell.key));
    let defaults = run.flat_map(|cell| cell.defaults.iter()).filter(|(_, value)| !value.is_null());
    set.chain(defaults.map(|(name, _)| name.as_str())).collect()
}

/// The key of a cell's rows, but for their place along a measure's own axis.
fn key_of(cell: &PlannedCell, parameters: &IndexSet<&str>) -> super::KeyValues {
    let algorithm = cell.cell.algorithm.as_ref().map_or("", |algorithm| &algorithm.name);
    let mut key = vec![Value::parse(&cell.cell.dataset_name), Value::parse(algorithm), Value::None];
    key.extend(parameters.iter().map(|&name| cell.column(name).map_or(Value::None, Value::from)));
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;
    use crate::lab::Observation;
    use crate::run::{Answer, Costs, Limits, TABLES, key_of as cell_key, planned_cell};
    use serde_json::json;
    use std::sync::Arc;

    fn planned(repetition: u32, columns: &[(&str, serde_json::Value)]) -> PlannedCell {
        let mut planned = planned_cell(repetition);
        planned.cell.seed = Some(columns.len() as u64);
        PlannedCell {
            key: cell_key(&planned.key_fields()),
            origin: Origin::StandIn,
            columns: Arc::new(columns.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()),
            defaults: Arc::new(IndexMap::from([("k".to_string(), json!(9)), ("exact".to_string(), json!(true))])),
            notes: Arc::new(vec!["n".to_string()]),
            randomized: false,
            ..planned
        }
    }

    fn entry(answer: Answer) -> Entry {
        let (key_fields, limits) = (IndexMap::new(), Limits::default());
        Entry { key_fields, answer, limits, alone: false, machine: "m".into(), samples: Vec::new() }
    }

    fn ok(observations: Vec<Observation>) -> Entry {
        let metrics = vec![("seconds".into(), 0.5), ("allocations".into(), f64::NAN)];
        let costs = Costs { metrics, cell_seconds: 1.0, disturbance: None };
        entry(Answer { observations, costs, ..Answer::without_result(Status::Ok, "") })
    }

    /// What is made from cells is what can be read again from the files that they leave.
    #[test]
    fn cells_and_their_csv_files_give_the_same() {
        let cells = [
            planned(0, &[("k", json!(2)), ("mode", json!("0.50"))]),
            planned(1, &[("k", json!(2.5)), ("on", json!(true)), ("list", json!([1, 2]))]),
            planned(2, &[("k", json!(null)), ("on", json!("")), ("list", json!("x,\"y\""))]),
        ];
        let number = |metric: &str, at: Option<&str>, value| Observation {
            metric: metric.into(),
            at: at.map(String::from),
            value,
        };
        let found = vec![number("m", Some("3"), 1.0), number("m", Some("four"), 2.0), number("m", None, f64::NAN)];
        let mut witnessed = ok(found);
        witnessed.answer.witnesses = vec![Witness::of("m", "row 3, \"alone\"").row(2).by(["a;b".to_string()])];
        let entries = IndexMap::from([
            (cells[0].key.clone(), witnessed),
            (cells[1].key.clone(), ok(Vec::new())),
            (cells[2].key.clone(), entry(Answer::without_result(Status::Timeout, "took\nlonger"))),
        ]);
        let cells: Vec<&PlannedCell> = cells.iter().collect();
        let direct = Observations::of_cells(&cells, &entries);
        assert_eq!(direct.columns, ["dataset", "algorithm", "at", "k", "mode", "on", "list", "exact"]);
        assert_eq!(direct.rows.len(), 4, "{direct:?}");
        assert_eq!((direct.holes[0].status, direct.holes[0].reason.as_str()), (Status::Timeout, "took\nlonger"));
        assert_eq!(direct.cells, [(Status::Ok, 2), (Status::Timeout, 1)]);
        assert_eq!(direct.origins, [("d".to_string(), Origin::StandIn)]);
        let directory = tempfile::tempdir().unwrap();
        for (name, table) in TABLES {
            let mut file = std::fs::File::create(directory.path().join(name)).unwrap();
            table(&cells, &entries, &mut file).unwrap();
        }
        assert_eq!(direct.witnesses[0].field("says"), "row 3, \"alone\"");
        let read = Observations::read_figure(directory.path(), "f", crate::spec::DEFAULT_READING).unwrap();
        assert_eq!(format!("{read:?}"), format!("{direct:?}"));
    }
}
