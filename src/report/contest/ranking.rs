//! Ranks over data sets, as critical-difference diagrams show them (Demšar, JMLR 2006).

use super::blocks::{Blocks, RepetitionValues};
use crate::lab::Better;
use crate::report::value::Value;
use crate::statistics::{critical_difference, friedman_test, median, ranks};
use serde::Serialize;
use std::collections::BTreeMap;

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

/// Ranks every contender in each block, then on each data set by its mean over the blocks, so that no data set counts more
/// for having been swept more finely. Who has no value ranks last.
pub fn ranking(blocks: &Blocks, better: Better) -> Option<Ranking> {
    let contenders = blocks.contenders.len();
    let sign = if better == Better::Higher { -1.0 } else { 1.0 };
    let middle = |values: &RepetitionValues| {
        let values: Vec<f64> = values.values().map(|value| sign * value).collect();
        (!values.is_empty()).then(|| median(&values))
    };
    let mut of_dataset: BTreeMap<Option<&Value>, Vec<Vec<f64>>> = BTreeMap::new();
    for (place, values) in &blocks.values {
        // A block of one contender alone ranks nobody.
        if values.iter().filter(|values| !values.is_empty()).count() > 1 {
            let row = ranks(&values.iter().map(middle).collect::<Vec<_>>());
            of_dataset.entry(place.get("dataset")).or_default().push(row);
        }
    }
    let mean =
        |rows: &[Vec<f64>], contender: usize| rows.iter().map(|row| row[contender]).sum::<f64>() / rows.len() as f64;
    let table: Vec<Vec<f64>> = of_dataset
        .values()
        .map(|rows| ranks(&(0..contenders).map(|contender| Some(mean(rows, contender))).collect::<Vec<_>>()))
        .collect();
    // Over one data set there is nothing to average.
    if table.len() < 2 {
        return None;
    }
    let mut standings: Vec<MeanRank> = blocks
        .contenders
        .iter()
        .enumerate()
        .map(|(contender, known)| MeanRank { contender: known.name(), mean_rank: mean(&table, contender) })
        .collect();
    standings.sort_by(|a, b| a.mean_rank.total_cmp(&b.mean_rank));
    let critical = critical_difference(contenders, table.len());
    Some(Ranking {
        datasets: table.len(),
        p: friedman_test(&table),
        critical_difference: critical,
        alike: critical.map(|critical| alike(&standings, critical)).unwrap_or_default(),
        ranks: standings,
    })
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
