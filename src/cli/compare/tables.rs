//! A contest as text, as Markdown, and as CSV.

use crate::cli::list::aligned;
use crate::data::write_csv;
use crate::lab::Better;
use crate::report::contest::{Contest, Duel, Front, Group, HoleCount, MetricContest, Ranking, Standing};
use crate::report::{number, percent};
use indexmap::IndexMap;
use std::fmt::Write;

/// A heading, a table and lines below it.
struct Sheet {
    /// 1 for a metric, 2 for what is below it.
    level: usize,
    heading: String,
    table: Vec<Vec<String>>,
    notes: Vec<String>,
}

pub fn text(contest: &Contest) -> String {
    let mut text = String::new();
    for sheet in sheets(contest) {
        if !text.is_empty() && sheet.level == 1 {
            text.push('\n');
        }
        let indent = "  ".repeat(sheet.level - 1);
        let _ = writeln!(text, "{indent}{}", sheet.heading);
        for line in aligned(&sheet.table).lines().map(String::from).chain(sheet.notes) {
            let _ = writeln!(text, "{indent}  {line}");
        }
    }
    text
}

pub fn markdown(contest: &Contest) -> String {
    let mut text = String::new();
    for sheet in sheets(contest) {
        let _ = writeln!(text, "{} {}\n", "#".repeat(sheet.level + 1), escaped(&sheet.heading));
        for (i, row) in sheet.table.iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "));
            if i == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        if !sheet.table.is_empty() {
            text.push('\n');
        }
        for note in &sheet.notes {
            let _ = writeln!(text, "{}\n", escaped(note));
        }
    }
    text
}

/// Text that Markdown and HTML take for text.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' => escaped.extend(['\\', character]),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// One line a standing.
pub fn csv(contest: &Contest) -> String {
    let fixed = [
        "contender",
        "median",
        "best",
        "missing",
        "opponent",
        "pairs",
        "wins",
        "ties",
        "losses",
        "difference",
        "low",
        "high",
        "relative",
        "p",
        "p_adjusted",
        "verdict",
    ];
    let header: Vec<String> = ["metric", "better"]
        .into_iter()
        .chain(contest.over.iter().map(String::as_str))
        .chain(fixed)
        .map(String::from)
        .collect();
    let mut rows = vec![header];
    for metric in &contest.metrics {
        for group in &metric.groups {
            for standing in &group.standings {
                let mut row = vec![metric.metric.clone(), direction_word(metric.better).to_string()];
                row.extend(contest.over.iter().map(|name| group.keys.get(name).cloned().unwrap_or_default()));
                row.extend([
                    standing.contender.clone(),
                    standing.median.to_string(),
                    standing.best.to_string(),
                    standing.missing.to_string(),
                ]);
                row.extend(match &standing.duel {
                    Some(duel) => duel_fields(duel),
                    None => vec![String::new(); fixed.len() - 4],
                });
                rows.push(row);
            }
        }
    }
    String::from_utf8_lossy(&write_csv(rows)).into_owned()
}

fn duel_fields(duel: &Duel) -> Vec<String> {
    vec![
        duel.opponent.clone(),
        duel.pairs.to_string(),
        duel.wins.to_string(),
        duel.ties.to_string(),
        duel.losses.to_string(),
        duel.difference.to_string(),
        duel.low.to_string(),
        duel.high.to_string(),
        duel.relative.map(|share| share.to_string()).unwrap_or_default(),
        duel.p.to_string(),
        duel.p_adjusted.to_string(),
        duel.verdict.name().to_string(),
    ]
}

fn sheets(contest: &Contest) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for metric in &contest.metrics {
        let unit = if metric.unit.is_empty() { String::new() } else { format!(" [{}]", metric.unit) };
        let about = if metric.about.is_empty() { String::new() } else { format!(": {}", metric.about) };
        sheets.push(Sheet {
            level: 1,
            heading: format!("{}{unit}, {} is better{about}", metric.metric, direction_word(metric.better)),
            table: Vec::new(),
            notes: Vec::new(),
        });
        sheets.extend(metric.groups.iter().map(group_sheet));
        sheets.extend(metric.ranking.iter().map(|ranking| ranking_sheet(ranking, metric)));
    }
    sheets.extend(contest.fronts.iter().map(front_sheet));
    if !contest.holes.is_empty() {
        sheets.push(holes_sheet(&contest.holes));
    }
    sheets
}

fn direction_word(better: Better) -> &'static str {
    if better == Better::Higher { "higher" } else { "lower" }
}

fn assignments(keys: &IndexMap<String, String>) -> String {
    keys.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn group_sheet(group: &Group) -> Sheet {
    let head = ["", "contender", "median", "relative", "difference", "95 %", "won–tied–lost", "p", "verdict"];
    let mut table = vec![head.map(String::from).to_vec()];
    table.extend(group.standings.iter().map(standing_row));
    let mut notes = Vec::new();
    if let Some(opponent) = group.standings.iter().find_map(|standing| standing.duel.as_ref()) {
        notes.push(format!(
            "compared with {}; medians over the {} blocks that all have",
            opponent.opponent, group.common_blocks
        ));
    }
    for standing in group.standings.iter().filter(|standing| standing.missing > 0) {
        notes.push(format!("{} has no value in {} blocks", standing.contender, standing.missing));
    }
    let heading = if group.keys.is_empty() { "everywhere".to_string() } else { assignments(&group.keys) };
    Sheet { level: 2, heading, table, notes }
}

fn standing_row(standing: &Standing) -> Vec<String> {
    let mark = if standing.best { "*" } else { "" };
    let mut row = vec![mark.to_string(), standing.contender.clone(), number(standing.median)];
    row.extend(match &standing.duel {
        Some(duel) => vec![
            duel.relative.map(percent).unwrap_or_default(),
            number(duel.difference),
            format!("{} to {}", number(duel.low), number(duel.high)),
            format!("{}–{}–{}", duel.wins, duel.ties, duel.losses),
            probability(duel.p_adjusted),
            duel.verdict.name().to_string(),
        ],
        None => vec![String::new(); 6],
    });
    row
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { format!("{p:.3}") }
}

fn ranking_sheet(ranking: &Ranking, metric: &MetricContest) -> Sheet {
    let mut table = vec![vec!["mean rank".to_string(), "contender".to_string()]];
    table.extend(ranking.ranks.iter().map(|rank| vec![format!("{:.2}", rank.mean_rank), rank.contender.clone()]));
    let mut notes = Vec::new();
    match (ranking.p, ranking.critical_difference) {
        (Some(p), Some(critical)) => {
            notes.push(format!(
                "critical difference {critical:.2} at 5 %; all {} alike: p = {}",
                metric.contenders.len(),
                probability(p)
            ));
        }
        _ => notes.push("ranks over one data set are no test; two or more are needed".to_string()),
    }
    notes.extend(ranking.alike.iter().map(|set| format!("not told apart: {}", set.join(", "))));
    Sheet { level: 2, heading: format!("ranks over {} data sets", ranking.datasets), table, notes }
}

fn front_sheet(front: &Front) -> Sheet {
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
    let heading = format!("Pareto front on {}: {}", front.dataset, axes.join(" against "));
    Sheet {
        level: 1,
        heading,
        table,
        notes: vec!["* nobody is at least as good everywhere and better somewhere".into()],
    }
}

fn holes_sheet(holes: &[HoleCount]) -> Sheet {
    let mut table = vec![["algorithm", "status", "cells", "the first reason"].map(String::from).to_vec()];
    table.extend(
        holes
            .iter()
            .map(|hole| vec![hole.algorithm.clone(), hole.status.clone(), hole.cells.to_string(), hole.reason.clone()]),
    );
    Sheet { level: 1, heading: "Cells without an answer".to_string(), table, notes: Vec::new() }
}
