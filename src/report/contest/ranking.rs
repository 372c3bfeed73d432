//! Ranks over data sets, as critical-difference diagrams show them (Demšar, JMLR 2006).

use super::blocks::{Blocks, RepetitionValues};
use crate::lab::Better;
use crate::report::value::Value;
use crate::statistics::{critical_difference, friedman_test, median, ranks};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranking {
    pub datasets: usize,
    /// The best first.
    pub ranks: Vec<MeanRank>,
    /// Of the Friedman test that all are equally good.
    pub p: f64,
    /// Mean ranks that differ by less are not told apart at 5 % (Nemenyi); none beyond 20 contenders.
    pub critical_difference: Option<f64>,
    /// Contenders that are not told apart, each set as large as it can be.
    pub alike: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanRank {
    pub contender: String,
    /// Over data sets; 1 is best.
    pub mean_rank: f64,
}

/// Ranks contenders in each block, then on each data set by their means over the blocks, so that no data set counts more
/// for having been swept more finely. Who ended without a value ranks last. Mean ranks are only of contenders and data sets that were all
/// tried with each other, and of the blocks in which they were.
pub fn ranking(blocks: &Blocks, better: Better) -> Option<Ranking> {
    let sign = if better == Better::Higher { -1.0 } else { 1.0 };
    let middle = |values: &RepetitionValues| {
        let values: Vec<f64> = values.values().map(|value| sign * value).collect();
        (!values.is_empty()).then(|| median(&values))
    };
    let (contenders, datasets) = complete(blocks)?;
    let mut of_dataset: BTreeMap<Option<Value>, Vec<Vec<f64>>> = BTreeMap::new();
    for (place, values) in &blocks.values {
        let dataset = place.get("dataset").cloned();
        let values: Vec<Option<f64>> = contenders.iter().map(|&contender| middle(&values[contender])).collect();
        let ended = |contender| blocks.ended_without.get(place).is_some_and(|without| without.contains(contender));
        let all_tried = contenders.iter().zip(&values).all(|(contender, value)| value.is_some() || ended(contender));
        // A block in which somebody was not tried, or that nobody gave a value in, ranks nobody.
        if datasets.contains(&dataset) && all_tried && values.iter().any(Option::is_some) {
            of_dataset.entry(dataset).or_default().push(ranks(&values));
        }
    }
    let mean = |rows: &[Vec<f64>], place: usize| rows.iter().map(|row| row[place]).sum::<f64>() / rows.len() as f64;
    let table: Vec<Vec<f64>> = of_dataset
        .values()
        .map(|rows| ranks(&(0..contenders.len()).map(|place| Some(mean(rows, place))).collect::<Vec<_>>()))
        .collect();
    // Over one data set there is nothing to average.
    if table.len() < 2 {
        return None;
    }
    let mut standings: Vec<MeanRank> = contenders
        .iter()
        .enumerate()
        .map(|(place, &contender)| MeanRank {
            contender: blocks.contenders[contender].name(),
            mean_rank: mean(&table, place),
        })
        .collect();
    standings.sort_by(|a, b| a.mean_rank.total_cmp(&b.mean_rank));
    let critical = critical_difference(contenders.len(), table.len());
    Some(Ranking {
        datasets: table.len(),
        p: friedman_test(&table),
        critical_difference: critical,
        alike: critical.map(|critical| alike(&standings, critical)).unwrap_or_default(),
        ranks: standings,
    })
}

/// The contenders and data sets that were all tried with each other: of the sets of contenders that some data set has, the one
/// that makes the largest table. None where no two contenders met on two data sets.
fn complete(blocks: &Blocks) -> Option<(Vec<usize>, BTreeSet<Option<Value>>)> {
    let mut met: BTreeMap<Option<Value>, BTreeSet<usize>> = BTreeMap::new();
    for (dataset, contender) in &blocks.tried {
        met.entry(dataset.clone()).or_default().insert(*contender);
    }
    let mut best: Option<(BTreeSet<usize>, BTreeSet<Option<Value>>)> = None;
    let size = |(few, many): &(BTreeSet<usize>, BTreeSet<Option<Value>>)| few.len() * many.len();
    // Two data sets may share fewer contenders than either has.
    let shared = met.values().flat_map(|one| met.values().map(|other| one & other).collect::<Vec<_>>());
    for contenders in shared {
        let datasets: BTreeSet<Option<Value>> =
            met.iter().filter(|(_, here)| contenders.is_subset(here)).map(|(dataset, _)| dataset.clone()).collect();
        let found = (contenders, datasets);
        let counts = found.0.len() > 1 && found.1.len() > 1;
        if counts && best.as_ref().is_none_or(|best| size(&found) > size(best)) {
            best = Some(found);
        }
    }
    best.map(|(contenders, datasets)| (contenders.into_iter().collect(), datasets))
}

/// The longest runs of neighbours within the critical difference.
fn alike(ranks: &[MeanRank], critical: f64) -> Vec<Vec<String>> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for start in 0..ranks.len() {
        let end = ranks.partition_point(|rank| rank.mean_rank - ranks[start].mean_rank < critical);
        let covered = runs.last().is_some_and(|&(_, last)| last >= end);
        if end - start > 1 && !covered {
            runs.push((start, end));
        }
    }
    runs.into_iter().map(|(start, end)| ranks[start..end].iter().map(|rank| rank.contender.clone()).collect()).collect()
}
