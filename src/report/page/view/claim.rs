//! A claim below its figure: what it says, its verdict and standing, and the evidence.

use super::super::standing;
use super::text::{NAME, prose};
use crate::report::claims::{Conclusion, EvidenceOutcome, Judgement, Verdict};
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use crate::spec::claim;
use crate::spec::expectation::Expected;
use serde::Serialize;

/// Evidence beyond this many lines is counted, not listed.
const EVIDENCE: usize = 60;

#[derive(Debug, Clone, Serialize)]
pub struct ClaimView {
    pub says: String,
    /// Of the paper, by its id in the register; empty where the claim names none.
    pub statement: String,
    pub standing: standing::StandingView,
    /// What is not as it is known to be; empty otherwise.
    pub surprised: String,
    pub verdict: &'static str,
    pub symbol: &'static str,
    /// "as expected", "unexpectedly", or nothing.
    pub expectation: &'static str,
    pub surprise: bool,
    pub because: Option<String>,
    /// HTML, as are the numbers of evidence.
    pub detail: String,
    pub evidence: Vec<EvidenceView>,
    pub more_evidence: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct EvidenceView {
    pub place: String,
    pub numbers: String,
    pub outcome: &'static str,
    pub symbol: &'static str,
}

pub(super) fn claims(prepared: &Prepared) -> Vec<ClaimView> {
    let judgements = prepared.judgements().iter().zip(&prepared.result.claims);
    let found = prepared.conclusions.iter().zip(&prepared.surprises);
    judgements
        .zip(found)
        // Under another reading than the default there may be claims that do not go through it.
        .filter(|(_, (found, _))| !found.tallies.is_empty())
        .map(|((judgement, claim), (found, surprise))| one_claim(prepared, judgement, claim, found, surprise))
        .collect()
}

fn one_claim(
    prepared: &Prepared,
    judgement: &Judgement,
    claim: &claim::Claim,
    found: &Conclusion,
    surprise: &Option<String>,
) -> ClaimView {
    let verdict = found.verdict;
    ClaimView {
        statement: claim.statement.clone().unwrap_or_default(),
        standing: standing::view(prepared, found),
        surprised: surprise.as_deref().map(|surprise| prepared.names.told(surprise)).unwrap_or_default(),
        says: prose(&judgement.says),
        verdict: verdict.name(),
        symbol: match verdict {
            Verdict::Holds => "✓",
            Verdict::Fails => "✗",
            Verdict::Inconclusive => "?",
        },
        expectation: match (judgement.expected.verdict, verdict) {
            (Some(Expected::Fails), Verdict::Fails) => "as expected",
            (Some(Expected::Fails), Verdict::Holds) => "though expected to fail",
            (Some(Expected::Fails), Verdict::Inconclusive) => "expected to fail",
            (Some(Expected::Holds) | None, _) => "",
        },
        surprise: surprise.is_some(),
        because: judgement.because.as_deref().map(prose),
        detail: match found.tallies.iter().all(|tally| tally.seeds() < 2) {
            true => prose(&judgement.detail),
            // Tables and plots are over all seeds; these numbers, and the evidence, are of one.
            false => prose(&format!("with the first seed {}", judgement.detail)),
        },
        evidence: judgement
            .evidence
            .iter()
            .take(EVIDENCE)
            .map(|evidence| EvidenceView {
                place: shorten(&evidence.place, NAME),
                numbers: prose(&evidence.numbers),
                outcome: evidence.outcome.name(),
                symbol: match evidence.outcome {
                    EvidenceOutcome::Passes => "✓",
                    EvidenceOutcome::Fails => "✗",
                    EvidenceOutcome::Open => "?",
                },
            })
            .collect(),
        more_evidence: judgement.evidence.len().saturating_sub(EVIDENCE),
    }
}
