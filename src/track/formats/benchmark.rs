//! The values of a run for services that keep histories of their own.

use crate::lab::Better;
use crate::track::rules::rule;
use crate::track::snapshot::{Record, Snapshot, Summed};
use serde_json::{Map, Value, json};

/// What github-action-benchmark takes as `customSmallerIsBetter` or `customBiggerIsBetter`.
pub fn github(snapshot: &Snapshot, better: Better) -> String {
    let mut entries = Vec::new();
    for (name, record) in cells(snapshot) {
        for (metric, Summed { value, low, high }) in record.summed() {
            if rule(&metric).better != better || !value.is_finite() {
                continue;
            }
            let unit = match rule(&metric).unit {
                "" => &metric,
                unit => unit,
            };
            let mut entry = json!({"name": format!("{name}: {metric}"), "unit": unit, "value": value});
            if low < high {
                entry["range"] = json!(format!("{low} to {high}"));
            }
            entries.push(entry);
        }
    }
    format!("{:#}\n", Value::from(entries))
}

/// Bencher Metric Format: benchmark → measure → value with its bounds.
pub fn bencher(snapshot: &Snapshot) -> String {
    let mut benchmarks = Map::new();
    for (name, record) in cells(snapshot) {
        let measures: Map<String, Value> = record
            .summed()
            .into_iter()
            .filter(|(_, summed)| summed.value.is_finite())
            .map(|(metric, Summed { value, low, high })| {
                let bounds = low < high;
                let measure = match bounds {
                    true => json!({"value": value, "lower_value": low, "upper_value": high}),
                    false => json!({"value": value}),
                };
                (metric, measure)
            })
            .collect();
        benchmarks.insert(name, Value::Object(measures));
    }
    format!("{:#}\n", Value::Object(benchmarks))
}

/// Cells that ended well, by names of their own.
fn cells(snapshot: &Snapshot) -> impl Iterator<Item = (String, &Record)> {
    let well = snapshot.cells.iter().filter(|(_, record)| record.is_ok());
    well.map(|(id, record)| {
        let alike = |(other, twin): &(&_, &Record)| *other != id && twin.title == record.title;
        // Cells of two figures can differ in what no column shows.
        let digest =
            if snapshot.cells.iter().any(|other| alike(&other)) { format!(" ({})", id.digest) } else { String::new() };
        (format!("{}: {}{digest}", id.experiment, record.title), record)
    })
}
