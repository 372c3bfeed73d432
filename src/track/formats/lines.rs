//! Findings as lines that fit on a page: what is the same of many cells is said once.

use crate::track::comparison::{ChangeFinding, ChangeVerdict, RunComparison};
use indexmap::IndexMap;

/// More than this nobody reads; JSON has all. Regressions are what everybody came for.
const MOST_REGRESSIONS: usize = 40;
const MOST_OTHERS: usize = 12;
/// So many findings that say the same become one line.
const ALIKE: usize = 4;

pub struct FindingLine {
    pub topic: &'static str,
    pub subject: String,
    pub place: String,
    pub detail: String,
}

pub struct Section {
    pub heading: &'static str,
    pub count: usize,
    pub lines: Vec<FindingLine>,
    /// Lines that were left out.
    pub left_out: usize,
}

pub fn sections(comparison: &RunComparison) -> Vec<Section> {
    ChangeVerdict::ALL
        .into_iter()
        .filter(|&verdict| comparison.count(verdict) > 0)
        .map(|verdict| {
            let mut lines = lines(&comparison.of(verdict).collect::<Vec<_>>());
            let most = if verdict == ChangeVerdict::Regression { MOST_REGRESSIONS } else { MOST_OTHERS };
            let left_out = lines.len().saturating_sub(most);
            lines.truncate(most);
            Section { heading: verdict.name(), count: comparison.count(verdict), lines, left_out }
        })
        .collect()
}

fn lines(findings: &[&ChangeFinding]) -> Vec<FindingLine> {
    let mut alike: IndexMap<(&str, &str, String, &str), Vec<&ChangeFinding>> = IndexMap::new();
    for finding in findings {
        let subject = if finding.metric.is_empty() { String::new() } else { finding.subject() };
        let key = (finding.topic.name(), finding.experiment.as_str(), subject, finding.detail.as_str());
        alike.entry(key).or_default().push(finding);
    }
    // Never cut, and with the cell's own name where two are called the same.
    let has_twin = |finding: &ChangeFinding| {
        findings.iter().any(|other| {
            (&other.experiment, &other.place) == (&finding.experiment, &finding.place) && other.cell != finding.cell
        })
    };
    let mut lines = Vec::new();
    for ((topic, experiment, subject, detail), findings) in alike {
        let place = |finding: &ChangeFinding| match finding.cell.is_empty() {
            true => finding.place.clone(),
            false if has_twin(finding) => format!("{experiment} {} ({})", finding.place, finding.cell),
            false => format!("{experiment} {}", finding.place),
        };
        let places = match findings[..] {
            [first, ..] if findings.len() >= ALIKE => vec![format!("{} cells like {}", findings.len(), place(first))],
            _ => findings.iter().map(|finding| place(finding)).collect(),
        };
        let line = |place| FindingLine { topic, subject: subject.clone(), place, detail: detail.to_string() };
        lines.extend(places.into_iter().map(line));
    }
    lines
}
