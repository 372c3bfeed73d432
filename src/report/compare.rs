//! Algorithms side by side: for every point of a figure the best value and how far the others are from it.

use super::claims::{Point, Selection};
use super::figure::Names;
use super::number::{Unit, number, percent};
use super::observations::{ALGORITHM, DATASET, Key};
use super::prepared::Prepared;
use super::statistics::{function, median, sign_test};
use super::value::Value;
use crate::lab::Better;
use crate::run::Status;
use serde::Serialize;

/// One metric of one figure, algorithms as columns.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Where it stands on its page: the figure's id, with the metric's number after the first.
    pub anchor: String,
    pub figure: String,
    pub figure_title: String,
    pub metric: String,
    pub about: String,
    /// "lower is better".
    pub direction: &'static str,
    pub keys: Vec<String>,
    pub algorithms: Vec<String>,
    pub rows: Vec<Row>,
    pub summary: Vec<Summary>,
    pub has_test: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Row {
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

/// How the algorithms fare over all points of one dataset.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub dataset: String,
    /// Points in which every algorithm has a value.
    pub points: usize,
    pub standings: Vec<Standing>,
    /// The sign test, where there are two algorithms and enough points for it to say anything.
    pub test: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Standing {
    pub wins: usize,
    pub off: String,
    pub leads: bool,
}

/// Every metric of the figure that has a better and a worse, where two algorithms or more report it.
pub fn comparisons(prepared: &Prepared) -> Vec<Comparison> {
    let mut metrics: Vec<&str> = prepared.result.draw.metrics().collect();
    metrics.dedup();
    let mut found: Vec<Comparison> = metrics.into_iter().filter_map(|metric| comparison(prepared, metric)).collect();
    for (index, comparison) in found.iter_mut().enumerate().skip(1) {
        comparison.anchor = format!("{}--{}", comparison.figure, index + 1);
    }
    found
}

fn comparison(prepared: &Prepared, metric: &str) -> Option<Comparison> {
    // The figure says so.
    if prepared.observations.machines_of(metric) > 1 {
        return None;
    }
    let better = prepared.metrics.better(metric);
    let direction = match better {
        Better::Lower => "lower is better",
        Better::Higher => "higher is better",
        Better::Neither => return None,
    };
    let points = Selection::all(metric).points_of(prepared.observations, prepared.result.limits);
    let mut algorithms: Vec<Value> = Vec::new();
    for row in prepared.observations.rows.iter().filter(|row| row.metric == metric) {
        if !row.key[ALGORITHM].is_none() && !algorithms.contains(&row.key[ALGORITHM]) {
            algorithms.push(row.key[ALGORITHM].clone());
        }
    }
    if algorithms.len() < 2 {
        return None;
    }
    let places = places(points.iter().map(|point| &point.key));
    let columns = &prepared.observations.columns;
    let names = Names::new(&prepared.result.draw, prepared.metrics);
    let varying: Vec<usize> = (0..columns.len())
        .filter(|&column| column != ALGORITHM)
        .filter(|&column| column == DATASET || places.windows(2).any(|pair| pair[0][column] != pair[1][column]))
        .collect();
    let statistic = function(prepared.result.draw.statistic);
    let point = |place: &Key, algorithm: &Value| {
        let here = |key: &Key| {
            key[ALGORITHM] == *algorithm
                && (0..key.len()).all(|column| column == ALGORITHM || key[column].agrees(&place[column]))
        };
        points.iter().find(|point| here(&point.key))
    };
    let number =
        |point: Option<&Point>| point.filter(|point| !point.values.is_empty()).map(|point| statistic(&point.sample()));
    let grid: Vec<Vec<Option<f64>>> = places
        .iter()
        .map(|place| algorithms.iter().map(|algorithm| number(point(place, algorithm))).collect())
        .collect();
    let largest = grid.iter().flatten().flatten().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let unit = Unit::fitting(prepared.metrics.unit(metric), largest);
    let row = |place: &Key, values: &[Option<f64>]| {
        let mut cells = cells(values, better, &unit);
        for (cell, algorithm) in cells.iter_mut().zip(&algorithms) {
            if cell.number.is_none() {
                let missing = point(place, algorithm).and_then(|point| point.missing);
                cell.text = missing.map_or("–", Status::in_words).to_string();
            }
        }
        Row { keys: varying.iter().map(|&column| names.value(&columns[column], &place[column])).collect(), cells }
    };
    let rows = places.iter().zip(&grid).map(|(place, values)| row(place, values)).collect();
    let summary = summaries(&places, &grid, better, &names);
    Some(Comparison {
        anchor: prepared.result.id.clone(),
        figure: prepared.result.id.clone(),
        figure_title: prepared.result.title.clone(),
        metric: names.metric_with_unit(metric, &unit),
        about: prepared.metrics.about(metric),
        direction,
        keys: varying.iter().map(|&column| names.column(&columns[column])).collect(),
        algorithms: algorithms.iter().map(|algorithm| names.value("algorithm", algorithm)).collect(),
        rows,
        has_test: summary.iter().any(|line| !line.test.is_empty()),
        summary,
    })
}

/// The points, whatever the algorithm. One that leaves open what another says (a parameter that does not apply to the
/// algorithm it comes from) is no point of its own.
fn places<'a>(keys: impl Iterator<Item = &'a Key>) -> Vec<Key> {
    let mut all: Vec<Key> = keys
        .map(|key| {
            let mut place = key.clone();
            place[ALGORITHM] = Value::None;
            place
        })
        .collect();
    all.sort();
    all.dedup();
    let says_less = |a: &Key, b: &Key| a != b && a.iter().zip(b).all(|(a, b)| a == b || a.is_none());
    all.iter().filter(|place| !all.iter().any(|other| says_less(place, other))).cloned().collect()
}

fn best(values: &[Option<f64>], better: Better) -> Option<f64> {
    let values = values.iter().flatten().copied();
    match better {
        Better::Higher => values.max_by(f64::total_cmp),
        _ => values.min_by(f64::total_cmp),
    }
}

/// How far a value is from the best, as a share of it; None where the best is zero and the value is not.
fn off(value: f64, best: f64) -> Option<f64> {
    match () {
        () if value == best => Some(0.0),
        () if best == 0.0 => None,
        () => Some((value - best) / best.abs()),
    }
}

fn cells(values: &[Option<f64>], better: Better, unit: &Unit) -> Vec<Cell> {
    let best = best(values, better);
    // Where all are the same there is nobody to praise.
    let distinct = values.iter().flatten().any(|value| Some(*value) != best);
    let cell = |value: &Option<f64>| match (value, best) {
        (Some(value), Some(best)) => Cell {
            text: unit.show(*value),
            off: match off(*value, best) {
                Some(share) if share != 0.0 => percent(share),
                Some(_) => String::new(),
                None => "best is 0".to_string(),
            },
            best: distinct && *value == best,
            number: Some(*value),
        },
        _ => Cell::default(),
    };
    values.iter().map(cell).collect()
}

fn summaries(places: &[Key], grid: &[Vec<Option<f64>>], better: Better, names: &Names) -> Vec<Summary> {
    let mut datasets: Vec<&Value> = Vec::new();
    for place in places {
        if !datasets.contains(&&place[DATASET]) {
            datasets.push(&place[DATASET]);
        }
    }
    let summary = |dataset: &Value| {
        let here: Vec<Vec<f64>> = places
            .iter()
            .zip(grid)
            .filter(|(place, _)| place[DATASET] == *dataset)
            .filter_map(|(_, values)| values.iter().copied().collect::<Option<Vec<f64>>>())
            .collect();
        if here.is_empty() {
            return None;
        }
        let count = here[0].len();
        let bests: Vec<f64> = here
            .iter()
            .filter_map(|values| best(&values.iter().copied().map(Some).collect::<Vec<_>>(), better))
            .collect();
        let wins =
            |algorithm: usize| here.iter().zip(&bests).filter(|(values, best)| values[algorithm] == **best).count();
        let most = (0..count).map(wins).max().unwrap_or(0);
        let standing = |algorithm: usize| {
            let offs: Vec<f64> =
                here.iter().zip(&bests).filter_map(|(values, best)| off(values[algorithm], *best)).collect();
            let off = match () {
                () if offs.is_empty() => "–".to_string(),
                () if median(&offs) == 0.0 => "0\u{a0}%".to_string(),
                () => percent(median(&offs)),
            };
            Standing { wins: wins(algorithm), off, leads: wins(algorithm) == most }
        };
        let test = match count {
            2 => {
                let ahead = |a: usize, b: usize| {
                    let beats = |values: &&Vec<f64>| match better {
                        Better::Higher => values[a] > values[b],
                        _ => values[a] < values[b],
                    };
                    here.iter().filter(beats).count()
                };
                match (ahead(0, 1), ahead(1, 0)) {
                    (first, second) if first + second >= 6 => {
                        format!("sign test: p = {}", number(sign_test(first, second)))
                    }
                    _ => String::new(),
                }
            }
            _ => String::new(),
        };
        Some(Summary {
            dataset: names.value("dataset", dataset),
            points: here.len(),
            standings: (0..count).map(standing).collect(),
            test,
        })
    };
    datasets.into_iter().filter_map(summary).collect()
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

    #[test]
    fn a_point_that_leaves_a_column_open_is_no_point_of_its_own() {
        let key = |algorithm: &str, x: Value| vec![Value::parse("d"), Value::parse(algorithm), Value::None, x];
        let keys = [key("a", Value::None), key("b", Value::Number(1.0)), key("b", Value::Number(2.0))];
        let places = places(keys.iter());
        assert_eq!(
            places.iter().map(|place| place[3].clone()).collect::<Vec<_>>(),
            [Value::Number(1.0), Value::Number(2.0)]
        );
    }
}
