//! Of whom the adversary is surest, and by which constraints.

use super::metrics::MAX_POSTERIOR;
use super::problem::ConstraintSource;
use super::readings::Beliefs;
use crate::data::Microdata;
use crate::lab::{Foremost, Witness};
use crate::mining::Profiles;

/// So many constraints are named for each; those on the fewest records.
const NAMED_CONSTRAINTS: usize = 3;
/// So many values are told with their posteriors, the most probable first.
const NAMED_VALUES: usize = 5;
/// A posterior below this is 0.
const NEXT_TO_NOTHING: f64 = 1e-9;

/// What was stated of people with the quasi-identifiers of a profile, the statements on the fewest records first, one after another
/// as long as the answer is that more are wanted.
pub type Stated<'a> = &'a dyn Fn(usize, &mut dyn FnMut(&ConstraintSource) -> bool);

/// The quasi-identifier values with the largest posteriors, each shown by the first row that has it.
pub fn surest(
    microdata: &Microdata,
    profiles: &Profiles,
    beliefs: &Beliefs,
    stated: Stated<'_>,
    in_words: &dyn Fn(&ConstraintSource) -> String,
) -> Vec<Witness> {
    let sensitive = &microdata.table.columns[microdata.sensitive];
    let mut surest: Foremost<f64, usize> = Foremost::new(Witness::MOST);
    beliefs.each(|profile, belief| {
        let largest = belief.posterior.iter().copied().fold(0.0, f64::max);
        surest.offer(-largest, || profile);
    });
    let witness = |(rank, profile): (f64, usize)| {
        let row = profiles.of_row().iter().position(|&of| of as usize == profile).unwrap_or_default();
        let mut values: Vec<(usize, f64)> = beliefs.of(profile).posterior.into_iter().enumerate().collect();
        values.retain(|&(_, posterior)| posterior > NEXT_TO_NOTHING);
        values.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let value = values.first().map_or("", |&(value, _)| sensitive.values[value].as_str());
        let says = format!(
            "whoever has the quasi-identifiers of row {} has {} = {value} with probability {:.4}",
            row + 1,
            sensitive.name,
            -rank
        );
        let left = values.iter().take(NAMED_VALUES);
        Witness::of_metric(&MAX_POSTERIOR, says)
            .row(row)
            .by(constraints(profile, stated, in_words))
            .left(left.map(|&(value, posterior)| format!("{} {posterior:.4}", sensitive.values[value])))
            .number(-rank)
    };
    surest.into_cases().map(witness).collect()
}

/// The first statements, in words.
fn constraints(profile: usize, stated: Stated<'_>, in_words: &dyn Fn(&ConstraintSource) -> String) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    stated(profile, &mut |statement| {
        let statement = in_words(statement);
        if !named.contains(&statement) {
            named.push(statement);
        }
        named.len() < NAMED_CONSTRAINTS
    });
    named
}
