//! What came of a run, in a few lines.

use super::list::counted;
use crate::data::Origin;
use crate::report::{JudgedClaim, ReportSummary, Verdict};
use crate::run::{RunOutcome, Status, distinct, reasons_told};
use crate::spec::Experiment;
use crate::spec::expectation::{Expected, Standing};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Why cells are not ok, in lines.
pub fn reasons(experiments: &[Experiment], outcomes: &[RunOutcome]) -> String {
    let cells = experiments.iter().zip(outcomes).flat_map(|(experiment, outcome)| {
        let cells = distinct(&experiment.plan.cells).into_iter();
        cells.filter_map(|(cell, _)| Some((cell, outcome.entries.get(&cell.key)?)))
    });
    reasons_told(cells)
}

pub fn count_statuses(outcomes: &[RunOutcome]) -> BTreeMap<Status, usize> {
    let mut counts = BTreeMap::new();
    for entry in outcomes.iter().flat_map(|outcome| outcome.entries.values()) {
        *counts.entry(entry.answer.status).or_default() += 1;
    }
    counts
}

pub fn summary(
    experiments: &[Experiment],
    cached: usize,
    statuses: &BTreeMap<Status, usize>,
    reasons: &str,
    report: &ReportSummary,
) -> String {
    let cells: usize = statuses.values().sum();
    let figures = counted(report.figures, "figure");
    let mut text = format!("{figures} of {}; {}", counted(experiments.len(), "experiment"), counted(cells, "cell"));
    if cached > 0 {
        let _ = write!(text, ", {cached} of them from the store");
    }
    for (status, count) in statuses.iter().filter(|(status, _)| **status != Status::Ok) {
        let _ = write!(text, ", {count} {status}");
    }
    let _ = writeln!(text);
    text += reasons;
    let count = |verdict| report.count(verdict);
    let expected = |claim: &&JudgedClaim| {
        claim.conclusion.verdict == Verdict::Fails && claim.judgement.expected.verdict == Some(Expected::Fails)
    };
    let known = match report.claims.iter().filter(expected).count() {
        0 => String::new(),
        known => format!(" ({known} as expected)"),
    };
    if !report.claims.is_empty() {
        let (holds, fails, open) = (count(Verdict::Holds), count(Verdict::Fails), count(Verdict::Inconclusive));
        let _ = writeln!(text, "claims: {holds} hold, {fails} fail{known}, {open} inconclusive");
        let standing =
            |standing: Standing| Some((report.standing(standing), standing.words())).filter(|(count, _)| *count > 0);
        let standings: Vec<String> =
            Standing::ALL.into_iter().filter_map(standing).map(|(count, words)| format!("{count} {words}")).collect();
        let _ = writeln!(text, "standings: {}", standings.join(", "));
    }
    for claim in report.surprises() {
        let JudgedClaim { experiment, figure, judgement, surprise, .. } = claim;
        let surprise = surprise.as_deref().unwrap_or_default();
        let excuse = excuse(experiments, claim).map(|excuse| format!(" {excuse}")).unwrap_or_default();
        let (says, detail) = (&judgement.says, &judgement.detail);
        let _ = writeln!(text, "  {experiment}, {figure}: {surprise}{excuse}, against expectation: {says} ({detail})");
    }
    let _ = writeln!(text, "report: {}", report.index.display());
    text
}

/// Why a verdict against expectation is no failure: a stand-in proves nothing about a paper either way, and what a spec expects,
/// it expects of whole figures.
pub fn excuse(experiments: &[Experiment], claim: &JudgedClaim) -> Option<&'static str> {
    let experiment = experiments.iter().find(|experiment| experiment.spec.id == claim.experiment)?;
    let mut cells = experiment.plan.cells.iter().filter(|cell| cell.figure == claim.figure);
    if cells.any(|cell| cell.origin == Origin::StandIn) {
        Some("on a stand-in")
    } else if experiment.wanted.quick {
        Some("in the small variant")
    } else {
        None
    }
}
