//! What a reader makes of buckets: quasi-identifiers are published as they are, and a tuple of group g has value s with the
//! share of s in g.

use super::Buckets;
use crate::data::Microdata;
use crate::lab::LabError;
use crate::release::conclusions::{Conclusions, CountQuery, Counts, Groups};

impl Conclusions for Buckets {
    fn groups(&self, original: &Microdata) -> Option<Result<Groups<'_>, LabError>> {
        Some(Groups::new(original, &self.group_of, &self.sensitive))
    }

    fn counts<'a>(&'a self, original: &'a Microdata) -> Option<Result<Box<dyn Counts + 'a>, LabError>> {
        let groups = Groups::new(original, &self.group_of, &self.sensitive);
        Some(groups.map(|groups| Box::new(CountsOfGroups::new(groups)) as Box<dyn Counts>))
    }
}

/// Cost. An answer takes the rows of the query and the values of the groups these are in.
struct CountsOfGroups<'a> {
    groups: Groups<'a>,
    /// Scratch of `count`: rows seen per group, and the groups seen.
    seen: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> CountsOfGroups<'a> {
    fn new(groups: Groups<'a>) -> Self {
        Self { seen: vec![0; groups.number()], touched: Vec::new(), groups }
    }
}

impl Counts for CountsOfGroups<'_> {
    fn count(&mut self, query: &CountQuery<'_>) -> f64 {
        for &row in query.rows {
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
            let admitted: u32 = values.filter(|&&(s, _)| query.sensitive[s as usize]).map(|&(_, n)| n).sum();
            expected += f64::from(self.seen[group]) * f64::from(admitted) / f64::from(self.groups.size(group));
            self.seen[group] = 0;
        }
        expected
    }
}
