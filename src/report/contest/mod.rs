//! Contests: for each metric who is best where and by how much, whether that could be chance, who ranks where over data
//! sets, and who cannot be beaten in privacy, utility and cost at once.

mod blocks;
mod duel;
mod front;
mod plain_names;
mod ranking;
mod sheets;
mod standing;
mod units;

pub use duel::{Duel, DuelVerdict};
pub use front::{Front, FrontPoint};
pub use ranking::{MeanRank, Ranking};
pub use sheets::{ContestSheet, are, direction_word, probability, sheets};
pub use standing::{BlockGroup, ContenderStanding};
pub use units::DuelUnit;

use super::metrics::{MetricInfo, MetricSide, Metrics};
use super::observations::{ALGORITHM, Observations, machines_of};
use super::{ReportError, observations};
use crate::lab::{Better, Cost, did_you_mean_or_list};
use crate::run::Status;
use blocks::Blocks;
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What to compare.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// These metrics alone; every one that has a better and a worse when empty.
    pub metrics: Vec<String>,
    /// The columns whose every combination is judged by itself; `dataset` when empty.
    pub over: Vec<String>,
    /// Everybody is compared with this contender instead of with the best.
    pub baseline: Option<String>,
}

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contest {
    pub over: Vec<String>,
    pub baseline: Option<String>,
    pub metrics: Vec<MetricContest>,
    /// One for each data set.
    pub fronts: Vec<Front>,
    /// Cells that gave no number.
    pub holes: Vec<HoleCount>,
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricContest {
    pub metric: String,
    pub unit: String,
    pub better: Better,
    pub about: String,
    pub contenders: Vec<String>,
    /// Who stands beside every value of the others.
    pub beside: Vec<FixedAlong>,
    pub groups: Vec<BlockGroup>,
    pub ranking: Option<Ranking>,
}

/// A contender that does not vary with some columns. Files have it in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "String")]
pub struct FixedAlong {
    pub contender: String,
    pub columns: Vec<String>,
}

impl From<FixedAlong> for String {
    /// "strict does not vary with `l`: it stands beside every value that others have there".
    fn from(FixedAlong { contender, columns }: FixedAlong) -> Self {
        let columns = columns.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        format!("{contender} does not vary with {columns}: it stands beside every value that others have there")
    }
}

/// One sentence for all contenders of these metrics that do not vary with the same columns, which `name` calls what they are called.
pub fn fixed_along(metrics: &[MetricContest], name: impl Fn(&str) -> String) -> Vec<String> {
    let mut alike: IndexMap<String, Vec<&str>> = IndexMap::new();
    for FixedAlong { contender, columns } in metrics.iter().flat_map(|metric| &metric.beside) {
        let columns: BTreeSet<String> = columns.iter().map(|column| name(column)).collect();
        let contenders = alike.entry(Vec::from_iter(columns).join(" or ")).or_default();
        if !contenders.contains(&contender.as_str()) {
            contenders.push(contender);
        }
    }
    let sentence = |(columns, contenders): (&String, &Vec<&str>)| {
        let (vary, stand) = if contenders.len() == 1 { ("does", "it stands") } else { ("do", "they stand") };
        // Names may have commas of their own.
        let who = contenders.join("; ");
        format!("{who} {vary} not vary with {columns}: {stand} beside every value that others have there")
    };
    alike.iter().map(sentence).collect()
}

/// How many cells of an algorithm ended otherwise than well.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HoleCount {
    pub algorithm: String,
    pub status: Status,
    pub cells: usize,
    /// Of the first of them.
    pub reason: String,
}

/// Compares the algorithms of these figures. Metrics that fewer than two contenders have are left out.
pub fn contest(
    figures: &[&Observations],
    known: &BTreeMap<String, MetricInfo>,
    options: &Options,
) -> Result<Contest, ReportError> {
    let info = Metrics(known);
    let renamed = plain_names::under_plain_names(figures);
    let renamed: Option<Vec<&Observations>> = renamed.as_ref().map(|figures| figures.iter().collect());
    let figures = renamed.as_deref().unwrap_or(figures);
    let reported: BTreeSet<&str> =
        figures.iter().flat_map(|figure| &figure.rows).map(|row| row.metric.as_str()).collect();
    for metric in &options.metrics {
        let machines = machines_of(figures.iter().copied(), metric);
        if machines > 1 {
            let message =
                format!("`{metric}` was measured on {machines} different machines, whose times do not compare");
            return Err(ReportError::Input(message));
        }
    }
    let mut wanted = wanted_metrics(&reported, info, options)?;
    wanted.retain(|metric| machines_of(figures.iter().copied(), metric) < 2);
    let over = if options.over.is_empty() { vec!["dataset".to_string()] } else { options.over.clone() };
    check_columns(figures, &over)?;
    check_baseline(figures, options)?;
    let metrics = wanted
        .iter()
        .filter_map(|metric| metric_contest(figures, metric, info, &over, options.baseline.as_deref()))
        .collect();
    let fronts = front::fronts(figures, known, options);
    Ok(Contest { over, baseline: options.baseline.clone(), metrics, fronts, holes: holes(figures) })
}

/// One metric of these figures; none where fewer than two contenders have it.
pub fn metric_contest(
    figures: &[&Observations],
    metric: &str,
    info: Metrics,
    over: &[String],
    baseline: Option<&str>,
) -> Option<MetricContest> {
    let blocks = Blocks::of(figures, metric);
    if blocks.contenders.len() < 2 {
        return None;
    }
    let better = info.better(metric);
    let contenders: Vec<String> = blocks.contenders.iter().map(|contender| contender.name()).collect();
    // A metric that the baseline does not have compares the others among themselves.
    let baseline = baseline.and_then(|name| contenders.iter().position(|known| known == name));
    let terms = standing::Terms { better, noisy: observations::is_noisy(metric), baseline };
    Some(MetricContest {
        metric: metric.to_string(),
        unit: info.unit(metric).to_string(),
        better,
        about: info.about(metric),
        beside: beside(&blocks),
        groups: standing::groups(&blocks, over, terms),
        ranking: ranking::ranking(&blocks, better),
        contenders,
    })
}

fn beside(blocks: &Blocks) -> Vec<FixedAlong> {
    let open = blocks.contenders.iter().filter(|contender| !contender.beside.is_empty());
    open.map(|contender| FixedAlong { contender: contender.name(), columns: contender.beside.clone() }).collect()
}

fn wanted_metrics(reported: &BTreeSet<&str>, info: Metrics, options: &Options) -> Result<Vec<String>, ReportError> {
    for metric in &options.metrics {
        if !reported.contains(metric.as_str()) {
            let hint = did_you_mean_or_list(metric, &Vec::from_iter(reported));
            return Err(ReportError::Input(format!("no cell reports the metric `{metric}`; {hint}")));
        }
        if info.better(metric) == Better::Neither {
            let message = format!("`{metric}` is a fact: neither more nor less of it is better, so nobody can be best");
            return Err(ReportError::Input(message));
        }
    }
    if !options.metrics.is_empty() {
        return Ok(options.metrics.clone());
    }
    // Costs of parts are for those who ask.
    let is_part = |metric: &str| matches!(Cost::of(metric), Some((_, Some(_))));
    // So are the counters of algorithms: facts of a computation, not what came of it.
    let is_fact = |metric: &str| !observations::is_cost(metric) && info.side(metric) == MetricSide::Fact;
    let counts = |metric: &&str| info.better(metric) != Better::Neither && !is_part(metric) && !is_fact(metric);
    let (costs, measured): (Vec<&str>, Vec<&str>) =
        reported.iter().copied().filter(counts).partition(|metric| observations::is_cost(metric));
    Ok(measured.into_iter().chain(costs).map(String::from).collect())
}

fn check_columns(figures: &[&Observations], over: &[String]) -> Result<(), ReportError> {
    let known: BTreeSet<&str> = figures
        .iter()
        .flat_map(|figure| &figure.columns)
        .map(String::as_str)
        .filter(|name| *name != "algorithm")
        .collect();
    for name in over {
        if !known.contains(name.as_str()) {
            let hint = did_you_mean_or_list(name, &Vec::from_iter(known));
            return Err(ReportError::Input(format!("there is no column `{name}` to compare over; {hint}")));
        }
    }
    Ok(())
}

fn check_baseline(figures: &[&Observations], options: &Options) -> Result<(), ReportError> {
    let Some(name) = &options.baseline else { return Ok(()) };
    let known: BTreeSet<String> = figures
        .iter()
        .flat_map(|figure| figure.rows.iter().map(|row| &row.key).chain(figure.holes.iter().map(|hole| &hole.key)))
        .map(|key| key[ALGORITHM].to_string())
        .filter(|algorithm| !algorithm.is_empty())
        .collect();
    if known.contains(name) {
        return Ok(());
    }
    let hint = did_you_mean_or_list(name, &Vec::from_iter(known));
    Err(ReportError::Input(format!("there is no contender `{name}`; {hint}")))
}

fn holes(figures: &[&Observations]) -> Vec<HoleCount> {
    let mut counts: Vec<HoleCount> = Vec::new();
    for hole in figures.iter().flat_map(|figure| &figure.holes) {
        let algorithm = hole.key[ALGORITHM].to_string();
        match counts.iter_mut().find(|known| known.algorithm == algorithm && known.status == hole.status) {
            Some(known) => known.cells += 1,
            None => {
                let (status, reason) = (hole.status, hole.reason.clone());
                counts.push(HoleCount { algorithm, status, cells: 1, reason });
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests;
