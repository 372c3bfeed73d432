//! What a reader makes of buckets: quasi-identifiers are published as they are, and a tuple of group g has value s with the
//! share of s in g.

use super::Buckets;
use crate::data::{Combinations, CombinedRows, Microdata, RowOrder};
use crate::lab::LabError;
use crate::release::conclusions::{Conclusions, CountQuery, Counts, Groups, Records};
use crate::release::group_values::GroupValues;
use std::collections::BTreeMap;

impl Conclusions for Buckets {
    fn groups(&self, original: &Microdata) -> Option<Result<Groups<'_>, LabError>> {
        Some(Groups::new(original, &self.group_of, &self.sensitive).map(|groups| groups.called(&self.ids)))
    }

    fn counts<'a>(&'a self, original: &'a Microdata) -> Option<Result<Box<dyn Counts + 'a>, LabError>> {
        let groups = Groups::new(original, &self.group_of, &self.sensitive);
        let sensitive_values = original.table.columns[original.sensitive].cardinality();
        Some(groups.map(|groups| Box::new(CountsOfGroups::new(groups, sensitive_values)) as Box<dyn Counts>))
    }
}

/// Cost. Of records by combination, the first query on some attributes sums up what the groups say of each combination: the
/// rows times the values of a group, one combination after another so that its sums stay in cache; a query then adds up the sums
/// of its combinations. Of listed or ordered records, an answer takes the rows of the query and the groups these are in.
///
/// Sums of fractions depend on their order in the last digit. That of the rows of a combination is by group, and that of the
/// groups of listed records by the first of their rows.
struct CountsOfGroups<'a> {
    groups: Groups<'a>,
    sensitive_values: usize,
    values: GroupValues,
    /// The values of each group as a set; None where there are many values, or a group has one more than once.
    masks: Option<Vec<u64>>,
    /// The rows in the order of their groups, once somebody asked for sums.
    by_group: Option<Vec<u32>>,
    /// What was summed last.
    sums: Option<(Combinations, Vec<f64>)>,
    /// The groups of the rows in each order that was asked about, by its attribute.
    in_order: BTreeMap<usize, Vec<u32>>,
    /// Scratch of listed records: rows seen per group, and the groups seen.
    seen: Vec<u32>,
    touched: Vec<u32>,
}

impl<'a> CountsOfGroups<'a> {
    fn new(groups: Groups<'a>, sensitive_values: usize) -> Self {
        let (seen, values) = (vec![0; groups.number()], GroupValues::new(&groups));
        let masks = (sensitive_values <= 64).then(|| values.sets()).flatten();
        let (by_group, sums, in_order, touched) = (None, None, BTreeMap::new(), Vec::new());
        Self { groups, sensitive_values, values, masks, by_group, sums, in_order, seen, touched }
    }

    /// For each combination and sensitive value, how many of its rows are expected to have it.
    fn sum(&mut self, rows: &CombinedRows) -> Vec<f64> {
        let by_group = self.by_group.take().unwrap_or_else(|| self.groups.rows_in_order());
        // The groups of the rows of each combination, one combination after another.
        let mut next = vec![0u32; rows.combinations.number() + 1];
        for &combination in &rows.of_row {
            next[combination as usize + 1] += 1;
        }
        for combination in 1..next.len() {
            next[combination] += next[combination - 1];
        }
        let mut groups = vec![0; by_group.len()];
        for &row in &by_group {
            let place = &mut next[rows.of_row[row as usize] as usize];
            groups[*place as usize] = self.groups.of_rows()[row as usize];
            *place += 1;
        }
        self.by_group = Some(by_group);
        let mut sums = vec![0.0; rows.combinations.number() * self.sensitive_values];
        let mut start = 0;
        for (sums, &end) in sums.chunks_mut(self.sensitive_values.max(1)).zip(&next) {
            for &group in &groups[start..end as usize] {
                self.values.add_shares(group as usize, 1.0, sums);
            }
            start = end as usize;
        }
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

    fn of_places(&mut self, order: &RowOrder, places: &[u32], sensitive: &[bool]) -> f64 {
        let groups = self.in_order.remove(&order.by).unwrap_or_else(|| {
            let groups = self.groups.of_rows();
            order.rows.iter().map(|&row| groups[row as usize]).collect()
        });
        for &place in places {
            self.see(groups[place as usize]);
        }
        self.in_order.insert(order.by, groups);
        self.of_seen(sensitive)
    }

    fn of_rows(&mut self, rows: &[u32], sensitive: &[bool]) -> f64 {
        for &row in rows {
            self.see(self.groups.of_rows()[row as usize]);
        }
        self.of_seen(sensitive)
    }

    /// Notes a row of `group`.
    fn see(&mut self, group: u32) {
        let seen = &mut self.seen[group as usize];
        if *seen == 0 {
            self.touched.push(group);
        }
        *seen += 1;
    }

    /// What the groups of the rows noted say, which are forgotten.
    fn of_seen(&mut self, sensitive: &[bool]) -> f64 {
        let mask = mask(sensitive);
        let mut expected = 0.0;
        for group in self.touched.drain(..) {
            let group = group as usize;
            let admitted = match &self.masks {
                Some(masks) => (masks[group] & mask).count_ones(),
                None => self.values.admitted(group, sensitive),
            };
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
            Records::Ordered { order, places } => self.of_places(order, places, query.sensitive),
            Records::Listed(rows) => self.of_rows(rows, query.sensitive),
        }
    }
}

/// The first 64 flags as bits.
fn mask(flags: &[bool]) -> u64 {
    flags.iter().take(64).enumerate().fold(0, |mask, (value, &admits)| mask | u64::from(admits) << value)
}
