//! Conjunctions of quasi-identifier values, at most one per attribute, with how many rows of each class have them: the
//! C_X and C_X[s] of the Injector paper (Section IV-C), counted together in one pass over the rows of each prefix.
//!
//! It differs from the miner of itemsets in what a row can say: a value can belong to an antecedent in part (fuzzy
//! membership), and a row can be in several classes in part (a tuple of an anonymized group). Counts are therefore
//! numbers, exact as long as no part is.
//!
//! Cost. A prefix costs, for each attribute behind its last, one pass over its rows, which counts all values of that
//! attribute at once, and one pass over those counts for its generalized values. Only prefixes that are frequent enough
//! to have rules are followed.

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
    let mut search = Search { attributes, classes, max_len, min_count, visit };
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
    visit: &'a mut V,
}

impl<C: Classes, V: FnMut(Antecedent<'_>)> Search<'_, C, V> {
    fn extend(&mut self, prefix: &mut Vec<Condition>, selection: &Selection) {
        if prefix.len() == self.max_len {
            return;
        }
        let first = prefix.last().map_or(0, |last| last.attribute as usize + 1);
        let attributes = self.attributes;
        for (position, attribute) in attributes.iter().enumerate().skip(first) {
            let counted = ValueCounts::new(attribute, self.classes, selection);
            let goes_deeper = prefix.len() + 1 < self.max_len && position + 1 < attributes.len();
            let by_value = goes_deeper.then(|| RowsByValue::new(attribute, selection));
            let mut class_counts = vec![0.0; self.classes.classes()];
            for (value, item) in attribute.values.iter().enumerate() {
                let count = counted.sum(&item.members, &mut class_counts);
                // A value nobody has says nothing, whatever the bound.
                if count < self.min_count || count <= 0.0 {
                    continue;
                }
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

/// The rows of a selection counted by the value of one attribute, and by class within the value.
struct ValueCounts {
    counts: Vec<f64>,
    class_counts: Vec<f64>,
    classes: usize,
}

impl ValueCounts {
    fn new<C: Classes>(attribute: &AttributeValues<'_>, classes: &C, selection: &Selection) -> Self {
        let width = classes.classes();
        let mut counts = vec![0.0; attribute.cardinality];
        let mut class_counts = vec![0.0; attribute.cardinality * width];
        for (i, &row) in selection.rows.iter().enumerate() {
            let (code, weight) = (attribute.codes[row as usize] as usize, selection.weight(i));
            counts[code] += weight;
            classes.add(row, weight, &mut class_counts[code * width..(code + 1) * width]);
        }
        Self { counts, class_counts, classes: width }
    }

    /// C_X of a generalized value, and its C_X[s] in `class_counts`.
    fn sum(&self, members: &[(u32, f64)], class_counts: &mut [f64]) -> f64 {
        class_counts.fill(0.0);
        let mut count = 0.0;
        for &(code, membership) in members {
            let code = code as usize;
            if self.counts[code] > 0.0 {
                count += membership * self.counts[code];
                let of_code = &self.class_counts[code * self.classes..(code + 1) * self.classes];
                for (sum, part) in class_counts.iter_mut().zip(of_code) {
                    *sum += membership * part;
                }
            }
        }
        count
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
