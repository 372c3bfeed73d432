//! Who is compared, and over what: the values of each contender, block by block.
//!
//! A contender is an algorithm of the spec with everything its entry fixes. A column in which only one algorithm varies is
//! its own: it is a contender for each of those values, unless they go along with the data, as thresholds that grow with the rows. Columns in which several vary place a block, together with the
//! data set and the place along a measure's own axis. An algorithm that is the same all along such a column (its entry
//! fixes the parameter, or it has none) stands beside every value of the others. Not so where it would be compared with what is another
//! question: what a guarantee depends on, a setting of the dataset and a measure's parameter are as they are, and a figure that
//! leaves open what another sweeps has its default there.
//!
//! A figure of one algorithm compares nothing: its sweep would only make contenders of the algorithm's own settings, so it is
//! left out where other figures have several.

use crate::publish::guarantee_parameters;
use crate::report::observations::{ALGORITHM, AT, DATASET, FIXED_COLUMNS, KeyValues, Measurement, Observations, Swept};
use crate::report::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Columns to values: none where a column is left open, no entry where it does not matter.
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
        let mut found: BTreeMap<(BlockKey, usize), RepetitionValues> = BTreeMap::new();
        for (figure, row) in rows {
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
            found.entry((place, index)).or_default().insert(row.repetition, row.value);
        }
        let mut ended: BTreeSet<(BlockKey, usize)> = BTreeSet::new();
        for (figure, hole) in figures.iter().flat_map(|figure| figure.holes.iter().map(move |hole| (*figure, hole))) {
            let (place, contender) = columns.sort(&figure.columns, &hole.key);
            // An algorithm that never reports the metric lacks nothing.
            if let Some(index) = contenders.iter().position(|known| known.is(&contender)) {
                ended.insert((place, index));
            }
        }
        let tried = found.keys().chain(&ended).map(|(place, index)| (place.get("dataset").cloned(), *index));
        let tried = tried.collect();
        let mut values: BTreeMap<BlockKey, Vec<RepetitionValues>> = BTreeMap::new();
        for place in joined(found.keys().chain(&ended).map(|(place, _)| place)) {
            values.insert(place, vec![RepetitionValues::new(); contenders.len()]);
        }
        for ((part, index), measured) in found {
            for (_, block) in values.iter_mut().filter(|(place, _)| is_within(&part, place)) {
                block[index].extend(&measured);
            }
        }
        let mut ended_without: BTreeMap<BlockKey, BTreeSet<usize>> = BTreeMap::new();
        for (part, index) in &ended {
            let without = values.iter().filter(|(place, block)| is_within(part, place) && block[*index].is_empty());
            for (place, _) in without {
                ended_without.entry(place.clone()).or_default().insert(*index);
            }
        }
        Self { contenders, values, ended_without, tried }
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
struct ColumnRoles {
    swept: Swept,
    /// What a guarantee or a measure depends on.
    definite: BTreeSet<String>,
    /// Algorithm and column: it has one value for each data set and its settings, and another for others.
    along_data: BTreeSet<(Value, String)>,
}

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
        let promised = guarantee_parameters().into_iter().map(String::from);
        let measured = figures.iter().flat_map(|figure| figure.of_measures.iter().cloned());
        let roles = Self { swept, definite: promised.chain(measured).collect(), along_data: BTreeSet::new() };
        // Of the columns that would make contenders, of which there are few or none.
        let columns: BTreeSet<&String> =
            figures.iter().flat_map(|figure| &figure.columns[FIXED_COLUMNS.len()..]).collect();
        let own = |algorithm: &Value, name: &String| roles.swept.varies(algorithm, name) && !roles.places(name);
        let own: BTreeSet<(&Value, &String)> = (roles.swept.algorithms())
            .flat_map(|algorithm| columns.iter().map(move |name| (algorithm, *name)))
            .filter(|(algorithm, name)| own(algorithm, name))
            .collect();
        let keys = rows.iter().map(|(figure, row)| (*figure, &row.key));
        let along_data = if own.is_empty() { BTreeSet::new() } else { along_data(keys, &own) };
        Self { along_data, ..roles }
    }

    /// How many algorithms vary in a column.
    fn varying(&self, column: &str) -> usize {
        self.swept.algorithms().filter(|algorithm| self.swept.varies(algorithm, column)).count()
    }

    /// Whether a column places blocks.
    fn places(&self, column: &str) -> bool {
        match self.varying(column) {
            0 => self.swept.is_common(column),
            1 => self.swept.algorithms().len() == 1,
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
                _ if self.places(name) => {
                    let varies = self.swept.varies(algorithm, name);
                    let is_setting = name.starts_with("dataset.");
                    match varies || is_setting || (self.definite.contains(name) && !value.is_none()) {
                        true => {
                            place.insert(name.clone(), value.clone());
                        }
                        false if self.varying(name) > 0 => contender.beside.push(name.clone()),
                        false if value.is_none() => {}
                        false => {
                            place.insert(name.clone(), value.clone());
                        }
                    }
                }
                _ if self.along_data.contains(&(algorithm.clone(), name.clone())) => {}
                _ if self.swept.varies(algorithm, name) => contender.variant.push((name.clone(), value.clone())),
                _ => {}
            }
        }
        (place, contender)
    }
}

/// The values of a column for each data set and its settings.
type OfData<'a> = BTreeMap<Vec<&'a Value>, BTreeSet<&'a Value>>;

/// Of these columns of algorithms those that change with the data and with nothing else.
fn along_data<'a>(
    keys: impl Iterator<Item = (&'a Observations, &'a KeyValues)>,
    own: &BTreeSet<(&Value, &String)>,
) -> BTreeSet<(Value, String)> {
    let mut found: BTreeMap<(&Value, &String), OfData> = BTreeMap::new();
    for (figure, key) in keys {
        let columns = || figure.columns.iter().zip(key).enumerate();
        let is_data = |column: usize, name: &str| column == DATASET || name.starts_with("dataset.");
        let data: Vec<&Value> =
            columns().filter(|(column, (name, _))| is_data(*column, name)).map(|(_, (_, value))| value).collect();
        for (_, (name, value)) in columns() {
            if !value.is_none() && own.contains(&(&key[ALGORITHM], name)) {
                found.entry((&key[ALGORITHM], name)).or_default().entry(data.clone()).or_default().insert(value);
            }
        }
    }
    let changes = |of_data: &OfData| {
        let all: BTreeSet<&&Value> = of_data.values().flatten().collect();
        all.len() > 1 && of_data.values().all(|values| values.len() == 1)
    };
    let own = |(algorithm, name): (&Value, &String)| (algorithm.clone(), name.clone());
    found.into_iter().filter(|(_, of_data)| changes(of_data)).map(|(of, _)| own(of)).collect()
}
