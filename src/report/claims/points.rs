//! The points a claim picks, with their repetitions.

use super::Case;
use crate::report::observations::{ALGORITHM, AT, DATASET, Gathered, Hole, KeyValues, gather, limit_reached};
use crate::report::value::Value;
use crate::run::{Limits, Status};
use crate::spec::claim::{Claim, Other};
use crate::spec::draw::Statistic;
use crate::spec::draw::function;
use crate::spec::select::Where;
use crate::statistics::{Estimated, Interval, bootstrap};
use std::collections::BTreeMap;

/// One combination of keys with the values of its repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPoint {
    pub key: KeyValues,
    /// Repetition → value.
    pub values: BTreeMap<i64, f64>,
    /// Why there is no value, or not as many as there should be.
    pub hole: Option<String>,
    /// The status of the cell that gave no value.
    pub missing: Option<Status>,
    /// The cell was stopped at a limit of what is measured: the value is at least this.
    pub censored_at: Option<f64>,
}

impl ClaimPoint {
    pub fn sample(&self) -> Vec<f64> {
        self.values.values().copied().collect()
    }

    /// None where there is neither a value nor a limit it was stopped at.
    pub fn estimate(&self, statistic: Statistic) -> Option<Estimated> {
        if let (true, Some(limit)) = (self.values.is_empty(), self.censored_at) {
            return Some(Estimated { value: limit, interval: Interval { low: limit, high: f64::INFINITY } });
        }
        estimate(&self.sample(), statistic)
    }
}

pub fn estimate(values: &[f64], statistic: Statistic) -> Option<Estimated> {
    let statistic = function(statistic);
    (!values.is_empty()).then(|| Estimated { value: statistic(values), interval: bootstrap(values, statistic) })
}

/// Which rows one side of a claim is about.
#[derive(Debug, Clone)]
pub struct Selection {
    pub metric: String,
    pub algorithms: Vec<String>,
    pub only: Where,
}

impl Selection {
    pub fn of_claim(claim: &Claim) -> Self {
        Self { metric: claim.metric.clone(), algorithms: claim.of.to_vec(), only: claim.only.clone() }
    }

    /// The other side: what it does not say is as on this one.
    pub fn other(&self, other: &Other) -> Self {
        let mut only = self.only.clone();
        only.extend(other.only.clone());
        Self {
            metric: other.metric.clone().unwrap_or_else(|| self.metric.clone()),
            algorithms: match &other.algorithm {
                Some(algorithm) => vec![algorithm.clone()],
                None => self.algorithms.clone(),
            },
            only,
        }
    }

    /// "`ncp` of aa, da with k = 5".
    pub fn described(&self) -> String {
        let mut text = format!("`{}`", self.metric);
        if !self.algorithms.is_empty() {
            text += &format!(" of {}", self.algorithms.join(", "));
        }
        for (column, allowed) in &self.only {
            let values: Vec<String> = allowed.iter().map(ToString::to_string).collect();
            text += &format!(" with {column} = {}", values.join(" or "));
        }
        text
    }

    /// Sorted by their keys.
    pub fn points(&self, case: &Case) -> Vec<ClaimPoint> {
        let mut gathered = gather(case.observations, &self.metric, &self.only);
        if !self.algorithms.is_empty() {
            let names = |point: &Gathered| point.key[ALGORITHM].to_string();
            gathered.retain(|point| self.algorithms.contains(&names(point)));
        }
        gathered.sort_by(|a, b| a.key.cmp(&b.key));
        gathered.into_iter().map(|point| self.point(point, case.limits)).collect()
    }

    fn point(&self, gathered: Gathered, limits: Limits) -> ClaimPoint {
        let hole = gathered.holes.last();
        ClaimPoint {
            key: gathered.key.into_owned(),
            values: gathered.values,
            hole: hole.map(|hole| told(hole)),
            missing: hole.map(|hole| hole.status),
            censored_at: hole.and_then(|hole| limit_reached(&limits, hole.status, &self.metric)),
        }
    }
}

fn told(hole: &Hole) -> String {
    let status = hole.status.in_words().to_string();
    let reason: String = hole.reason.lines().next().unwrap_or_default().chars().take(120).collect();
    if reason.is_empty() { status } else { format!("{status} ({reason})") }
}

/// `l = 6, dataset = adult`: the columns in which the keys differ among themselves, less those that the name of the algorithm
/// says already.
pub fn places(keys: &[&KeyValues], case: &Case) -> Vec<String> {
    let columns = &case.observations.columns;
    let varies = |column: usize| keys.windows(2).any(|pair| pair[0][column] != pair[1][column]);
    let said = |column: usize| {
        let mut known: BTreeMap<&Value, &Value> = BTreeMap::new();
        ![ALGORITHM, DATASET, AT].contains(&column)
            && varies(ALGORITHM)
            && keys.iter().all(|key| **known.entry(&key[ALGORITHM]).or_insert(&key[column]) == key[column])
    };
    let varying: Vec<usize> = (0..columns.len()).filter(|&column| varies(column) && !said(column)).collect();
    keys.iter()
        .map(|key| {
            let parts = varying.iter().filter(|&&column| !key[column].is_none());
            parts.map(|&column| case.names.place(&columns[column], &key[column])).collect::<Vec<_>>().join(", ")
        })
        .collect()
}
