//! A contest as text, as Markdown, and as CSV.

use crate::cli::list::aligned;
use crate::data::write_csv;
use crate::report::contest::{Contest, Duel, direction_word, sheets};
use crate::report::markdown::{escaped, table};
use std::fmt::Write;

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
        text += &table(&sheet.table);
        if !sheet.table.is_empty() {
            text.push('\n');
        }
        for note in &sheet.notes {
            let _ = writeln!(text, "{}\n", escaped(note));
        }
    }
    text
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
        "unit",
        "units",
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
                    Some(duel) => duel_fields(duel, standing.relative),
                    None => vec![String::new(); fixed.len() - 4],
                });
                rows.push(row);
            }
        }
    }
    String::from_utf8_lossy(&write_csv(rows)).into_owned()
}

fn told(number: Option<f64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn duel_fields(duel: &Duel, relative: Option<f64>) -> Vec<String> {
    vec![
        duel.opponent.clone(),
        duel.pairs.to_string(),
        duel.unit.name().to_string(),
        duel.units.to_string(),
        duel.wins.to_string(),
        duel.ties.to_string(),
        duel.losses.to_string(),
        duel.difference.to_string(),
        told(duel.low),
        told(duel.high),
        told(relative),
        told(duel.p),
        told(duel.p_adjusted),
        duel.verdict.name().to_string(),
    ]
}
