//! How many records an analyst of a generalized table takes to have some quasi-identifier values, by sensitive value: records are
//! spread evenly over the values their cells cover, suppressed rows over everything with the sensitive values of the rest.
//!
//! Cost. A conjunction takes the classes once; the visit takes, for each conjunction that is frequent enough, what the classes
//! that cover it cover of the attributes behind.

use crate::data::Microdata;
use crate::release::generalized_table::{Classes, Cover, GeneralizedTable, SuppressedIf};

/// The classes of a table, each with how many records have which sensitive value; the suppressed rows are the last.
pub(crate) struct ReleasedCounts {
    classes: Classes,
    /// Covers of everything, one an attribute: those of suppressed rows.
    everything: Vec<Cover>,
    /// Class by class and by sensitive code.
    counts: Vec<f64>,
    sizes: Vec<f64>,
    values: usize,
}

impl ReleasedCounts {
    pub(crate) fn new(microdata: &Microdata, table: &GeneralizedTable) -> Self {
        let classes = Classes::new(microdata, table, SuppressedIf::Everything);
        let values = microdata.table.columns[microdata.sensitive].cardinality();
        let mut counts = vec![0.0; (classes.len() + 1) * values];
        let mut totals = vec![0.0; values];
        for (class, histogram) in classes.histograms(&table.sensitive).into_iter().enumerate() {
            for (value, count) in histogram {
                counts[class * values + value as usize] = f64::from(count);
                totals[value as usize] += f64::from(count);
            }
        }
        let (suppressed, kept) = (classes.suppressed.len() as f64, totals.iter().sum::<f64>().max(1.0));
        for (value, total) in totals.iter().enumerate() {
            counts[classes.len() * values + value] = suppressed * total / kept;
        }
        let sizes = classes.sizes.iter().map(|&size| f64::from(size)).chain([suppressed]).collect();
        let everything = classes.values.iter().map(|&values| Cover::all(values)).collect();
        Self { classes, everything, counts, sizes, values }
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
            let counts = &self.counts[class * self.values..(class + 1) * self.values];
            of_value.iter_mut().zip(counts).for_each(|(sum, count)| *sum += part * count);
        }
        part * self.sizes[class]
    }

    /// Visits every conjunction of at most `most` conditions that at least `least` records have.
    pub(crate) fn visit(&self, most: usize, least: f64, visit: &mut impl FnMut(&[(usize, u32)], f64, &[f64])) {
        let everybody: Vec<(usize, f64)> = (0..self.sizes.len()).map(|class| (class, 1.0)).collect();
        self.extend(&everybody, &mut Vec::new(), most, least, visit);
    }

    fn extend(
        &self,
        members: &[(usize, f64)],
        conditions: &mut Vec<(usize, u32)>,
        most: usize,
        least: f64,
        visit: &mut impl FnMut(&[(usize, u32)], f64, &[f64]),
    ) {
        if conditions.len() == most {
            return;
        }
        let first = conditions.last().map_or(0, |&(attribute, _)| attribute + 1);
        // An attribute of one value says nothing.
        for attribute in (first..self.classes.values.len()).filter(|&i| self.classes.values[i] > 1) {
            let mut of_code: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.classes.values[attribute]];
            for &(class, part) in members.iter().filter(|&&(class, _)| self.sizes[class] > 0.0) {
                let cover = self.cover(class, attribute);
                let share = part / cover.len() as f64;
                cover.codes().for_each(|code| of_code[code as usize].push((class, share)));
            }
            for (code, members) in (0..).zip(&of_code) {
                let mut of_value = vec![0.0; self.values];
                let all: f64 = members.iter().map(|&(class, part)| self.add(class, part, &mut of_value)).sum();
                if all > 0.0 && all >= least {
                    conditions.push((attribute, code));
                    visit(conditions, all, &of_value);
                    self.extend(members, conditions, most, least, visit);
                    conditions.pop();
                }
            }
        }
    }
}
