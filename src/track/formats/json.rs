use super::CheckReport;
use serde_json::json;

/// Every finding, for programs.
pub fn json(report: &CheckReport) -> String {
    let value = json!({
        "format": 1,
        "against": report.against,
        "outcome": report.outcome.name(),
        "compared": report.comparison.compared,
        "unchanged": report.comparison.unchanged,
        "findings": report.comparison.findings,
    });
    format!("{value:#}\n")
}
