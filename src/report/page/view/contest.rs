//! The comparison of an experiment's algorithms: one matrix of contenders, metrics and data, the ranks, the fronts.

use super::text::prose;
use crate::lab::Better;
use crate::report::ReportError;
use crate::report::contest::{
    Contest, Duel, DuelVerdict, Front, Group, HoleCount, MetricContest, Standing, direction_word, probability,
};
use crate::report::figure::Figure;
use crate::report::fronts;
use crate::report::number::{Unit, number, percent};
use crate::report::palette::Palette;
use crate::report::plot::{inline, plot, ranks};
use serde::Serialize;

/// Contenders beside each other; more are parted into tables below each other.
const ABREAST: usize = 7;

#[derive(Debug, Clone, Serialize)]
pub struct ContestPage {
    pub matrices: Vec<Matrix>,
    /// To filter by.
    pub metrics: Vec<String>,
    pub datasets: Vec<String>,
    pub ranks: Vec<Ranks>,
    pub fronts: Vec<Fronts>,
    pub holes: Vec<Hole>,
    /// HTML.
    pub notes: Vec<String>,
}

/// Rows that the same contenders have.
#[derive(Debug, Clone, Serialize)]
pub struct Matrix {
    pub contenders: Vec<String>,
    pub metrics: Vec<MetricRows>,
}

#[derive(Debug, Clone, Serialize)]
pub struct MetricRows {
    pub anchor: String,
    pub metric: String,
    /// HTML.
    pub about: String,
    pub rows: Vec<MatrixRow>,
}

/// One metric on one data set.
#[derive(Debug, Clone, Serialize)]
pub struct MatrixRow {
    pub metric: String,
    pub dataset: String,
    /// Where rows of the metric differ in it.
    pub unit: String,
    /// Who the others are compared with, over how much.
    pub basis: String,
    pub cells: Vec<MatrixCell>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct MatrixCell {
    pub contender: String,
    pub value: String,
    pub best: bool,
    /// "+12 % (0.5 to 0.8)".
    pub by: String,
    /// "worse, p 0.003, 1–0–11".
    pub test: String,
    /// A class: best, better, worse or nothing.
    pub class: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct Ranks {
    pub metric: String,
    pub svg: String,
    pub note: String,
}

/// Fronts over the same axes.
#[derive(Debug, Clone, Serialize)]
pub struct Fronts {
    pub heading: String,
    pub legend: Vec<super::Swatch>,
    pub panels: Vec<String>,
    pub axes: Vec<String>,
    pub rows: Vec<FrontRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct FrontRow {
    pub place: String,
    pub contender: String,
    /// Axis and value.
    pub values: Vec<(String, String)>,
    pub on_front: bool,
    pub beaten_by: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct Hole {
    pub algorithm: String,
    pub status: &'static str,
    pub cells: usize,
    pub reason: String,
}

/// The id of a metric's rows.
pub fn anchor(metric: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    format!("metric-{}", metric.chars().map(plain).collect::<String>())
}

pub fn contest(contest: &Contest) -> Result<ContestPage, ReportError> {
    let mut metrics: Vec<String> = Vec::new();
    let mut datasets: Vec<String> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for metric in &contest.metrics {
        metrics.push(metric.metric.clone());
        for note in metric.beside.iter().map(|note| prose(note)).filter(|note| !note.is_empty()) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        for dataset in metric.groups.iter().map(place) {
            if !datasets.contains(&dataset) {
                datasets.push(dataset);
            }
        }
    }
    let hole = |hole: &HoleCount| Hole {
        algorithm: hole.algorithm.clone(),
        status: hole.status.in_words(),
        cells: hole.cells,
        reason: hole.reason.clone(),
    };
    Ok(ContestPage {
        matrices: matrices(&contest.metrics),
        ranks: contest.metrics.iter().filter_map(ranked).collect(),
        fronts: fronts(&contest.fronts)?,
        holes: contest.holes.iter().map(hole).collect(),
        metrics,
        datasets,
        notes,
    })
}

fn place(group: &Group) -> String {
    group.keys.values().cloned().collect::<Vec<_>>().join(", ")
}

/// One matrix for all rows whose contenders are among those of its widest row, so that hardly a cell is empty; wide ones in parts.
/// Where a contender is alone there is nothing to compare, and no row.
fn matrices(metrics: &[MetricContest]) -> Vec<Matrix> {
    let sets = widest(metrics);
    let mut anchored: Vec<&str> = Vec::new();
    let mut matrices = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        let belongs = |group: &Group| {
            let own = contenders(group);
            own.len() > 1 && sets.iter().position(|other| is_among(&own, other)) == Some(index)
        };
        let parts = set.len().div_ceil(ABREAST);
        for part in set.chunks(set.len().div_ceil(parts.max(1)).max(1)) {
            let mut shown = Vec::new();
            for metric in metrics {
                let competes = |group: &&Group| contenders(group).iter().any(|name| part.contains(name));
                let groups: Vec<&Group> =
                    metric.groups.iter().filter(|group| belongs(group)).filter(competes).collect();
                if !groups.is_empty() {
                    let is_first = !anchored.contains(&metric.metric.as_str());
                    anchored.push(&metric.metric);
                    shown.push(metric_rows(metric, &groups, part, is_first));
                }
            }
            matrices.push(Matrix { contenders: part.iter().map(ToString::to_string).collect(), metrics: shown });
        }
    }
    matrices
}

/// Who stands in a row.
fn contenders(group: &Group) -> Vec<&str> {
    group.standings.iter().map(|standing| standing.contender.as_str()).collect()
}

fn is_among(few: &[&str], many: &[&str]) -> bool {
    few.iter().all(|name| many.contains(name))
}

/// The contenders of rows that no other row has all of, and more; each in the order of the metric.
fn widest(metrics: &[MetricContest]) -> Vec<Vec<&str>> {
    let mut sets: Vec<Vec<&str>> = Vec::new();
    for metric in metrics {
        for group in &metric.groups {
            let own = contenders(group);
            let own: Vec<&str> =
                metric.contenders.iter().map(String::as_str).filter(|name| own.contains(name)).collect();
            if own.len() > 1 && !sets.iter().any(|set| is_among(&own, set)) {
                // It stands where the first of those stood that it takes in.
                let at = sets.iter().position(|set| is_among(set, &own)).unwrap_or(sets.len());
                sets.retain(|set| !is_among(set, &own));
                sets.insert(at, own);
            }
        }
    }
    sets
}

fn metric_rows(metric: &MetricContest, groups: &[&Group], part: &[&str], is_first: bool) -> MetricRows {
    // Times and sizes of data sets differ by orders of magnitude: each row has the unit that suits it.
    let of = |group: &Group| {
        let medians = group.standings.iter().map(|standing| standing.median.abs());
        Unit::fitting(&metric.unit, medians.fold(0.0, f64::max))
    };
    let is_one = groups.iter().all(|group| of(group) == of(groups[0]));
    let named =
        if is_one && !of(groups[0]).name.is_empty() { format!(", {}", of(groups[0]).name) } else { String::new() };
    let row = |group: &&Group| MatrixRow {
        metric: metric.metric.clone(),
        dataset: place(group),
        unit: if is_one { String::new() } else { of(group).name },
        basis: basis(group),
        cells: part.iter().map(|contender| cell(group, contender, metric, &of(group))).collect(),
    };
    MetricRows {
        anchor: if is_first { anchor(&metric.metric) } else { String::new() },
        metric: format!("{}{named}", metric.metric),
        about: match (metric.about.as_str(), direction_word(metric.better)) {
            ("", word) => format!("{word} is better"),
            (about, word) => prose(&format!("{about}; {word} is better")),
        },
        rows: groups.iter().map(row).collect(),
    }
}

fn basis(group: &Group) -> String {
    let duel = group.standings.iter().find_map(|standing| standing.duel.as_ref());
    let Some(duel) = duel else { return String::new() };
    let few = match (group.too_few().next().is_some(), group.needed) {
        (true, Some(needed)) => format!("; too few to tell, {} would do", duel.unit.count(needed)),
        _ => String::new(),
    };
    format!("against {} over {}{few}", duel.opponent, duel.unit.count(duel.units))
}

fn cell(group: &Group, contender: &str, metric: &MetricContest, unit: &Unit) -> MatrixCell {
    let named = MatrixCell { contender: contender.to_string(), ..MatrixCell::default() };
    let Some(standing) = group.standings.iter().find(|standing| standing.contender == contender) else { return named };
    let class = match standing.duel.as_ref().map(|duel| duel.verdict) {
        _ if standing.best && has_loser(group, metric.better) => "best",
        Some(DuelVerdict::Worse) => "worse",
        Some(DuelVerdict::Better) => "better",
        _ => "",
    };
    let missing = if standing.missing > 0 { format!("; no value at {}", standing.missing) } else { String::new() };
    MatrixCell {
        value: unit.show(standing.median),
        best: class == "best",
        by: standing.duel.as_ref().map(|duel| by(duel, unit)).unwrap_or_default(),
        test: format!("{}{missing}", test(standing)).trim_start_matches("; ").to_string(),
        class,
        ..named
    }
}

/// Where all are the same there is nobody to praise.
fn has_loser(group: &Group, better: Better) -> bool {
    let first = group.standings.first().map(|standing| standing.median);
    better != Better::Neither && group.standings.iter().any(|standing| Some(standing.median) != first)
}

fn by(duel: &Duel, unit: &Unit) -> String {
    // Beside almost nothing every distance is beyond all measure: the difference says it.
    let relative = duel.relative.filter(|share| share.abs() < 1e4).map(percent).unwrap_or_default();
    let interval = match (duel.low, duel.high) {
        (Some(low), Some(high)) => format!("{} to {}", unit.show(low), unit.show(high)),
        _ => unit.show(duel.difference),
    };
    format!("{relative} ({interval})").trim().to_string()
}

fn test(standing: &Standing) -> String {
    let Some(duel) = &standing.duel else { return String::new() };
    let p = duel.p_adjusted.map(|p| format!(", p {}", probability(p))).unwrap_or_default();
    format!("{}{p}, {}–{}–{}", duel.verdict.name(), duel.wins, duel.ties, duel.losses)
}

fn ranked(metric: &MetricContest) -> Option<Ranks> {
    let ranking = metric.ranking.as_ref()?;
    let critical = match ranking.critical_difference {
        Some(critical) => format!("; critical difference at 5 %: {}", number((critical * 100.0).round() / 100.0)),
        None => String::new(),
    };
    let all = metric.contenders.len();
    Some(Ranks {
        metric: metric.metric.clone(),
        svg: ranks::diagram(ranking),
        note: format!(
            "Over {} data sets; all {all} equally good: p = {}{critical}.",
            ranking.datasets,
            probability(ranking.p)
        ),
    })
}

/// Fronts of the same axes in one figure, a panel each, and in one table.
fn fronts(all: &[Front]) -> Result<Vec<Fronts>, ReportError> {
    let mut shown: Vec<Fronts> = Vec::new();
    let mut done: Vec<&Front> = Vec::new();
    for first in all {
        if done.iter().any(|front| front.axes == first.axes) {
            continue;
        }
        let same: Vec<&Front> = all.iter().filter(|front| front.axes == first.axes).collect();
        let figures: Vec<Figure> = fronts::figures(&same);
        let palette = Palette::assign(figures.iter());
        let mut panels = Vec::new();
        let mut legend = Vec::new();
        for figure in &figures {
            let drawn = plot(figure, &palette.styles(figure), &[])?;
            panels.extend((0..drawn.panels.len()).map(|panel| inline(figure, &drawn, panel)));
            legend = drawn.legend.iter().map(super::swatch).collect();
        }
        let axes: Vec<String> = first.axes.iter().map(|(side, metric)| format!("{} ({metric})", side.name())).collect();
        let row = |front: &&Front| -> Vec<FrontRow> {
            let row = |point: &crate::report::contest::FrontPoint| FrontRow {
                place: fronts::place(front),
                contender: point.name(),
                values: axes.iter().cloned().zip(point.values.iter().map(|value| number(*value))).collect(),
                on_front: point.on_front,
                beaten_by: point.beaten_by.clone().unwrap_or_default(),
            };
            front.points.iter().map(row).collect()
        };
        shown.push(Fronts {
            heading: axes.join(" against "),
            panels,
            legend,
            rows: same.iter().flat_map(row).collect(),
            axes,
        });
        done.push(first);
    }
    Ok(shown)
}
