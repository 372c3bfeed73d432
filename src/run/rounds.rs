//! Rounds: what is timed is timed in turns, so that whatever the machine does meanwhile hits all contenders alike.
//!
//! A round takes one sample of everything. Points come in an order that the seed and the round decide, the contenders of
//! a point stand next to each other, in an order that chance decides too: nobody is always the first, and whoever is
//! compared was timed within the same moments.

use super::planned::Samples;
use super::{Disturbance, Key, PlannedCell};
use crate::lab::{Name, Seed};
use crate::statistics::ratio;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// One timing of a cell's work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimingSample {
    pub metrics: Vec<(Name, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbance: Option<Disturbance>,
    /// How often it was taken before it was kept: more than once where others disturbed it.
    pub taken: u32,
}

impl TimingSample {
    /// What it has of a metric.
    pub fn value(&self, metric: &str) -> Option<f64> {
        self.metrics.iter().find(|(name, _)| name == metric).map(|&(_, value)| value)
    }
}

/// The order of one round: `places` says which point each subject belongs to.
pub fn order<P: Ord + Clone>(seed: u64, round: usize, places: &[P]) -> Vec<usize> {
    let mut rng = Seed(seed).stream("rounds", &round);
    let mut members: BTreeMap<&P, Vec<usize>> = BTreeMap::new();
    for (subject, place) in places.iter().enumerate() {
        members.entry(place).or_default().push(subject);
    }
    let mut points: Vec<Vec<usize>> = members.into_values().collect();
    points.shuffle(&mut rng);
    for point in &mut points {
        point.shuffle(&mut rng);
    }
    points.concat()
}

/// Who is compared with whom: cells of one point of a figure, and of every other point that shares a cell with it. They are
/// timed in the same rounds, by one process on one machine.
#[derive(Debug, Default)]
pub struct Company<'a> {
    /// Key → its number.
    numbers: HashMap<&'a str, usize>,
    /// Number → that of somebody it keeps company with, or its own.
    linked: Vec<usize>,
}

impl<'a> Company<'a> {
    /// Of the timed cells of plans whose samples are `counted`; others are nobody's company. Figures of different plans are
    /// different figures.
    pub fn of(plans: impl IntoIterator<Item = &'a [PlannedCell]>, counted: impl Fn(&Samples) -> bool) -> Self {
        let mut company = Self::default();
        for cells in plans {
            let mut first = HashMap::new();
            for cell in cells.iter().filter(|cell| cell.rounds.is_some_and(|rounds| counted(&rounds.samples))) {
                let next = company.linked.len();
                let mine = *company.numbers.entry(cell.key.as_str()).or_insert(next);
                if mine == next {
                    company.linked.push(next);
                }
                let other = *first.entry(cell.point()).or_insert(mine);
                let (a, b) = (company.root(mine), company.root(other));
                company.linked[a.max(b)] = a.min(b);
            }
        }
        company
    }

    /// Of cells whose samples are paired: those that are timed more than once.
    pub fn paired(plans: impl IntoIterator<Item = &'a [PlannedCell]>) -> Self {
        Self::of(plans, |samples| samples.at_least > 1)
    }

    fn root(&self, mut number: usize) -> usize {
        while self.linked[number] != number {
            number = self.linked[number];
        }
        number
    }

    /// The group of a cell; None where it keeps no company.
    pub fn group(&self, key: &Key) -> Option<usize> {
        self.numbers.get(key.as_str()).map(|&number| self.root(number))
    }
}

/// Whether the times of contenders, each a list of samples by round, are known as well as they should be: the interval of
/// every ratio of two, or of a single one's times to each other, is no wider than `until` to each side.
pub fn are_known(times: &[Vec<f64>], until: f64) -> bool {
    let narrow = |pairs: Vec<(f64, f64)>| {
        ratio(&pairs).is_some_and(|found| {
            let width = found.interval.high - found.interval.low;
            width.is_finite() && width / 2.0 <= until * found.value
        })
    };
    match times {
        [] => true,
        [alone] => narrow(alone.iter().map(|&time| (time, 1.0)).collect()),
        _ => times.iter().enumerate().all(|(i, ours)| {
            times[..i].iter().all(|theirs| narrow(ours.iter().copied().zip(theirs.iter().copied()).collect()))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Cell, Rounds, planned_cell};

    #[test]
    fn a_round_has_everybody_once_and_contenders_stand_together() {
        let places = [0, 0, 1, 1, 2, 2, 0];
        let mut firsts = BTreeMap::new();
        for round in 0..300 {
            let found = order(1, round, &places);
            let mut sorted = found.clone();
            sorted.sort();
            assert_eq!(sorted, (0..places.len()).collect::<Vec<_>>());
            let points: Vec<usize> = found.iter().map(|&i| places[i]).collect();
            assert_eq!(points.chunk_by(|a, b| a == b).count(), 3, "{points:?}");
            *firsts.entry(found.iter().find(|&&i| places[i] == 1).copied().unwrap()).or_insert(0) += 1;
        }
        // Each of the two is first in about half of the rounds.
        assert!(firsts.values().all(|&count| (110..=190).contains(&count)), "{firsts:?}");
        assert_eq!(order(1, 4, &places), order(1, 4, &places));
    }

    #[test]
    fn who_shares_a_point_or_a_cell_with_somebody_keeps_company() {
        let cell = |number: u32, figure: &str, point| PlannedCell {
            figure: figure.to_string(),
            rounds: Some(Rounds { point, samples: Samples { at_least: 5, at_most: 5, ..Samples::ONE } }),
            cell: Cell { repetition: 0, ..planned_cell(number).cell },
            ..planned_cell(number)
        };
        // 0 and 1 at one point, 1 and 2 at one of another figure; 3 alone; 4 is not timed twice.
        let once = PlannedCell { rounds: Some(Rounds { point: 0, samples: Samples::ONE }), ..cell(4, "f", 0) };
        let cells = [cell(0, "f", 0), cell(1, "f", 0), cell(1, "g", 7), cell(2, "g", 7), cell(3, "f", 1), once];
        // A figure of the same name in another spec is another figure.
        let elsewhere = [cell(5, "f", 0)];
        let company = Company::paired([&cells[..], &elsewhere[..]]);
        let group = |number| company.group(&planned_cell(number).key);
        assert!(group(0).is_some() && group(0) == group(1) && group(1) == group(2));
        assert!(group(3).is_some() && group(3) != group(0) && group(5).is_some() && group(5) != group(0));
        assert_eq!(group(4), None);
    }

    #[test]
    fn times_are_known_when_their_ratios_are() {
        let drifting: Vec<f64> = (0..10).map(|i| 1.0 + f64::from(i)).collect();
        let twice: Vec<f64> = drifting.iter().map(|time| 2.0 * time).collect();
        assert!(are_known(&[drifting.clone(), twice], 0.01), "both drift alike");
        assert!(!are_known(&[drifting], 0.01));
        assert!(are_known(&[], 0.01));
    }
}
