//! Tests that look at all points along an axis together, one row of points for each combination of the other columns.

use super::points::ClaimPoint;
use super::pointwise::Bar;
use super::{Case, Evidence, EvidenceOutcome};
use crate::report::number::{number, percent};
use crate::report::observations::{ALGORITHM, DATASET, KeyValues};
use crate::report::value::Value;
use crate::spec::claim::Trend;
use crate::spec::draw::function;
use crate::statistics::{self, Estimated, draw, resampling};
use std::collections::{BTreeMap, BTreeSet};

/// The points along the axis, in its order, that agree in everything else but for what goes along with the axis.
struct Course {
    /// The key they share.
    key: KeyValues,
    /// Place on the axis (its number, or its rank where it has none) and point.
    points: Vec<(f64, ClaimPoint)>,
}

fn rows(points: &[ClaimPoint], case: &Case, along: &str, numeric: bool) -> Result<Vec<Course>, String> {
    let column = case.observations.column(along).ok_or_else(|| format!("there is no column `{along}`"))?;
    let mut values: Vec<&Value> =
        points.iter().map(|point| &point.key[column]).filter(|value| !value.is_none()).collect();
    values.sort();
    values.dedup();
    if let Some(word) = values.iter().find(|value| numeric && value.number().is_none()) {
        return Err(format!("`{along}` must have numbers, not `{word}`"));
    }
    if values.len() < 2 {
        return Err(format!("`{along}` has fewer than two values here"));
    }
    let together = going_along(points, column);
    let mut rows: Vec<Course> = Vec::new();
    for point in points {
        let Some(rank) = values.iter().position(|value| **value == point.key[column]) else { continue };
        let place = point.key[column].number().unwrap_or(rank as f64);
        let mut key = point.key.clone();
        together.iter().for_each(|&column| key[column] = Value::None);
        match rows.iter_mut().find(|row| row.key == key) {
            Some(row) => row.points.push((place, point.clone())),
            None => rows.push(Course { key, points: vec![(place, point.clone())] }),
        }
    }
    for row in &mut rows {
        row.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    Ok(rows)
}

/// The axis, and the columns that change with it: those that a sweep zips with the axis have, for each algorithm and dataset, one value
/// at each of its places.
fn going_along(points: &[ClaimPoint], axis: usize) -> Vec<usize> {
    let columns = points.first().map_or(0, |point| point.key.len());
    let zipped = |&column: &usize| {
        let mut at_place: BTreeMap<[&Value; 3], &Value> = BTreeMap::new();
        let mut of_owner: BTreeMap<[&Value; 2], BTreeSet<&Value>> = BTreeMap::new();
        let mut one_a_place = true;
        for ClaimPoint { key, .. } in points {
            let (owner, value) = ([&key[ALGORITHM], &key[DATASET]], &key[column]);
            one_a_place &= *at_place.entry([&key[axis], owner[0], owner[1]]).or_insert(value) == value;
            of_owner.entry(owner).or_default().insert(value);
        }
        one_a_place && of_owner.values().any(|values| values.len() > 1)
    };
    (0..columns).filter(|column| *column == axis || zipped(column)).collect()
}

impl Course {
    /// The estimates of the points that can be heard, and the first objection among the others.
    fn heard(&self, bar: &Bar) -> (Vec<(f64, Estimated, &ClaimPoint)>, Option<String>) {
        let mut heard = Vec::new();
        let mut objection = None;
        for (place, point) in &self.points {
            match (bar.objection(point), point.estimate(bar.statistic)) {
                (None, Some(estimate)) => heard.push((*place, estimate, point)),
                (reason, _) => {
                    let reason = reason.unwrap_or_default();
                    objection = objection.or(Some(format!("at {}: {reason}", number(*place))));
                }
            }
        }
        (heard, objection)
    }
}

fn judged(
    bar: &Bar,
    rows: &[Course],
    look: impl Fn(&[(f64, Estimated, &ClaimPoint)]) -> (EvidenceOutcome, String, f64),
) -> Vec<Evidence> {
    let found = rows.iter().map(|row| {
        let (heard, objection) = row.heard(bar);
        let few = (EvidenceOutcome::Open, "fewer than two points".to_string(), 0.0);
        let (outcome, numbers, slack) = if heard.len() < 2 { few } else { look(&heard) };
        match (outcome, objection) {
            // A point that is missing cannot undo a failure, but it can undo a success.
            (EvidenceOutcome::Passes | EvidenceOutcome::Open, Some(objection)) => {
                (EvidenceOutcome::Open, format!("{numbers}; {objection}"), slack)
            }
            _ => (outcome, numbers, slack),
        }
    });
    let found = found.collect();
    bar.placed(rows.iter().map(|row| &row.key).collect(), found)
}

/// `direction` 1: never falls; −1: never rises. Each value is held against the best one before it, so that many small steps
/// back do not add up unseen.
pub fn trend(
    bar: &Bar,
    points: &[ClaimPoint],
    case: &Case,
    trend: &Trend,
    direction: f64,
) -> Result<Vec<Evidence>, String> {
    let rows = rows(points, case, &trend.along, true)?;
    Ok(judged(bar, &rows, |points| {
        let allowed = |value: f64| trend.tolerance.max(trend.relative * value.abs());
        let ahead = |estimate: &Estimated| direction * estimate.value;
        let told = |estimate: &Estimated| {
            let beside: Vec<f64> = points.iter().map(|point| point.1.value).collect();
            bar.told_beside(estimate, &beside)
        };
        // The end of the interval that lies furthest along, or furthest back.
        let furthest = |estimate: &Estimated, sign: f64| match sign * direction > 0.0 {
            true => direction * estimate.interval.high,
            false => direction * estimate.interval.low,
        };
        let mut outcome = EvidenceOutcome::Passes;
        let mut worst: Option<(f64, String)> = None;
        let mut best = &points[0];
        for point in &points[1..] {
            let (before, now) = (&best.1, &point.1);
            let required = if trend.strictly { f64::MIN_POSITIVE } else { -allowed(before.value) };
            let step = ahead(now) - ahead(before);
            let stopped = |point: &ClaimPoint| point.values.is_empty();
            if stopped(best.2) && stopped(point.2) {
                // Both are beyond the limit, and which is further nobody knows.
                outcome = outcome.and_open();
            } else if step < required {
                // Certain when even the kind ends of both intervals do not save it.
                let certain = furthest(now, 1.0) - furthest(before, -1.0) < required;
                outcome = if certain { EvidenceOutcome::Fails } else { outcome.and_open() };
            }
            // Of the value before it, so that series of other sizes compare.
            let share = step / before.value.abs().max(f64::MIN_POSITIVE);
            if worst.as_ref().is_none_or(|(least, _)| share < *least) {
                let back = format!("{} at {} after {} at {}", told(now), number(point.0), told(before), number(best.0));
                worst = Some((share, back));
            }
            if ahead(now) > ahead(before) {
                best = point;
            }
        }
        let (first, last) = (&points[0], &points[points.len() - 1]);
        // Values that scatter more than they move say nothing about a direction.
        let moved = furthest(&last.1, -1.0) >= furthest(&first.1, 1.0);
        if outcome == EvidenceOutcome::Passes
            && !moved
            && ahead(&last.1) + allowed(first.1.value) < furthest(&first.1, 1.0)
        {
            outcome = EvidenceOutcome::Open;
        }
        let ends = format!("from {} at {} to {} at {}", told(&first.1), number(first.0), told(&last.1), number(last.0));
        let (share, back) = worst.unwrap_or_default();
        let allowed = match trend.relative > 0.0 {
            true => format!(", steps back of up to {} allowed", percent(trend.relative).trim_start_matches('+')),
            false => String::new(),
        };
        match outcome {
            EvidenceOutcome::Passes => (outcome, format!("{ends}{allowed}"), share),
            _ => (outcome, format!("{back}; {ends}{allowed}"), share),
        }
    }))
}

impl EvidenceOutcome {
    /// Open, unless something already failed.
    fn and_open(self) -> Self {
        if self == Self::Fails { self } else { Self::Open }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    AtMostLinear,
    AtLeastExponential,
}

/// A line that misses by no more than this describes the points as well as anybody can ask.
const GOOD_LINE: f64 = 0.05;
/// An exponent up to the first is a line to all intents; only one above the second speaks against it.
const LINEAR_EXPONENT: f64 = 1.1;
const STEEP_EXPONENT: f64 = 1.25;
/// A law is told from another when it misses by less than this share of what the other does.
const CLEARLY: f64 = 0.5;
/// Resamples of the repetitions, and the share of them that must agree with the verdict.
const RESAMPLES: usize = 200;
const AGREEMENT: f64 = 0.95;

pub fn growth(bar: &Bar, points: &[ClaimPoint], case: &Case, along: &str, law: Law) -> Result<Vec<Evidence>, String> {
    let rows = rows(points, case, along, true)?;
    Ok(judged(bar, &rows, |points| {
        // A cell stopped at its limit is beyond it, by how much nobody knows: no fit has it, and no line is confirmed beside it.
        let measured: Vec<&(f64, Estimated, &ClaimPoint)> =
            points.iter().filter(|(_, _, p)| !p.values.is_empty()).collect();
        let values: Vec<(f64, f64)> = measured.iter().map(|(x, estimate, _)| (*x, estimate.value)).collect();
        let Some(growth) = statistics::growth(&values) else {
            return (
                EvidenceOutcome::Open,
                "a law of growth needs three points with values above zero".to_string(),
                0.0,
            );
        };
        let mut outcome = law.judge(&growth);
        let count_stopped = points.len() - measured.len();
        if law == Law::AtMostLinear && outcome == EvidenceOutcome::Passes && count_stopped > 0 {
            outcome = EvidenceOutcome::Open;
        }
        let statistic = function(bar.statistic);
        let samples: Vec<(f64, Vec<f64>)> = measured.iter().map(|(x, _, point)| (*x, point.sample())).collect();
        if samples.iter().any(|(_, sample)| sample.len() > 1) && outcome != EvidenceOutcome::Open {
            let mut rng = resampling();
            let mut agreeing = 0;
            for _ in 0..RESAMPLES {
                let resampled: Vec<(f64, f64)> = samples
                    .iter()
                    .map(|(x, sample)| {
                        let mut resample = vec![0.0; sample.len()];
                        draw(sample, &mut resample, &mut rng);
                        (*x, statistic(&resample))
                    })
                    .collect();
                agreeing += statistics::growth(&resampled).is_some_and(|growth| law.judge(&growth) == outcome) as usize;
            }
            if (agreeing as f64) < AGREEMENT * RESAMPLES as f64 {
                outcome = EvidenceOutcome::Open;
            }
        }
        let misses = |error: f64| match error.is_finite() {
            true => percent(error).trim_start_matches('+').to_string(),
            false => "more than can be said".to_string(),
        };
        let (first, last) = (values[0], values[values.len() - 1]);
        let ends = [first.1, last.1];
        let stopped = match count_stopped {
            0 => String::new(),
            n => format!("; {n} stopped at the limit"),
        };
        let numbers = format!(
            "{} at {} to {} at {} ({} points): a line misses by {}, a power by {} (exponent {}), an exponential by {}{stopped}",
            bar.show_beside(first.1, &ends),
            number(first.0),
            bar.show_beside(last.1, &ends),
            number(last.0),
            values.len(),
            misses(growth.line),
            misses(growth.power),
            number((growth.exponent * 100.0).round() / 100.0),
            misses(growth.exponential),
        );
        (outcome, numbers, 0.0)
    }))
}

impl Law {
    fn judge(self, growth: &statistics::GrowthFit) -> EvidenceOutcome {
        let clearly = |better: f64, worse: f64| better < CLEARLY * worse;
        match self {
            Self::AtMostLinear => match () {
                () if !growth.convex || growth.exponent <= LINEAR_EXPONENT || growth.line <= GOOD_LINE => {
                    EvidenceOutcome::Passes
                }
                () if growth.exponent < STEEP_EXPONENT => EvidenceOutcome::Open,
                () if clearly(growth.power.min(growth.exponential), growth.line) => EvidenceOutcome::Fails,
                () => EvidenceOutcome::Open,
            },
            Self::AtLeastExponential => match () {
                () if growth.factor <= 1.0 => EvidenceOutcome::Fails,
                () if clearly(growth.line.min(growth.power), growth.exponential) && !growth.log_convex => {
                    EvidenceOutcome::Fails
                }
                // So short a stretch of an exponential is a line too.
                () if growth.line <= GOOD_LINE => EvidenceOutcome::Open,
                () if growth.log_convex => EvidenceOutcome::Passes,
                () if clearly(growth.exponential, growth.line) && growth.exponential <= growth.power => {
                    EvidenceOutcome::Passes
                }
                () => EvidenceOutcome::Open,
            },
        }
    }
}

pub fn steady(
    bar: &Bar,
    points: &[ClaimPoint],
    case: &Case,
    along: &str,
    factor: f64,
) -> Result<Vec<Evidence>, String> {
    let rows = rows(points, case, along, false)?;
    Ok(judged(bar, &rows, |points| {
        let extreme = |get: fn(&Estimated) -> f64, largest: bool| {
            let values = points.iter().map(|(_, estimate, _)| get(estimate));
            if largest { values.fold(f64::NEG_INFINITY, f64::max) } else { values.fold(f64::INFINITY, f64::min) }
        };
        let (smallest, largest) = (extreme(|e| e.value, false), extreme(|e| e.value, true));
        if smallest < 0.0 {
            return (
                EvidenceOutcome::Open,
                format!("no factor between values below zero ({})", bar.show(smallest)),
                0.0,
            );
        }
        let ratio = |large: f64, small: f64| if large == small { 1.0 } else { large / small };
        let at_most = ratio(extreme(|e| e.interval.high, true), extreme(|e| e.interval.low, false));
        let at_least = ratio(extreme(|e| e.interval.low, true), extreme(|e| e.interval.high, false));
        let outcome = match () {
            () if at_most <= factor => EvidenceOutcome::Passes,
            () if at_least > factor => EvidenceOutcome::Fails,
            () => EvidenceOutcome::Open,
        };
        let between = ratio(largest, smallest);
        let numbers = format!(
            "{} to {}, a factor of {}, asked: at most {}",
            bar.show_beside(smallest, &[smallest, largest]),
            bar.show_beside(largest, &[smallest, largest]),
            number(between),
            number(factor)
        );
        (outcome, numbers, factor - between)
    }))
}
