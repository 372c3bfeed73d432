//! Conjunctions of quasi-identifier values, at most one per attribute, with how many rows of each class have them: the
//! C_X and C_X[s] of the Injector paper (Section IV-C), counted together in one pass over the rows of each prefix.
//!
//! It differs from the miner of itemsets in what a row can say: a value can belong to an antecedent in part (fuzzy
//! membership), and a row can be in several classes in part (a tuple of an anonymized group). Counts are therefore
//! numbers, exact as long as no part is.
//!
//! Cost. A prefix costs, for each attribute behind its last that has a frequent value at all, one pass over its rows, which counts all
//! values of that attribute at once, and one more over the rows of the frequent ones, by class. Only prefixes that are
//! frequent enough to have rules are followed.

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
pub trait Classes {
    /// How many classes of consequents there are.
    fn classes(&self) -> usize;

    /// Adds `weight` times the row's part in each class to `counts`.
    fn add(&self, row: u32, weight: f64, counts: &mut [f64]);
}

/// One class per row: its sensitive code.
pub struct OneClass<'a> {
    /// Row by row, the class.
    pub class_of: &'a [u32],
    /// How many there are.
    pub classes: usize,
}

impl Classes for OneClass<'_> {
    fn classes(&self) -> usize {
        self.classes
    }

    fn add(&self, row: u32, weight: f64, counts: &mut [f64]) {
        counts[self.class_of[row as usize] as usize] += weight;
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

/// Visits every antecedent of at most `max_len` conditions and at least `min_count` rows, in the order of its conditions.
pub fn visit_antecedents<C: Classes>(
    attributes: &[AttributeValues<'_>],
    classes: &C,
    max_len: usize,
    min_count: f64,
    visit: &mut impl FnMut(Antecedent<'_>),
) {
    let rows = attributes.first().map_or(0, |attribute| attribute.codes.len());
    let all = Selection { rows: (0..rows as u32).collect(), weights: None };
    let can_be_frequent = attributes.iter().map(|attribute| {
        let counted = ValueCounts::new(attribute, &all);
        attribute.values.iter().any(|value| counted.count(&value.members) >= min_count * (1.0 - HAIR))
    });
    let can_be_frequent = can_be_frequent.collect();
    let mut search = Search { attributes, classes, max_len, min_count, can_be_frequent, visit };
    search.extend(&mut Vec::with_capacity(max_len), &all);
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

struct Search<'a, C, V> {
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

impl<C: Classes, V: FnMut(Antecedent<'_>)> Search<'_, C, V> {
    fn extend(&mut self, prefix: &mut Vec<Condition>, selection: &Selection) {
        if prefix.len() == self.max_len {
            return;
        }
        let first = prefix.last().map_or(0, |last| last.attribute as usize + 1);
        let attributes = self.attributes;
        for (position, attribute) in attributes.iter().enumerate().skip(first) {
            if !self.can_be_frequent[position] {
                continue;
            }
            let mut counted = ValueCounts::new(attribute, selection);
            // A value nobody has says nothing, whatever the bound.
            let frequent: Vec<(usize, f64)> = attribute
                .values
                .iter()
                .enumerate()
                .map(|(value, item)| (value, counted.count(&item.members)))
                .filter(|&(_, count)| count >= self.min_count && count > 0.0)
                .collect();
            if frequent.is_empty() {
                continue;
            }
            counted.count_classes(attribute, self.classes, selection, frequent.iter().map(|&(value, _)| value));
            let goes_deeper =
                prefix.len() + 1 < self.max_len && self.can_be_frequent[position + 1..].iter().any(|&can| can);
            let by_value = goes_deeper.then(|| RowsByValue::new(attribute, selection));
            let mut class_counts = vec![0.0; self.classes.classes()];
            for (value, count) in frequent {
                let item = &attribute.values[value];
                counted.sum_classes(&item.members, &mut class_counts);
                prefix.push(Condition { attribute: position as u32, value: value as u32 });
                (self.visit)(Antecedent { conditions: prefix, count, classes: &class_counts });
                if let Some(by_value) = &by_value {
                    self.extend(prefix, &by_value.select(&item.members, selection));
                }
                prefix.pop();
            }
        }
    }
}

/// The rows of a selection counted by the value of one attribute, and by class within values that are asked for.
struct ValueCounts {
    counts: Vec<f64>,
    class_counts: Vec<f64>,
    classes: usize,
}

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
        Self { counts, class_counts: Vec::new(), classes: 0 }
    }

    /// C_X of a generalized value.
    fn count(&self, members: &[(u32, f64)]) -> f64 {
        let counts = members.iter().map(|&(code, membership)| (self.counts[code as usize], membership));
        counts.filter(|&(count, _)| count > 0.0).fold(0.0, |sum, (count, membership)| sum + membership * count)
    }

    /// Counts the rows of these generalized values by class.
    fn count_classes<C: Classes>(
        &mut self,
        attribute: &AttributeValues<'_>,
        classes: &C,
        selection: &Selection,
        values: impl Iterator<Item = usize>,
    ) {
        let width = classes.classes();
        self.classes = width;
        self.class_counts = vec![0.0; attribute.cardinality * width];
        let mut is_asked = vec![false; attribute.cardinality];
        for value in values {
            attribute.values[value].members.iter().for_each(|&(code, _)| is_asked[code as usize] = true);
        }
        for (i, &row) in selection.rows.iter().enumerate() {
            let code = attribute.codes[row as usize] as usize;
            if is_asked[code] {
                classes.add(row, selection.weight(i), &mut self.class_counts[code * width..(code + 1) * width]);
            }
        }
    }

    /// C_X[s] of a generalized value whose rows were counted by class.
    fn sum_classes(&self, members: &[(u32, f64)], class_counts: &mut [f64]) {
        class_counts.fill(0.0);
        for &(code, membership) in members {
            let code = code as usize;
            if self.counts[code] > 0.0 {
                let of_code = &self.class_counts[code * self.classes..(code + 1) * self.classes];
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
