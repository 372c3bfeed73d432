//! The cases behind a figure's numbers.

use super::text::{NAME, told};
use crate::report::figure::FigureNames;
use crate::report::observations::{ALGORITHM, KeyValues, Witnessed};
use crate::report::plot::svg::shorten;
use crate::report::prepared::Prepared;
use serde::Serialize;
use std::collections::BTreeSet;

/// More rows nobody reads; the file has all of them.
const SHOWN: usize = 40;

#[derive(Debug, Clone, Default, Serialize)]
pub struct Witnesses {
    pub rows: Vec<WitnessView>,
    /// How many are not shown.
    pub more: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct WitnessView {
    /// The cell.
    pub place: String,
    pub metric: String,
    /// HTML.
    pub says: String,
    /// What else there is to see: (what, text).
    pub more: Vec<(&'static str, String)>,
}

/// Columns of a witness that are shown beside its sentence, and what they are called there.
const MORE: [(&str, &str); 5] = [
    ("person", "who"),
    ("group_or_class", "in"),
    ("exposed_by", "by"),
    ("values_left", "values"),
    ("among", "rows or transactions"),
];

/// The first of each cell and number that the figure draws; of a refused release, all.
pub fn witnesses(prepared: &Prepared) -> Witnesses {
    let observations = &prepared.observations;
    let names = FigureNames::new(&prepared.result.draw, prepared.metrics);
    let drawn: BTreeSet<&str> = prepared.result.draw.metrics().collect();
    let refused = |key: &KeyValues| observations.holes.iter().any(|hole| hole.key == *key);
    let mut known: BTreeSet<(&KeyValues, &str)> = BTreeSet::new();
    let shown: Vec<&Witnessed> = observations
        .witnesses
        .iter()
        .filter(|one| {
            let is_first = known.insert((&one.key, one.metric()));
            refused(&one.key) || (drawn.contains(one.metric()) && is_first)
        })
        .collect();
    // The algorithm, and what tells its cells apart: of a parameter that has one value, it is enough to know whose it is.
    let distinguishing: Vec<usize> = (0..observations.columns.len())
        .filter(|&column| {
            let values = observations.witnesses.iter().map(|one| &one.key[column]).filter(|value| !value.is_none());
            column == ALGORITHM || values.collect::<BTreeSet<_>>().len() > 1
        })
        .collect();
    let place = |key: &KeyValues| {
        let parts = distinguishing.iter().filter(|&&column| !key[column].is_none());
        let parts: Vec<String> =
            parts.map(|&column| names.place(&observations.columns[column], &key[column])).collect();
        shorten(&parts.join(", "), NAME * 2)
    };
    let is_said = |one: &Witnessed, text: &str| one.field("says").contains(text);
    let row = |one: &&Witnessed| WitnessView {
        place: place(&one.key),
        metric: names.metric(one.metric()),
        says: told(&shorten(one.field("says"), LONGEST)),
        more: MORE
            .iter()
            .map(|(column, called)| (*called, one.field(column)))
            .filter(|(_, text)| !text.is_empty() && !is_said(one, text))
            .map(|(called, text)| (called, told(&shorten(text, LONGEST))))
            .collect(),
    };
    Witnesses { rows: shown.iter().take(SHOWN).map(row).collect(), more: shown.len().saturating_sub(SHOWN) }
}

/// A longer text is cut; the file has all of it.
const LONGEST: usize = 400;
