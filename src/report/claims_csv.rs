//! `claims.csv`: a row for every claim, reading and seed. `standings.csv`: a row for every claim.

use super::ReportError;
use super::claims::{Conclusion, Trial};
use super::figure::frame_to_csv;
use super::prepared::Prepared;
use crate::spec::claim::Claim;
use polars::prelude::Column;

/// Text for files: a space that does not break is for pages.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

pub fn claims_csv(figures: &[Prepared]) -> Result<Vec<u8>, ReportError> {
    struct TrialRow<'a> {
        figure: &'a str,
        claim: &'a Claim,
        trial: &'a Trial,
        index: usize,
    }
    let mut rows = Vec::new();
    for prepared in figures {
        for (index, claim) in prepared.result.claims.iter().enumerate() {
            let mut known = Vec::new();
            for trial in prepared.trials.iter() {
                let matters = claim.readings.as_ref().is_none_or(|readings| trial.reading.is_within(readings));
                // A claim whose own cells draw nothing has one verdict for all seeds.
                let repeats = !trial.draws[index] && known.contains(&&trial.reading);
                if matters && !repeats {
                    known.push(&trial.reading);
                    rows.push(TrialRow { figure: &prepared.result.id, claim, trial, index });
                }
            }
        }
    }
    let column = |name: &str, get: &dyn Fn(&TrialRow) -> String| {
        Column::new(name.into(), rows.iter().map(get).collect::<Vec<String>>())
    };
    let seed = |row: &TrialRow| row.trial.seed.filter(|_| row.trial.draws[row.index]);
    let columns = vec![
        column("figure", &|row| row.figure.to_string()),
        column("claim", &|row| row.claim.says.clone()),
        column("statement", &|row| row.claim.statement.clone().unwrap_or_default()),
        column("reading", &|row| row.trial.reading.to_string()),
        Column::new("seed".into(), rows.iter().map(seed).collect::<Vec<Option<u64>>>()),
        column("verdict", &|row| row.trial.judgements[row.index].verdict.name().to_string()),
        column("detail", &|row| plain(&row.trial.judgements[row.index].detail)),
        column("expected", &|row| row.claim.expected.told()),
    ];
    frame_to_csv(rows.len(), columns)
}

pub fn standings_csv(figures: &[Prepared]) -> Result<Vec<u8>, ReportError> {
    struct StandingRow<'a> {
        figure: &'a str,
        claim: &'a Claim,
        found: &'a Conclusion,
        surprise: &'a Option<String>,
    }
    let rows: Vec<StandingRow> = figures
        .iter()
        .flat_map(|prepared| {
            let claims = prepared.result.claims.iter().zip(&prepared.conclusions).zip(&prepared.surprises);
            claims.map(|((claim, found), surprise)| StandingRow { figure: &prepared.result.id, claim, found, surprise })
        })
        .collect();
    let column = |name: &str, get: &dyn Fn(&StandingRow) -> String| {
        Column::new(name.into(), rows.iter().map(get).collect::<Vec<String>>())
    };
    let number = |name: &str, get: &dyn Fn(&StandingRow) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(get).collect::<Vec<Option<f64>>>())
    };
    let count = |name: &str, get: &dyn Fn(&StandingRow) -> Option<u64>| {
        Column::new(name.into(), rows.iter().map(get).collect::<Vec<Option<u64>>>())
    };
    let columns = vec![
        column("figure", &|row| row.figure.to_string()),
        column("claim", &|row| row.claim.says.clone()),
        column("statement", &|row| row.claim.statement.clone().unwrap_or_default()),
        column("standing", &|row| row.found.standing.name().to_string()),
        column("verdict", &|row| row.found.verdict.name().to_string()),
        count("readings", &|row| Some(row.found.tallies.len() as u64)),
        column("flips", &|row| row.found.flips.join("; ")),
        // Of the reading in which the seeds agree least; empty where nothing is drawn.
        count("agreeing_seeds", &|row| row.found.share.map(|share| share.part as u64)),
        count("seeds", &|row| row.found.share.map(|share| share.of as u64)),
        number("share_low", &|row| row.found.share.map(|share| share.interval.low)),
        number("share_high", &|row| row.found.share.map(|share| share.interval.high)),
        column("told", &|row| plain(&row.found.told)),
        column("expected", &|row| row.claim.expected.told()),
        column("surprise", &|row| row.surprise.clone().unwrap_or_default()),
    ];
    frame_to_csv(rows.len(), columns)
}
