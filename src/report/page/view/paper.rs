//! The page of all claims of an experiment, under every reading.

use super::super::standing;
use super::text::{NAME, prose};
use crate::report::claims_table::{ClaimRow, ClaimsTable, SeedVerdicts};
use crate::report::plot::svg::shorten;
use crate::report::results::ExperimentResult;
use crate::report::typeset::{typeset, with_percent};
use crate::spec::Reading;
use crate::spec::expectation::Standing;
use serde::Serialize;

/// All claims of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct PaperPage {
    pub title: String,
    /// Questions with their answers, the first as the spec stands.
    pub asked: Vec<(String, Vec<String>)>,
    pub readings: Vec<String>,
    pub rows: Vec<PaperRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PaperRow {
    pub statement: String,
    /// HTML.
    pub claim: String,
    pub figure: String,
    pub figure_title: String,
    pub standing: String,
    pub words: &'static str,
    pub told: String,
    pub surprise: String,
    pub marks: Vec<PaperMark>,
}

/// Empty where the claim does not go through the reading.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PaperMark {
    pub reading: String,
    pub verdict: &'static str,
    pub text: String,
    pub told: String,
}

/// The page of all claims, whose readings are in words already.
pub fn paper(experiment: &ExperimentResult, table: &ClaimsTable) -> PaperPage {
    let mark = |reading: &String, mark: &Option<SeedVerdicts>| {
        let Some((verdict, most, total)) = mark.map(SeedVerdicts::most) else { return PaperMark::default() };
        let seeds = if total == 1 { String::new() } else { format!(" {most}/{total}") };
        let told = match total {
            1 => format!("{reading}: {verdict}"),
            _ => format!("{reading}: {verdict} in {most} of {total} seeds"),
        };
        PaperMark {
            reading: reading.clone(),
            verdict: verdict.name(),
            text: format!("{}{seeds}", standing::symbol(verdict)),
            told,
        }
    };
    let words =
        |name: &str| Standing::ALL.into_iter().find(|standing| standing.name() == name).map_or("", Standing::words);
    let title = |id: &str| {
        let figure = experiment.figures.iter().find(|figure| figure.id == id);
        figure.map_or(String::new(), |figure| shorten(&typeset(&figure.title), NAME))
    };
    let row = |row: &ClaimRow| PaperRow {
        statement: row.statement.clone(),
        claim: prose(&row.claim),
        figure: row.figure.clone(),
        figure_title: title(&row.figure),
        standing: row.standing.clone(),
        words: words(&row.standing),
        told: with_percent(&row.told),
        surprise: row.surprise.clone(),
        marks: table.readings.iter().zip(&row.marks).map(|(reading, found)| mark(reading, found)).collect(),
    };
    let names = experiment.reading_names();
    let asked = |(name, reading): (&String, &Reading)| {
        let answers = reading.options.keys().map(|option| with_percent(&names.option(name, option)));
        (shorten(&reading.asks, NAME * 2), answers.collect())
    };
    PaperPage {
        title: shorten(&typeset(&experiment.title), NAME),
        asked: experiment.readings.iter().map(asked).collect(),
        readings: table.readings.clone(),
        rows: table.rows.iter().map(row).collect(),
    }
}
