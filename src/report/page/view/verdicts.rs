//! How many claims hold, and how many cells have an answer.

use crate::report::claims::Verdict;
use crate::report::prepared::Prepared;
use crate::run::Status;
use crate::spec::expectation::{Expected, Standing};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Verdicts {
    pub holds: usize,
    pub fails: usize,
    pub inconclusive: usize,
    /// Of `fails`, those that were expected to.
    pub expected: usize,
    pub surprises: usize,
    pub total: usize,
    /// By standing: robust, depends on the reading, depends on chance, open.
    #[serde(default)]
    pub robust: usize,
    #[serde(default)]
    pub reading: usize,
    #[serde(default)]
    pub chance: usize,
    #[serde(default)]
    pub open: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Count {
    pub name: String,
    pub count: usize,
    pub ok: bool,
}

impl Verdicts {
    pub fn count<'a>(figures: impl Iterator<Item = &'a Prepared<'a>>) -> Self {
        let mut verdicts = Self::default();
        let claims = figures
            .flat_map(|prepared| prepared.result.claims.iter().zip(&prepared.conclusions).zip(&prepared.surprises));
        for ((claim, found), surprise) in claims {
            verdicts.total += 1;
            match found.verdict {
                Verdict::Holds => verdicts.holds += 1,
                Verdict::Fails => verdicts.fails += 1,
                Verdict::Inconclusive => verdicts.inconclusive += 1,
            }
            verdicts.expected +=
                (found.verdict == Verdict::Fails && claim.expected.verdict == Some(Expected::Fails)) as usize;
            verdicts.surprises += surprise.is_some() as usize;
            match found.standing {
                Standing::Robust => verdicts.robust += 1,
                Standing::DependsOnReading => verdicts.reading += 1,
                Standing::DependsOnChance => verdicts.chance += 1,
                Standing::Open => verdicts.open += 1,
            }
        }
        verdicts
    }
}

pub(super) fn counts<'a>(prepared: impl Iterator<Item = &'a Prepared<'a>>) -> Vec<Count> {
    let cells: Vec<(Status, usize)> = prepared.flat_map(|prepared| prepared.observations.cells.clone()).collect();
    Status::ALL
        .into_iter()
        .map(|status| Count {
            name: status.in_words().to_string(),
            count: cells.iter().filter(|(known, _)| *known == status).map(|(_, count)| count).sum(),
            ok: status == Status::Ok,
        })
        .filter(|count| count.count > 0)
        .collect()
}
