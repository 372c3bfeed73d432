//! Tests that look at one point, or one pair of points, at a time.

use super::pairs::Pair;
use super::points::{ClaimPoint, places};
use super::{Case, Evidence, EvidenceOutcome};
use crate::lab::counted;
use crate::report::number::{DisplayUnit, percent, with_unit};
use crate::report::observations::{KeyValues, limit_reached};
use crate::report::value::{Value, is_among};
use crate::run::Status;
use crate::spec::claim::{Claim, Closeness};
use crate::spec::draw::Statistic;
use crate::spec::draw::function;
use crate::spec::reference::{PrintedNumber, Wording};
use crate::statistics::{Estimated, Interval};
use std::collections::BTreeMap;

/// What a point must bring to be heard, and how its numbers are told.
#[derive(Debug, Clone, Copy)]
pub struct Bar<'a> {
    /// Repetitions.
    pub needed: usize,
    pub unit: &'a str,
    pub statistic: Statistic,
    pub case: &'a Case<'a>,
}

impl Bar<'_> {
    pub fn show(&self, value: f64) -> String {
        with_unit(value, self.unit)
    }

    /// In the unit of these values, beside which it is read: 0.084 s beside 0.106 s, not 84 ms.
    pub fn show_beside(&self, value: f64, beside: &[f64]) -> String {
        self.unit_beside(value, beside).tell(value)
    }

    fn unit_beside(&self, value: f64, beside: &[f64]) -> DisplayUnit {
        DisplayUnit::shared(self.unit, beside).unwrap_or_else(|| DisplayUnit::fitting(self.unit, value))
    }

    /// "0.21 [0.20, 0.22]", or the value alone where it is exact.
    pub fn told(&self, estimate: &Estimated) -> String {
        self.told_beside(estimate, &[estimate.value])
    }

    /// The same in the unit of these values.
    pub fn told_beside(&self, estimate: &Estimated, beside: &[f64]) -> String {
        let Interval { low, high } = estimate.interval;
        match () {
            () if high == f64::INFINITY => format!("more than {}", self.show_beside(low, beside)),
            () if low == high => self.show_beside(estimate.value, beside),
            () => {
                let unit = self.unit_beside(estimate.value, beside);
                let (low, high) = (unit.show(low), unit.show(high));
                if low == high {
                    return unit.tell(estimate.value);
                }
                let numbers = format!("{} [{low}, {high}]", unit.show(estimate.value));
                if unit.name.is_empty() { numbers } else { format!("{numbers}\u{a0}{}", unit.name) }
            }
        }
    }

    /// Why the point cannot be heard, if it cannot.
    pub fn objection(&self, point: &ClaimPoint) -> Option<String> {
        let n = point.values.len();
        match &point.hole {
            Some(hole) if n == 0 && point.censored_at.is_none() => Some(hole.clone()),
            _ if n == 0 && point.censored_at.is_none() => Some("no value".to_string()),
            Some(_) if n == 0 => None,
            // What is left of a point whose other repetitions were stopped is not a fair sample of it.
            Some(hole) => {
                let value = self.show(function(self.statistic)(&point.sample()));
                Some(format!("{value} [{}], but {hole} in others", counted(n, "repetition")))
            }
            // Zero by zero: neither small nor large, and equal to nothing.
            _ if point.values.values().any(|value| value.is_nan()) => {
                Some("zero divided by zero is no number".to_string())
            }
            _ if n < self.needed => Some(format!("{n} of the {} repetitions a verdict needs", self.needed)),
            _ => None,
        }
    }

    pub fn equals(&self, points: &[ClaimPoint], value: f64) -> Vec<Evidence> {
        self.each(points, |point, estimate| {
            // Every repetition must be equal: a median of 0 does not make a 1 disappear.
            let off = point.values.values().map(|v| (v - value).abs()).fold(0.0, f64::max);
            let outcome =
                if off == 0.0 && !point.values.is_empty() { EvidenceOutcome::Passes } else { EvidenceOutcome::Fails };
            let furthest =
                point.values.values().copied().max_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()));
            let numbers = match furthest {
                Some(furthest) if off > 0.0 => format!("{}, not {}", self.show(furthest), self.show(value)),
                _ => self.told(&estimate),
            };
            (outcome, numbers, -off)
        })
    }

    /// Whether each point's cells answered. One that ended for another reason than its limits says neither. A cell that a figure with
    /// more generous limits shares may answer beyond those of this figure, which is no answer here.
    pub fn answered(&self, points: &[ClaimPoint], metric: &str, wanted: bool) -> Vec<Evidence> {
        let limit = |status| limit_reached(&self.case.limits, status, metric);
        let limit = limit(Status::Timeout).or(limit(Status::OutOfMemory)).unwrap_or(f64::INFINITY);
        let outcome =
            |answered: bool| if answered == wanted { EvidenceOutcome::Passes } else { EvidenceOutcome::Fails };
        let found = points.iter().map(|point| match (&point.hole, point.missing) {
            (None, _) if !point.values.is_empty() => {
                let value = function(self.statistic)(&point.sample());
                (outcome(value <= limit), self.show(value), 0.0)
            }
            (Some(hole), Some(Status::Timeout | Status::OutOfMemory)) if point.values.is_empty() => {
                (outcome(false), hole.clone(), 0.0)
            }
            (hole, _) => (EvidenceOutcome::Open, hole.clone().unwrap_or_else(|| "no value".to_string()), 0.0),
        });
        self.placed(points.iter().map(|point| &point.key).collect(), found.collect())
    }

    pub fn at_most(&self, points: &[ClaimPoint], bound: f64) -> Vec<Evidence> {
        self.between(points, None, Some(bound))
    }

    pub fn at_least(&self, points: &[ClaimPoint], bound: f64) -> Vec<Evidence> {
        self.between(points, Some(bound), None)
    }

    pub fn within(&self, points: &[ClaimPoint], value: f64, tolerance: f64) -> Vec<Evidence> {
        self.each(points, |_, estimate| self.near(&estimate, value, tolerance, self.show(value)))
    }

    pub fn between(&self, points: &[ClaimPoint], least: Option<f64>, most: Option<f64>) -> Vec<Evidence> {
        let (low, high) = (least.unwrap_or(f64::NEG_INFINITY), most.unwrap_or(f64::INFINITY));
        let bound = match (least, most) {
            (Some(least), Some(most)) => format!("{} to {}", self.show(least), self.show(most)),
            (Some(least), None) => format!("at least {}", self.show(least)),
            (None, Some(most)) => format!("at most {}", self.show(most)),
            (None, None) => String::new(),
        };
        self.each(points, |_, estimate| {
            let outcome = inside(estimate.interval, low, high);
            let room = |distance: f64, bound: f64| distance / bound.abs().max(f64::MIN_POSITIVE);
            let slack = room(estimate.value - low, low).min(room(high - estimate.value, high));
            (outcome, format!("{}, asked: {bound}", self.told(&estimate)), slack)
        })
    }

    pub fn less(&self, pairs: &[Pair], margin: f64) -> Vec<Evidence> {
        self.ordered(pairs, 1.0 - margin, 1.0)
    }

    pub fn more(&self, pairs: &[Pair], margin: f64) -> Vec<Evidence> {
        self.ordered(pairs, 1.0 + margin, -1.0)
    }

    /// Whether ours is below (`direction` 1) or above (−1) `times` theirs, strictly.
    fn ordered(&self, pairs: &[Pair], times: f64, direction: f64) -> Vec<Evidence> {
        self.each_pair(pairs, |pair, ours, theirs| {
            let difference = pair.difference(times, self.statistic)?;
            let (near, far) = match direction > 0.0 {
                true => (difference.interval.low, difference.interval.high),
                false => (-difference.interval.high, -difference.interval.low),
            };
            let outcome = match () {
                () if far < 0.0 => EvidenceOutcome::Passes,
                () if near >= 0.0 => EvidenceOutcome::Fails,
                () => EvidenceOutcome::Open,
            };
            let slack = -direction * difference.value / theirs.value.abs().max(f64::MIN_POSITIVE);
            Some((outcome, self.versus(ours, theirs), slack))
        })
    }

    pub fn same(&self, pairs: &[Pair], tolerance: f64, relative: f64) -> Vec<Evidence> {
        self.each_pair(pairs, |pair, ours, theirs| {
            let allowed = tolerance.max(relative * theirs.value.abs());
            let difference = pair.difference(1.0, self.statistic)?;
            let outcome = inside(difference.interval, -allowed, allowed);
            Some((outcome, self.versus(ours, theirs), allowed - difference.value.abs()))
        })
    }

    /// "0.21 against 0.25 (−16 %)".
    fn versus(&self, ours: &Estimated, theirs: &Estimated) -> String {
        let relative = (ours.value - theirs.value) / theirs.value.abs();
        let relative = match () {
            () if ours.value == theirs.value => " (equal)".to_string(),
            () if relative.is_finite() && theirs.interval.high.is_finite() && ours.interval.high.is_finite() => {
                format!(" ({})", percent(relative))
            }
            () => String::new(),
        };
        let beside = [ours.value, theirs.value];
        format!("{} against {}{relative}", self.told_beside(ours, &beside), self.told_beside(theirs, &beside))
    }

    /// Each printed value beside ours.
    pub fn reference(&self, points: &[ClaimPoint], claim: &Claim, near: &Closeness) -> Vec<Evidence> {
        let case = self.case;
        let along = case.names.draw.x.as_deref();
        let mut evidence = Vec::new();
        let every: Vec<&KeyValues> = points.iter().map(|point| &point.key).collect();
        let apart: BTreeMap<&KeyValues, String> = every.iter().copied().zip(places(&every, case)).collect();
        for reference in case.reference.iter().filter(|reference| reference.metric == claim.metric) {
            for (x, printed) in reference.points() {
                let stands_for = |key: &KeyValues| {
                    let none = Value::None;
                    let get = |name: &str| case.observations.column(name).map_or(&none, |column| &key[column]);
                    let at_x = match (x, along) {
                        (Some(x), Some(column)) => Value::from(x).agrees(get(column)),
                        _ => true,
                    };
                    at_x && reference.only.iter().all(|(column, allowed)| {
                        get(column).is_none() || is_among(&[(column.clone(), allowed.clone())].into(), get)
                    })
                };
                let ours: Vec<ClaimPoint> = points.iter().filter(|point| stands_for(&point.key)).cloned().collect();
                let told = format!("{} printed", printed.told(&self.show(printed.value)));
                let allowed = near.tolerance.max(near.relative * printed.value.abs());
                let mut found = self.each(&ours, |_, estimate| match bounded(printed, allowed) {
                    Some((low, high)) => {
                        let outcome = inside(estimate.interval, low, high);
                        let slack = (estimate.value - low).min(high - estimate.value);
                        (outcome, format!("{} against {told}", self.told(&estimate)), slack)
                    }
                    None => self.near(&estimate, printed.value, allowed.max(printed.tolerance()), told.clone()),
                });
                // Alone among the points of one x its place says nothing: name the x.
                let at = x.zip(along).map(|(x, column)| case.names.place(column, &Value::from(x))).unwrap_or_default();
                for (evidence, point) in found.iter_mut().zip(&ours) {
                    // What tells it from all points that are judged, not from those beside the same printed value alone.
                    let place = apart.get(&point.key).cloned().unwrap_or_default();
                    let at = if place.split(", ").any(|part| part == at) { "" } else { at.as_str() };
                    let parts = [at, place.as_str()];
                    evidence.place = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
                }
                if found.is_empty() && claim.only.is_empty() {
                    let numbers = format!("{told}, nothing measured");
                    found.push(Evidence { place: at, outcome: EvidenceOutcome::Open, numbers, slack: 0.0 });
                }
                evidence.append(&mut found);
            }
        }
        evidence
    }

    fn near(&self, estimate: &Estimated, value: f64, allowed: f64, against: String) -> (EvidenceOutcome, String, f64) {
        let difference = Interval { low: estimate.interval.low - value, high: estimate.interval.high - value };
        // A printed 80.4 with a tolerance of 0.05 stands for 80.45 too, whatever binary fractions make of it.
        let allowed = allowed * (1.0 + 1e-12) + value.abs() * 1e-12;
        let outcome = inside(difference, -allowed, allowed);
        (outcome, format!("{} against {against}", self.told(estimate)), allowed - (estimate.value - value).abs())
    }

    fn each(
        &self,
        points: &[ClaimPoint],
        look: impl Fn(&ClaimPoint, Estimated) -> (EvidenceOutcome, String, f64),
    ) -> Vec<Evidence> {
        let found = points.iter().map(|point| match (self.objection(point), point.estimate(self.statistic)) {
            (None, Some(estimate)) => look(point, estimate),
            (objection, _) => (EvidenceOutcome::Open, objection.unwrap_or_default(), 0.0),
        });
        self.placed(points.iter().map(|point| &point.key).collect(), found.collect())
    }

    fn each_pair(
        &self,
        pairs: &[Pair],
        look: impl Fn(&Pair, &Estimated, &Estimated) -> Option<(EvidenceOutcome, String, f64)>,
    ) -> Vec<Evidence> {
        let found = pairs.iter().map(|pair| {
            let objection = self.objection(&pair.ours).or_else(|| self.objection(&pair.theirs));
            let sides = (pair.ours.estimate(self.statistic), pair.theirs.estimate(self.statistic));
            match (objection, sides) {
                (None, (Some(ours), Some(theirs))) => look(pair, &ours, &theirs).unwrap_or((
                    EvidenceOutcome::Open,
                    "no repetition that both sides have".to_string(),
                    0.0,
                )),
                (objection, _) => (EvidenceOutcome::Open, objection.unwrap_or_default(), 0.0),
            }
        });
        self.placed(pairs.iter().map(|pair| &pair.key).collect(), found.collect())
    }

    pub fn placed(&self, keys: Vec<&KeyValues>, found: Vec<(EvidenceOutcome, String, f64)>) -> Vec<Evidence> {
        let tell = |(place, (outcome, numbers, slack))| Evidence { place, outcome, numbers, slack };
        places(&keys, self.case).into_iter().zip(found).map(tell).collect()
    }
}

/// The ends of what a printed bound admits; None where a number is printed.
fn bounded(printed: PrintedNumber, allowed: f64) -> Option<(f64, f64)> {
    match printed.wording {
        Wording::Exactly | Wording::About => None,
        Wording::MoreThan => Some(((printed.value - allowed).next_up(), f64::INFINITY)),
        Wording::AtLeast => Some((printed.value - allowed, f64::INFINITY)),
        Wording::LessThan => Some((f64::NEG_INFINITY, (printed.value + allowed).next_down())),
        Wording::AtMost => Some((f64::NEG_INFINITY, printed.value + allowed)),
    }
}

/// Whether the whole interval is between the bounds, none of it, or some.
pub fn inside(interval: Interval, low: f64, high: f64) -> EvidenceOutcome {
    match () {
        () if low <= interval.low && interval.high <= high => EvidenceOutcome::Passes,
        () if interval.high < low || high < interval.low => EvidenceOutcome::Fails,
        () => EvidenceOutcome::Open,
    }
}
