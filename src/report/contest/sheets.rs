//! A contest as tables of text, for terminals and pages alike.

use super::{BlockGroup, ContenderStanding, Contest, Front, HoleCount, MetricContest, Ranking, fixed_along};
use crate::lab::{Better, counted};
use crate::report::number::{all, number, percent};
use indexmap::IndexMap;
use serde::Serialize;

/// A heading, a table (its first row heads it) and lines below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContestSheet {
    /// 1 for a metric, 2 for what is below it.
    pub level: usize,
    pub heading: String,
    pub table: Vec<Vec<String>>,
    pub notes: Vec<String>,
}

/// Who carries the mark.
const MARKED: &str = "the best median, and nobody better by the test; of several with that median, those that do not lose at \
                      more points than they win";

pub fn sheets(contest: &Contest) -> Vec<ContestSheet> {
    let mut sheets = Vec::new();
    for metric in &contest.metrics {
        let unit = if metric.unit.is_empty() { String::new() } else { format!(" [{}]", metric.unit) };
        let about = if metric.about.is_empty() { String::new() } else { format!(": {}", metric.about) };
        sheets.push(ContestSheet {
            level: 1,
            heading: format!("{}{unit}, {} is better{about}", metric.metric, direction_word(metric.better)),
            table: Vec::new(),
            notes: Vec::new(),
        });
        sheets.extend(below(metric));
    }
    let mut standings = contest.metrics.iter().flat_map(|metric| &metric.groups).flat_map(|group| &group.standings);
    if standings.any(|standing| standing.best) {
        let (heading, notes) = ("What * marks".to_string(), vec![MARKED.to_string()]);
        sheets.push(ContestSheet { level: 1, heading, table: Vec::new(), notes });
    }
    let fixed = fixed_along(&contest.metrics, |column| format!("`{column}`"));
    if !fixed.is_empty() {
        let heading = "Who does not vary with what".to_string();
        sheets.push(ContestSheet { level: 1, heading, table: Vec::new(), notes: fixed });
    }
    sheets.extend(contest.fronts.iter().map(front_sheet));
    if !contest.holes.is_empty() {
        sheets.push(holes_sheet(&contest.holes));
    }
    sheets
}

/// Who stands where, group by group, and the ranks over data sets.
fn below(metric: &MetricContest) -> Vec<ContestSheet> {
    let ranking = metric.ranking.iter().map(ranking_sheet);
    metric.groups.iter().map(group_sheet).chain(ranking).collect()
}

pub fn direction_word(better: Better) -> &'static str {
    if better == Better::Higher { "higher" } else { "lower" }
}

fn assignments(keys: &IndexMap<String, String>) -> String {
    keys.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn group_sheet(group: &BlockGroup) -> ContestSheet {
    let head = ["", "contender", "median", "relative", "difference", "95 %", "won–tied–lost", "p", "verdict"];
    let mut table = vec![head.map(String::from).to_vec()];
    table.extend(group.standings.iter().map(standing_row));
    let mut notes = Vec::new();
    let duels = group.standings.iter().filter_map(|standing| standing.duel.as_ref());
    if let Some(duel) = duels.max_by_key(|duel| duel.units) {
        notes.push(format!(
            "compared with {} over {}; medians of the means at the points that all have ({})",
            duel.opponent,
            duel.unit.count(duel.units),
            blocks(group.common_blocks)
        ));
    }
    if let (Some((unit, units)), Some(needed)) = (group.too_few().min_by_key(|few| few.1), group.needed) {
        notes.push(format!(
            "{} too few for any difference to be told from chance at 5 %: {} would be the fewest here",
            are(&unit.count(units), units),
            unit.count(needed)
        ));
    }
    for standing in group.standings.iter().filter(|standing| standing.missing > 0) {
        notes.push(format!("{} has no value in {}", standing.contender, blocks(standing.missing)));
    }
    let heading = if group.keys.is_empty() { "everywhere".to_string() } else { assignments(&group.keys) };
    ContestSheet { level: 2, heading, table, notes }
}

/// A block is one combination of data and parameters.
fn blocks(number: usize) -> String {
    format!("{} of data and parameters", counted(number, "combination"))
}

fn standing_row(standing: &ContenderStanding) -> Vec<String> {
    let mark = if standing.best { "*" } else { "" };
    let mut row = vec![mark.to_string(), standing.contender.clone(), number(standing.median)];
    row.extend(match &standing.duel {
        Some(duel) => vec![
            standing.relative.map(percent).unwrap_or_default(),
            number(duel.difference),
            match (duel.low, duel.high) {
                (Some(low), Some(high)) => format!("{} to {}", number(low), number(high)),
                _ => String::new(),
            },
            format!("{}–{}–{}", duel.wins, duel.ties, duel.losses),
            duel.p_adjusted.map(probability).unwrap_or_default(),
            duel.verdict.name().to_string(),
        ],
        None => vec![String::new(); 6],
    });
    row
}

/// "1 point is", "2 points are".
pub fn are(counted: &str, count: usize) -> String {
    format!("{counted} {}", if count == 1 { "is" } else { "are" })
}

/// A p as it is printed.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { format!("{p:.3}") }
}

fn ranking_sheet(ranking: &Ranking) -> ContestSheet {
    let mut table = vec![vec!["mean rank".to_string(), "contender".to_string()]];
    table.extend(ranking.ranks.iter().map(|rank| vec![format!("{:.2}", rank.mean_rank), rank.contender.clone()]));
    let mut notes = vec![format!("{} equally good: p = {}", all(ranking.ranks.len()), probability(ranking.p))];
    notes.extend(ranking.critical_difference.map(|critical| format!("critical difference at 5 %: {critical:.2}")));
    notes.extend(ranking.alike.iter().map(|set| format!("not told apart: {}", set.join(", "))));
    ContestSheet { level: 2, heading: format!("ranks over {} data sets", ranking.datasets), table, notes }
}

fn front_sheet(front: &Front) -> ContestSheet {
    let axes: Vec<String> = front.axes.iter().map(|(side, metric)| format!("{} ({metric})", side.name())).collect();
    let mut head = vec![String::new(), "contender".to_string()];
    head.extend(axes.iter().cloned());
    head.push("beaten by".to_string());
    let mut table = vec![head];
    for point in &front.points {
        let mut row = vec![if point.on_front { "*" } else { "" }.to_string(), point.name()];
        row.extend(point.values.iter().map(|value| number(*value)));
        row.push(point.beaten_by.clone().unwrap_or_default());
        table.push(row);
    }
    let within =
        if front.guarantee.is_empty() { String::new() } else { format!(" with {}", assignments(&front.guarantee)) };
    let heading = format!("Pareto front on {}{within}: {}", front.dataset, axes.join(" against "));
    ContestSheet {
        level: 1,
        heading,
        table,
        notes: vec!["* nobody is at least as good everywhere and better somewhere".into()],
    }
}

fn holes_sheet(holes: &[HoleCount]) -> ContestSheet {
    let mut table = vec![["algorithm", "status", "cells", "the first reason"].map(String::from).to_vec()];
    table.extend(holes.iter().map(|hole| {
        vec![hole.algorithm.clone(), hole.status.name().to_string(), hole.cells.to_string(), hole.reason.clone()]
    }));
    ContestSheet { level: 1, heading: "Cells without an answer".to_string(), table, notes: Vec::new() }
}
