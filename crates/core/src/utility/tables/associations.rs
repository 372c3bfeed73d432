//! How many records an analyst of a generalized table takes to have some quasi-identifier values, by sensitive value: records are
//! spread evenly over the values their cells cover, suppressed rows over everything with the sensitive values of the rest.
//!
//! Cost. A conjunction takes the classes once. The visit takes, for each conjunction that it follows, what the classes that cover it cover
//! of the attributes behind: once for the records, and once more for the sensitive values where a code is frequent.

use crate::data::Microdata;
use crate::release::generalized_table::{Classes, Cover, GeneralizedTable, SuppressedIf};

/// The classes of a table, each with how many records have which sensitive value; the suppressed rows are the last.
pub(crate) struct ReleasedCounts {
    classes: Classes,
    /// Covers of everything, one an attribute: those of suppressed rows.
    everything: Vec<Cover>,
    /// The sensitive codes of one class after the other, with their records.
    counts: Vec<(u32, f64)>,
    /// Where the counts of each class start, and the end of the last.
    starts: Vec<usize>,
    sizes: Vec<f64>,
    values: usize,
}

impl ReleasedCounts {
    pub(crate) fn new(microdata: &Microdata, table: &GeneralizedTable) -> Self {
        let classes = Classes::new(microdata, table, SuppressedIf::Everything);
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let mut counts = Vec::new();
        let mut starts = vec![0];
        let mut totals = vec![0.0; values];
        for histogram in classes.histograms(&table.sensitive) {
            for (value, count) in histogram {
                counts.push((value, f64::from(count)));
                totals[value as usize] += f64::from(count);
            }
            starts.push(counts.len());
        }
        let (suppressed, kept) = (classes.suppressed.len() as f64, totals.iter().sum::<f64>().max(1.0));
        counts.extend((0..).zip(&totals).map(|(value, total)| (value, suppressed * total / kept)));
        starts.push(counts.len());
        let sizes = classes.sizes.iter().map(|&size| f64::from(size)).chain([suppressed]).collect();
        let everything = classes.values.iter().map(|&values| Cover::all(values)).collect();
        Self { classes, everything, counts, starts, sizes, values }
    }

    fn cover(&self, class: usize, attribute: usize) -> &Cover {
        if class < self.classes.len() { self.classes.cover(class, attribute) } else { &self.everything[attribute] }
    }

    /// The records with all of `conditions` (attribute and code), and how many of them have each sensitive value.
    pub(crate) fn of(&self, conditions: &[(usize, u32)]) -> (f64, Vec<f64>) {
        let mut of_value = vec![0.0; self.values];
        let mut all = 0.0;
        for class in 0..self.sizes.len() {
            let part = |&(attribute, code): &(usize, u32)| {
                let cover = self.cover(class, attribute);
                if cover.contains(code) { 1.0 / cover.len() as f64 } else { 0.0 }
            };
            let part: f64 = conditions.iter().map(part).product();
            all += self.add(class, part, &mut of_value);
        }
        (all, of_value)
    }

    /// Adds `part` of a class to the counts of sensitive values; gives its records.
    fn add(&self, class: usize, part: f64, of_value: &mut [f64]) -> f64 {
        if part > 0.0 {
            let counts = &self.counts[self.starts[class]..self.starts[class + 1]];
            counts.iter().for_each(|&(value, count)| of_value[value as usize] += part * count);
        }
        part * self.sizes[class]
    }

    /// Visits every conjunction of at most `most` conditions that at least `least` records have, but those that narrow one of which
    /// `visit` said `false`.
    pub(crate) fn visit(&self, most: usize, least: f64, visit: &mut impl FnMut(&[(usize, u32)], f64, &[f64]) -> bool) {
        let everybody: Vec<(u32, f64)> =
            (0..).zip(&self.sizes).filter(|(_, size)| **size > 0.0).map(|(class, _)| (class, 1.0)).collect();
        // An attribute of one value says nothing; a value that is rare among all is so among some.
        let says_something = |&attribute: &usize| {
            self.classes.values[attribute] > 1
                && self.records(&everybody, attribute).iter().any(|&all| is_frequent(all, least))
        };
        let attributes: Vec<usize> = (0..self.classes.values.len()).filter(says_something).collect();
        self.extend(&everybody, &attributes, &mut Vec::new(), most, least, visit);
    }

    /// Among the records of some classes, each with the part that counts, those with each value of an attribute.
    fn records(&self, members: &[(u32, f64)], attribute: usize) -> Vec<f64> {
        let mut records = vec![0.0; self.classes.values[attribute]];
        for (class, cover, part) in self.spread(members, attribute) {
            let of_each = part * self.sizes[class];
            cover.codes().for_each(|code| records[code as usize] += of_each);
        }
        records
    }

    /// The classes with what they cover of an attribute, and the part that each value gets.
    fn spread<'a>(
        &'a self,
        members: &'a [(u32, f64)],
        attribute: usize,
    ) -> impl Iterator<Item = (usize, &'a Cover, f64)> + 'a {
        members.iter().map(move |&(class, part)| {
            let cover = self.cover(class as usize, attribute);
            (class as usize, cover, part / cover.len() as f64)
        })
    }

    fn extend(
        &self,
        members: &[(u32, f64)],
        attributes: &[usize],
        conditions: &mut Vec<(usize, u32)>,
        most: usize,
        least: f64,
        visit: &mut impl FnMut(&[(usize, u32)], f64, &[f64]) -> bool,
    ) {
        if conditions.len() == most {
            return;
        }
        for (place, &attribute) in attributes.iter().enumerate() {
            let behind = &attributes[place + 1..];
            let records = self.records(members, attribute);
            let frequent: Vec<u32> =
                (0..).zip(&records).filter(|(_, all)| is_frequent(**all, least)).map(|(code, _)| code).collect();
            if frequent.is_empty() {
                continue;
            }
            let of_values = self.values_of(members, attribute, &frequent);
            for (&code, of_value) in frequent.iter().zip(of_values.chunks_exact(self.values.max(1))) {
                conditions.push((attribute, code));
                let is_asked = visit(conditions, records[code as usize], of_value);
                if is_asked && conditions.len() < most && !behind.is_empty() {
                    let covering = self.spread(members, attribute).filter(|(_, cover, _)| cover.contains(code));
                    let covering: Vec<(u32, f64)> = covering.map(|(class, _, part)| (class as u32, part)).collect();
                    self.extend(&covering, behind, conditions, most, least, visit);
                }
                conditions.pop();
            }
        }
    }

    /// The sensitive values of the records with each of some codes of an attribute, one code after the other.
    fn values_of(&self, members: &[(u32, f64)], attribute: usize, codes: &[u32]) -> Vec<f64> {
        let mut start_of = vec![None; self.classes.values[attribute]];
        codes.iter().enumerate().for_each(|(i, &code)| start_of[code as usize] = Some(i * self.values));
        let mut of_values = vec![0.0; codes.len() * self.values];
        for (class, cover, part) in self.spread(members, attribute) {
            for start in cover.codes().filter_map(|code| start_of[code as usize]) {
                self.add(class, part, &mut of_values[start..start + self.values]);
            }
        }
        of_values
    }
}

fn is_frequent(records: f64, least: f64) -> bool {
    records > 0.0 && records >= least
}
