use super::CheckReport;
use crate::report::escape;
use crate::track::comparison::{ChangeFinding, ChangeVerdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A suite an experiment, a case a cell. A cell with a regression fails; one that was not compared, or of which the
/// numbers tell nothing, is skipped.
pub fn junit(report: &CheckReport) -> String {
    let comparison = report.comparison;
    let mut suites: BTreeMap<&str, BTreeMap<&str, (&str, Vec<&ChangeFinding>)>> = BTreeMap::new();
    for (id, place) in &comparison.places {
        suites.entry(&id.experiment).or_default().insert(&id.digest, (place, Vec::new()));
    }
    for finding in &comparison.findings {
        let digest = finding.cell.split_once('/').map_or("", |(_, digest)| digest);
        let cases = suites.entry(&finding.experiment).or_default();
        cases.entry(digest).or_insert((&finding.place, Vec::new())).1.push(finding);
    }
    let mut body = String::new();
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    for (experiment, cases) in &suites {
        let mut suite = String::new();
        let (mut failed, mut left_out) = (0, 0);
        for (place, findings) in cases.values() {
            let of = |verdicts: &[ChangeVerdict]| {
                let mine = findings.iter().filter(|finding| verdicts.contains(&finding.verdict));
                mine.map(|finding| format!("{}: {}", finding.subject(), finding.detail)).collect::<Vec<_>>()
            };
            let (worse, open) =
                (of(&[ChangeVerdict::Regression]), of(&[ChangeVerdict::NotCompared, ChangeVerdict::Inconclusive]));
            let inner = match (worse.is_empty(), open.is_empty()) {
                (false, _) => {
                    failed += 1;
                    format!("<failure message=\"{}\">{}</failure>", escape(&worse[0]), escape(&worse.join("\n")))
                }
                (true, false) => {
                    left_out += 1;
                    format!("<skipped message=\"{}\"/>", escape(&open.join("; ")))
                }
                (true, true) => String::new(),
            };
            let (class, name) = (escape(experiment), escape(place));
            let _ = writeln!(suite, r#"    <testcase classname="{class}" name="{name}">{inner}</testcase>"#);
        }
        let _ = writeln!(
            body,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{left_out}\">\n{suite}  </testsuite>",
            escape(experiment),
            cases.len()
        );
        (tests, failures, skipped) = (tests + cases.len(), failures + failed, skipped + left_out);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"anonlab track\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n{body}</testsuites>\n"
    )
}
