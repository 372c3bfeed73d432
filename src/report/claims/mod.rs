//! Claims and their verdicts.
//!
//! A claim is judged point by point: a point is one combination of dataset, algorithm, parameters and `at`, over all
//! repetitions. Each point passes, fails or stays open (its cell gave no answer, it has too few repetitions, its interval
//! straddles the bound); the claim holds when enough points pass, fails when even the open ones could not save it, and is
//! inconclusive in between.

mod along;
mod case;
mod pairs;
#[cfg(test)]
mod papers;
mod points;
mod pointwise;
mod standing;
#[cfg(test)]
mod tests;

use super::number::{all, singular};
use super::observations::is_noisy;
use crate::lab::named;
use crate::spec::claim::{Claim, Test};
use crate::spec::expectation::Expectation;
pub use case::Case;
use points::Selection;
use serde::{Deserialize, Serialize};
pub use standing::{Conclusion, SeedShare, Tally, Trial, conclusion};

named! {
    /// What a claim came to.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Verdict {
        Holds = "holds",
        Fails = "fails",
        Inconclusive = "inconclusive",
    }
}

/// A claim with its verdict and the numbers it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub says: String,
    pub verdict: Verdict,
    pub expected: Expectation,
    pub because: Option<String>,
    /// One sentence with the numbers that decided.
    pub detail: String,
    pub evidence: Vec<Evidence>,
}

/// What one point, or one row of points along an axis, says to the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Where: `l = 6, dataset = adult`; empty when there is nothing to tell apart.
    pub place: String,
    pub outcome: EvidenceOutcome,
    /// The numbers.
    pub numbers: String,
    /// How far on the good side, relative to the bound: the smallest decides what the detail tells first.
    #[serde(skip)]
    slack: f64,
}

impl Evidence {
    fn told(&self) -> String {
        match self.place.as_str() {
            "" => self.numbers.clone(),
            place => format!("{place}: {}", self.numbers),
        }
    }
}

named! {
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum EvidenceOutcome {
        Passes = "passes",
        Fails = "fails",
        Open = "open",
    }
}

pub fn judge(claim: &Claim, case: &Case) -> Judgement {
    match claim.each_repetition {
        true => judge_points(claim, &Case { observations: &case.observations.by_repetition(), ..*case }),
        false => judge_points(claim, case),
    }
}

fn judge_points(claim: &Claim, case: &Case) -> Judgement {
    if let Some(reason) = of_several_machines(claim, case) {
        return judgement(claim, Verdict::Inconclusive, reason, Vec::new());
    }
    let evidence = match gather(claim, case) {
        Ok(evidence) => evidence,
        Err(reason) => return judgement(claim, Verdict::Inconclusive, reason, Vec::new()),
    };
    let (verdict, detail) = conclude(&evidence, claim.is.share(), evidence_name(&claim.is));
    judgement(claim, verdict, detail, evidence)
}

/// Times of several machines say nothing about an algorithm.
fn of_several_machines(claim: &Claim, case: &Case) -> Option<String> {
    claim.metrics().into_iter().find_map(|metric| match case.observations.machines_of(metric) {
        0 | 1 => None,
        several => Some(format!("`{metric}` was measured on {several} different machines, whose times do not compare")),
    })
}

fn judgement(claim: &Claim, verdict: Verdict, detail: String, evidence: Vec<Evidence>) -> Judgement {
    Judgement {
        says: claim.says.clone(),
        verdict,
        expected: claim.expected.clone(),
        because: claim.because.clone(),
        detail,
        evidence,
    }
}

/// The evidence, or why there is none.
fn gather(claim: &Claim, case: &Case) -> Result<Vec<Evidence>, String> {
    let own = Selection::of_claim(claim);
    let needed = claim.repetitions.unwrap_or_else(|| if claim.metrics().into_iter().any(is_noisy) { 3 } else { 1 });
    let unit = unit(claim, case);
    let bar = pointwise::Bar { needed, unit: &unit, case, statistic: case.names.draw.statistic };
    let values = || -> Result<Vec<points::ClaimPoint>, String> {
        let points = own.points(case);
        let points = match (&claim.minus, &claim.over) {
            (Some(other), _) => pairs::combined(&points, &own, other, case, pairs::PairedValue::Difference),
            (_, Some(other)) => pairs::combined(&points, &own, other, case, pairs::PairedValue::Quotient),
            _ => points,
        };
        match points.is_empty() {
            true => Err(format!("nothing to judge: no cell has {}", own.described())),
            false => Ok(points),
        }
    };
    let pairs_with = |other: &crate::spec::claim::Other| -> Result<Vec<pairs::Pair>, String> {
        let pairs = pairs::pairs(&values()?, &own, other, case);
        match pairs.is_empty() {
            true => Err(format!("nothing to compare {} with", own.described())),
            false => Ok(pairs),
        }
    };
    Ok(match &claim.is {
        Test::Equals(value) => {
            let mut found = bar.equals(&values()?, *value);
            // A number without a unit does not say what it is of.
            if unit.is_empty() && claim.minus.is_none() && claim.over.is_none() {
                let name = case.names.metric(&claim.metric);
                for evidence in found.iter_mut().filter(|evidence| evidence.outcome != EvidenceOutcome::Open) {
                    evidence.numbers = format!("{name} = {}", evidence.numbers);
                }
            }
            found
        }
        Test::AtMost(bound) => bar.at_most(&values()?, bound.value()),
        Test::AtLeast(bound) => bar.at_least(&values()?, bound.value()),
        Test::Answered(wanted) => bar.answered(&values()?, &claim.metric, *wanted),
        Test::Within(near) => bar.within(&values()?, near.value, near.tolerance.max(near.relative * near.value.abs())),
        Test::LessThan(than) => bar.less(&pairs_with(&than.other())?, than.margin),
        Test::MoreThan(than) => bar.more(&pairs_with(&than.other())?, than.margin),
        Test::SameAs(as_) => bar.same(&pairs_with(&as_.other())?, as_.tolerance, as_.relative),
        Test::Share(share) => {
            let total = crate::spec::claim::Other { metric: Some(share.of.clone()), ..Default::default() };
            let points = pairs::combined(&values()?, &own, &total, case, pairs::PairedValue::Quotient);
            pointwise::Bar { unit: "", ..bar }.between(&points, share.at_least, share.at_most)
        }
        Test::Reference(near) => bar.reference(&values()?, claim, near),
        Test::Rising(trend) => along::trend(&bar, &values()?, case, trend, 1.0)?,
        Test::Falling(trend) => along::trend(&bar, &values()?, case, trend, -1.0)?,
        Test::AtMostLinear(growth) => along::growth(&bar, &values()?, case, &growth.along, along::Law::AtMostLinear)?,
        Test::AtLeastExponential(growth) => {
            along::growth(&bar, &values()?, case, &growth.along, along::Law::AtLeastExponential)?
        }
        Test::Steady(steady) => along::steady(&bar, &values()?, case, &steady.along, steady.factor)?,
    })
}

/// What the values judged are in: "s", and of a quotient by another metric "s/record".
fn unit(claim: &Claim, case: &Case) -> String {
    let of = |metric: &str| case.names.metrics.unit(metric);
    let own = of(&claim.metric);
    let by = claim.over.as_ref().map(|over| over.metric.as_deref().unwrap_or(&claim.metric));
    match by.map(of) {
        Some(by) if by == own => String::new(),
        Some("") | None => own.to_string(),
        Some(by) => format!("{own}/{}", singular(by)),
    }
}

/// What a piece of evidence is: a point, or a row of points along an axis.
fn evidence_name(test: &Test) -> &'static str {
    if test.names().along.is_some() { "series" } else { "points" }
}

fn conclude(evidence: &[Evidence], share: f64, name: &str) -> (Verdict, String) {
    let total = evidence.len();
    let count = |outcome| evidence.iter().filter(|evidence| evidence.outcome == outcome).count();
    let (passed, failed, open) =
        (count(EvidenceOutcome::Passes), count(EvidenceOutcome::Fails), count(EvidenceOutcome::Open));
    // Rounded up, so that a share of 0.9 of 7 points asks for all 7; the slack takes 0.7·10 for 7.
    let asked = (share * total as f64 - 1e-9).ceil().max(0.0) as usize;
    let least = |outcome: EvidenceOutcome| {
        evidence
            .iter()
            .filter(|evidence| evidence.outcome == outcome)
            .min_by(|a, b| a.slack.total_cmp(&b.slack))
            .map(|evidence| (evidence.told(), if evidence.place.is_empty() { ": " } else { " at " }))
            .unwrap_or_default()
    };
    let told = |outcome: EvidenceOutcome| least(outcome).0;
    // Where all are alike, one of them is an example and no extreme.
    let at = |before: &str, extreme: &str, outcome: EvidenceOutcome| {
        let (told, joint) = least(outcome);
        let slacks: Vec<f64> =
            evidence.iter().filter(|evidence| evidence.outcome == outcome).map(|evidence| evidence.slack).collect();
        let alike = slacks.len() > 1 && slacks.iter().all(|slack| *slack == slacks[0]);
        let which = if alike { "for example" } else { extreme };
        format!("{before} {which}{joint}{told}")
    };
    let [passing, failing] = [("passes", "pass", passed), ("fails", "fail", failed)]
        .map(|(one, several, count)| if count == 1 { one } else { several });
    let asking = if share < 1.0 { format!(", {asked} asked for") } else { String::new() };
    match () {
        () if total == 0 => (Verdict::Inconclusive, "nothing to judge".to_string()),
        () if passed >= asked => match total {
            1 if passed == 1 => (Verdict::Holds, told(EvidenceOutcome::Passes)),
            _ if passed == total => (
                Verdict::Holds,
                format!("{} {name} pass{}", all(total), at(",", "the closest", EvidenceOutcome::Passes)),
            ),
            _ if passed > 0 => (
                Verdict::Holds,
                format!(
                    "{passed} of {total} {name} {passing}{asking}{}",
                    at(";", "the closest", EvidenceOutcome::Passes)
                ),
            ),
            _ => (Verdict::Holds, format!("0 of {total} {name} pass{asking}")),
        },
        () if passed + open < asked => match total {
            1 => (Verdict::Fails, told(EvidenceOutcome::Fails)),
            _ => (
                Verdict::Fails,
                format!("{failed} of {total} {name} {failing}{asking}{}", at(",", "the worst", EvidenceOutcome::Fails)),
            ),
        },
        () => match total {
            1 => (Verdict::Inconclusive, told(EvidenceOutcome::Open)),
            _ => (
                Verdict::Inconclusive,
                match passed {
                    0 if asking.is_empty() => {
                        format!("{open} of {total} {name} open{}", at(";", "the most doubtful", EvidenceOutcome::Open))
                    }
                    _ => format!(
                        "{open} of {total} {name} open, {passed} {passing}{asking}{}",
                        at(";", "the most doubtful", EvidenceOutcome::Open)
                    ),
                },
            ),
        },
    }
}
