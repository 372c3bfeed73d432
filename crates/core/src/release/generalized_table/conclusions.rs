//! What a reader makes of a generalized table.
//!
//! A reader who knows everybody's quasi-identifiers takes a class for a group: its members have its sensitive values, nobody
//! knows who has which. Suppressed rows are one group; how often each value is in the whole table is taken to be known, so
//! what the classes do not have is theirs.
//!
//! An analyst who has the table alone takes records to be spread evenly over the values their cells cover, attributes
//! independent of each other within a class. Suppressed rows are spread over everything, with the sensitive values of the rest.

use super::{Classes, GeneralizedTable, SuppressedIf};
use crate::data::Microdata;
use crate::lab::LabError;
use crate::release::conclusions::{Conclusions, CountQuery, Counts, Groups};

impl Conclusions for GeneralizedTable {
    fn groups(&self, original: &Microdata) -> Option<Result<Groups<'_>, LabError>> {
        Some(self.check_shape(original).and_then(|()| groups(original, self)))
    }

    fn counts<'a>(&'a self, original: &'a Microdata) -> Option<Result<Box<dyn Counts + 'a>, LabError>> {
        Some(self.check_shape(original).map(|()| Box::new(EvenSpread::new(original, self)) as Box<dyn Counts>))
    }
}

fn groups(original: &Microdata, table: &GeneralizedTable) -> Result<Groups<'static>, LabError> {
    let classes = Classes::new(original, table, SuppressedIf::Everything);
    let mut sensitive = classes.histograms(&table.sensitive);
    if !classes.suppressed.is_empty() {
        let mut values: Vec<u32> =
            classes.suppressed.iter().map(|&row| original.sensitive_codes()[row as usize]).collect();
        values.sort_unstable();
        sensitive.push(values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect());
    }
    let suppressed = classes.len() as u32;
    let group_of: Vec<u32> = classes.of_rows().map(|class| class.unwrap_or(suppressed)).collect();
    Groups::new(original, group_of, sensitive)
}

/// Cost. An answer takes the covers of the attributes asked for, and every class once.
struct EvenSpread {
    classes: Classes,
    sensitive: Vec<Vec<(u32, u32)>>,
    /// The sensitive values of all classes.
    totals: Vec<u64>,
    /// Scratch: of each attribute asked for, the share of each cover that is admitted.
    shares: Vec<Vec<f64>>,
}

impl EvenSpread {
    fn new(original: &Microdata, table: &GeneralizedTable) -> Self {
        let classes = Classes::new(original, table, SuppressedIf::Everything);
        let sensitive = classes.histograms(&table.sensitive);
        let mut totals = vec![0; original.table.columns[original.sensitive].cardinality()];
        for &(value, count) in sensitive.iter().flatten() {
            totals[value as usize] += u64::from(count);
        }
        Self { classes, sensitive, totals, shares: Vec::new() }
    }

    /// The part of the suppressed rows that `query` counts.
    fn of_suppressed(&self, query: &CountQuery<'_>) -> f64 {
        let rows: u64 = self.totals.iter().sum();
        if self.classes.suppressed.is_empty() || rows == 0 {
            return 0.0;
        }
        let admitted: u64 =
            self.totals.iter().zip(query.sensitive).filter(|(_, admits)| **admits).map(|(n, _)| n).sum();
        let of_attribute = |attribute: usize, values: usize| values as f64 / self.classes.values[attribute] as f64;
        let covered: f64 = query.quasi.iter().map(|one| of_attribute(one.attribute, one.values.len())).product();
        self.classes.suppressed.len() as f64 * covered * admitted as f64 / rows as f64
    }
}

impl Counts for EvenSpread {
    fn count(&mut self, query: &CountQuery<'_>) -> f64 {
        self.shares.clear();
        for one in query.quasi {
            let share = |cover: &super::Cover| {
                one.values.iter().filter(|&&value| cover.contains(value)).count() as f64 / cover.len() as f64
            };
            self.shares.push(self.classes.covers[one.attribute].iter().map(share).collect());
        }
        let mut expected = self.of_suppressed(query);
        for (class, values) in self.sensitive.iter().enumerate() {
            let cells = self.classes.cells(class);
            let mut part = 1.0;
            for (one, shares) in query.quasi.iter().zip(&self.shares) {
                part *= shares[cells[one.attribute] as usize];
                if part == 0.0 {
                    break;
                }
            }
            if part > 0.0 {
                let admitted: u32 =
                    values.iter().filter(|&&(value, _)| query.sensitive[value as usize]).map(|&(_, count)| count).sum();
                expected += part * f64::from(admitted);
            }
        }
        expected
    }
}
