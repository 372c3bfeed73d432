//! What a reader makes of buckets: quasi-identifiers are published as they are, and a tuple of group g has value s with the
//! share of s in g.

use super::Buckets;
use crate::data::{Combinations, CombinedRows, Microdata};
use crate::lab::LabError;
use crate::release::conclusions::{Conclusions, CountQuery, Counts, Groups, Records};

impl Conclusions for Buckets {
    fn groups(&self, original: &Microdata) -> Option<Result<Groups<'_>, LabError>> {
        Some(Groups::new(original, &self.group_of, &self.sensitive))
    }

    fn counts<'a>(&'a self, original: &'a Microdata) -> Option<Result<Box<dyn Counts + 'a>, LabError>> {
        let groups = Groups::new(original, &self.group_of, &self.sensitive);
        let sensitive_values = original.table.columns[original.sensitive].cardinality();
        Some(groups.map(|groups| Box::new(CountsOfGroups::new(groups, sensitive_values)) as Box<dyn Counts>))
    }
}

/// Cost. Of records by combination, the first query on some attributes sums up what the groups say of each combination: the
/// rows times the values of a group; a query then adds up the sums of its combinations. Of listed records, an answer takes the rows of
/// the query and the values of the groups these are in.
struct CountsOfGroups<'a> {
    groups: Groups<'a>,
    sensitive_values: usize,
    /// The rows in the order of their groups, once somebody asked for sums.
    by_group: Option<Vec<u32>>,
    /// What was summed last.
    sums: Option<(Combinations, Vec<f64>)>,
    /// Scratch of `of_rows`: rows seen per group, and the groups seen.
    seen: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> CountsOfGroups<'a> {
    fn new(groups: Groups<'a>, sensitive_values: usize) -> Self {
        let seen = vec![0; groups.number()];
        Self { groups, sensitive_values, by_group: None, sums: None, seen, touched: Vec::new() }
    }

    /// For each combination and sensitive value, how many of its rows are expected to have it.
    fn sum(&mut self, rows: &CombinedRows) -> Vec<f64> {
        let by_group = self.by_group.take().unwrap_or_else(|| self.groups.rows_in_order());
        let mut sums = vec![0.0; rows.combinations.number() * self.sensitive_values];
        for run in by_group.chunk_by(|&a, &b| self.groups.of_rows()[a as usize] == self.groups.of_rows()[b as usize]) {
            let group = self.groups.of_rows()[run[0] as usize] as usize;
            let size = f64::from(self.groups.size(group));
            for &row in run {
                let first = rows.of_row[row as usize] as usize * self.sensitive_values;
                for &(value, count) in self.groups.values(group) {
                    sums[first + value as usize] += f64::from(count) / size;
                }
            }
        }
        self.by_group = Some(by_group);
        sums
    }

    fn of_combinations(&mut self, rows: &CombinedRows, numbers: &[u32], sensitive: &[bool]) -> f64 {
        let (combinations, sums) = match self.sums.take() {
            Some(known) if known.0 == rows.combinations => known,
            _ => (rows.combinations.clone(), self.sum(rows)),
        };
        let values: Vec<usize> = (0..self.sensitive_values).filter(|&value| sensitive[value]).collect();
        let of_combination = |&number: &u32| {
            let sums = &sums[number as usize * self.sensitive_values..][..self.sensitive_values];
            values.iter().map(|&value| sums[value]).sum::<f64>()
        };
        let expected = numbers.iter().map(of_combination).sum();
        self.sums = Some((combinations, sums));
        expected
    }

    fn of_rows(&mut self, rows: &[u32], sensitive: &[bool]) -> f64 {
        for &row in rows {
            let group = self.groups.of_rows()[row as usize];
            if self.seen[group as usize] == 0 {
                self.touched.push(group);
            }
            self.seen[group as usize] += 1;
        }
        let mut expected = 0.0;
        for group in self.touched.drain(..) {
            let group = group as usize;
            let values = self.groups.values(group).iter();
            let admitted: u32 = values.filter(|&&(s, _)| sensitive[s as usize]).map(|&(_, n)| n).sum();
            expected += f64::from(self.seen[group]) * f64::from(admitted) / f64::from(self.groups.size(group));
            self.seen[group] = 0;
        }
        expected
    }
}

impl Counts for CountsOfGroups<'_> {
    fn count(&mut self, query: &CountQuery<'_>) -> f64 {
        match query.records {
            Records::Combined { rows, numbers } => self.of_combinations(rows, numbers, query.sensitive),
            Records::Listed(rows) => self.of_rows(rows, query.sensitive),
        }
    }
}
