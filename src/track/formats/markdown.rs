use super::lines::sections;
use super::{CheckOutcome, CheckReport, text::summary};
use crate::report::markdown::escaped;
use std::fmt::Write;

/// Regressions in the open, the rest folded away.
pub fn markdown(report: &CheckReport) -> String {
    let mark = match report.outcome {
        CheckOutcome::Well => "✅",
        CheckOutcome::Regression => "❌",
        CheckOutcome::Open | CheckOutcome::NothingComparable => "⚠️",
    };
    let mut text = format!("### {mark} anonlab track: {}\n\n{}\n", report.outcome.name(), escaped(&summary(report)));
    for section in sections(report.comparison) {
        let folded = section.heading != "Regressions";
        let heading = format!("{} ({})", section.heading, section.count);
        let _ = match folded {
            true => writeln!(text, "\n<details><summary>{heading}</summary>\n"),
            false => writeln!(text, "\n#### {heading}\n"),
        };
        let _ = writeln!(text, "| | metric | cell | |\n|---|---|---|---|");
        for line in &section.lines {
            let cells = [line.topic, &line.subject, &line.place, &line.detail].map(escaped);
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        if section.left_out > 0 {
            let _ = writeln!(text, "\nand {} more", section.left_out);
        }
        if folded {
            let _ = writeln!(text, "\n</details>");
        }
    }
    text
}
