//! What a test counts. Its units must be independent of each other; whatever is not is averaged inside of one.

use super::blocks::{BlockKey, RepetitionValues};
use crate::lab::{counted, named};
use crate::report::observations::paired;
use crate::statistics::{fewest, mean};
use serde::Serialize;
use std::collections::BTreeMap;

pub const LEVEL: f64 = 0.05;

/// The sides of one block.
pub type Sides<'a> = (&'a BlockKey, &'a RepetitionValues, &'a RepetitionValues);

named! {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DuelUnit {
        /// One combination of data and parameters. Repetitions are averaged inside it, and so are the places along a
        /// measure's own axis, which all look at the same releases.
        Point = "point",
        /// One round of timings, in which the points are averaged: where there are few points, times can still be compared
        /// on these very points.
        Round = "round",
    }
}

impl DuelUnit {
    /// "3 points".
    pub fn count(self, number: usize) -> String {
        counted(number, self.name())
    }
}

/// The means of one contender at its points: what a point comes to, as `units` counts it.
pub fn point_means<'a>(blocks: impl Iterator<Item = (&'a BlockKey, &'a RepetitionValues)>) -> Vec<f64> {
    let mut points: BTreeMap<BlockKey, Vec<f64>> = BTreeMap::new();
    for (place, values) in blocks {
        points.entry(point(place)).or_default().extend(values.values());
    }
    points.into_values().filter(|values| !values.is_empty()).map(|values| mean(&values)).collect()
}

/// The point that a block is at: places along a measure's own axis are one.
fn point(place: &BlockKey) -> BlockKey {
    let mut point = place.clone();
    point.remove("at");
    point
}

/// Both sides of each unit.
pub fn units(blocks: &[Sides], noisy: bool) -> (DuelUnit, Vec<(f64, f64)>) {
    let points = by_point(blocks);
    if noisy && points.len() < fewest(1, LEVEL) {
        let rounds = by_round(blocks);
        if rounds.len() > points.len() {
            return (DuelUnit::Round, rounds);
        }
    }
    (DuelUnit::Point, points)
}

fn by_point(blocks: &[Sides]) -> Vec<(f64, f64)> {
    let mut points: BTreeMap<BlockKey, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (place, ours, theirs) in blocks {
        for (_, our, their) in paired(ours, theirs) {
            let sides = points.entry(point(place)).or_default();
            sides.0.push(our);
            sides.1.push(their);
        }
    }
    points.into_values().map(|(ours, theirs)| (mean(&ours), mean(&theirs))).collect()
}

/// Rounds that every block has; the points are averaged as ratios, by their geometric means.
fn by_round(blocks: &[Sides]) -> Vec<(f64, f64)> {
    let mut rounds: BTreeMap<i64, Vec<(f64, f64)>> = BTreeMap::new();
    for (_, ours, theirs) in blocks {
        // A side that was timed once has no rounds to compare.
        if ours.len() > 1 && theirs.len() > 1 {
            for (round, our, their) in paired(ours, theirs) {
                rounds.entry(round).or_default().push((our, their));
            }
        }
    }
    let most = rounds.values().map(Vec::len).max().unwrap_or(0);
    let middle = |values: &mut dyn Iterator<Item = f64>| mean(&values.map(f64::ln).collect::<Vec<_>>()).exp();
    rounds
        .into_values()
        .filter(|pairs| pairs.len() == most)
        .map(|pairs| (middle(&mut pairs.iter().map(|pair| pair.0)), middle(&mut pairs.iter().map(|pair| pair.1))))
        .collect()
}
