//! What an analyst makes of buckets: a tuple of group g has value s with the share of s in g.

use crate::data::Microdata;
use crate::lab::LabError;
use crate::release::{Buckets, Release};

/// The sensitive values of each group as shares of its size.
pub(super) struct GroupShares<'a> {
    buckets: &'a Buckets,
    sizes: Vec<u32>,
    /// Scratch of `count`: rows seen per group, and the groups seen.
    seen: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> GroupShares<'a> {
    pub(super) fn new(buckets: &'a Buckets) -> Self {
        let sizes: Vec<u32> =
            buckets.sensitive.iter().map(|values| values.iter().map(|&(_, count)| count).sum()).collect();
        Self { buckets, seen: vec![0; sizes.len()], touched: Vec::new(), sizes }
    }

    /// The shares in `release`, which must be buckets over the rows of `microdata`.
    pub(super) fn of_release(microdata: &Microdata, release: Option<&'a Release>) -> Result<Self, LabError> {
        let Some(Release::Buckets(buckets)) = release else {
            return Err(LabError::input("a release of buckets is needed"));
        };
        let rows = microdata.rows();
        if buckets.group_of.len() != rows {
            return Err(LabError::input(format!(
                "the release has {} rows, the original {rows}",
                buckets.group_of.len()
            )));
        }
        let shares = Self::new(buckets);
        let is_empty = |group: u32| shares.sizes.get(group as usize).is_none_or(|&size| size == 0);
        match buckets.group_of.iter().position(|&group| is_empty(group)) {
            Some(row) => Err(LabError::input(format!("row {} is in a group without sensitive values", row + 1))),
            None => Ok(shares),
        }
    }

    /// The values `row` may have, with their probabilities.
    pub(super) fn of_row(&self, row: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let group = self.buckets.group_of[row as usize] as usize;
        let size = f64::from(self.sizes[group]);
        self.buckets.sensitive[group].iter().map(move |&(value, count)| (value, f64::from(count) / size))
    }

    /// The expected number of `rows` whose sensitive value `admits` (a flag per code) admits.
    pub(super) fn count(&mut self, rows: &[u32], admits: &[bool]) -> f64 {
        for &row in rows {
            let group = self.buckets.group_of[row as usize];
            if self.seen[group as usize] == 0 {
                self.touched.push(group);
            }
            self.seen[group as usize] += 1;
        }
        let mut expected = 0.0;
        for group in self.touched.drain(..) {
            let group = group as usize;
            let admitted: u32 =
                self.buckets.sensitive[group].iter().filter(|&&(s, _)| admits[s as usize]).map(|&(_, n)| n).sum();
            expected += f64::from(self.seen[group]) * f64::from(admitted) / f64::from(self.sizes[group]);
            self.seen[group] = 0;
        }
        expected
    }
}
