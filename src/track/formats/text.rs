use super::CheckReport;
use super::lines::sections;
use std::fmt::Write;

pub fn text(report: &CheckReport) -> String {
    let comparison = report.comparison;
    let mut text = String::new();
    for section in sections(comparison) {
        let _ = writeln!(text, "{} ({})", section.heading, section.count);
        for line in &section.lines {
            let subject = if line.subject.is_empty() { String::new() } else { format!(" {}", line.subject) };
            let _ = writeln!(text, "  {}{subject}: {}\n    {}", line.topic, line.place, line.detail);
        }
        if section.left_out > 0 {
            let _ = writeln!(text, "  and {} more; --format json has all", section.left_out);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", summary(report));
    text
}

/// "against baselines: unchanged or better; 4,000 values compared, 3,990 unchanged"
pub fn summary(report: &CheckReport) -> String {
    let comparison = report.comparison;
    let count = |number: usize| crate::report::number::number(number as f64);
    let mut text = format!(
        "against {}: {}; {} values compared, {} unchanged",
        report.against,
        report.outcome.name(),
        count(comparison.compared),
        count(comparison.unchanged)
    );
    if comparison.within_spread > 0 {
        let _ = write!(text, ", {} moved within the spread of their repetitions", count(comparison.within_spread));
    }
    for section in sections(comparison) {
        let _ = write!(text, ", {}: {}", section.heading.to_lowercase(), count(section.count));
    }
    text
}
