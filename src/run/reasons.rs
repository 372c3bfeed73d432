//! Why cells are not ok, each reason once with the number of its cells.

use super::{Entry, PlannedCell, Status};
use crate::lab::counted;
use indexmap::IndexMap;
use std::fmt::Write;

/// More reasons than these are counted, not told.
const SHOWN: usize = 10;
/// Of a long reason (the traceback of a program) the first line and the last ones say most.
const LINES: usize = 8;

/// What to say of cells without an answer, whose workers somebody killed each time they were begun.
pub fn missing_told(cells: usize) -> String {
    let (cells, their) = match cells {
        1 => ("1 cell has no answer".to_string(), "its worker or program was"),
        many => (format!("{many} cells have no answer"), "their workers or programs were"),
    };
    format!(
        "{cells}: {their} killed from outside, again and again. What is done is kept; the same command runs the rest."
    )
}

/// "28 cells failed: …" for each reason, the most frequent first; empty when all is well. Each cell comes once.
pub fn reasons_told<'a>(cells: impl IntoIterator<Item = (&'a PlannedCell, &'a Entry)>) -> String {
    let mut reasons: IndexMap<(&'static str, &str), (usize, &PlannedCell)> = IndexMap::new();
    for (cell, entry) in cells {
        let answer = &entry.answer;
        if answer.status != Status::Ok {
            reasons.entry((in_words(answer.status), &answer.reason)).or_insert((0, cell)).0 += 1;
        }
    }
    reasons.sort_by(|_, (a, _), _, (b, _)| b.cmp(a));
    let mut text = String::new();
    for ((status, reason), (count, first)) in reasons.iter().take(SHOWN) {
        let reason = if reason.is_empty() { "no reason was given" } else { reason };
        let _ = writeln!(text, "{} {status}: {}", counted(*count, "cell"), shortened(reason));
        let which = if *count == 1 { "it is" } else { "the first is" };
        let _ = writeln!(text, "    ({which} {}: {})", first.figure, first.title());
    }
    if reasons.len() > SHOWN {
        let rest = &reasons.as_slice()[SHOWN..];
        let cells: usize = rest.values().map(|(count, _)| count).sum();
        let other = counted(reasons.len() - SHOWN, "other reason");
        let _ = writeln!(text, "{} for {other}; measurements.csv has them all", counted(cells, "cell"));
    }
    text
}

fn in_words(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Timeout => "timed out",
        Status::OutOfMemory => "ran out of memory",
        Status::Failed => "failed",
        Status::Invalid => "invalid",
        Status::Skipped => "skipped",
    }
}

fn shortened(reason: &str) -> String {
    let mut lines: Vec<&str> = reason.lines().collect();
    if lines.len() > LINES {
        lines.splice(1..lines.len() - LINES + 2, ["…"]);
    }
    lines.join("\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_reasons_keep_their_first_line_and_the_last_ones() {
        let lines: Vec<String> = (1..=20).map(|i| i.to_string()).collect();
        assert_eq!(shortened(&lines.join("\n")).replace("\n    ", " "), "1 … 15 16 17 18 19 20");
        assert_eq!(shortened("one\ntwo"), "one\n    two");
    }
}
