//! What was found about the papers, as the index opens with it.

use super::text::{NAME, prose};
use crate::report::findings::{Finding, Findings, SurpriseKind};
use crate::report::plot::svg::shorten;
use crate::report::typeset::typeset;
use serde::Serialize;

/// About one experiment: sentences, the paper's statements, the lab's own.
#[derive(Debug, Clone, Serialize)]
pub struct FindingsView {
    pub id: String,
    pub title: String,
    pub paper: String,
    /// HTML, as are all texts of rows.
    pub sentences: Vec<String>,
    pub statements: Vec<FoundRow>,
    pub ours: Vec<FoundRow>,
}

/// One statement and what became of it.
#[derive(Debug, Clone, Serialize)]
pub struct FoundRow {
    /// Its id in the register; empty for the lab's own.
    pub id: String,
    pub section: String,
    pub says: String,
    pub found: String,
    pub why: String,
    /// The figures whose claims are about it: ids and titles.
    pub figures: Vec<(String, String)>,
    pub outcome: &'static str,
    pub symbol: &'static str,
    /// A class, as of verdicts.
    pub class: &'static str,
    pub standing: &'static str,
    pub stands: &'static str,
    pub told: String,
}

/// Surprises of one kind, of all experiments.
#[derive(Debug, Clone, Serialize)]
pub struct Surprises {
    pub words: &'static str,
    pub about: &'static str,
    pub rows: Vec<SurpriseRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct SurpriseRow {
    pub experiment: String,
    pub title: String,
    pub figure: String,
    pub figure_title: String,
    pub statement: String,
    pub claim: String,
    pub told: String,
    pub because: String,
}

pub fn found(findings: &Findings) -> FindingsView {
    FindingsView {
        id: findings.experiment.clone(),
        title: title(findings),
        paper: findings.paper.as_deref().map(|paper| shorten(paper, NAME * 3)).unwrap_or_default(),
        sentences: findings.sentences.iter().map(|sentence| prose(sentence)).collect(),
        statements: findings.statements.iter().map(|finding| row(finding, findings, true)).collect(),
        ours: findings.ours.iter().map(|finding| row(finding, findings, false)).collect(),
    }
}

fn title(findings: &Findings) -> String {
    shorten(&typeset(&findings.title), NAME)
}

fn row(finding: &Finding, of: &Findings, of_paper: bool) -> FoundRow {
    let mut figures: Vec<String> = finding.claims.iter().map(|claim| claim.figure.clone()).collect();
    figures.sort();
    figures.dedup();
    // A standing is of claims: what a test shows, or nobody measured, has none.
    let has_claims = !finding.claims.is_empty();
    FoundRow {
        id: if of_paper { finding.id.clone() } else { String::new() },
        section: if of_paper { prose(&finding.place()) } else { String::new() },
        says: prose(&finding.says),
        found: prose(&finding.found()),
        why: prose(&finding.why()),
        figures: figures.into_iter().map(|id| (id.clone(), typeset(of.figure(&id)))).collect(),
        outcome: finding.outcome.words(),
        symbol: finding.outcome.symbol(),
        class: finding.outcome.class(),
        standing: if has_claims { finding.standing.name() } else { "" },
        stands: if has_claims { finding.standing.words() } else { "" },
        told: finding.told().to_string(),
    }
}

/// What surprised, kind by kind; kinds without any are left out.
pub fn surprises(all: &[Findings]) -> Vec<Surprises> {
    let of_kind = |kind: SurpriseKind| {
        let rows = all.iter().flat_map(|findings| {
            let mine = findings.surprises.iter().filter(move |surprise| surprise.kind == kind);
            mine.map(|surprise| SurpriseRow {
                experiment: findings.experiment.clone(),
                title: title(findings),
                figure: surprise.figure.clone(),
                figure_title: shorten(&typeset(findings.figure(&surprise.figure)), NAME),
                statement: surprise.statement.clone(),
                claim: prose(&surprise.claim),
                told: prose(&surprise.told),
                because: prose(&surprise.because),
            })
        });
        Surprises { words: kind.words(), about: about(kind), rows: rows.collect() }
    };
    SurpriseKind::ALL.into_iter().map(of_kind).filter(|kind| !kind.rows.is_empty()).collect()
}

fn about(kind: SurpriseKind) -> &'static str {
    match kind {
        SurpriseKind::AgainstExpectation => {
            "The verdict is not the one that the spec has on record: something changed, here or in the code."
        }
        SurpriseKind::DependsOnReading => {
            "The paper leaves a question open, and the answer decides whether its statement holds."
        }
        SurpriseKind::DependsOnChance => "With some seeds the claim holds, with others it fails.",
        SurpriseKind::NotSettled => "Some seeds or readings give no verdict, and none contradicts another.",
        SurpriseKind::PrintedNotReached => "The paper prints a value, and the same measurement here gives another.",
    }
}
