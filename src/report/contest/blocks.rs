//! Who is compared, and over what: the values of each contender, block by block.
//!
//! A contender is an algorithm of the spec with everything its entry fixes. A column in which only one algorithm varies is
//! its own: it is a contender for each of those values. Columns in which several vary place a block, together with the
//! data set and the place along a measure's own axis. An algorithm that is the same all along such a column (its entry
//! fixes the parameter, or it has none) stands beside every value of the others in its figure. What a figure leaves open is as its data
//! and measures have it, and none of the values that another figure sets it to.
//!
//! A figure of one algorithm compares nothing: its sweep would only make contenders of the algorithm's own settings, so it is
//! left out where other figures have several.

use crate::report::observations::{ALGORITHM, AT, DATASET, KeyValues, Measurement, Observations, Swept};
use crate::report::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Columns to values, those that do not apply left out.
pub type BlockKey = BTreeMap<String, Value>;

/// Repetition to value.
pub type RepetitionValues = BTreeMap<i64, f64>;

#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    pub algorithm: Value,
    /// Its values in the columns that are its own.
    pub variant: Vec<(String, Value)>,
    /// The columns that place blocks and in which it does not vary.
    pub beside: Vec<String>,
}

impl Contender {
    /// The same one in another figure, whose columns it may stand beside.
    fn is(&self, other: &Self) -> bool {
        (&self.algorithm, &self.variant) == (&other.algorithm, &other.variant)
    }

    fn beside_also(&mut self, columns: Vec<String>) {
        for column in columns {
            if !self.beside.contains(&column) {
                self.beside.push(column);
            }
        }
    }

    /// "tuned (depth=3)".
    pub fn name(&self) -> String {
        self.named(self.algorithm.to_string())
    }

    /// The same with another name of the algorithm.
    pub fn named(&self, algorithm: String) -> String {
        let variant: Vec<String> = self.variant.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if variant.is_empty() { algorithm } else { format!("{algorithm} ({})", variant.join(", ")) }
    }
}

/// Everything that one metric was measured to be.
#[derive(Debug, Default)]
pub struct Blocks {
    /// In order of appearance.
    pub contenders: Vec<Contender>,
    /// Block to the values of each contender, in their order; empty where it has none.
    pub values: BTreeMap<BlockKey, Vec<RepetitionValues>>,
    /// Block to those whose cells ended without a value there.
    pub ended_without: BTreeMap<BlockKey, BTreeSet<usize>>,
    /// Who was tried on which data set, whatever came of it.
    pub tried: BTreeSet<(Option<Value>, usize)>,
}

impl Blocks {
    /// The blocks of `metric` in all figures that compare. A cell that is in two figures is one block all the same.
    pub fn of(figures: &[&Observations], metric: &str) -> Self {
        let comparing: Vec<&Observations> =
            figures.iter().copied().filter(|figure| has_several_algorithms(figure, metric)).collect();
        let figures = if comparing.is_empty() { figures } else { comparing.as_slice() };
        let rows: Vec<(&Observations, &Measurement)> = figures
            .iter()
            .flat_map(|figure| figure.rows.iter().map(move |row| (*figure, row)))
            .filter(|(_, row)| row.metric == metric && !row.key[ALGORITHM].is_none())
            .collect();
        let columns = ColumnRoles::of(figures, &rows);
        let mut contenders: Vec<Contender> = Vec::new();
        // Of the same figure there may be results of several people.
        let mut of_figures: BTreeMap<&str, OfFigure> = BTreeMap::new();
        for figure in figures {
            let of_figure = of_figures.entry(&figure.figure).or_default();
            for row in figure.rows.iter().filter(|row| row.metric == metric && !row.key[ALGORITHM].is_none()) {
                let (place, contender) = columns.sort(&figure.columns, &row.key);
                let index = match contenders.iter().position(|known| known.is(&contender)) {
                    Some(index) => {
                        contenders[index].beside_also(contender.beside);
                        index
                    }
                    None => {
                        contenders.push(contender);
                        contenders.len() - 1
                    }
                };
                of_figure.found.entry((place, index)).or_default().insert(row.repetition, row.value);
            }
        }
        for figure in figures {
            let of_figure = of_figures.entry(&figure.figure).or_default();
            for hole in &figure.holes {
                let (place, contender) = columns.sort(&figure.columns, &hole.key);
                // An algorithm that never reports the metric lacks nothing.
                if let Some(index) = contenders.iter().position(|known| known.is(&contender)) {
                    of_figure.ended.insert((place, index));
                }
            }
        }
        let mut blocks = Self::default();
        let mut ended: BTreeSet<(BlockKey, usize)> = BTreeSet::new();
        for OfFigure { found, ended: ended_here } in of_figures.into_values() {
            let cells = || found.keys().chain(&ended_here);
            blocks.tried.extend(cells().map(|(place, index)| (place.get("dataset").cloned(), *index)));
            let places = joined(cells().map(|(place, _)| place));
            let within =
                |part: &BlockKey| places.iter().filter(|place| is_within(part, place)).cloned().collect::<Vec<_>>();
            for place in &places {
                let none = || vec![RepetitionValues::new(); contenders.len()];
                blocks.values.entry(place.clone()).or_insert_with(none);
            }
            for ((part, index), measured) in &found {
                for place in within(part) {
                    blocks.values.entry(place).and_modify(|block| block[*index].extend(measured));
                }
            }
            ended.extend(
                ended_here.iter().flat_map(|(part, index)| within(part).into_iter().map(|place| (place, *index))),
            );
        }
        for (place, index) in ended {
            if blocks.values[&place][index].is_empty() {
                blocks.ended_without.entry(place).or_default().insert(index);
            }
        }
        Self { contenders, ..blocks }
    }

    /// The columns in which places differ, `dataset` first.
    pub fn varying_columns(&self) -> Vec<String> {
        let mut values: BTreeMap<&str, BTreeSet<Option<&Value>>> = BTreeMap::new();
        let names: BTreeSet<&str> = self.values.keys().flat_map(|place| place.keys().map(String::as_str)).collect();
        for name in names {
            values.insert(name, self.values.keys().map(|place| place.get(name)).collect());
        }
        let mut varying: Vec<String> =
            values.into_iter().filter(|(_, values)| values.len() > 1).map(|(name, _)| name.to_string()).collect();
        varying.sort_by_key(|name| name != "dataset");
        varying
    }
}

/// What one figure has of a metric: the places of its rows, which may leave columns open.
#[derive(Default)]
struct OfFigure {
    found: BTreeMap<(BlockKey, usize), RepetitionValues>,
    ended: BTreeSet<(BlockKey, usize)>,
}

/// Whether at least two algorithms have, or should have, a value of the metric.
pub fn has_several_algorithms(figure: &Observations, metric: &str) -> bool {
    let measured = figure.rows.iter().filter(|row| row.metric == metric).map(|row| &row.key[ALGORITHM]);
    let tried = figure.holes.iter().map(|hole| &hole.key[ALGORITHM]);
    let known: BTreeSet<&Value> = measured.chain(tried).filter(|algorithm| !algorithm.is_none()).collect();
    known.len() > 1
}

fn is_within(part: &BlockKey, place: &BlockKey) -> bool {
    part.iter().all(|(name, value)| place.get(name) == Some(value))
}

/// Places that say less than others (they leave a column open) joined with every one they agree with.
fn joined<'a>(places: impl Iterator<Item = &'a BlockKey>) -> BTreeSet<BlockKey> {
    let mut shapes: BTreeMap<Vec<&str>, BTreeSet<&BlockKey>> = BTreeMap::new();
    for place in places {
        shapes.entry(place.keys().map(String::as_str).collect()).or_default().insert(place);
    }
    // Those that say most first: what says less finds its partners among them.
    let mut shapes: Vec<BTreeSet<&BlockKey>> = shapes.into_values().collect();
    shapes.sort_by_key(|shape| std::cmp::Reverse(shape.first().map_or(0, |place| place.len())));
    let mut all: BTreeSet<BlockKey> = BTreeSet::new();
    for shape in shapes {
        let mut next: BTreeSet<BlockKey> = BTreeSet::new();
        let mut partnered: BTreeSet<&BlockKey> = BTreeSet::new();
        for one in &all {
            let agree =
                |other: &&&BlockKey| other.iter().all(|(name, value)| one.get(name).is_none_or(|known| known == value));
            let before = next.len();
            for other in shape.iter().filter(agree) {
                let mut both = one.clone();
                both.extend(other.iter().map(|(name, value)| (name.clone(), value.clone())));
                next.insert(both);
                partnered.insert(other);
            }
            if next.len() == before {
                next.insert(one.clone());
            }
        }
        next.extend(shape.iter().filter(|place| !partnered.contains(*place)).map(|place| (*place).clone()));
        all = next;
    }
    all
}

/// What each column is for: part of a block's place, or of who a contender is.
struct ColumnRoles(Swept);

impl ColumnRoles {
    /// From the rows of a metric; and from cells that gave none, which were swept all the same.
    fn of(figures: &[&Observations], rows: &[(&Observations, &Measurement)]) -> Self {
        let mut swept = Swept::default();
        for (figure, row) in rows {
            swept.take(&figure.columns, &row.key);
        }
        let known: BTreeSet<Value> = swept.algorithms().cloned().collect();
        for figure in figures {
            for hole in figure.holes.iter().filter(|hole| known.contains(&hole.key[ALGORITHM])) {
                swept.take(&figure.columns, &hole.key);
            }
        }
        Self(swept)
    }

    /// How many algorithms vary in a column.
    fn varying(&self, column: &str) -> usize {
        self.0.algorithms().filter(|algorithm| self.0.varies(algorithm, column)).count()
    }

    /// Whether a column places blocks.
    fn places(&self, column: &str) -> bool {
        match self.varying(column) {
            0 => self.0.is_common(column),
            1 => self.0.algorithms().len() == 1,
            _ => true,
        }
    }

    /// The place of a row, and whose it is.
    fn sort(&self, columns: &[String], key: &KeyValues) -> (BlockKey, Contender) {
        let algorithm = &key[ALGORITHM];
        let mut place = BlockKey::new();
        let mut contender = Contender { algorithm: algorithm.clone(), variant: Vec::new(), beside: Vec::new() };
        for (column, (name, value)) in columns.iter().zip(key).enumerate() {
            match column {
                ALGORITHM => {}
                DATASET | AT if value.is_none() => {}
                DATASET | AT => {
                    place.insert(name.clone(), value.clone());
                }
                _ if self.places(name) => match self.varying(name) > 0 && !self.0.varies(algorithm, name) {
                    true => contender.beside.push(name.clone()),
                    false if value.is_none() => {}
                    false => {
                        place.insert(name.clone(), value.clone());
                    }
                },
                _ if self.0.varies(algorithm, name) => contender.variant.push((name.clone(), value.clone())),
                _ => {}
            }
        }
        (place, contender)
    }
}
