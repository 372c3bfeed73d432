//! Every point of a figure beside each other: the best value marked, and how far the others are from it.

use super::blocks::{Blocks, Values};
use crate::lab::Better;
use crate::report::figure::Names;
use crate::report::number::{Unit, percent};
use crate::report::observations::Observations;
use crate::report::value::Value;
use crate::spec::draw::function;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct PointTable {
    /// With its unit.
    pub metric: String,
    pub keys: Vec<String>,
    pub contenders: Vec<String>,
    pub rows: Vec<PointRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PointRow {
    pub keys: Vec<String>,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    pub text: String,
    /// How far from the best, relative to it.
    pub off: String,
    pub best: bool,
    pub number: Option<f64>,
}

/// The points of a metric in one figure, as the figure names things.
pub fn point_table(observations: &Observations, metric: &str, names: &Names) -> PointTable {
    let blocks = Blocks::of(&[observations], metric);
    let mut columns = blocks.varying_columns();
    if !columns.iter().any(|name| name == "dataset") {
        columns.insert(0, "dataset".to_string());
    }
    let statistic = function(names.draw.statistic);
    let middle = |values: &Values| {
        let values: Vec<f64> = values.values().copied().collect();
        (!values.is_empty()).then(|| statistic(&values))
    };
    let grid: Vec<Vec<Option<f64>>> =
        blocks.values.values().map(|contenders| contenders.iter().map(middle).collect()).collect();
    let largest = grid.iter().flatten().flatten().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let unit = Unit::fitting(names.metrics.unit(metric), largest);
    let mut rows = Vec::new();
    for (place, values) in blocks.values.keys().zip(&grid) {
        let mut cells = cells(values, names.metrics.better(metric), &unit);
        for (index, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| cell.number.is_none()) {
            let end = blocks.ends.get(&(place.clone(), index));
            cell.text = end.map_or("–", |status| status.in_words()).to_string();
        }
        let key = |name: &String| names.value(name, place.get(name).unwrap_or(&Value::None));
        rows.push(PointRow { keys: columns.iter().map(key).collect(), cells });
    }
    let contender = |known: &super::blocks::Contender| known.named(names.value("algorithm", &known.algorithm));
    PointTable {
        metric: names.metric_with_unit(metric, &unit),
        keys: columns.iter().map(|name| names.column(name)).collect(),
        contenders: blocks.contenders.iter().map(contender).collect(),
        rows,
    }
}

fn best(values: &[Option<f64>], better: Better) -> Option<f64> {
    let values = values.iter().flatten().copied();
    match better {
        Better::Higher => values.max_by(f64::total_cmp),
        _ => values.min_by(f64::total_cmp),
    }
}

fn cells(values: &[Option<f64>], better: Better, unit: &Unit) -> Vec<Cell> {
    let best = best(values, better);
    // Where all are the same there is nobody to praise.
    let distinct = values.iter().flatten().any(|value| Some(*value) != best);
    let cell = |value: &Option<f64>| match (value, best) {
        (Some(value), Some(best)) => Cell {
            text: unit.show(*value),
            off: match () {
                () if *value == best => String::new(),
                () if best == 0.0 => "best is 0".to_string(),
                () => percent((value - best) / best.abs()),
            },
            best: distinct && *value == best,
            number: Some(*value),
        },
        _ => Cell::default(),
    };
    values.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_marked_and_the_others_are_told_how_far_they_are() {
        let unit = Unit { name: String::new(), divisor: 1.0 };
        let row = cells(&[Some(2.0), Some(3.0), None], Better::Lower, &unit);
        assert!(row[0].best && row[0].off.is_empty());
        assert_eq!((row[1].best, row[1].off.as_str()), (false, "+50\u{a0}%"));
        assert_eq!(row[2].text, "");
        let higher = cells(&[Some(2.0), Some(3.0)], Better::Higher, &unit);
        assert_eq!((higher[1].best, higher[0].off.as_str()), (true, "−33\u{a0}%"));
        assert!(cells(&[Some(2.0), Some(2.0)], Better::Lower, &unit).iter().all(|cell| !cell.best));
    }
}
