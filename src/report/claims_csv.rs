//! `claims.csv`: a row for every claim, reading and seed. `standings.csv`: a row for every claim. `statements.csv`: a row for
//! every statement of the paper. `readings.csv`: a row for every question that the paper leaves open.

use super::ReportError;
use super::claims::{Conclusion, Trial};
use super::figure::frame_to_csv;
use super::prepared::Prepared;
use super::reading_names::ReadingNames;
use crate::data::write_csv;
use crate::spec::claim::{Claim, Test};
use crate::spec::{Reading, Statement};
use indexmap::IndexMap;
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
        detail: &'a str,
    }
    let rows: Vec<StandingRow> = figures
        .iter()
        .flat_map(|prepared| {
            let found = prepared.conclusions.iter().zip(&prepared.surprises).zip(prepared.judgements());
            prepared.result.claims.iter().zip(found).map(|(claim, ((found, surprise), judgement))| StandingRow {
                figure: &prepared.result.id,
                claim,
                found,
                surprise,
                detail: &judgement.detail,
            })
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
        // As the spec stands, with the first seed.
        column("detail", &|row| plain(row.detail)),
        column("because", &|row| row.claim.because.clone().unwrap_or_default()),
        // Whether it asks for values that the paper printed.
        column("printed", &|row| matches!(row.claim.is, Test::Reference(_)).to_string()),
    ];
    frame_to_csv(rows.len(), columns)
}

/// The register as it was when the claims were judged.
pub fn statements_csv(statements: &IndexMap<String, Statement>) -> Vec<u8> {
    let mut rows = vec![["statement", "section", "says", "test"].map(String::from).to_vec()];
    for (id, statement) in statements {
        let test = statement.test.as_ref().map_or(String::new(), |test| test.display().to_string());
        rows.push(vec![id.clone(), statement.section.clone(), statement.says.clone(), test]);
    }
    write_csv(rows)
}

/// The questions, and the answers that were gone through; the first is the spec as it stands.
pub fn readings_csv(readings: &IndexMap<String, Reading>, names: &ReadingNames) -> Vec<u8> {
    let mut rows = vec![["reading", "asks", "options", "labels"].map(String::from).to_vec()];
    for (name, reading) in readings {
        let options: Vec<&str> = reading.options.keys().map(String::as_str).collect();
        rows.push(vec![name.clone(), reading.asks.clone(), options.join("; "), names.written(name, reading)]);
    }
    write_csv(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn labels_of_options_are_read_as_they_were_written() {
        let options = ["id", "frequency"].map(|option| (option.to_string(), IndexMap::new()));
        let reading = Reading { asks: "In which order?".into(), options: options.into() };
        let readings = IndexMap::from([("order".to_string(), reading)]);
        let labels = IndexMap::from([("order=frequency".to_string(), "frequent; first".to_string())]);
        let names = ReadingNames::of(&readings, [&labels].into_iter());
        assert_eq!(names.option("order", "frequency"), "frequent, first");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("readings.csv"), readings_csv(&readings, &names)).unwrap();
        assert_eq!(ReadingNames::read(folder.path()).unwrap(), names);
        assert_eq!(ReadingNames::read(Path::new("nowhere")).unwrap(), ReadingNames::default());
    }
}
