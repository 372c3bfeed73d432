//! The page of a figure under another reading.

use super::figure::{FigureView, ReadingLink, figure, switch};
use super::text::NAME;
use crate::report::files::reading_file_name;
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use crate::report::results::ExperimentResult;
use crate::report::typeset::typeset;
use crate::spec::{DEFAULT_READING, Variant};
use serde::Serialize;

/// A figure under another reading.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingPage {
    /// Of the experiment.
    pub title: String,
    pub reading: String,
    pub answers: Vec<AnswerView>,
    pub figure: FigureView,
}

/// A question that the paper leaves open, and the answer of this page.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerView {
    pub asks: String,
    /// In words.
    pub answer: String,
    /// As the spec stands.
    pub default: String,
}

/// The page of a figure under another reading.
pub fn reading(
    experiment: &ExperimentResult,
    default: &Prepared,
    prepared: &Prepared,
    reading: &Variant,
) -> ReadingPage {
    let name = reading.to_string();
    let own = |link: &str| link.strip_prefix("readings/").unwrap_or(link).to_string();
    let mut figure = figure(prepared);
    figure.base = reading_file_name(&figure.id, reading);
    figure.latex.clear();
    figure.readings = switch(default)
        .into_iter()
        .map(|entry| ReadingLink {
            link: match entry.name.as_str() {
                DEFAULT_READING => format!("../index.html#{}", figure.id),
                other if other == name => String::new(),
                _ => own(&entry.link),
            },
            in_place: String::new(),
            name: entry.name,
            called: entry.called,
        })
        .collect();
    for claim in &mut figure.claims {
        claim.standing.has_strip = claim.standing.marks.iter().any(|mark| mark.mixed);
        claim.standing.marks.iter_mut().for_each(|mark| mark.link = String::new());
    }
    let answer = |(name, option): &(String, String)| {
        let asked = experiment.readings.get(name);
        AnswerView {
            asks: asked.map_or(String::new(), |reading| shorten(&reading.asks, NAME * 2)),
            answer: prepared.names.option(name, option),
            default: asked.map_or(String::new(), |reading| prepared.names.option(name, reading.default_option())),
        }
    };
    ReadingPage {
        title: shorten(&typeset(&experiment.title), NAME),
        reading: shorten(&prepared.names.name(&name), NAME),
        answers: reading.options.iter().map(answer).collect(),
        figure,
    }
}
