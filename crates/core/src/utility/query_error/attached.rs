//! The queries as a file, for whoever wants to ask them elsewhere: an object a line.

use super::asked::AskedQueries;
use crate::data::Microdata;
use serde_json::{Map, Value, json};

pub(super) const FILE: &str = "queries.jsonl";

/// Each query's admitted values, its true count, and by how many per cent the release's answer is off.
pub(super) fn queries(microdata: &Microdata, asked: &AskedQueries, errors: &[f64]) -> Vec<u8> {
    let mut lines = Vec::new();
    for ((query, count), error) in asked.queries.iter().zip(errors) {
        let quasi = query.quasi.iter().map(|one| {
            let column = &microdata.table.columns[microdata.quasi_identifiers[one.attribute]];
            let values: Vec<&String> = one.values.iter().map(|&value| &column.values[value as usize]).collect();
            (column.name.clone(), json!(values))
        });
        let sensitive = &microdata.table.columns[microdata.sensitive];
        let values: Vec<&String> = sensitive
            .values
            .iter()
            .zip(&query.sensitive)
            .filter(|(_, admits)| **admits)
            .map(|(value, _)| value)
            .collect();
        let mut admitted: Map<String, Value> = quasi.collect();
        admitted.insert(sensitive.name.clone(), json!(values));
        lines.extend(format!("{}\n", json!({"admitted": admitted, "count": count, "error": error})).into_bytes());
    }
    lines
}
