//! Three sentences about a paper, made from its statements by templates: no number here is typed.

use super::{Finding, StatementOutcome};
use crate::spec::expectation::Standing;

/// Statements that a sentence quotes before it counts the rest.
const QUOTED: usize = 3;

/// What became of the statements; what contradicts the paper; what the outcomes depend on.
pub fn sentences(statements: &[Finding], ours: &[Finding]) -> Vec<String> {
    let (told, name) = match statements.is_empty() {
        true => (ours, "claim"),
        false => (statements, "statement"),
    };
    let measured: Vec<&Finding> = told.iter().filter(|finding| !finding.claims.is_empty()).collect();
    if measured.is_empty() {
        return Vec::new();
    }
    vec![counts(told, &measured, name), contradictions(&measured, name), dependence(&measured, name)]
}

/// "9 of the 15 statements that were measured hold, 3 fail and 1 holds in part; tests show 2 more."
fn counts(all: &[Finding], measured: &[&Finding], name: &str) -> String {
    let count = |outcome: StatementOutcome| measured.iter().filter(|finding| finding.outcome == outcome).count();
    let total = measured.len();
    let parts = [
        (count(StatementOutcome::Fails), "fails", "fail"),
        (count(StatementOutcome::InPart), "holds in part", "hold in part"),
        (count(StatementOutcome::Varies), "varies with the seed", "vary with the seed"),
        (count(StatementOutcome::Undecided), "is undecided", "are undecided"),
    ];
    let others = parts.iter().filter(|(n, ..)| *n > 0);
    let mut parts: Vec<String> =
        others.clone().map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many })).collect();
    let holds = count(StatementOutcome::Holds);
    let first = match holds {
        _ if holds == total && total == 1 => format!("The one {name} that was measured holds"),
        _ if holds == total && total == 2 => format!("Both {name}s that were measured hold"),
        _ if holds == total => format!("All {total} {name}s that were measured hold"),
        0 if total == 1 => {
            parts.clear();
            let became: Vec<&str> = others.map(|(_, one, _)| *one).collect();
            format!("The one {name} that was measured {}", became.concat())
        }
        0 => format!("None of the {total} {name}s that were measured holds outright"),
        1 => format!("1 of the {total} {name}s that were measured holds"),
        _ => format!("{holds} of the {total} {name}s that were measured hold"),
    };
    parts.insert(0, first);
    let tested = all.iter().filter(|finding| finding.outcome == StatementOutcome::Tested).count();
    let tested = match tested {
        0 => String::new(),
        1 => "; a test shows 1 more".to_string(),
        more => format!("; tests show {more} more"),
    };
    format!("{}{tested}.", listed(&parts))
}

/// What fails, in words, the worst first.
fn contradictions(measured: &[&Finding], name: &str) -> String {
    let against = contradicting(measured.iter().copied());
    let side = if name == "statement" { "the paper" } else { "what was said" };
    match against.len() {
        0 => format!("Nothing that was measured contradicts {side}."),
        _ => format!("Against {side}: {}.", quoted(&against)),
    }
}

/// What fails or holds in part, the worst first: a printed value that is missed weighs less than a trend that is not there.
pub fn contradicting<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<&'a Finding> {
    let fails = |finding: &Finding| finding.outcome == StatementOutcome::Fails;
    let failing = |finding: &Finding| finding.claims.iter().filter(|claim| claim.verdict == "fails").count();
    let is_of_print = |finding: &Finding| finding.claims.iter().all(|claim| claim.printed || claim.verdict != "fails");
    let mut against: Vec<&Finding> =
        findings.filter(|finding| fails(finding) || finding.outcome == StatementOutcome::InPart).collect();
    against.sort_by_key(|finding| (!fails(finding), is_of_print(finding), std::cmp::Reverse(failing(finding))));
    against
}

/// What the outcomes rest on: how many stand under all that was tried, and which do not, by their ids.
fn dependence(measured: &[&Finding], name: &str) -> String {
    let of = |standing: Standing| measured.iter().copied().filter(move |finding| finding.standing == standing);
    let robust = of(Standing::Robust).count();
    let stand = match robust {
        _ if robust == measured.len() => {
            return "Every one of these outcomes is the same under all readings and seeds that were tried.".to_string();
        }
        0 => "None of these outcomes was the same in enough readings and seeds to be called robust".to_string(),
        1 => "One of these outcomes is the same under all readings and seeds that were tried".to_string(),
        _ => format!("{robust} of these outcomes are the same under all readings and seeds that were tried"),
    };
    let mut parts = vec![stand];
    for (standing, one, many) in [
        (Standing::DependsOnReading, "depends on how the paper is read", "depend on how the paper is read"),
        (Standing::DependsOnChance, "depends on chance", "depend on chance"),
        (Standing::Open, "needs more seeds, or a conclusive verdict", "need more seeds, or a conclusive verdict"),
    ] {
        let some: Vec<&Finding> = of(standing).collect();
        let named = match name {
            "statement" => {
                format!(" ({})", some.iter().map(|finding| finding.id.as_str()).collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        match some.len() {
            0 => {}
            1 => parts.push(format!("1 {one}{named}")),
            several => parts.push(format!("{several} {many}{named}")),
        }
    }
    format!("{}.", parts.join("; "))
}

/// “it is faster” (Section VI-D), “its errors are smaller” (Section VI-C; holds in part: “on Adult” fails) and 2 more
fn quoted(findings: &[&Finding]) -> String {
    let quote = |finding: &&Finding| {
        // The claim that decided says what of it is not so.
        let part = match (finding.outcome, finding.claims.first()) {
            (StatementOutcome::InPart, Some(claim)) => format!("holds in part: “{}” fails", claim.claim),
            _ => String::new(),
        };
        let beside: Vec<String> = [finding.place(), part].into_iter().filter(|text| !text.is_empty()).collect();
        match beside.is_empty() {
            true => format!("“{}”", finding.says),
            false => format!("“{}” ({})", finding.says, beside.join("; ")),
        }
    };
    let mut parts: Vec<String> = findings.iter().take(QUOTED).map(quote).collect();
    if findings.len() > QUOTED {
        parts.push(format!("{} more", findings.len() - QUOTED));
    }
    listed(&parts)
}

/// "a, b and c"
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
