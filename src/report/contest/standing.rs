//! Who stands where in each group of blocks.

use super::blocks::{Blocks, Place, Values};
use super::duel::Duel;
use super::significance::holm;
use crate::lab::Better;
use crate::report::statistics::median;
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::BTreeMap;

/// The blocks that agree in the columns the comparison goes over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub keys: IndexMap<String, String>,
    /// Blocks in which every contender of the group has a value; medians are over these, so that nobody gains by failing
    /// where it is hard.
    pub common_blocks: usize,
    pub standings: Vec<Standing>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    pub contender: String,
    /// Over the common blocks; over its own where there are none.
    pub median: f64,
    /// Blocks of the group in which it has no value.
    pub missing: usize,
    pub best: bool,
    /// None for the one that the others are compared with.
    pub duel: Option<Duel>,
}

pub fn groups(blocks: &Blocks, over: &[String], better: Better, baseline: Option<usize>) -> Vec<Group> {
    let mut parts: BTreeMap<Place, Vec<&Vec<Values>>> = BTreeMap::new();
    for (place, values) in &blocks.values {
        let keys: Place = over.iter().filter_map(|name| Some((name.clone(), place.get(name)?.clone()))).collect();
        parts.entry(keys).or_default().push(values);
    }
    let mut groups: Vec<Group> = parts
        .iter()
        .map(|(keys, part)| {
            let keys =
                over.iter().filter_map(|name| keys.get(name).map(|value| (name.clone(), value.to_string()))).collect();
            group(keys, part, blocks, better, baseline)
        })
        .collect();
    correct(&mut groups);
    groups
}

fn group(
    keys: IndexMap<String, String>,
    part: &[&Vec<Values>],
    blocks: &Blocks,
    better: Better,
    baseline: Option<usize>,
) -> Group {
    let present: Vec<usize> = (0..blocks.contenders.len())
        .filter(|&contender| part.iter().any(|values| !values[contender].is_empty()))
        .collect();
    let common: Vec<&&Vec<Values>> =
        part.iter().filter(|values| present.iter().all(|&contender| !values[contender].is_empty())).collect();
    let middle = |contender: usize| {
        let of = |block: &Vec<Values>| block[contender].values().copied().collect::<Vec<f64>>();
        let values: Vec<f64> = if common.is_empty() {
            part.iter().flat_map(|block| of(block)).collect()
        } else {
            common.iter().flat_map(|block| of(block)).collect()
        };
        median(&values)
    };
    let medians: Vec<f64> = present.iter().map(|&contender| middle(contender)).collect();
    let best = medians.iter().copied().reduce(|a, b| if better == Better::Higher { a.max(b) } else { a.min(b) });
    let first_best = medians.iter().position(|median| Some(*median) == best).map(|index| present[index]);
    let against = baseline.filter(|baseline| present.contains(baseline)).or(first_best);
    let mut standings: Vec<Standing> = present
        .iter()
        .zip(&medians)
        .map(|(&contender, &median)| Standing {
            contender: blocks.contenders[contender].clone(),
            median,
            missing: part.iter().filter(|values| values[contender].is_empty()).count(),
            best: Some(median) == best,
            duel: against.filter(|&against| against != contender).and_then(|against| {
                let sides = part.iter().map(|values| (&values[contender], &values[against]));
                Duel::fight(&blocks.contenders[against], better, sides)
            }),
        })
        .collect();
    standings.sort_by(|a, b| match better {
        Better::Higher => b.median.total_cmp(&a.median),
        _ => a.median.total_cmp(&b.median),
    });
    Group { keys, common_blocks: common.len(), standings }
}

/// Corrects the tests for their number: every duel of the metric is looked at.
fn correct(groups: &mut [Group]) {
    let mut duels: Vec<&mut Duel> = groups
        .iter_mut()
        .flat_map(|group| &mut group.standings)
        .filter_map(|standing| standing.duel.as_mut())
        .collect();
    let adjusted = holm(&duels.iter().map(|duel| duel.p).collect::<Vec<_>>());
    for (duel, p) in duels.iter_mut().zip(adjusted) {
        duel.settle(p);
    }
}
