//! Conjunctions of quasi-identifier values, at most one per attribute, with how many rows of each class have them: the
//! C_X and C_X[s] of the Injector paper (Section IV-C), counted together in one pass over the rows of each prefix.
//!
//! It differs from the miner of itemsets in what a row can say: a value can belong to an antecedent in part (fuzzy
//! membership), and a row can be in several classes in part (a tuple of an anonymized group). Counts are therefore
//! numbers, exact as long as no part is.
//!
//! Cost. A prefix costs, for each attribute behind its last that has a frequent value at all, one pass over its rows, which counts all
//! values of that attribute at once; and one more for all these attributes together, which counts the rows of frequent values by class.
//! Only prefixes that are frequent enough to have rules are followed, and of those the ones that the visitor asks for.

use super::attribute_values::AttributeValues;

/// A condition of an antecedent: the `value`-th of the possible values of the `attribute`-th attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The position of the attribute.
    pub attribute: u32,
    /// The value's code.
    pub value: u32,
}

/// Which classes a row is in.
pub trait RowClasses {
    /// What is known of the rows of a block.
    type Block: Default;

    /// How many classes of consequents there are.
    fn classes(&self) -> usize;

    /// Looks up the classes of `rows`, which may be anywhere in memory: once, however many attributes they are counted for.
    fn look_up(&self, rows: &[u32], block: &mut Self::Block);

    /// Adds `weight` times the part in each class of the block's row at `place` to `counts`.
    fn add(block: &Self::Block, place: usize, weight: f64, counts: &mut [f64]);
}

/// One class per row: its sensitive code.
pub struct OneClass<'a> {
    /// Row by row, the class.
    pub class_of: &'a [u32],
    /// How many there are.
    pub classes: usize,
}

impl RowClasses for OneClass<'_> {
    type Block = Vec<u32>;

    fn classes(&self) -> usize {
        self.classes
    }

    fn look_up(&self, rows: &[u32], block: &mut Vec<u32>) {
        block.clear();
        block.extend(rows.iter().map(|&row| self.class_of[row as usize]));
    }

    fn add(block: &Vec<u32>, place: usize, weight: f64, counts: &mut [f64]) {
        counts[block[place] as usize] += weight;
    }
}

/// What `visit_antecedents` found of one antecedent.
pub struct Antecedent<'a> {
    /// Ascending by attribute.
    pub conditions: &'a [Condition],
    /// C_X.
    pub count: f64,
    /// `C_X[s]`, by class.
    pub classes: &'a [f64],
}

/// Visits every antecedent of at most `max_len` conditions and at least `min_count` rows, in the order of its conditions, but those that
/// narrow one of which `visit` said `false`.
pub fn visit_antecedents<C: RowClasses>(
    attributes: &[AttributeValues<'_>],
    classes: &C,
    max_len: usize,
    min_count: f64,
    visit: &mut impl FnMut(Antecedent<'_>) -> bool,
) {
    if max_len == 0 {
        return;
    }
    let rows = attributes.first().map_or(0, |attribute| attribute.codes.len());
    let all = Selection { rows: (0..rows as u32).collect(), weights: None };
    let counted: Vec<ValueCounts> = attributes.iter().map(|attribute| ValueCounts::new(attribute, &all)).collect();
    let can_be_frequent = attributes.iter().zip(&counted).map(|(attribute, counted)| {
        attribute.values.iter().any(|value| counted.count(&value.members) >= min_count * (1.0 - HAIR))
    });
    let can_be_frequent = can_be_frequent.collect();
    let mut search = AntecedentSearch { attributes, classes, max_len, min_count, can_be_frequent, visit };
    search.extend(&mut Vec::with_capacity(max_len), &all, (0..).zip(counted).collect());
}

/// Rows that have a prefix, and how much they have it where that is less than wholly.
struct Selection {
    rows: Vec<u32>,
    weights: Option<Vec<f64>>,
}

impl Selection {
    fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }
}

struct AntecedentSearch<'a, C, V> {
    attributes: &'a [AttributeValues<'a>],
    classes: &'a C,
    max_len: usize,
    min_count: f64,
    /// Whether the attribute has a value that is frequent among all rows: no other is frequent among some of them.
    can_be_frequent: Vec<bool>,
    visit: &'a mut V,
}

/// Parts of rows sum up to whole numbers but for a hair.
const HAIR: f64 = 1e-9;

impl<C: RowClasses, V: FnMut(Antecedent<'_>) -> bool> AntecedentSearch<'_, C, V> {
    /// Visits what begins with `prefix`, which the rows of `selection` have, given how often they have which values of the attributes behind.
    fn extend(&mut self, prefix: &mut Vec<Condition>, selection: &Selection, counted: Vec<(usize, ValueCounts)>) {
        let attributes = self.attributes;
        let mut frequent: Vec<Frequent<'_>> = counted
            .into_iter()
            .map(|(position, counted)| Frequent::new(position, &attributes[position], counted, self.min_count))
            .filter(|frequent| !frequent.values.is_empty())
            .collect();
        count_classes(self.classes, selection, &mut frequent);
        let mut class_counts = vec![0.0; self.classes.classes()];
        for Frequent { position, attribute, values, counted } in frequent {
            let goes_deeper =
                prefix.len() + 1 < self.max_len && self.can_be_frequent[position + 1..].iter().any(|&can| can);
            let mut by_value = None;
            for (value, count) in values {
                let item = &attribute.values[value];
                counted.sum_classes(&item.members, &mut class_counts);
                prefix.push(Condition { attribute: position as u32, value: value as u32 });
                let is_asked = (self.visit)(Antecedent { conditions: prefix, count, classes: &class_counts });
                if is_asked && goes_deeper {
                    let by_value = by_value.get_or_insert_with(|| RowsByValue::new(attribute, selection));
                    let narrower = by_value.select(&item.members, selection);
                    let behind = (position + 1..attributes.len()).filter(|&behind| self.can_be_frequent[behind]);
                    let counted = behind.map(|behind| (behind, ValueCounts::new(&attributes[behind], &narrower)));
                    self.extend(prefix, &narrower, counted.collect());
                }
                prefix.pop();
            }
        }
    }
}

/// The values of one attribute that enough rows of a selection have.
struct Frequent<'a> {
    position: usize,
    attribute: &'a AttributeValues<'a>,
    /// With C_X.
    values: Vec<(usize, f64)>,
    counted: ValueCounts,
}

impl<'a> Frequent<'a> {
    fn new(position: usize, attribute: &'a AttributeValues<'a>, mut counted: ValueCounts, min_count: f64) -> Self {
        let counts = attribute.values.iter().map(|item| counted.count(&item.members)).enumerate();
        // A value nobody has says nothing, whatever the bound.
        let values: Vec<(usize, f64)> = counts.filter(|&(_, count)| count >= min_count && count > 0.0).collect();
        counted.ask_for(values.iter().map(|&(value, _)| attribute.values[value].members.as_slice()));
        Self { position, attribute, values, counted }
    }
}

/// Rows whose classes are counted for one attribute after the other while they stay in the processor's cache.
const BLOCK: usize = 256;

/// Counts the rows of the frequent values by class, those of all attributes together.
fn count_classes<C: RowClasses>(classes: &C, selection: &Selection, frequent: &mut [Frequent<'_>]) {
    let width = classes.classes();
    frequent.iter_mut().for_each(|one| one.counted.begin_classes(width));
    if frequent.is_empty() {
        return;
    }
    let mut looked_up = C::Block::default();
    for (block, rows) in selection.rows.chunks(BLOCK).enumerate() {
        classes.look_up(rows, &mut looked_up);
        for Frequent { attribute, counted, .. } in &mut *frequent {
            for (place, &row) in rows.iter().enumerate() {
                if let Some(counts) = counted.classes_of(attribute.codes[row as usize]) {
                    C::add(&looked_up, place, selection.weight(block * BLOCK + place), counts);
                }
            }
        }
    }
}

/// The rows of a selection counted by the value of one attribute, and by class within values that are asked for.
struct ValueCounts {
    counts: Vec<f64>,
    /// The place of each code among those that are asked for.
    places: Vec<u32>,
    asked: usize,
    /// By place, then by class.
    class_counts: Vec<f64>,
    classes: usize,
}

/// No place.
const NONE: u32 = u32::MAX;

impl ValueCounts {
    fn new(attribute: &AttributeValues<'_>, selection: &Selection) -> Self {
        let mut counts = vec![0.0; attribute.cardinality];
        match &selection.weights {
            None => {
                let mut rows = vec![0u32; attribute.cardinality];
                selection.rows.iter().for_each(|&row| rows[attribute.codes[row as usize] as usize] += 1);
                counts.iter_mut().zip(rows).for_each(|(count, rows)| *count = f64::from(rows));
            }
            Some(weights) => {
                for (&row, weight) in selection.rows.iter().zip(weights) {
                    counts[attribute.codes[row as usize] as usize] += weight;
                }
            }
        }
        Self { counts, places: Vec::new(), asked: 0, class_counts: Vec::new(), classes: 0 }
    }

    /// C_X of a generalized value.
    fn count(&self, members: &[(u32, f64)]) -> f64 {
        let counts = members.iter().map(|&(code, membership)| (self.counts[code as usize], membership));
        counts.filter(|&(count, _)| count > 0.0).fold(0.0, |sum, (count, membership)| sum + membership * count)
    }

    /// Gives the codes of some generalized values their places.
    fn ask_for<'m>(&mut self, values: impl Iterator<Item = &'m [(u32, f64)]>) {
        self.places = vec![NONE; self.counts.len()];
        for &(code, _) in values.flatten() {
            let place = &mut self.places[code as usize];
            if *place == NONE {
                *place = self.asked as u32;
                self.asked += 1;
            }
        }
    }

    fn begin_classes(&mut self, classes: usize) {
        self.classes = classes;
        self.class_counts = vec![0.0; self.asked * classes];
    }

    /// The counts of the rows with this code by class, if it was asked for.
    fn classes_of(&mut self, code: u32) -> Option<&mut [f64]> {
        let place = self.places[code as usize];
        let start = place as usize * self.classes;
        (place != NONE).then(|| &mut self.class_counts[start..start + self.classes])
    }

    /// C_X[s] of a generalized value whose rows were counted by class.
    fn sum_classes(&self, members: &[(u32, f64)], class_counts: &mut [f64]) {
        class_counts.fill(0.0);
        for &(code, membership) in members {
            if self.counts[code as usize] > 0.0 {
                let start = self.places[code as usize] as usize * self.classes;
                let of_code = &self.class_counts[start..start + self.classes];
                for (sum, part) in class_counts.iter_mut().zip(of_code) {
                    *sum += membership * part;
                }
            }
        }
    }
}

/// The places in a selection sorted by the value of one attribute.
struct RowsByValue {
    places: Vec<u32>,
    starts: Vec<usize>,
}

impl RowsByValue {
    fn new(attribute: &AttributeValues<'_>, selection: &Selection) -> Self {
        let mut starts = vec![0; attribute.cardinality + 1];
        for &row in &selection.rows {
            starts[attribute.codes[row as usize] as usize + 1] += 1;
        }
        for code in 0..attribute.cardinality {
            starts[code + 1] += starts[code];
        }
        let mut next = starts.clone();
        let mut places = vec![0; selection.rows.len()];
        for (place, &row) in selection.rows.iter().enumerate() {
            let code = attribute.codes[row as usize] as usize;
            places[next[code]] = place as u32;
            next[code] += 1;
        }
        Self { places, starts }
    }

    fn select(&self, members: &[(u32, f64)], selection: &Selection) -> Selection {
        let is_partial = selection.weights.is_some() || members.iter().any(|&(_, membership)| membership < 1.0);
        let mut rows = Vec::new();
        let mut weights = Vec::new();
        for &(code, membership) in members {
            for &place in &self.places[self.starts[code as usize]..self.starts[code as usize + 1]] {
                rows.push(selection.rows[place as usize]);
                if is_partial {
                    weights.push(membership * selection.weight(place as usize));
                }
            }
        }
        Selection { rows, weights: is_partial.then_some(weights) }
    }
}
