//! Who stands where in each group of blocks.

use super::blocks::{BlockKey, Blocks, RepetitionValues};
use super::duel::{Duel, DuelVerdict};
use super::units::DuelUnit;
use super::units::{LEVEL, Sides, point_means};
use crate::lab::Better;
use crate::statistics::{fewest, holm, median, testable};
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::BTreeMap;

/// The blocks that agree in the columns the comparison goes over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockGroup {
    pub keys: IndexMap<String, String>,
    /// Blocks in which every contender of the group has a value; medians are over these, so that nobody gains by failing
    /// where it is hard.
    pub common_blocks: usize,
    /// Where some duel has too few units: the fewest with which it could decide, beside the other duels of the metric.
    pub needed: Option<usize>,
    pub standings: Vec<ContenderStanding>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContenderStanding {
    pub contender: String,
    /// Of its means at the points of the common blocks; of all its own where there are none.
    pub median: f64,
    /// How far its median is from that of the one it is compared with; none where that is zero, or they have no blocks in common.
    pub relative: Option<f64>,
    /// Blocks of the group in which it has no value.
    pub missing: usize,
    /// It has the best median and nobody is better by the test; of several with the best median, those that do not lose to
    /// another at more points than they win.
    pub best: bool,
    /// None for the one that the others are compared with.
    pub duel: Option<Duel>,
}

/// How a metric is judged.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    pub better: Better,
    /// It differs from run to run.
    pub noisy: bool,
    /// Everybody is compared with this contender instead of with the best.
    pub baseline: Option<usize>,
}

type Part<'a> = Vec<(&'a BlockKey, &'a Vec<RepetitionValues>)>;

pub fn groups(blocks: &Blocks, over: &[String], terms: Terms) -> Vec<BlockGroup> {
    let mut parts: BTreeMap<BlockKey, Part> = BTreeMap::new();
    for (place, values) in &blocks.values {
        let keys: BlockKey = over.iter().filter_map(|name| Some((name.clone(), place.get(name)?.clone()))).collect();
        parts.entry(keys).or_default().push((place, values));
    }
    let mut groups: Vec<BlockGroup> = parts
        .iter()
        .map(|(keys, part)| {
            let keys =
                over.iter().filter_map(|name| keys.get(name).map(|value| (name.clone(), value.to_string()))).collect();
            group(keys, part, blocks, terms)
        })
        .filter(|group| !group.standings.is_empty())
        .collect();
    correct(&mut groups);
    match terms.baseline {
        // Whom the others are compared with does not say who is best.
        Some(_) => {
            let among_all = self::groups(blocks, over, Terms { baseline: None, ..terms });
            for (group, known) in groups.iter_mut().zip(&among_all) {
                group.standings.iter_mut().for_each(|standing| standing.best = known.is_best(&standing.contender));
            }
        }
        None => groups.iter_mut().for_each(BlockGroup::settle_best),
    }
    groups
}

fn group(keys: IndexMap<String, String>, part: &Part, blocks: &Blocks, terms: Terms) -> BlockGroup {
    let Terms { better, noisy, baseline } = terms;
    let present: Vec<usize> = (0..blocks.contenders.len())
        .filter(|&contender| part.iter().any(|(_, values)| !values[contender].is_empty()))
        .collect();
    let common: Vec<&(&BlockKey, &Vec<RepetitionValues>)> =
        part.iter().filter(|(_, values)| present.iter().all(|&contender| !values[contender].is_empty())).collect();
    let middle = |contender: usize| {
        let counted: Vec<&(&BlockKey, &Vec<RepetitionValues>)> =
            if common.is_empty() { part.iter().collect() } else { common.clone() };
        median(&point_means(counted.into_iter().map(|(place, block)| (*place, &block[contender]))))
    };
    let medians: Vec<f64> = present.iter().map(|&contender| middle(contender)).collect();
    let best = medians.iter().copied().reduce(|a, b| if better == Better::Higher { a.max(b) } else { a.min(b) });
    let sides = |own: usize, other: usize| -> Vec<Sides> {
        part.iter().map(|(place, values)| (*place, &values[own], &values[other])).collect()
    };
    let tied: Vec<usize> =
        present.iter().zip(&medians).filter(|(_, median)| Some(**median) == best).map(|(own, _)| *own).collect();
    let against = baseline.filter(|baseline| present.contains(baseline)).or_else(|| {
        let lead = |own: usize| -> isize {
            let others = tied.iter().filter(|&&other| other != own);
            others.map(|&other| Duel::lead(better, noisy, &sides(own, other))).sum()
        };
        // The first of those that are equally far ahead.
        tied.iter().copied().rev().max_by_key(|&own| lead(own))
    });
    let theirs = against.and_then(|against| present.iter().position(|&own| own == against)).map(|index| medians[index]);
    let relative = |own: f64| {
        let theirs = theirs.filter(|theirs| !common.is_empty() && *theirs != 0.0)?;
        Some((own - theirs) / theirs.abs())
    };
    let mut standings: Vec<ContenderStanding> = present
        .iter()
        .zip(&medians)
        .map(|(&contender, &median)| ContenderStanding {
            contender: blocks.contenders[contender].name(),
            median,
            relative: relative(median).filter(|_| against != Some(contender)),
            missing: part.iter().filter(|(_, values)| values[contender].is_empty()).count(),
            // Points of their own make nobody best.
            best: Some(median) == best && (!common.is_empty() || present.len() == 1),
            duel: against.filter(|&against| against != contender).and_then(|against| {
                Duel::fight(&blocks.contenders[against].name(), better, noisy, &sides(contender, against))
            }),
        })
        .collect();
    standings.sort_by(|a, b| match better {
        Better::Higher => b.median.total_cmp(&a.median),
        Better::Lower | Better::Neither => a.median.total_cmp(&b.median),
    });
    BlockGroup { keys, common_blocks: common.len(), needed: None, standings }
}

/// Corrects the tests for their number: every duel of the metric is looked at. Those that could not decide whatever their
/// units said are no tests.
fn correct(groups: &mut [BlockGroup]) {
    let mut duels: Vec<&mut Duel> = groups
        .iter_mut()
        .flat_map(|group| &mut group.standings)
        .filter_map(|standing| standing.duel.as_mut())
        .collect();
    let can = testable(&duels.iter().map(|duel| duel.units).collect::<Vec<_>>(), LEVEL);
    let tested = duels.iter().zip(&can).filter(|(_, can)| **can);
    let adjusted = holm(&tested.map(|(duel, _)| duel.p.unwrap_or(1.0)).collect::<Vec<_>>());
    let tests = adjusted.len();
    let mut adjusted = adjusted.into_iter();
    for (duel, can) in duels.iter_mut().zip(can) {
        duel.settle(if can { adjusted.next() } else { None });
    }
    for group in groups {
        let too_few = group.too_few().count();
        group.needed = (too_few > 0).then(|| fewest(tests + too_few, LEVEL));
    }
}

impl BlockGroup {
    fn is_best(&self, contender: &str) -> bool {
        self.standings.iter().any(|standing| standing.best && standing.contender == contender)
    }

    /// Takes the mark from whose median is the best while the points say otherwise.
    fn settle_best(&mut self) {
        let is_beaten = self.standings.iter().filter_map(|standing| standing.duel.as_ref());
        let is_beaten = is_beaten.map(|duel| duel.verdict).any(|verdict| verdict == DuelVerdict::Better);
        for standing in &mut self.standings {
            standing.best &= match &standing.duel {
                None => !is_beaten,
                Some(duel) => duel.verdict != DuelVerdict::Worse && duel.wins >= duel.losses,
            };
        }
    }

    /// What there was too little of, for each duel that could not decide.
    pub fn too_few(&self) -> impl Iterator<Item = (DuelUnit, usize)> {
        let duels = self.standings.iter().filter_map(|standing| standing.duel.as_ref());
        duels.filter(|duel| duel.verdict == DuelVerdict::TooFew).map(|duel| (duel.unit, duel.units))
    }
}
