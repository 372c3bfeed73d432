//! Why cells are not ok, each reason once with the number of its cells.

use super::{Entry, PlannedCell, Status};
use indexmap::IndexMap;
use std::fmt::Write;

/// More reasons than these are counted, not told.
const SHOWN: usize = 10;
/// Of a long reason (the traceback of a program) its last lines say most.
const LINES: usize = 8;

/// "28 cells failed: …" for each reason, the most frequent first; empty when all is well. Each cell comes once.
pub fn reasons_told<'a>(cells: impl IntoIterator<Item = (&'a PlannedCell, &'a Entry)>) -> String {
    let mut reasons: IndexMap<(&'static str, &str), (usize, &PlannedCell)> = IndexMap::new();
    for (cell, entry) in cells {
        let answer = &entry.answer;
        if answer.status != Status::Ok {
            reasons.entry((answer.status.as_str(), &answer.reason)).or_insert((0, cell)).0 += 1;
        }
    }
    reasons.sort_by(|_, (a, _), _, (b, _)| b.cmp(a));
    let mut text = String::new();
    for ((status, reason), (count, first)) in reasons.iter().take(SHOWN) {
        let what = status.replace('_', " ");
        let reason = if reason.is_empty() { "no reason was given" } else { reason };
        let _ = writeln!(text, "{} {what}: {}", counted(*count, "cell"), last_lines(reason));
        let which = if *count == 1 { "it is" } else { "the first is" };
        let _ = writeln!(text, "    ({which} {}: {})", first.figure, first.title());
    }
    if reasons.len() > SHOWN {
        let rest = &reasons.as_slice()[SHOWN..];
        let cells = rest.values().map(|(count, _)| count).sum();
        let other = counted(reasons.len() - SHOWN, "other reason");
        let _ = writeln!(text, "{} for {other}; measurements.csv has them all", counted(cells, "cell"));
    }
    text
}

fn last_lines(reason: &str) -> String {
    let lines: Vec<&str> = reason.lines().collect();
    let cut = lines.len().saturating_sub(LINES);
    let begin = if cut > 0 { "…\n" } else { "" };
    format!("{begin}{}", lines[cut..].join("\n")).replace('\n', "\n    ")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
