//! A parameter of a measure has one name in all figures: where one sweeps `knowledge` and another leaves it at its default, which is
//! called `adversary.knowledge` there, both have `knowledge`.

use crate::report::observations::{FIXED_COLUMNS, KeyValues, Observations};
use crate::report::value::Value;
use std::collections::BTreeSet;

/// The figures with every default under the name that another figure sweeps it by; None where they are as they should be.
pub fn under_plain_names(figures: &[&Observations]) -> Option<Vec<Observations>> {
    let swept: BTreeSet<&str> = figures
        .iter()
        .flat_map(|figure| &figure.columns)
        .map(String::as_str)
        .filter(|name| plain(name).is_some_and(|plain| is_swept(figures, name, plain)))
        .collect();
    (!swept.is_empty()).then(|| figures.iter().map(|figure| renamed(figure, &swept)).collect())
}

/// `knowledge` of `adversary.knowledge`.
fn plain(name: &str) -> Option<&str> {
    name.split_once('.').filter(|(of, _)| *of != "dataset").map(|(_, plain)| plain)
}

/// Whether a figure of the measure has the plain name instead, and none has both: then the plain one is an algorithm's, as `k` beside
/// `adversary.k`.
fn is_swept(figures: &[&Observations], name: &str, plain: &str) -> bool {
    if FIXED_COLUMNS.contains(&plain) {
        return false;
    }
    let mut instead = false;
    for figure in figures {
        let Some(plain) = figure.column(plain) else { continue };
        let qualified = figure.column(name);
        let measure = &name[..=name.find('.').unwrap_or(0)];
        let of_measure: Vec<usize> =
            (0..figure.columns.len()).filter(|&column| figure.columns[column].starts_with(measure)).collect();
        for key in keys(figure).filter(|key| !key[plain].is_none()) {
            if qualified.is_some_and(|column| !key[column].is_none()) {
                return false;
            }
            instead |= of_measure.iter().any(|&column| !key[column].is_none());
        }
    }
    instead
}

fn keys(figure: &Observations) -> impl Iterator<Item = &KeyValues> {
    figure.rows.iter().map(|row| &row.key).chain(figure.holes.iter().map(|hole| &hole.key))
}

fn renamed(figure: &Observations, swept: &BTreeSet<&str>) -> Observations {
    let mut figure = figure.clone();
    for name in swept {
        let (Some(from), Some(plain)) = (figure.column(name), plain(name)) else { continue };
        let to = figure.column(plain).unwrap_or_else(|| {
            figure.columns.push(plain.to_string());
            figure.columns.len() - 1
        });
        figure.of_measures.insert(plain.to_string());
        let rows = figure.rows.iter_mut().map(|row| &mut row.key);
        for key in rows.chain(figure.holes.iter_mut().map(|hole| &mut hole.key)) {
            key.resize(key.len().max(to + 1), Value::None);
            // Of two measures that have it with different values the first is told, and the other keeps its name.
            if key[to].is_none() {
                key.swap(from, to);
            } else if key[to] == key[from] {
                key[from] = Value::None;
            }
        }
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::observations::Measurement;

    fn figure(columns: &[&str], keys: &[&[&str]]) -> Observations {
        let measurement = |key: &&[&str]| Measurement {
            key: ["d", "a", ""].iter().chain(*key).map(|value| Value::parse(value)).collect(),
            repetition: 0,
            metric: "m".into(),
            value: 1.0,
        };
        Observations {
            columns: FIXED_COLUMNS.iter().chain(columns).map(|name| name.to_string()).collect(),
            rows: keys.iter().map(measurement).collect(),
            ..Observations::default()
        }
    }

    #[test]
    fn a_default_of_a_measure_is_the_value_that_another_figure_sweeps() {
        let swept =
            figure(&["knowledge", "one.top", "k", "one.k"], &[&["all", "5", "3", "2"], &["none", "5", "", "2"]]);
        let left = figure(&["one.knowledge", "one.top", "one.k"], &[&["none", "5", "2"]]);
        let found = under_plain_names(&[&swept, &left]).unwrap();
        assert_eq!((&found[0].columns, &found[0].rows), (&swept.columns, &swept.rows));
        let shown = found[1].rows[0].key[3..].iter().map(Value::to_string).collect::<Vec<_>>();
        assert_eq!(found[1].columns[3..], ["one.knowledge", "one.top", "one.k", "knowledge"]);
        assert_eq!(shown, ["–", "5", "2", "none"], "`k` is an algorithm's");
        assert!(under_plain_names(&[&swept]).is_none());
    }
}
